"""One board, one sweep: the exact equity of every hand against a weighted range in O(hands).

Sort the hands by rank; walk up keeping the opponent's weight seen so far, in all and for each of the 52
cards. What a hand beats is `sum - by_card[high] - by_card[low]`: no opponent combo that is weaker holds
both of its cards. Ties come out of the same walk, taken after the hand's own rank has been added (there
the hand itself was subtracted twice, and is added back). This is the showdown of vector-form CFR
(Johanson et al., "Accelerating Best Response Calculation in Large Extensive Games", 2011).

    board_equity(board: [5] int8, hands: EquityHands, weights: [m] float64, tables, out: [3, m] float64)
        adds, for every hand alive on the board, the opponent's weight it beats, ties with and meets
    complete_boards(board: [k] int8, deck: [d] int8, outer, tables) -> EquityBoards
        the ways to complete a board, a share at a time
    boards_equity(boards: EquityBoards, hands, weights, tables, out)
        does `board_equity` for all of them
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from overbet.kernels.cards.evaluator import START, EvaluatorTables, rank_key
from overbet.kernels.jit import inlined, kernel

U64 = np.uint64
_ONE, _ZERO = U64(1), U64(0)
_HAND_BITS = 11  # a packed entry is rank << 11 | hand; there are 1,326 hands at most
_HAND_MASK = (1 << _HAND_BITS) - 1
_DIGIT_BITS, _DIGITS = 7, 128  # the 13 bits of a rank are sorted as two digits


class EquityHands(NamedTuple):
    """Hole cards: cards: [m, 2] int8; masks: [m] uint64, their bits; keys: [m] uint64, their key sums."""

    cards: npt.NDArray[np.int8]
    masks: npt.NDArray[np.uint64]
    keys: npt.NDArray[np.uint64]


class EquityBoards(NamedTuple):
    """Boards of five: keys: [b] uint64, their key sums with `START`; masks: [b] uint64, their bits."""

    keys: npt.NDArray[np.uint64]
    masks: npt.NDArray[np.uint64]


class SweepSpace(NamedTuple):
    """Room to work in, made once and used for many boards.

    packed, sorted: [m] int32, rank << 11 | hand; below: [m] float64; by_card: [52] float64;
    digits: [2, 128] int32.
    """

    packed: npt.NDArray[np.int32]
    sorted: npt.NDArray[np.int32]
    below: npt.NDArray[np.float64]
    by_card: npt.NDArray[np.float64]
    digits: npt.NDArray[np.int32]


@inlined
def sweep_space(hands: int) -> SweepSpace:
    """Return room for sweeps of so many hands."""
    return SweepSpace(
        np.empty(hands, np.int32),
        np.empty(hands, np.int32),
        np.empty(hands, np.float64),
        np.empty(52, np.float64),
        np.empty((2, _DIGITS), np.int32),
    )


@inlined
def key_and_mask(board: Any, tables: EvaluatorTables) -> Any:
    """Return the key sum (with `START`) and the bits of a board's cards, board: [0..5] int8."""
    key, mask = START, _ZERO
    for card in board:
        key += tables.card_keys[card]
        mask |= _ONE << U64(card)
    return key, mask


@inlined
def rank_hands(
    key: np.uint64, mask: np.uint64, hands: EquityHands, tables: EvaluatorTables, space: SweepSpace
) -> int:
    """Write the hands alive on a board, weakest first, to `space.packed`; return how many they are.

    `key` and `mask` are the board's (`START` included). Two passes of a counting sort.
    """
    digits = space.digits
    digits[:] = 0
    live = 0
    for hand in range(hands.masks.shape[0]):
        if hands.masks[hand] & mask == _ZERO:
            rank = rank_key(key + hands.keys[hand], mask | hands.masks[hand], tables)
            space.packed[live] = rank << _HAND_BITS | hand
            digits[0, rank & (_DIGITS - 1)] += 1
            digits[1, rank >> _DIGIT_BITS] += 1
            live += 1
    low_start = high_start = 0
    for digit in range(_DIGITS):
        low, high = digits[0, digit], digits[1, digit]
        digits[0, digit], digits[1, digit] = low_start, high_start
        low_start += low
        high_start += high
    for entry in space.packed[:live]:
        digit = (entry >> _HAND_BITS) & (_DIGITS - 1)
        space.sorted[digits[0, digit]] = entry
        digits[0, digit] += 1
    for entry in space.sorted[:live]:
        digit = entry >> (_HAND_BITS + _DIGIT_BITS)
        space.packed[digits[1, digit]] = entry
        digits[1, digit] += 1
    return live


