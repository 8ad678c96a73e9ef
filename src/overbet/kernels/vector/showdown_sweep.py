"""Terminal values of many leaves of one board in one sweep over its hands.

All showdowns of a board share the order of hands by strength. With the opponent's reach laid out as
[hand, leaf] the sweep keeps, for each leaf, the reach seen so far and 52 sums of it by card; the inner
loops run over leaves, are contiguous and vectorise. For a hand (a, b) at strength s the opponent's
compatible reach is

    below  = sum over weaker hands             = total - card[a] - card[b]        before group s is added
    upto   = below + equal strength            = the same after group s, + the hand of the same two cards
    all    = everything                        = the same at the end,    + the hand of the same two cards

(the own combo is subtracted twice, hence the addition), and any payoff is linear in these three:
win * below + tie * (upto - below) + lose * (all - upto). Folds need `all` alone, so a leaf where this player
may fold or call with the same reach is swept once for both; leaves where only the opponent folds need one
pass and no order.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from overbet.kernels.jit import fast_kernel
from overbet.kernels.vector.lanes import row_operations

WIDTHS = (16, 32, 48, 64)  # leaves swept together: 53 x 64 sums of 4 bytes stay in the first-level cache
MOST = WIDTHS[-1]

Floats = npt.NDArray[np.float32]


class SweepHands(NamedTuple):
    """Both players' hands of one board in sweep order. n, m: own and opponent's number of live hands.

    own_cards: [n, 2] uint8; own_strength: [n] int16; same: [n] int16, place of the opponent's hand of the
    same cards or -1; opp_cards: [m, 2] uint8; opp_strength: [m] int16.
    """

    n: int
    m: int
    own_cards: npt.NDArray[np.uint8]
    own_strength: npt.NDArray[np.int16]
    same: npt.NDArray[np.int16]
    opp_cards: npt.NDArray[np.uint8]
    opp_strength: npt.NDArray[np.int16]


class Payoffs(NamedTuple):
    """Factors per leaf, [leaves] float32 each: on below, upto, all; and on all for a fold."""

    below: Floats
    upto: Floats
    all: Floats
    fold: Floats


class SweepSheets(NamedTuple):
    """Scratch, flat float32: reach [m + 1, width], the last row zeros; showdown and fold values [n, width];
    sums [53, width]. starts: [MOST] uint64, where the leaves' rows lie. Sized for the widest batch.
    """

    reach: Floats
    showdown: Floats
    fold: Floats
    sums: Floats
    starts: npt.NDArray[np.uint64]


Sweep = Callable[[SweepHands, Payoffs, int, SweepSheets], None]


def _sweeps(lanes: int) -> tuple[Sweep, Sweep]:
    """Return the two sweeps for batches of `lanes` leaves: showdowns (and folds), and folds alone."""
    rows = row_operations(lanes)
    add, below, upto, last, fold_row = rows.add, rows.below, rows.upto, rows.last, rows.fold

    @fast_kernel
    def showdowns(seats: SweepHands, payoffs: Payoffs, first: int, sheets: SweepSheets) -> None:
        reach, showdown, fold, sums = sheets.reach, sheets.showdown, sheets.fold, sheets.sums
        own_cards, own_strength, same = seats.own_cards, seats.own_strength, seats.same
        opp_cards, opp_strength = seats.opp_cards, seats.opp_strength
        n, m, leaf = np.uint64(seats.n), np.uint64(seats.m), np.uint64(first)
        one, none = np.uint64(1), np.uint64(0)
        for k in range(np.uint64(53 * lanes)):
            sums[k] = 0.0
        for k in range(m * np.uint64(lanes), (m + one) * np.uint64(lanes)):
            reach[k] = 0.0
        seen, i = none, none
        while i < n:
            strength = own_strength[i]
            while seen < m and opp_strength[seen] < strength:
                add(reach, seen, sums, np.uint64(opp_cards[seen, 0]), np.uint64(opp_cards[seen, 1]))
                seen += one
            j = i
            while j < n and own_strength[j] == strength:
                a, b = np.uint64(own_cards[j, 0]), np.uint64(own_cards[j, 1])
                below(showdown, j, sums, a, b, payoffs.below, leaf)
                j += one
            while seen < m and opp_strength[seen] == strength:
                add(reach, seen, sums, np.uint64(opp_cards[seen, 0]), np.uint64(opp_cards[seen, 1]))
                seen += one
            for h in range(i, j):
                a, b = np.uint64(own_cards[h, 0]), np.uint64(own_cards[h, 1])
                upto(showdown, h, sums, a, b, payoffs.upto, leaf)
            i = j
        while seen < m:
            add(reach, seen, sums, np.uint64(opp_cards[seen, 0]), np.uint64(opp_cards[seen, 1]))
            seen += one
        for h in range(n):
            a, b = np.uint64(own_cards[h, 0]), np.uint64(own_cards[h, 1])
            twin = np.uint64(same[h]) if same[h] >= 0 else m
            last(showdown, h, sums, a, b, reach, twin, payoffs, leaf, fold)

    @fast_kernel
    def folds(seats: SweepHands, payoffs: Payoffs, first: int, sheets: SweepSheets) -> None:
        reach, fold, sums = sheets.reach, sheets.fold, sheets.sums
        own_cards, opp_cards, same = seats.own_cards, seats.opp_cards, seats.same
        n, m, leaf, one = np.uint64(seats.n), np.uint64(seats.m), np.uint64(first), np.uint64(1)
        for k in range(np.uint64(53 * lanes)):
            sums[k] = 0.0
        for k in range(m * np.uint64(lanes), (m + one) * np.uint64(lanes)):
            reach[k] = 0.0
        for h in range(m):
            add(reach, h, sums, np.uint64(opp_cards[h, 0]), np.uint64(opp_cards[h, 1]))
        for h in range(n):
            a, b = np.uint64(own_cards[h, 0]), np.uint64(own_cards[h, 1])
            twin = np.uint64(same[h]) if same[h] >= 0 else m
            fold_row(fold, h, sums, a, b, reach, twin, payoffs.fold, leaf)

    return showdowns, folds


_showdowns16, _folds16 = _sweeps(16)
_showdowns32, _folds32 = _sweeps(32)
_showdowns48, _folds48 = _sweeps(48)
_showdowns64, _folds64 = _sweeps(64)


@fast_kernel
def sweep(
    width: int, with_showdowns: bool, seats: SweepHands, payoffs: Payoffs, first: int, sheets: SweepSheets
) -> None:
    """Fill `sheets.showdown` (if asked) and `sheets.fold` for the leaves first .. first + width - 1."""
    if with_showdowns:
        if width == 64:
            _showdowns64(seats, payoffs, first, sheets)
        elif width == 48:
            _showdowns48(seats, payoffs, first, sheets)
        elif width == 32:
            _showdowns32(seats, payoffs, first, sheets)
        else:
            _showdowns16(seats, payoffs, first, sheets)
    elif width == 64:
        _folds64(seats, payoffs, first, sheets)
    elif width == 48:
        _folds48(seats, payoffs, first, sheets)
    elif width == 32:
        _folds32(seats, payoffs, first, sheets)
    else:
        _folds16(seats, payoffs, first, sheets)
