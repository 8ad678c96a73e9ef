"""The card side of a run: which bucket a hand is in, for a batch of deals and for one board.

Anything with these few names can stand in for `CardModel`: the trainer and the blueprint know nothing else
about cards.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import numpy as np
import numpy.typing as npt

from overbet.abstraction.bucket_config import PRESETS
from overbet.blueprint.config import CardsConfig
from overbet.cards.combos import CLASSES, class_of_combos
from overbet.errors import CardError, ConfigError
from overbet.kernels.training.deal import Deals, classify_deals

if TYPE_CHECKING:
    from overbet.abstraction.buckets import Buckets


class CardModel(Protocol):
    """How hands are grouped."""

    @property
    def counts(self) -> tuple[int, int, int, int]:
        """Buckets by street; 0 where there are no decisions to make."""

    @property
    def digest(self) -> str:
        """A hash of the whole grouping."""

    @property
    def deck(self) -> npt.NDArray[np.int8]:
        """The cards in play: [n] int8."""

    def fill(self, deals: Deals, players: int) -> None:
        """Write the buckets of every player and street into `deals.bucket`."""

    def of_board(self, board: Sequence[int]) -> npt.NDArray[np.int32]:
        """Return the bucket of every combo on a board of 0, 3, 4 or 5 cards: [1326] int32, -1 where dead."""


class PreflopClasses:
    """The 169 classes, for games that are over before the flop."""

    counts = (CLASSES, 0, 0, 0)
    digest = "preflop-169"
    deck = np.arange(52, dtype=np.int8)

    def fill(self, deals: Deals, players: int) -> None:
        classify_deals(deals, players, class_of_combos())

    def of_board(self, board: Sequence[int]) -> npt.NDArray[np.int32]:
        if board:
            raise CardError("this blueprint has no decisions after the flop")
        return class_of_combos().astype(np.int32)


class BucketedCards:
    """Buckets of a file of `overbet buckets build`."""

    deck = np.arange(52, dtype=np.int8)

    def __init__(self, buckets: Buckets) -> None:
        self.buckets = buckets

    @property
    def counts(self) -> tuple[int, int, int, int]:
        return self.buckets.counts

    @property
    def digest(self) -> str:
        return self.buckets.hash

    def fill(self, deals: Deals, players: int) -> None:
        from overbet.kernels.abstraction.buckets import deal_buckets

        deal_buckets(deals.cards, self.buckets.tables, deals.bucket)

    def of_board(self, board: Sequence[int]) -> npt.NDArray[np.int32]:
        return self.buckets.of_board(board)


@cache
def pair_table() -> npt.NDArray[np.float32]:
    """Return the exact equity of every combo against every other: [1326, 1326] float32."""
    from overbet.cards.preflop import BOARDS, matchups

    table = matchups()
    shares: npt.NDArray[np.float32] = ((table.wins + 0.5 * table.ties) / BOARDS).astype(np.float32)
    return shares


def load_cards(config: CardsConfig, *, training: bool = True) -> CardModel:
    """Return the grouping that a config asks for; `training` wants every lookup to be one read.

    Blueprints that are asked share the tables of their buckets: they are read only.
    """
    if config.kind == "preflop":
        return PreflopClasses()
    from overbet.abstraction.bucket_files import find_buckets

    if training:
        return BucketedCards(_read(config).with_river_table())
    path = find_buckets(config.path).resolve()
    status = path.stat()
    return BucketedCards(_kept(config, path, status.st_mtime_ns, status.st_size))


@lru_cache(maxsize=4)
def _kept(config: CardsConfig, path: Path, changed: int, size: int) -> Buckets:
    """Return the buckets of a config without their river table, as long as their file is the same."""
    return _read(config, river_table=False)


def _read(config: CardsConfig, river_table: bool = True) -> Buckets:
    from overbet.abstraction.bucket_files import load_buckets
    from overbet.abstraction.grouping import grouped

    buckets = load_buckets(config.path, river_table=river_table)
    return buckets if config.groups is None else grouped(buckets, config.groups)


def bucket_counts(config: CardsConfig, given: str = "") -> tuple[int, int, int, int]:
    """Return the buckets by street that a config asks for, or those of a text such as `50/100/200`."""
    if given:
        parts = given.split("/")
        if len(parts) != 3 or not all(
            part.isdecimal() and len(part) < 10 and int(part) > 0 for part in parts
        ):
            raise ConfigError(f"bucket counts are flop/turn/river, such as 50/100/200, not {given!r}")
        flop, turn, river = map(int, parts)
        return CLASSES, flop, turn, river
    if config.kind == "preflop":
        return PreflopClasses.counts
    if config.groups is not None:
        return CLASSES, *config.groups
    if config.path in PRESETS:
        return PRESETS[config.path].counts
    from overbet.abstraction.bucket_files import describe_file, find_buckets

    return describe_file(find_buckets(config.path)).config.counts
