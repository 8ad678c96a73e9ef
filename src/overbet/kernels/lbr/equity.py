"""One hand against each of the 1,326 others: exact equities on any board, quick enough to ask at every
decision.

Once the equity of the own hand against every single hand is known, its equity against any range is a sum of
products: one row serves all ranges met on a street. On the flop there are 1,081 run-outs and 990 opponents.
Without a flush the strength of two cards on a board depends on their ranks alone, so a run-out asks 91
pairs of ranks instead of 990 combos. Results are summed by pair of ranks over all run-outs, and by card
over those that hold the card: the run-outs a combo (a, b) can see are

    all - (those with a) - (those with b) + (the one that is a and b).

Combos that make a flush on a run-out are compared one by one and what the ranks said is taken back.

    hand_equities(first, second, board: [k] int64, tables, work, out: [1326] float64)     k = 3, 4 or 5
        -1 for combos that share a card with the hand or the board
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from overbet.kernels.cards.evaluator import START, EvaluatorTables, popcount, rank_key, suit_mask
from overbet.kernels.jit import inlined, kernel

RANKS, PAIRS, WIDTH = 13, 91, 96  # pairs of ranks, and a row of them padded for vectors
COMBOS, DECK = 1326, 52
RUNOUTS = (1.0, 44.0, 990.0)  # of a known pair of hands, by cards to come

U64 = np.uint64
_ONE, _ZERO, _RANK_BITS = U64(1), U64(0), U64(0xFFFFFFFF)
_HIGH, _LOW = U64(16), U64(0xFFFF)


class EquityWork(NamedTuple):
    """Room to work in: sums: [WIDTH] int32; by_card: [52, WIDTH] int32; result: [WIDTH] int32, of one
    run-out,
    2 a win and 1 a tie; extra: [1326] int32, corrections of single combos; pair_keys: [WIDTH] uint64.
    """

    sums: npt.NDArray[np.int32]
    by_card: npt.NDArray[np.int32]
    result: npt.NDArray[np.int32]
    extra: npt.NDArray[np.int32]
    pair_keys: npt.NDArray[np.uint64]


@kernel
def equity_work(tables: EvaluatorTables) -> EquityWork:
    """Return room for `hand_equities`."""
    keys = np.zeros(WIDTH, np.uint64)
    for high in range(RANKS):
        for low in range(high + 1):
            keys[high * (high + 1) // 2 + low] = (tables.card_keys[4 * high] & _RANK_BITS) + (
                tables.card_keys[4 * low] & _RANK_BITS
            )
    return EquityWork(
        np.zeros(WIDTH, np.int32),
        np.zeros((DECK, WIDTH), np.int32),
        np.zeros(WIDTH, np.int32),
        np.zeros(COMBOS, np.int32),
        keys,
    )


@inlined
def _pair_of(a: Any, b: Any) -> Any:
    """Return the pair of ranks of two cards, a > b."""
    high, low = a >> 2, b >> 2
    return high * (high + 1) // 2 + low


@inlined
def _verdict(own: np.int32, other: np.int32) -> np.int32:
    return np.int32(np.int32(own > other) + np.int32(own >= other))


@kernel
def _by_ranks(key: np.uint64, own: np.int32, left: Any, tables: EvaluatorTables, work: EquityWork) -> None:
    """Write the result against every pair of ranks to `work.result`; left: [13] int64, cards not on the
    board.
    """
    result, keys = work.result, work.pair_keys
    lower = key & _RANK_BITS
    pair = U64(0)
    for high in range(RANKS):
        for low in range(high + 1):
            need = 2 if low == high else 1
            if left[high] < need or left[low] < 1:
                result[pair] = 0  # nobody can hold it, and the tables do not know it
            else:
                sum_ = lower + keys[pair]
                start = tables.high_starts[(sum_ >> _HIGH) & _LOW]
                other = np.int32(tables.ranks[start + np.int32(tables.low_numbers[sum_ & _LOW])])
                result[pair] = _verdict(own, other)
            pair += _ONE


@inlined
def _correct(a: Any, b: Any, key: Any, mask: Any, own: Any, tables: Any, work: Any) -> None:
    """Replace what the ranks said of the combo a > b on this run-out by the whole truth."""
    cards = _ONE << U64(a) | _ONE << U64(b)
    other = rank_key(key + tables.card_keys[a] + tables.card_keys[b], mask | cards, tables)
    combo = a * (a - 1) // 2 + b
    work.extra[combo] += _verdict(own, other) - work.result[_pair_of(a, b)]


@kernel
def _flushes(
    key: np.uint64, mask: np.uint64, dead: np.uint64, own: np.int32, tables: EvaluatorTables, work: EquityWork
) -> None:
    """Correct the combos that make a flush on this board; mask: its cards, dead: those and the own hand."""
    for suit in range(4):
        lying = popcount(suit_mask(mask, U64(suit)))
        if lying < 3:
            continue
        for a in range(1, DECK):
            if dead >> U64(a) & _ONE:
                continue
            one = np.int64(a & 3 == suit)
            if lying == 3 and one == 0:
                continue
            for b in range(a):
                if dead >> U64(b) & _ONE:
                    continue
                if lying + one + np.int64(b & 3 == suit) >= 5:
                    _correct(a, b, key, mask, own, tables, work)


@kernel
def _one_runout(
    key: np.uint64, mask: np.uint64, hole: np.uint64, left: Any, tables: EvaluatorTables, work: EquityWork
) -> None:
    """Add one complete board; key, mask: of its five cards; hole: bits of the own hand."""
    own_key = key
    bits = hole
    while bits != _ZERO:
        bit = bits & (~bits + _ONE)
        own_key += tables.card_keys[popcount(bit - _ONE)]
        bits ^= bit
    own = rank_key(own_key, mask | hole, tables)
    _by_ranks(key, own, left, tables, work)
    _flushes(key, mask, mask | hole, own, tables, work)


@inlined
def _add(into: Any, result: Any) -> None:
    for pair in range(U64(WIDTH)):
        into[pair] += result[pair]


@kernel
def hand_equities(
    first: int, second: int, board: Any, tables: EvaluatorTables, work: EquityWork, out: Any
) -> None:
    """Write the equity of a hand against every combo to out: [1326] float64; -1 where it cannot be held."""
    hole = _ONE << U64(first) | _ONE << U64(second)
    key, mask = START, _ZERO
    left = np.full(RANKS, 4, np.int64)
    for card in board:
        key += tables.card_keys[card]
        mask |= _ONE << U64(card)
        left[card >> 2] -= 1
    work.sums[:] = 0
    work.by_card[:] = 0
    work.extra[:] = 0
    dead = mask | hole
    to_come = 5 - len(board)
    if to_come == 0:
        _one_runout(key, mask, hole, left, tables, work)
        _add(work.sums, work.result)
    for a in range(DECK):
        if to_come == 0 or dead >> U64(a) & _ONE:
            continue
        key_a, mask_a = key + tables.card_keys[a], mask | _ONE << U64(a)
        left[a >> 2] -= 1
        if to_come == 1:
            _one_runout(key_a, mask_a, hole, left, tables, work)
            _add(work.sums, work.result)
            _add(work.by_card[a], work.result)
        else:
            for b in range(a):
                if dead >> U64(b) & _ONE:
                    continue
                left[b >> 2] -= 1
                _one_runout(key_a + tables.card_keys[b], mask_a | _ONE << U64(b), hole, left, tables, work)
                _add(work.sums, work.result)
                _add(work.by_card[a], work.result)
                _add(work.by_card[b], work.result)
                # a combo that is this very run-out was taken away twice
                work.extra[a * (a - 1) // 2 + b] += work.result[_pair_of(a, b)]
                left[b >> 2] += 1
        left[a >> 2] += 1
    runouts = 2.0 * RUNOUTS[to_come]
    combo = 0
    for a in range(DECK):
        for b in range(a):
            if (_ONE << U64(a) | _ONE << U64(b)) & dead:
                out[combo] = -1.0
            else:
                pair = _pair_of(a, b)
                total = work.sums[pair] - work.by_card[a, pair] - work.by_card[b, pair] + work.extra[combo]
                out[combo] = total / runouts
            combo += 1
