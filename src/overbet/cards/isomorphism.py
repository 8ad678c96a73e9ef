"""Suit isomorphism: situations that differ only in the names of the suits are one.

`hand_isomorphism(board_cards)` numbers hole cards with a board (169 / 1,286,792 / 13,960,050 /
123,156,254 on the four streets, the board taken as one set), `board_isomorphism(board_cards)` boards
alone (1,755 / 16,432 / 134,459). Both directions: cards to index, index to representative. The index is
Waugh's (2013), worked out in `overbet.kernels.cards.isomorphism`; this module makes its tables.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from itertools import combinations, permutations
from math import comb
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from overbet.cards.cards import board as read_board
from overbet.cards.cards import cards as read_cards
from overbet.cards.cards import cards_name, check_distinct
from overbet.cards.combos import combo_table
from overbet.errors import CardError
from overbet.kernels.cards import isomorphism as kernels
from overbet.kernels.cards.isomorphism import MULTISET_PLACES, RANK_SETS, SHAPES, SuitTables

BOARD_SIZES = (0, 3, 4, 5)

_Cards = npt.NDArray[np.int8]


class CanonicalBoard(NamedTuple):
    """A representative board and how many boards it stands for."""

    cards: tuple[int, ...]
    weight: int


class Isomorphism:
    """The index of one street; get it from `hand_isomorphism` or `board_isomorphism`."""

    def __init__(self, hole_cards: int, board_cards: int) -> None:
        self.hole_cards = hole_cards
        self.board_cards = board_cards
        self.tables = _suit_tables(hole_cards, board_cards)
        self.size = int(self.tables.offsets[-1])

    def __repr__(self) -> str:
        what = "hole cards and a board" if self.hole_cards else "a board"
        return f"Isomorphism({what} of {self.board_cards} cards, {self.size:,} classes)"

    def index(self, board: str | Iterable[int] = (), hole: str | Iterable[int] = ()) -> int:
        """Return the index 0..size-1 of a board (and hole cards), in any order and any suits."""
        holes, boards = self._row(board, hole)
        return int(kernels.index_situations(holes, boards, self.tables)[0])

    def canonical(
        self, board: str | Iterable[int] = (), hole: str | Iterable[int] = ()
    ) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Return the representative (board, hole cards): suits renamed, cards from high to low."""
        holes, boards = kernels.canonical_situations(*self._row(board, hole), self.tables)
        return tuple(boards[0].tolist()), tuple(holes[0].tolist())

    def representative(self, index: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Return the representative (board, hole cards) of an index."""
        boards, holes = self.representatives(np.array([index]))
        return tuple(boards[0].tolist()), tuple(holes[0].tolist())

    def indices(self, boards: npt.ArrayLike, holes: npt.ArrayLike | None = None) -> npt.NDArray[np.int64]:
        """Return the index of each row: [n] int64; `boards`: [n, cards], `holes`: [n, 2], cards distinct."""
        return kernels.index_situations(*self._rows(boards, holes), self.tables)

    def representatives(self, indices: npt.ArrayLike) -> tuple[_Cards, _Cards]:
        """Return the representatives' boards: [n, cards] int8 and hole cards: [n, 2] int8."""
        wanted = np.ascontiguousarray(indices, np.int64)
        if wanted.size and not (wanted.min() >= 0 and wanted.max() < self.size):
            bad = wanted[(wanted < 0) | (wanted >= self.size)][0]
            raise CardError(f"index {bad} is not in 0 to {self.size - 1}")
        holes = np.empty((len(wanted), self.hole_cards), np.int8)
        boards = np.empty((len(wanted), self.board_cards), np.int8)
        kernels.represent_situations(wanted, holes, boards, self.tables)
        return boards, holes

    def counts(self, indices: npt.ArrayLike) -> npt.NDArray[np.int8]:
        """Return how many situations each index stands for: [n] int8, from 1 to 24."""
        boards, holes = self.representatives(indices)
        return kernels.count_situations(holes, boards, self.tables)

    def hands_of_board(self, board: str | Iterable[int]) -> npt.NDArray[np.int64]:
        """Return the index of every combo on one board: [1326] int64, -1 where the board holds a card."""
        if not self.hole_cards:
            raise CardError("this index is of boards alone; use hand_isomorphism")
        cards = self._checked_board(board)
        found = np.empty(len(combo_table()), np.int64)
        kernels.index_hands_of_board(combo_table(), np.array(cards, np.int8), self.tables, found)
        return found

    def _checked_board(self, board: str | Iterable[int]) -> tuple[int, ...]:
        cards = read_cards(board)
        if len(cards) != self.board_cards:
            raise CardError(
                f"a board of {self.board_cards} cards is needed; {cards_name(cards)!r} is not one"
            )
        return cards

    def _row(self, board: str | Iterable[int], hole: str | Iterable[int]) -> tuple[_Cards, _Cards]:
        cards, own = self._checked_board(board), read_cards(hole)
        if len(own) != self.hole_cards:
            raise CardError(f"{self.hole_cards} hole cards are needed; got {cards_name(own)!r}")
        check_distinct(cards + own)
        return np.array([own], np.int8).reshape(1, -1), np.array([cards], np.int8).reshape(1, -1)

    def _rows(self, boards: npt.ArrayLike, holes: npt.ArrayLike | None) -> tuple[_Cards, _Cards]:
        from overbet.kernels.abstraction.buckets import first_bad_row

        table = _as_cards(boards)
        own = np.empty((len(table), 0), np.int8) if holes is None else _as_cards(holes)
        if table.shape != (len(table), self.board_cards) or own.shape != (len(table), self.hole_cards):
            raise CardError(
                f"boards [n, {self.board_cards}] and hole cards [n, {self.hole_cards}] are needed; "
                f"got {list(table.shape)} and {list(own.shape)}"
            )
        bad = first_bad_row(own, table)
        if bad >= 0:
            cards = [*own[bad].tolist(), *table[bad].tolist()]
            raise CardError(f"row {bad}: {cards} are not {len(cards)} different cards 0..51")
        return own, table


def _as_cards(given: npt.ArrayLike) -> _Cards:
    """Return card numbers as int8; what is not one becomes -1, which no check lets pass."""
    cards = np.asarray(given)
    return np.ascontiguousarray(np.where((cards >= 0) & (cards < 52), cards, -1), np.int8)


@cache
def hand_isomorphism(board_cards: int) -> Isomorphism:
    """Return the index of hole cards with a board of 0, 3, 4 or 5 cards."""
    if board_cards not in BOARD_SIZES:
        raise CardError(f"a board has 0, 3, 4 or 5 cards, not {board_cards}")
    return Isomorphism(2, board_cards)


@cache
def board_isomorphism(board_cards: int) -> Isomorphism:
    """Return the index of boards of 3, 4 or 5 cards."""
    if board_cards not in BOARD_SIZES[1:]:
        raise CardError(f"a board has 3, 4 or 5 cards, not {board_cards}")
    return Isomorphism(0, board_cards)


def canonical_boards(board_cards: int) -> tuple[_Cards, npt.NDArray[np.int8]]:
    """Return every representative board: [n, cards] int8, and how many boards each stands for: [n] int8."""
    index = board_isomorphism(board_cards)
    boards, holes = index.representatives(np.arange(index.size))
    return boards, kernels.count_situations(holes, boards, index.tables)


def canonical_flops() -> list[CanonicalBoard]:
    """Return the 1,755 flops that matter with their weights, which sum to 22,100."""
    boards, weights = canonical_boards(3)
    return [CanonicalBoard(tuple(b), w) for b, w in zip(boards.tolist(), weights.tolist())]


def board_symmetries(board: str | Iterable[int]) -> list[tuple[int, int, int, int]]:
    """Return the renamings of suits that leave a board as it is; the identity comes first.

    Entry `s` of a renaming is the suit that suit `s` becomes: card `c` becomes `c - c % 4 + renaming[c % 4]`.
    """
    cards = read_board(board)
    held = set(cards)
    return [
        (r[0], r[1], r[2], r[3])
        for r in permutations(range(4))
        if {card - card % 4 + r[card % 4] for card in cards} == held
    ]


def rename_suits(cards: Iterable[int], renaming: tuple[int, int, int, int]) -> tuple[int, ...]:
    """Return the cards with their suits renamed."""
    return tuple(card - card % 4 + renaming[card % 4] for card in cards)


@cache
def _rank_set_tables() -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int16], npt.NDArray[np.int64]]:
    """Return `rank_sets`, `rank_set_of` and `multisets` of `SuitTables`: the same on every street."""
    rank_sets = np.zeros(RANK_SETS, np.int32)
    rank_set_of = np.zeros((6, comb(13, 5)), np.int16)
    for mask in range(RANK_SETS):
        if mask.bit_count() > 5:
            continue  # no suit of a situation holds as many
        ranks = [rank for rank in range(13) if mask >> rank & 1]
        colex = sum(comb(rank, place + 1) for place, rank in enumerate(ranks))
        highest, lowest = (ranks[-1], ranks[0]) if ranks else (13, 13)
        if len(ranks) == 1:
            lowest = 13  # one rank to close the gap of, not two
        rank_sets[mask] = colex | len(ranks) << 11 | highest << 15 | lowest << 19
        rank_set_of[len(ranks), colex] = mask
    multisets = np.zeros((5, MULTISET_PLACES), np.int64)
    for size in range(1, 5):
        multisets[size] = [comb(x + size - 1, size) for x in range(MULTISET_PLACES)]
    return rank_sets, rank_set_of, multisets


