"""Hands put in order by strength on many river boards."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from overbet.kernels.cards.evaluator import START, U64, EvaluatorTables, rank_key
from overbet.kernels.jit import kernel

_RANKS = 7463  # the best hand's rank is one less
_DEAD = -1
_ONE, _ZERO = U64(1), U64(0)


@kernel
def order_hands(
    boards: npt.NDArray[np.uint8],
    cards: npt.NDArray[np.uint8],
    tables: EvaluatorTables,
    alive: npt.NDArray[np.int32],
    hand: npt.NDArray[np.int16],
    strength: npt.NDArray[np.int16],
    place: npt.NDArray[np.int16],
    shown: npt.NDArray[np.uint8],
) -> None:
    """Order H hands on R boards, weakest first, equal ones as they were, dead ones last.

    boards: [R, 5] and cards: [H, 2] uint8. Filled: alive: [R] int32; hand, strength and place: [R, H] int16
    (strength 0 and place -1 for dead hands); shown: [R, H, 2] uint8, the cards in that order. Ranks are few,
    so hands are counted into their places.
    """
    size = len(cards)
    held, keys = np.zeros(size, np.uint64), np.zeros(size, np.uint64)
    for h in range(size):
        held[h] = (_ONE << U64(cards[h, 0])) | (_ONE << U64(cards[h, 1]))
        keys[h] = tables.card_keys[cards[h, 0]] + tables.card_keys[cards[h, 1]]
    rank, next_place = np.zeros(size, np.int32), np.zeros(_RANKS, np.int32)
    for board in range(len(boards)):
        mask, key = _ZERO, START
        for k in range(boards.shape[1]):
            mask |= _ONE << U64(boards[board, k])
            key += tables.card_keys[boards[board, k]]
        next_place[:] = 0
        live = 0
        for h in range(size):
            rank[h] = 0
            if mask & held[h] == _ZERO:
                rank[h] = rank_key(key + keys[h], mask | held[h], tables)
                next_place[rank[h]] += 1
                live += 1
        total = 0
        for r in range(_RANKS):
            count = next_place[r]
            next_place[r] = total
            total += count
        last = live
        for h in range(size):
            r = rank[h]
            if r > 0:
                at = next_place[r]
                next_place[r] += 1
                place[board, h] = at
            else:
                at = last
                last += 1
                place[board, h] = _DEAD
            hand[board, at] = h
            strength[board, at] = r
            shown[board, at, 0], shown[board, at, 1] = cards[h, 0], cards[h, 1]
        alive[board] = live
