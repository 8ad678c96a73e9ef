"""How decisions are priced, and digests of it: a verdict of another digest is out of date."""

from __future__ import annotations

import hashlib
from functools import lru_cache
from pathlib import Path
from typing import Literal

import pydantic

from overbet import machine
from overbet.blueprint.catalogue import find_blueprint, shipped_names
from overbet.config import Config, digest_of
from overbet.errors import ConfigError, reason, short
from overbet.interfaces.cli.examples import example
from overbet.tree.spot import BetsConfig, ThresholdsConfig

_VERSION = 2  # of the way decisions are priced; another one prices all of them anew
_DIGEST = 16  # letters
_TARGETS = (1.0, 0.25, 0.1)  # of the target, on flop, turn and river: later streets are cheaper
_WORKER_BYTES = 3 << 30  # about what a flop with two wide ranges takes


def _bets(**streets: tuple[str, str | tuple[str, ...]]) -> BetsConfig:
    return BetsConfig.model_validate(
        {name: {"bet": bet, "raise": raises} for name, (bet, raises) in streets.items()}
    )


# the menus of a solve that begins on flop, turn or river; what was really bet on the street is added
MENUS = (
    _bets(flop=("60%", ("100%", "")), turn=("75%", ""), river=("75%", "")),
    _bets(turn=("40%, 100%", ("100%", "a")), river=("75%", "")),
    _bets(river=("33%, 75%, 150%, a", ("75%, a", "a"))),
)
THRESHOLDS = ThresholdsConfig(add_all_in=1.0, force_all_in=0.25, merge=0.15)


class ReviewSettings(Config):
    """Settings of a review.

    target: exploitability at which the solve of a flop stops, in % of the pot when the street began; a
    quarter of it on the turn, a tenth on the river. seconds, iterations: limits of a solve. runs: how often
    at most an action is played on where a blueprint prices it. blueprints: files of trained strategies,
    before those that ship. ranges: a file of the user's own ranges. assume: whether common ranges are taken
    for a flop where neither the user nor a strategy has any, and the verdict says so. rake: share of the pot
    and the cap in big blinds; None takes what the hand says.
    """

    target: float = pydantic.Field(default=2.0, gt=0, le=100)
    seconds: float | None = pydantic.Field(default=None, gt=0)
    iterations: int = pydantic.Field(default=400, gt=0)
    runs: int = pydantic.Field(default=128_000, ge=4)
    blueprints: tuple[str, ...] = ()
    ranges: str | None = None
    assume: bool = True
    rake: tuple[float, float] | None = None
    device: Literal["auto", "cpu", "cuda"] = "auto"
    threads: int = pydantic.Field(default=0, ge=0)

    def target_of(self, street: int) -> float:
        """Return the exploitability to stop at on street 0 (flop) to 2 (river), in % of its pot."""
        return self.target * _TARGETS[street]

    def table_digest(self) -> str:
        """Return the digest of what prices a decision by a strategy: before the flop, or with three in."""
        return _short({"version": _VERSION, "runs": self.runs, "blueprints": self._strategies()})

    def solve_digest(self) -> str:
        """Return the digest of what prices a decision by solving its spot."""
        chosen = self.model_dump(mode="json", include={"target", "seconds", "iterations", "rake"})
        return _short(
            {
                **chosen,
                "version": _VERSION,
                "blueprints": self._strategies(),
                "ranges": _file_digest(Path(self.ranges)) if self.ranges else "",
                "assumed": _file_digest(common_ranges()) if self.assume else "",
                "menus": [menu.model_dump(mode="json") for menu in MENUS],
                "thresholds": THRESHOLDS.model_dump(mode="json"),
            }
        )

    def _strategies(self) -> list[str]:
        return [_file_digest(find_blueprint(name)) for name in (*self.blueprints, *shipped_names())]


def common_ranges() -> Path:
    """Return the file of common ranges by position and line, an example to change."""
    return example("ranges.yaml")


def usual_workers(device: str) -> int:
    """Return how many processes price hands: two cores each, as many as memory has room for."""
    if device == "cuda":
        return 1
    return max(1, min(machine.core_count() // 2, machine.available_bytes() // _WORKER_BYTES))


def _short(values: dict[str, object]) -> str:
    return digest_of(values)[:_DIGEST]


def _file_digest(path: Path) -> str:
    try:
        status = path.stat()
        return _digest_of_file(path, status.st_mtime_ns, status.st_size)
    except OSError as error:
        raise ConfigError(f"cannot read {short(path)}: {reason(error)}") from error


@lru_cache(maxsize=64)
def _digest_of_file(path: Path, changed: int, size: int) -> str:
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()[:_DIGEST]
