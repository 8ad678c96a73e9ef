"""One board, sixteen ranges: the equity of every hand against each of several opponents in one sweep.

As `kernels.cards.equity`, with the opponent's weights laid out as [hand, range]: hands are ranked and
sorted once a board, and the sums by card are rows of sixteen numbers, which vectorise. A hand gets

    what it beats + half of what it ties with = (below + upto) / 2

where `below` is the compatible weight of weaker hands and `upto` of hands that are no stronger.

    add_shares(boards: EquityBoards, hands: EquityHands, weights: [m, RANGES] float32, tables,
               out: [m, RANGES] float64)
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from overbet.kernels.cards.equity import EquityBoards, EquityHands, rank_hands, sweep_space
from overbet.kernels.cards.evaluator import EvaluatorTables
from overbet.kernels.jit import fast_kernel

RANGES = 16  # a row of float32: one cache line
_HAND_BITS, _HAND_MASK = 11, (1 << 11) - 1


@fast_kernel
def add_shares(
    boards: EquityBoards,
    hands: EquityHands,
    weights: npt.NDArray[np.float32],
    tables: EvaluatorTables,
    out: npt.NDArray[np.float64],
) -> None:
    """Add to `out` what every hand wins against each range on every board, ties as halves.

    weights: [m, RANGES] float32, each opponent's weights of the same hands; out: [m, RANGES] float64.
    """
    space = sweep_space(hands.masks.shape[0])
    sums = np.empty((53, RANGES), np.float32)  # by card, and in all
    below = np.empty((hands.masks.shape[0], RANGES), np.float32)
    for board in range(boards.keys.shape[0]):
        live = rank_hands(boards.keys[board], boards.masks[board], hands, tables, space)
        sums[:] = 0.0
        first = 0
        while first < live:
            rank = space.packed[first] >> _HAND_BITS
            after = first
            while after < live and space.packed[after] >> _HAND_BITS == rank:
                hand = space.packed[after] & _HAND_MASK
                a, b = hands.cards[hand, 0], hands.cards[hand, 1]
                for k in range(RANGES):
                    below[after, k] = sums[52, k] - sums[a, k] - sums[b, k]
                after += 1
            for place in range(first, after):
                hand = space.packed[place] & _HAND_MASK
                a, b = hands.cards[hand, 0], hands.cards[hand, 1]
                for k in range(RANGES):
                    weight = weights[hand, k]
                    sums[52, k] += weight
                    sums[a, k] += weight
                    sums[b, k] += weight
            for place in range(first, after):
                hand = space.packed[place] & _HAND_MASK
                a, b = hands.cards[hand, 0], hands.cards[hand, 1]
                for k in range(RANGES):
                    upto = sums[52, k] - sums[a, k] - sums[b, k] + weights[hand, k]
                    out[hand, k] += np.float32(0.5) * (below[place, k] + upto)
            first = after
