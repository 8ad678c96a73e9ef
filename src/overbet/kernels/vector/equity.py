"""Equity of every hand of a range against the opponent's reach, over the river boards a tree keeps.

On one board the hands lie in order of strength (`tree.boards.Showdowns`), so one walk up gives for each hand
the opponent's reach it beats and the reach it ties with, less the hands that share a card with it: per-card
sums, as in every showdown of this package. The result is a weight (reach beaten plus half of the reach tied
with); the caller divides by the reach it meets.

    add_equity(own, opp, boards: [b] int32, mirrors, reach: [H of opp] float64, out: [H] float64)

Where the same boards are asked about again and again, `add_pair_shares` gives every pair's share once.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from overbet.kernels.jit import fast_kernel, kernel

Ints = npt.NDArray[np.int32]
Doubles = npt.NDArray[np.float64]
Floats = npt.NDArray[np.float32]
Strengths = npt.NDArray[np.int16]


class ShowdownOrder(NamedTuple):
    """One player's live hands on R river boards, weakest first.

    alive: [R] int32. hand, strength, same: [R, H] int16, same: the place of the opponent's hand of the same
    two cards, or -1. cards: [R, H, 2] uint8.
    """

    alive: Ints
    hand: npt.NDArray[np.int16]
    strength: npt.NDArray[np.int16]
    same: npt.NDArray[np.int16]
    cards: npt.NDArray[np.uint8]


class Mirrors(NamedTuple):
    """The swaps of suits a river board stands for: start: [R + 1] int32 into swap: [.] int32 (0: itself);
    swapped: [7, H] int16, the hand each of `own`'s hands becomes.
    """

    start: Ints
    swap: Ints
    swapped: npt.NDArray[np.int16]


@kernel
def add_equity(
    own: ShowdownOrder, opp: ShowdownOrder, boards: Ints, mirrors: Mirrors, reach: Doubles, out: Doubles
) -> None:
    """Add the opponent's reach each hand beats, and half of what it ties with, on some boards."""
    beaten = np.empty(own.hand.shape[1])
    by_card = np.empty(52)
    for board in boards:
        n, m = own.alive[board], opp.alive[board]
        by_card[:] = 0.0
        total = 0.0
        j = i = 0
        while i < n:
            strength = own.strength[board, i]
            end = i
            while end < n and own.strength[board, end] == strength:
                end += 1
            for side in range(2):  # first what is weaker, then what is no stronger: half of each
                while j < m and opp.strength[board, j] < strength + side:
                    each = reach[opp.hand[board, j]]
                    total += each
                    by_card[opp.cards[board, j, 0]] += each
                    by_card[opp.cards[board, j, 1]] += each
                    j += 1
                for k in range(i, end):
                    met = total - by_card[own.cards[board, k, 0]] - by_card[own.cards[board, k, 1]]
                    if side == 0:
                        beaten[k] = 0.5 * met
                    else:
                        twice = own.same[board, k]  # the hand itself was taken off by both its cards
                        back = reach[opp.hand[board, twice]] if twice >= 0 else 0.0
                        beaten[k] += 0.5 * (met + back)
            i = end
        for mirror in range(mirrors.start[board], mirrors.start[board + 1]):
            image = mirrors.swapped[mirrors.swap[mirror]]
            for k in range(n):
                out[image[own.hand[board, k]]] += beaten[k]


@fast_kernel
def add_pair_shares(own: Strengths, opp: Strengths, out: Floats) -> None:
    """Add every pair's share of the pot on some boards: 1 for a win, 1/2 for a tie, 0 where a hand is dead.

    own: [boards, n], opp: [boards, m] int16, strengths, -1 where a board kills the hand; out: [n, m] float32.
    Pairs that share a card are not told apart.
    """
    win, tie, none = np.float32(1.0), np.float32(0.5), np.float32(0.0)
    for board in range(len(own)):
        theirs = opp[board]
        for i in range(own.shape[1]):
            mine = own[board, i]
            if mine < 0:
                continue
            row = out[i]
            for j in range(opp.shape[1]):
                share = win if mine > theirs[j] else tie if mine == theirs[j] else none
                row[j] += share if theirs[j] >= 0 else none