def _places(shape: int) -> int:
    """Return the number of places of a shape: ways to choose its ranks in one suit."""
    hole, board = divmod(shape, 6)
    return comb(13, hole) * comb(13 - hole, board)


def _suit_tables(hole_cards: int, board_cards: int) -> SuitTables:
    """Lay out the index of one street: a block of indices for each configuration of shapes."""
    rank_sets, rank_set_of, multisets = _rank_set_tables()
    shapes_of_suits = _descending(4)
    fitting = ((shapes_of_suits // 6).sum(1) == hole_cards) & ((shapes_of_suits % 6).sum(1) == board_cards)
    configurations = [tuple(shapes) for shapes in shapes_of_suits[fitting].tolist()]
    configuration = np.full(SHAPES**3, -1, np.int16)
    radixes = np.zeros((len(configurations), 4), np.int64)
    remaining = np.zeros((len(configurations), 4), np.int8)
    offsets = [0]
    for number, shapes in enumerate(configurations):
        configuration[(shapes[0] * SHAPES + shapes[1]) * SHAPES + shapes[2]] = number
        radix = 1
        for order, shape in enumerate(shapes):
            if order == 0 or shape != shapes[order - 1]:
                size = shapes.count(shape)
                start, block = radix, comb(_places(shape) + size - 1, size)
                radix *= block
            radixes[number, order] = start
            remaining[number, order] = shapes[order:].count(shape)
        offsets.append(offsets[-1] + radix)
    return SuitTables(
        rank_sets,
        rank_set_of,
        np.array([comb(13, size) for size in range(3)]),
        multisets,
        configuration,
        np.array(offsets, np.int64),
        np.array(configurations, np.int8),
        radixes,
        remaining,
    )


@cache
def _descending(length: int, top: int = SHAPES - 1) -> npt.NDArray[np.int64]:
    """Return every row of shapes in descending order: [n, length] int64."""
    found = np.array(list(combinations(range(top + length), length)))  # multisets by stars and bars
    return (found - np.arange(length))[:, ::-1].copy()
