"""The bucket of a hand: one read of a table by the canonical index of hole cards and board.

    bucket(street, hole: [2] int8, board: [at least 3, 4, 5] int8, tables) -> int64
        inlined; street 0 is before the flop, 3 the river; board cards of later streets are not looked at
    rule_bucket(hole: [2] int8, board: [5] int8, tables) -> int64
        the river's without the river table
    deal_buckets(cards: [deal, 2 * players + 5] int8, tables, out: [deal, player, 4] int32)
        every player's bucket on every street of many deals, with or without the river table

River buckets are a function of the exact river score (`overbet.kernels.abstraction.features`) and, where
there are any, of the class of the board (`overbet.kernels.abstraction.board_classes`). Where the river table
is left out (`tables.river` is empty) the score is counted against the opponents: a microsecond
or so instead of one read. The two ways are kept apart because a branch between them inside the loop costs
more than the read.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from overbet.kernels.abstraction.features import RIVER_SCORES, river_score
from overbet.kernels.cards.evaluator import EvaluatorTables
from overbet.kernels.cards.isomorphism import SuitTables, index_of_keys, keys_of
from overbet.kernels.jit import inlined, kernel, lean_inlined

NO_BUCKET = 65535  # no table holds it
_ONE, _ZERO = np.uint64(1), np.uint64(0)


class BucketTables(NamedTuple):
    """What `bucket` reads; get it from `overbet.abstraction.buckets.Buckets.tables`."""

    preflop: npt.NDArray[np.uint16]  # [169]: the class in grid order, by canonical index
    flop: npt.NDArray[np.uint16]  # [1286792]
    turn: npt.NDArray[np.uint16]  # [13960050]
    river: npt.NDArray[np.uint16]  # [123156254], or [0]: then use `rule_bucket`
    river_rule: npt.NDArray[np.uint16]  # [classes * 1981]: the bucket of each river score
    river_class: npt.NDArray[np.uint8]  # [134459]: the class of each river board, or [0]: there is one
    preflop_suits: SuitTables
    flop_suits: SuitTables
    turn_suits: SuitTables
    river_suits: SuitTables
    board_suits: SuitTables  # of river boards alone
    evaluator: EvaluatorTables


@lean_inlined
def _rank_sets(cards: Any, count: int) -> Any:
    """Return the rank set of each suit among the first `count` cards; no slice, which would be counted."""
    packed = np.int64(0)
    for i in range(count):
        card = np.int64(cards[i])
        packed |= np.int64(1) << (16 * (card & 3) + (card >> 2))
    return packed & 8191, packed >> 16 & 8191, packed >> 32 & 8191, packed >> 48


@lean_inlined
def _place(hole: Any, board: Any, board_cards: int, suits: SuitTables) -> Any:
    return index_of_keys(keys_of(_rank_sets(hole, 2), _rank_sets(board, board_cards), suits), suits)


@lean_inlined
def bucket(street: int, hole: Any, board: Any, tables: BucketTables) -> Any:
    """Return the bucket of a hand on a street 0..3, or -1 on a river without its table.

    hole: [2] int8; board: [5] int8, or as many cards as the street has.
    """
    if street == 0:
        return np.int64(tables.preflop[_place(hole, board, 0, tables.preflop_suits)])
    if street == 1:
        return np.int64(tables.flop[_place(hole, board, 3, tables.flop_suits)])
    if street == 2:
        return np.int64(tables.turn[_place(hole, board, 4, tables.turn_suits)])
    if len(tables.river) > 0:
        return np.int64(tables.river[_place(hole, board, 5, tables.river_suits)])
    return np.int64(-1)


@lean_inlined
def rule_begin(board: Any, river_class: Any, board_suits: SuitTables) -> Any:
    """Return where the rule of a river board's class begins; board: [5] int8."""
    if len(river_class) == 0:
        return np.int64(0)
    place = index_of_keys(keys_of((0, 0, 0, 0), _rank_sets(board, 5), board_suits), board_suits)
    return np.int64(river_class[place]) * RIVER_SCORES


@kernel
def rule_bucket(hole: npt.NDArray[np.int8], board: npt.NDArray[np.int8], tables: BucketTables) -> Any:
    """Return the river bucket of hole: [2] int8 on board: [5] int8 from its score."""
    begin = rule_begin(board, tables.river_class, tables.board_suits)
    return np.int64(tables.river_rule[begin + river_score(hole, board, tables.evaluator)])


@kernel
def deal_buckets(cards: npt.NDArray[np.int8], tables: BucketTables, out: npt.NDArray[np.int32]) -> None:
    """Write all buckets of many deals to out: [deal, player, 4] int32.

    cards: [deal, 2 * players + 5] int8, hole cards player by player, then the board.
    """
    players = out.shape[1]
    streets = 4 if len(tables.river) > 0 else 3
    for deal in range(len(cards)):
        for player in range(players):
            hole, board = cards[deal, 2 * player : 2 * player + 2], cards[deal, 2 * players :]
            for street in range(streets):
                out[deal, player, street] = bucket(street, hole, board, tables)
    if streets == 3:
        for deal in range(len(cards)):
            for player in range(players):
                hole, board = cards[deal, 2 * player : 2 * player + 2], cards[deal, 2 * players :]
                out[deal, player, 3] = rule_bucket(hole, board, tables)


@inlined
def _repeats(hole: Any, board: Any) -> Any:
    """Return whether a card is not 0..51 or appears twice."""
    seen, bad = _ZERO, False
    for cards in (hole, board):
        for card in cards:
            bit = _ONE << np.uint64(card & 63)
            bad |= card < 0 or card > 51 or seen & bit != _ZERO
            seen |= bit
    return bad


@kernel
def first_bad_row(holes: npt.NDArray[np.int8], boards: npt.NDArray[np.int8]) -> int:
    """Return the first row of holes: [n, 2] and boards: [n, k] that does not hold distinct cards, or -1."""
    for row in range(len(holes)):
        if _repeats(holes[row], boards[row]):
            return row
    return -1


@kernel
def lookup_rows(
    street: int,
    holes: npt.NDArray[np.int8],
    boards: npt.NDArray[np.int8],
    tables: BucketTables,
    out: npt.NDArray[np.uint16],
) -> None:
    """Write the bucket of each row of holes: [n, 2] int8 and boards: [n, k] int8 to out: [n] uint16."""
    if street == 3 and len(tables.river) == 0:
        for row in range(len(holes)):
            out[row] = rule_bucket(holes[row], boards[row], tables)
    else:
        for row in range(len(holes)):
            out[row] = bucket(street, holes[row], boards[row], tables)