@inlined
def sweep(
    live: int,
    hands: EquityHands,
    weights: npt.NDArray[np.float64],
    space: SweepSpace,
    out: npt.NDArray[np.float64],
) -> None:
    """Add what every ranked hand (`rank_hands`) beats, ties with and meets to out: [3, m] float64."""
    packed, below, by_card = space.packed, space.below, space.by_card
    by_card[:] = 0.0
    total = 0.0
    first = 0
    while first < live:
        rank = packed[first] >> _HAND_BITS
        after = first
        while after < live and packed[after] >> _HAND_BITS == rank:
            hand = packed[after] & _HAND_MASK
            below[after] = total - by_card[hands.cards[hand, 0]] - by_card[hands.cards[hand, 1]]
            after += 1
        for place in range(first, after):
            hand = packed[place] & _HAND_MASK
            total += weights[hand]
            by_card[hands.cards[hand, 0]] += weights[hand]
            by_card[hands.cards[hand, 1]] += weights[hand]
        for place in range(first, after):
            hand = packed[place] & _HAND_MASK
            shared = by_card[hands.cards[hand, 0]] + by_card[hands.cards[hand, 1]]
            out[0, hand] += below[place]
            out[1, hand] += total - shared + weights[hand] - below[place]
        first = after
    for place in range(live):
        hand = packed[place] & _HAND_MASK
        shared = by_card[hands.cards[hand, 0]] + by_card[hands.cards[hand, 1]]
        out[2, hand] += total - shared + weights[hand]


@kernel
def board_equity(
    board: npt.NDArray[np.int8],
    hands: EquityHands,
    weights: npt.NDArray[np.float64],
    tables: EvaluatorTables,
    out: npt.NDArray[np.float64],
) -> int:
    """Add every hand's result on one board of five against a weighted range; return the hands alive.

    board: [5] int8; weights: [m] float64, the opponent's, for the same hands; out: [3, m] float64: the
    weight beaten, tied with, and met. A hand's equity is `(out[0] + out[1] / 2) / out[2]`.
    """
    key, mask = key_and_mask(board, tables)
    space = sweep_space(hands.masks.shape[0])
    live = rank_hands(key, mask, hands, tables, space)
    sweep(live, hands, weights, space, out)
    return live


@kernel
def complete_boards(
    board: npt.NDArray[np.int8], deck: npt.NDArray[np.int8], outer: int, tables: EvaluatorTables
) -> EquityBoards:
    """Return the ways to complete a board from a deck whose highest deck place is `outer`.

    board: [0..5] int8, the cards that lie; deck: [d] int8, those that may come. With no card to come
    `outer` is 0 and the board itself is the only one.
    """
    to_come = 5 - board.shape[0]
    number = 1
    for picked in range(to_come - 1):
        number = number * (outer - picked) // (picked + 1)
    boards = EquityBoards(np.empty(number, np.uint64), np.empty(number, np.uint64))
    keys, masks = np.empty(6, np.uint64), np.empty(6, np.uint64)
    picks = np.empty(6, np.int64)
    key, mask = key_and_mask(board, tables)
    if to_come > 0:
        key += tables.card_keys[deck[outer]]
        mask |= _ONE << U64(deck[outer])
    if to_come <= 1:
        boards.keys[0], boards.masks[0] = key, mask
        return boards
    keys[1], masks[1], picks[2] = key, mask, outer
    depth, found = 2, 0
    while depth > 1:  # an odometer: places decrease with depth
        picks[depth] -= 1
        place = picks[depth]
        if place < to_come - depth:
            depth -= 1
            continue
        key = keys[depth - 1] + tables.card_keys[deck[place]]
        mask = masks[depth - 1] | _ONE << U64(deck[place])
        if depth == to_come:
            boards.keys[found], boards.masks[found] = key, mask
            found += 1
        else:
            keys[depth], masks[depth] = key, mask
            depth += 1
            picks[depth] = place
    return boards


@kernel
def boards_equity(
    boards: EquityBoards,
    hands: EquityHands,
    weights: npt.NDArray[np.float64],
    tables: EvaluatorTables,
    out: npt.NDArray[np.float64],
) -> None:
    """Add every hand's results on many boards to out: [3, m] float64, as `board_equity` does for one."""
    space = sweep_space(hands.masks.shape[0])
    for board in range(boards.keys.shape[0]):
        live = rank_hands(boards.keys[board], boards.masks[board], hands, tables, space)
        sweep(live, hands, weights, space, out)
