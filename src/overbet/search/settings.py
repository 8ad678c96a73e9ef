"""How search thinks: which streets, which bets, how safely, for how long."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import pydantic

from overbet import machine
from overbet.config import Config
from overbet.search.gadgets import GadgetName
from overbet.tree.spot import STREETS, BetsConfig, Street, ThresholdsConfig


def _flop_bets() -> BetsConfig:
    return _bets(flop=("60%", ("100%", "a")), turn=("75%", "a"), river=("75%", ""))


def _turn_bets() -> BetsConfig:
    return _bets(turn=("75%", ("100%", "a")), river=("75%", ""))


def _river_bets() -> BetsConfig:
    return _bets(river=("40%, 90%, a", ("90%, a", "a")))


def _bets(**streets: tuple[str, str | tuple[str, ...]]) -> BetsConfig:
    found = {name: {"bet": bet, "raise": raises} for name, (bet, raises) in streets.items()}
    return BetsConfig.model_validate(found)


class StreetSettings(Config):
    """How a street is searched.

    bets: the menus of the subgame, on this street and those that follow: few sizes where there is much to
    come, more where there is little; what was really bet on the street is added to them. The search stops at
    its target (exploitability of the answer, in % of the pot at the beginning of the street) or its
    iterations, whichever comes first. drawn: how many boards of later streets an iteration plays, drawn anew
    each time, on which hands share rows by the blueprint's buckets; 0 plays all of them and shares nothing.
    Where boards are drawn nobody judges the answer, and the target means nothing.
    """

    bets: BetsConfig
    drawn: int = pydantic.Field(default=0, ge=0, le=48)
    target: float = pydantic.Field(default=1.0, ge=0)
    iterations: int = pydantic.Field(default=200, gt=0)


class SearchSettings(Config):
    """Settings of a search.

    streets: those that are searched; on the others the blueprint plays. flop, turn, river: how a search that
    begins on that street is made. gadget: what keeps the opponent from doing better than against the strategy
    before. seconds: a limit of time a decision; without one the same question has the same answer to the last
    bit. threads: 0 for all cores. device: auto takes a GPU where there is one.
    cache: whether answers are kept on disk and looked up there (`overbet cache`).
    """

    streets: tuple[Street, ...] = ("turn", "river")
    gadget: GadgetName = "unsafe"
    flop: StreetSettings = StreetSettings(bets=_flop_bets(), drawn=4, iterations=300)
    turn: StreetSettings = StreetSettings(bets=_turn_bets(), target=2.0, iterations=150)
    river: StreetSettings = StreetSettings(bets=_river_bets(), target=1.0, iterations=300)
    thresholds: ThresholdsConfig = ThresholdsConfig(add_all_in=1.0, force_all_in=0.15, merge=0.1)
    seconds: float | None = pydantic.Field(default=None, gt=0, allow_inf_nan=False)
    threads: int = pydantic.Field(default=0, ge=0)
    device: Literal["auto", "cpu", "cuda"] = "auto"
    cache: bool = True

    @classmethod
    def of(cls, changes: Mapping[str, Any]) -> SearchSettings:
        """Return the standard settings with changes; those of a street, `turn={"target": 1}`, one by one."""
        values = cls().model_dump(by_alias=True)
        for key, value in changes.items():
            within = isinstance(value, Mapping) and isinstance(values.get(key), dict)
            values[key] = {**values[key], **value} if within else value
        return cls.parse(values, "settings")

    def on(self, street: int) -> StreetSettings:
        """Return how street 0 (flop) to 2 (river) is searched."""
        found: StreetSettings = getattr(self, STREETS[street])
        return found

    def searches(self, street: int) -> bool:
        """Return whether street 0 (flop) to 2 (river) is searched."""
        return STREETS[street] in self.streets

    def worker_count(self) -> int:
        """Return the number of threads to use."""
        return self.threads or machine.core_count()
