"""Tiles turned in registers, and the leaves of a board against every pair of hands written out."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from overbet.kernels.vector.leaves import (
    BEYOND,
    FOLDS,
    SHOWS,
    Ahead,
    Sheets,
    pick_leaves,
    settle,
    sweep_leaves,
)
from overbet.kernels.vector.tiles import NOTHING, SUMS, TOTAL, turned
from overbet.kernels.vector.vectors import WHOLE

COMBOS = np.array(list(combinations(range(52), 2)), np.int32)[:, ::-1]


@pytest.mark.parametrize("side", [8, 16])
def test_tiles_are_turned(side: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "overbet.kernels.vector.tiles._shuffled",
        lambda builder, x, y, places: np.concatenate([x, y])[np.array(places)],
    )
    tile = np.arange(side * side).reshape(side, side)
    assert np.array_equal(turned(None, list(tile)), tile.T)


def rounded(count: int) -> int:
    return -(-count // 16) * 16


@pytest.mark.parametrize(
    ("n", "m", "ranks", "count"),
    [
        (1, 1, 1, 1),
        (7, 3, 2, 5),
        (40, 55, 5, 16),
        (16, 32, 4, 40),
        (300, 250, 90, 70),
        (1081, 1081, 400, 120),
    ],
)
@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_leaves_against_all_pairs(n: int, m: int, ranks: int, count: int, kind: type) -> None:
    """Every live leaf has its values; one that nobody reaches is left out and its rows are not touched."""
    rng = np.random.default_rng(count)
    strength = rng.integers(0, ranks, len(COMBOS)).astype(np.int32)
    hands = []
    for size in (n, m):
        drawn = rng.choice(len(COMBOS), size, replace=False)
        hands.append(drawn[np.argsort(strength[drawn], kind="stable")])
    place = {int(combo): i for i, combo in enumerate(hands[1])}
    seats = []
    for drawn, size in zip(hands, (n, m)):
        found = np.zeros((rounded(size) + 1, 4), np.int32)
        found[:] = TOTAL, NOTHING, rounded(m), BEYOND
        found[:size, :2], found[:size, 3] = COMBOS[drawn], strength[drawn]
        found[:size, 2] = [place.get(int(combo), rounded(m)) for combo in drawn]
        seats.append(found)
    begins = [(seat * [WHOLE, WHOLE, WHOLE, 1]).astype(np.int32) for seat in seats]
    room, opp_room, columns = 64, rounded(m), rounded(count)
    rows = rounded(n)
    reach = np.zeros((count + 1, opp_room), kind)
    reach[:count, :m] = rng.random((count, m)) * (rng.random((count, m)) > 0.3)
    reach[:count][rng.random(count) < 0.2] = 0.0
    dead = ~reach[:count].any(1)
    ends = rng.integers(1, 4, count)
    ends = ends[np.argsort(-ends, kind="stable")]
    nowhere = 2 * count
    leaves = np.full((count, 4), nowhere, np.int32)
    leaves[:, 0], leaves[:, 3] = np.arange(count), ends
    leaves[:, 1] = np.where(ends & FOLDS, np.arange(count), nowhere)
    leaves[:, 2] = np.where(ends & SHOWS, count + np.arange(count), nowhere)
    pays = rng.normal(size=(count, 3)).astype(kind)
    garbage = 7.0
    sheets = Sheets(
        *(
            np.full(size, garbage, kind)
            for size in ((opp_room + 1) * columns, rows * columns, SUMS * columns)
        ),
        np.full(3 * columns, garbage, kind),
        *(np.zeros(columns, np.int64) for _ in range(3)),
        *(np.zeros(size, np.int32) for size in (columns, columns // 16, columns)),
        (reach != 0).any(1).astype(np.int32),
        *begins,
    )
    filled = pick_leaves(leaves, pays, (0, count), room, opp_room, nowhere, sheets)
    assert filled == rounded(int((~dead).sum()))
    flat = np.ascontiguousarray(reach.ravel())
    ahead = Ahead(flat, flat, 0, len(flat) // 16 * 16)
    sweep_leaves(filled, n, m, flat, count * opp_room, sheets, ahead)
    share = (seats[0][:n, None, :2, None] == seats[1][None, :m, None, :2]).any((2, 3))
    ours, theirs = seats[0][:n, None, 3], seats[1][None, :m, 3]
    given = reach[:count, :m].T.astype(np.float64)
    below, upto, every = (
        (mask & ~share).astype(float) @ given for mask in (theirs < ours, theirs <= ours, np.ones_like(share))
    )
    showdowns = (pays[:, 0] * (below + upto) + pays[:, 1] * every).T
    folds = (pays[:, 2] * every).T
    close = {"rel": 1e-5, "abs": 3e-5 * max(1.0, m / 4)}
    for h in range(0, rows, room):
        block = min(room, rows - h)
        value = np.full((2 * count + 1, room), garbage, kind)
        settle(filled, n, m, h, block, 0, value.ravel(), sheets, ahead)
        for k in range(count):
            for row, bit, wanted in ((k, FOLDS, folds), (count + k, SHOWS, showdowns)):
                if dead[k] or not ends[k] & bit:
                    assert (value[row] == garbage).all()
                else:
                    live = min(n - h, block)
                    assert value[row, :live] == pytest.approx(wanted[k, h : h + live], **close)
                    assert (value[row, live:block] == 0).all()


@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_a_hand_that_nobody_can_meet_is_worth_nothing(kind: type) -> None:
    """Not what rounding leaves of sums that cancel: what it plays would hang on that."""
    rng = np.random.default_rng(7)
    held = np.array([20, 41])
    theirs = np.flatnonzero((COMBOS[:, :, None] == held).any((1, 2)))
    reach = rng.random((16, len(theirs))).astype(kind)
    total, opp_room = np.zeros((16, 55), kind), rounded(len(theirs))
    for k, combo in enumerate(COMBOS[theirs]):  # in the order of a sweep
        total[:, TOTAL] += reach[:, k]
        for card in combo:
            total[:, card] += reach[:, k]
    twin = int(np.flatnonzero((np.sort(COMBOS[theirs], 1) == held).all(1))[0])
    by_hand = total[:, TOTAL] - total[:, held[0]] - total[:, held[1]] + reach[:, twin]
    assert (by_hand != 0).any()
    own, opp = np.zeros((17, 4), np.int32), np.zeros((opp_room + 1, 4), np.int32)
    own[:], opp[:] = (TOTAL, NOTHING, opp_room, BEYOND), (TOTAL, NOTHING, 16, BEYOND)
    own[0] = [*held, twin, 1]
    opp[: len(theirs)] = [[*combo, 16, rank % 3] for rank, combo in enumerate(np.sort(COMBOS[theirs], 1))]
    opp[: len(theirs)] = opp[np.argsort(opp[: len(theirs), 3], kind="stable")]
    own[0, 2] = int(np.flatnonzero((opp[: len(theirs), :2] == held).all(1))[0])
    scale = [WHOLE, WHOLE, WHOLE, 1]
    begins = [(seat * scale).astype(np.int32) for seat in (own, opp)]
    leaves = np.array([[k, k, 16 + k, FOLDS | SHOWS] for k in range(16)], np.int32)
    sheets = Sheets(
        *(np.zeros(size * 16, kind) for size in (opp_room + 1, 16, SUMS, 3)),
        *(np.zeros(16, np.int64) for _ in range(3)),
        *(np.zeros(size, np.int32) for size in (16, 1, 16)),
        np.ones(16, np.int32),
        *begins,
    )
    flat = np.zeros((17, opp_room), kind)
    flat[:16, : len(theirs)] = reach
    pays = rng.normal(size=(16, 3)).astype(kind)
    assert pick_leaves(leaves, pays, (0, 16), 16, opp_room, 32, sheets) == 16
    nothing = Ahead(flat.ravel(), flat.ravel(), 0, 0)
    sweep_leaves(16, 1, len(theirs), flat.ravel(), 16 * opp_room, sheets, nothing)
    value = np.full((33, 16), 7.0, kind)
    settle(16, 1, len(theirs), 0, 16, 0, value.ravel(), sheets, nothing)
    assert (value[:32] == 0).all()
