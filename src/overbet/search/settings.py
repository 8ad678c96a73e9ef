"""How search thinks: which streets, which bets, how safely, for how long."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import pydantic

from overbet import machine
from overbet.config import Config
from overbet.search.depth_limit import MOST_CONTINUATIONS
from overbet.search.gadgets import GadgetName
from overbet.search.table.settings import TableSettings
from overbet.tree.spot import STREETS, BetsConfig, Street, ThresholdsConfig

DRAWN = 4  # boards that an iteration of a flop draws on a CPU
_HEADS_UP: tuple[Street, ...] = ("flop", "turn", "river")  # by a blueprint, which has buckets to share
_ELSEWHERE: tuple[Street, ...] = ("turn", "river")  # of three and more a flop by walks gains nothing


def _flop_bets() -> BetsConfig:
    return _bets(flop=("60%", ("100%", "a")), turn=("75%", "a"), river=("75%", ""))


def _turn_bets() -> BetsConfig:
    return _bets(turn=("75%", ("100%", "a")), river=("75%", ""))


def _river_bets() -> BetsConfig:
    return _bets(river=("40%, 90%, a", ("90%, a", "a")))


def _bets(**streets: tuple[str, str | tuple[str, ...]]) -> BetsConfig:
    found = {name: {"bet": bet, "raise": raises} for name, (bet, raises) in streets.items()}
    return BetsConfig.model_validate(found)


def _changed(values: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """Return values with changes; those within a part of the settings one by one."""
    found = dict(values)
    for key, value in changes.items():
        within = isinstance(value, Mapping) and isinstance(found.get(key), dict)
        found[key] = _changed(found[key], value) if within else value
    return found


class StreetSettings(Config):
    """How a street is searched.

    bets: the menus of the subgame, on this street and those that follow: few sizes where there is much to
    come, more where there is little; what was really bet on the street is added to them. The search stops at
    its target (exploitability of the answer, in % of the pot at the beginning of the street) or its
    iterations, whichever comes first. drawn: how many boards of later streets an iteration plays, drawn anew
    each time, on which hands share rows by the blueprint's buckets; 0 plays all of them and shares nothing.
    Where boards are drawn nobody judges the answer, and the target means nothing. On the flop it may be left
    open: a CPU then draws DRAWN boards; a GPU plays all of them, until `whole_target` or `whole_iterations`.

    future: `play` goes to the end of the hand; `limit`, on the flop, ends with the street, where the opponent
    chooses among `continuations` of the blueprint, whose values are means over `boards` drawn boards.

    anchor: lambda, in % of the pot at the beginning of the street: both players stay near the blueprint on it
    (piKL); 0 for none. warm: the search begins on its street with the strategy of the last search of it, or
    with the blueprint's, as if so many iterations had been run; 0 begins with nothing.
    """

    bets: BetsConfig
    future: Literal["play", "limit"] = "play"
    continuations: int = pydantic.Field(default=MOST_CONTINUATIONS, ge=1, le=MOST_CONTINUATIONS)
    boards: int = pydantic.Field(default=24, ge=4, le=2352)
    drawn: int | None = pydantic.Field(default=0, ge=0, le=48)
    whole_target: float = pydantic.Field(default=1.0, ge=0)
    whole_iterations: int = pydantic.Field(default=45, gt=0)
    anchor: float = pydantic.Field(default=0.0, ge=0, allow_inf_nan=False)
    warm: int = pydantic.Field(default=0, ge=0, le=10_000)
    target: float = pydantic.Field(default=1.0, ge=0)
    iterations: int = pydantic.Field(default=200, gt=0)


class PreflopSettings(Config):
    """How the betting before the flop is searched after a bet that the blueprint does not have.

    search: whether it is; otherwise such a bet is taken for one that the blueprint has. Left open, it is
    where the package holds what classes of hands are worth by the blueprint. opens, raises: the
    sizes beside the real ones, in big blinds and in times the bet that is raised; all_in: a raise to more
    than this share of the stack is one of all chips. boards: drawn, that values at the flop are means of;
    continuations: as on the flop. It stops at its target, in % of the blinds, or its iterations.
    """

    search: bool | None = None
    opens: float = pydantic.Field(default=2.5, ge=2, le=100)
    raises: float = pydantic.Field(default=3.0, ge=2, le=100)
    all_in: float = pydantic.Field(default=0.4, gt=0, le=1)
    boards: int = pydantic.Field(default=24, ge=4, le=10_000)
    continuations: int = pydantic.Field(default=MOST_CONTINUATIONS, ge=1, le=MOST_CONTINUATIONS)
    target: float = pydantic.Field(default=0.5, ge=0)
    iterations: int = pydantic.Field(default=400, gt=0)


class SearchSettings(Config):
    """Settings of a search.

    streets: those that are searched; on the others the blueprint plays. Left open, an agent of a heads-up
    blueprint searches flop, turn and river; who has no blueprint, and a table of more players, turn and
    river. preflop: what is done about bets that
    the blueprint does not have before the flop. flop, turn, river: how a search that
    begins on that street is made. gadget: what keeps the opponent from doing better than against the strategy
    before. seconds: a limit of time a decision; without one the same question has the same answer to the last
    bit. threads: 0 for all cores. device: auto takes a GPU where there is one.
    cache: whether answers are kept on disk and looked up there (`overbet cache`).
    table: how it is done at a table of three players and more.
    """

    streets: tuple[Street, ...] | None = None
    gadget: GadgetName = "unsafe"
    preflop: PreflopSettings = PreflopSettings()
    flop: StreetSettings = StreetSettings(bets=_flop_bets(), drawn=None, target=0.25, iterations=300)
    turn: StreetSettings = StreetSettings(bets=_turn_bets(), target=2.0, iterations=150)
    river: StreetSettings = StreetSettings(bets=_river_bets(), target=1.0, iterations=300)
    thresholds: ThresholdsConfig = ThresholdsConfig(add_all_in=1.0, force_all_in=0.15, merge=0.1)
    seconds: float | None = pydantic.Field(default=None, gt=0, allow_inf_nan=False)
    threads: int = pydantic.Field(default=0, ge=0)
    device: Literal["auto", "cpu", "cuda"] = "auto"
    cache: bool = True
    table: TableSettings = TableSettings()

    @pydantic.model_validator(mode="after")
    def _check_futures(self) -> SearchSettings:
        if "limit" in (self.turn.future, self.river.future):
            raise ValueError(
                "future: limit is for the flop; turn and river are searched to the end of the hand"
            )
        return self

    @pydantic.model_validator(mode="after")
    def _check_drawn(self) -> SearchSettings:
        if self.turn.drawn is None or self.river.drawn is None:
            raise ValueError("drawn: only the flop's can be left open; 0 plays all rivers")
        return self

    @classmethod
    def of(cls, changes: Mapping[str, Any]) -> SearchSettings:
        """Return the standard settings with changes; those of a street, `turn={"target": 1}`, one by one."""
        return cls.parse(_changed(cls().model_dump(by_alias=True), changes), "settings")

    def on(self, street: int) -> StreetSettings:
        """Return how street 0 (flop) to 2 (river) is searched."""
        found: StreetSettings = getattr(self, STREETS[street])
        return found

    def settled(self, gpu: bool) -> SearchSettings:
        """Return the settings with nothing left open. gpu: whether there is one to use.

        What a GPU cannot do (maxmargin, an anchor, a warm start) is done as where there is none; so is a flop
        under any gadget, whose later searches would ask a best response of all boards for their promises.
        """
        if self.flop.drawn is not None:
            return self
        whole = (
            gpu
            and self.device != "cpu"
            and self.gadget == "unsafe"
            and not (self.flop.anchor or self.flop.warm)
            and self.flop.future == "play"
        )
        changes: dict[str, object] = {"drawn": DRAWN}
        if whole:
            budget = {"target": self.flop.whole_target, "iterations": self.flop.whole_iterations}
            changes = {"drawn": 0, **budget}
        return self.model_copy(update={"flop": self.flop.model_copy(update=changes)})

    def searched(self, blueprint_for: int = 0) -> tuple[Street, ...]:
        """Return the streets that are searched, with a blueprint for so many players, 0 for none."""
        standard = _HEADS_UP if blueprint_for == 2 else _ELSEWHERE
        return standard if self.streets is None else self.streets

    def with_blueprint(self, players: int) -> SearchSettings:
        """Return the settings with nothing left open that a blueprint for so many players decides."""
        search = players == 2 if self.preflop.search is None else self.preflop.search
        preflop = self.preflop.model_copy(update={"search": search})
        return self.model_copy(update={"streets": self.searched(players), "preflop": preflop})

    def searches(self, street: int) -> bool:
        """Return whether street 0 (flop) to 2 (river) is searched."""
        return STREETS[street] in self.searched()

    def worker_count(self) -> int:
        """Return the number of threads to use."""
        return self.threads or machine.core_count()
