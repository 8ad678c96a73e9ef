"""The sweep of all leaves of a board against every pair of hands written out."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import numpy.typing as npt
import pytest

from overbet.kernels.vector.showdown_sweep import MOST, WIDTHS, Payoffs, SweepHands, SweepSheets, sweep

Rng = np.random.Generator
COMBOS = np.array(list(combinations(range(52), 2)), np.uint8)[:, ::-1]


def seats_of(rng: Rng, n: int, m: int, ranks: int) -> SweepHands:
    """Draw hands of both players with strengths from a few ranks, weakest first."""
    strength = rng.integers(0, ranks, len(COMBOS)).astype(np.int16)
    picked = []
    for count in (n, m):
        own = rng.choice(len(COMBOS), count, replace=False)
        picked.append(own[np.argsort(strength[own], kind="stable")])
    place = {int(combo): i for i, combo in enumerate(picked[1])}
    same = np.array([place.get(int(combo), -1) for combo in picked[0]], np.int16)
    own_cards, opp_cards = (np.ascontiguousarray(COMBOS[hands]) for hands in picked)
    return SweepHands(n, m, own_cards, strength[picked[0]], same, opp_cards, strength[picked[1]])


def sheets_of(rng: Rng, n: int, m: int) -> SweepSheets:
    """Return sheets full of garbage: what is not written must not be read."""
    sizes = ((m + 1) * MOST, n * MOST, n * MOST, 53 * MOST)
    reach, showdown, fold, sums = (rng.random(size).astype(np.float32) * 1e6 for size in sizes)
    return SweepSheets(reach, showdown, fold, sums, np.zeros(MOST, np.uint64))


def payoffs_of(rng: Rng, leaves: int) -> Payoffs:
    return Payoffs(*rng.normal(size=(4, leaves)).astype(np.float32))


def expected(
    seats: SweepHands, payoffs: Payoffs, first: int, reach: npt.NDArray[np.float64]
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Return showdown and fold values [n, width] from all pairs: win, tie, lose from the three factors."""
    share = (seats.own_cards[:, None, :, None] == seats.opp_cards[None, :, None, :]).any((2, 3))
    ours, theirs = seats.own_strength[:, None], seats.opp_strength[None, :]
    weaker, equal = (theirs < ours) & ~share, (theirs == ours) & ~share
    below, upto, every = (
        mask.astype(float) @ reach for mask in (weaker, weaker | equal, np.ones_like(share) & ~share)
    )
    width = reach.shape[1]
    part = [factor[first : first + width].astype(float) for factor in payoffs]
    return part[0] * below + part[1] * upto + part[2] * every, part[3] * every


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("shape", [(1, 1, 1), (7, 3, 2), (40, 55, 5), (300, 250, 90), (1081, 1081, 400)])
@pytest.mark.parametrize("with_showdowns", [True, False])
def test_against_all_pairs(width: int, shape: tuple[int, int, int], with_showdowns: bool) -> None:
    rng = np.random.default_rng(width + shape[0])
    n, m, ranks = shape
    seats, sheets, first = seats_of(rng, n, m, ranks), sheets_of(rng, n, m), 3
    payoffs = payoffs_of(rng, first + width + 2)
    reach = rng.random((m, width)).astype(np.float32)
    reach[rng.random((m, width)) < 0.3] = 0.0
    sheets.reach[: m * width] = reach.ravel()
    before = sheets.showdown.copy()
    sweep(width, with_showdowns, seats, payoffs, first, sheets)
    showdown, fold = expected(seats, payoffs, first, reach.astype(float))
    scale = max(1.0, m / 4)  # rounding grows with what is added up
    assert sheets.fold[: n * width].reshape(n, width) == pytest.approx(fold, abs=2e-5 * scale, rel=1e-5)
    if with_showdowns:
        found = sheets.showdown[: n * width].reshape(n, width)
        assert found == pytest.approx(showdown, abs=2e-5 * scale, rel=1e-5)
    else:
        assert np.array_equal(sheets.showdown, before)  # not touched
    assert np.array_equal(sheets.reach[: m * width], reach.ravel())


def test_all_hands_tie() -> None:
    """On a board that plays for everyone nobody wins: `below` is zero and `upto` is all."""
    rng = np.random.default_rng(1)
    seats, sheets = seats_of(rng, 30, 30, 1), sheets_of(rng, 30, 30)
    payoffs = Payoffs(*(np.full(16, x, np.float32) for x in (5.0, 1.0, -1.0, 0.0)))
    sheets.reach[: 30 * 16] = 1.0
    sweep(16, True, seats, payoffs, 0, sheets)
    assert np.abs(sheets.showdown[: 30 * 16]).max() <= 1e-4


def test_nobody_left_to_meet() -> None:
    """An opponent whose hands all share a card with ours gives nothing, up to rounding."""
    own, opp = np.array([[51, 50]], np.uint8), np.array([[51, 3], [50, 7], [51, 50]], np.uint8)
    strength = np.zeros(3, np.int16)
    seats = SweepHands(1, 3, own, strength[:1], np.array([2], np.int16), opp, strength)
    rng = np.random.default_rng(2)
    sheets = sheets_of(rng, 1, 3)
    sheets.reach[: 3 * 16] = rng.random(3 * 16).astype(np.float32)
    sweep(16, True, seats, payoffs_of(rng, 16), 0, sheets)
    assert np.abs(sheets.showdown[:16]).max() <= 1e-6
    assert np.abs(sheets.fold[:16]).max() <= 1e-6
