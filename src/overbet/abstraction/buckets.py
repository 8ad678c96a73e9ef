"""Card buckets: a number for every hand on every street, read from a table by canonical index.

`Buckets` holds the tables; it is made by `overbet.abstraction.bucket_build.build_buckets` and kept in files
by `overbet.abstraction.bucket_files`. Before the flop a bucket is one of the 169 classes in grid order. The
river's buckets are a function of the exact river score: with the river table (246 MB) a lookup is one read,
without it the score is counted (a whole board in one sweep), and both give the same buckets.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from overbet.abstraction.bucket_config import STREETS, BucketsConfig
from overbet.abstraction.features import Progress, deck, strengths
from overbet.cards.cards import board as read_board
from overbet.cards.combos import COMBOS, class_of_combos, combo_table
from overbet.cards.evaluator import tables as evaluator_tables
from overbet.cards.isomorphism import board_isomorphism, hand_isomorphism
from overbet.errors import ArtefactError, CardError, ConfigError
from overbet.kernels.abstraction.buckets import BucketTables, first_bad_row, lookup_rows
from overbet.kernels.abstraction.features import RIVER_SCORES, board_scores

VERSION = 1
Table = npt.NDArray[np.uint16]
Centres = npt.NDArray[np.unsignedinteger[Any]]  # uint8 or uint16
Classes = npt.NDArray[np.uint8]

NEEDS_TABLE = "buckets by kinds of opponents need their river table; leave the compact form out"

_STREET_OF_CARDS = {0: 0, 3: 1, 4: 2, 5: 3}
_NO_TABLE = np.empty(0, np.uint16)
_NO_CLASSES = np.empty(0, np.uint8)


class Buckets:
    """The buckets of all hands.

    flop: [1286792], turn: [13960050], river: [123156254] or [0], river_rule: [classes * 1981] (or [0], where
    river buckets are by kinds of opponents and the table is always there), all uint16; river_class: [134459]
    uint8, the class of each river board, or [0] for one class;
    flop_centres: [flop, 2 * bins] uint16, turn_centres: [turn, bins] uint8, or None for buckets by strength.
    """

    def __init__(
        self,
        config: BucketsConfig,
        flop: Table,
        turn: Table,
        river_rule: Table,
        river: Table = _NO_TABLE,
        centres: tuple[Centres, Centres] | None = None,
        report: Mapping[str, Any] | None = None,
        river_class: Classes = _NO_CLASSES,
    ) -> None:
        self.config = config
        self.river_class = river_class
        self.flop, self.turn, self.river_rule, self.river = flop, turn, river_rule, river
        self.centres = centres
        self.report: dict[str, Any] = dict(report or {})
        self._check()

    def _check(self) -> None:
        """Refuse a bucket that there is no room for: kernels write where these numbers lead."""
        _, flop, turn, river = self.counts
        for street, table, count in (
            ("flop", self.flop, flop),
            ("turn", self.turn, turn),
            ("river", self.river, river),
            ("river", self.river_rule, river),
        ):
            if len(table) and int(table.max()) >= count:
                raise ArtefactError(
                    f"a {street} hand is in bucket {int(table.max()):,} and there are {count:,}; "
                    "build the buckets again with overbet buckets build"
                )
        scores = RIVER_SCORES * self.config.river_classes
        if len(self.river_rule) not in (0, scores):
            raise ArtefactError(
                f"the rule of river buckets has {len(self.river_rule):,} scores, not {scores:,}; "
                "build the buckets again with overbet buckets build"
            )
        boards = board_isomorphism(5).size if self.config.river_classes > 1 else 0
        if (
            len(self.river_class) != boards
            or int(self.river_class.max(initial=0)) >= self.config.river_classes
        ):
            raise ArtefactError(
                f"the classes of river boards are not {boards:,} numbers below {self.config.river_classes}; "
                "build the buckets again with overbet buckets build"
            )

    def __repr__(self) -> str:
        form = "with river table" if self.has_river_table else "compact"
        return f"Buckets({'/'.join(map(str, self.counts))}, {form}, {self.hash[:12]})"

    @property
    def counts(self) -> tuple[int, int, int, int]:
        """Buckets on the four streets; the first is 169."""
        return self.config.counts

    @property
    def has_river_table(self) -> bool:
        """Whether a river lookup is one read; else its score is counted."""
        return len(self.river) > 0

    @cached_property
    def hash(self) -> str:
        """The sha256 of version, config, tables and rule; the same with and without the river table."""
        found = hashlib.sha256(f"overbet buckets {VERSION} {self.config.digest()}".encode())
        river = self.river if self.config.opponents else self.river_rule
        classes = (self.river_class,) if len(self.river_class) else ()
        for table in (self.flop, self.turn, river, *(self.centres or ()), *classes):
            found.update(f" {table.dtype.name} {table.shape} ".encode())
            found.update(np.ascontiguousarray(table).data)
        return found.hexdigest()

    @cached_property
    def tables(self) -> BucketTables:
        """What kernels read; pass it on to `overbet.kernels.abstraction.buckets.bucket`."""
        first = np.array([hand_isomorphism(0).index(hole=cards) for cards in combo_table().tolist()])
        preflop = np.empty(169, np.uint16)
        preflop[first] = class_of_combos()
        return BucketTables(
            preflop,
            self.flop,
            self.turn,
            self.river,
            self.river_rule,
            self.river_class,
            hand_isomorphism(0).tables,
            hand_isomorphism(3).tables,
            hand_isomorphism(4).tables,
            hand_isomorphism(5).tables,
            board_isomorphism(5).tables,
            evaluator_tables(),
        )

    def lookup(self, holes: npt.ArrayLike, boards: npt.ArrayLike) -> Table:
        """Return the bucket of each row: [n] uint16; holes: [n, 2], boards: [n, 0, 3, 4 or 5]."""
        own, lying = _as_cards(holes), _as_cards(boards)
        if own.ndim != 2 or own.shape[1] != 2 or lying.ndim != 2 or len(lying) != len(own):
            raise CardError(
                f"holes [n, 2] and boards [n, k] are needed; got {list(own.shape)} and {list(lying.shape)}"
            )
        if lying.shape[1] not in _STREET_OF_CARDS:
            raise CardError(f"a board has 0, 3, 4 or 5 cards, not {lying.shape[1]}")
        bad = first_bad_row(own, lying)
        if bad >= 0:
            cards = [*own[bad].tolist(), *lying[bad].tolist()]
            raise CardError(f"row {bad}: {cards} are not {len(cards)} different cards 0..51")
        found = np.empty(len(own), np.uint16)
        lookup_rows(_STREET_OF_CARDS[lying.shape[1]], own, lying, self.tables, found)
        return found

    def of_board(self, board: str | Iterable[int]) -> npt.NDArray[np.int32]:
        """Return the bucket of every combo on a board of 0, 3, 4 or 5 cards: [1326] int32, -1 where dead."""
        cards = read_board(board)
        if not cards:
            return class_of_combos().astype(np.int32)
        found = np.full(COMBOS, -1, np.int32)
        if len(cards) == 5 and not self.has_river_table:
            board_scores(np.array(cards, np.int8), deck(5), found)
            live = found >= 0
            found[live] = self.river_rule[self._rule_begin(cards) + found[live]]
            return found
        places = hand_isomorphism(len(cards)).hands_of_board(cards)
        live = places >= 0
        found[live] = self.table(len(cards))[places[live]]
        return found

    def _rule_begin(self, board: tuple[int, ...]) -> int:
        """Return where the rule of a river board's class begins."""
        if not len(self.river_class):
            return 0
        return RIVER_SCORES * int(self.river_class[board_isomorphism(5).index(board)])

    def table(self, board_cards: int) -> Table:
        """Return the table of a street by canonical index of `hand_isomorphism(board_cards)`."""
        street = STREETS[_STREET_OF_CARDS[board_cards]]
        table: Table = getattr(self.tables, street)
        return table

    def with_river_table(self, progress: Progress | None = None) -> Buckets:
        """Return these buckets with the river table, worked out from the rule: some seconds on all cores."""
        if self.has_river_table:
            return self
        if len(self.river_class):
            from overbet.abstraction.board_classes import river_table_of

            return self._with_river(river_table_of(self.river_rule, self.river_class, progress))
        scores, _ = strengths(5, progress, "river table")
        return self._with_river(self.river_rule[scores])

    def without_river_table(self) -> Buckets:
        """Return these buckets in the compact form: the same buckets and hash, 246 MB less."""
        if self.config.opponents:
            raise ConfigError(NEEDS_TABLE)
        return self._with_river(_NO_TABLE)

    def _with_river(self, river: Table) -> Buckets:
        rule, classes = self.river_rule, self.river_class
        return Buckets(self.config, self.flop, self.turn, rule, river, self.centres, self.report, classes)


def _as_cards(given: npt.ArrayLike) -> npt.NDArray[np.int8]:
    """Return cards as the kernels read them; numbers that would not fit become -1, which no card is."""
    cards = np.asarray(given)
    if cards.dtype != np.int8:
        cards = np.where((cards >= 0) & (cards < 52), cards, -1)
    return np.require(cards, np.int8, ["C", "W"])
