"""Clustering kernels against brute force."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from overbet.abstraction.clustering import Search, assign, cut_scores, k_medians
from overbet.errors import ConfigError
from overbet.kernels.abstraction.clustering import cut_line, draw_row, medians, row_sums, sample_rows


def squared_error(values: np.ndarray, weights: np.ndarray, begins: tuple[int, ...]) -> float:
    total = 0.0
    for first, after in zip(begins, (*begins[1:], len(values))):
        part, weight = values[first:after], weights[first:after]
        total += float(np.dot(weight, (part - np.average(part, weights=weight)) ** 2))
    return total


@pytest.mark.parametrize("groups", [1, 2, 3, 4, 9, 10])
def test_cuts_of_a_line_are_the_best(groups: int) -> None:
    generator = np.random.default_rng(groups)
    for _ in range(5):
        values = np.sort(generator.choice(100, 10, replace=False)).astype(float)
        weights = generator.integers(1, 50, 10).astype(float)
        best = min(
            squared_error(values, weights, (0, *cut)) for cut in combinations(range(1, 10), groups - 1)
        )
        found = tuple(cut_line(values, weights, groups).tolist())
        assert found[0] == 0
        assert squared_error(values, weights, found) == pytest.approx(best, abs=1e-7)


def test_scores_that_nobody_has_join_a_group() -> None:
    weights = np.zeros(21, np.int64)
    weights[[2, 3, 10, 11, 19]] = 5
    rule = cut_scores(weights, 3)
    assert rule.tolist() == sorted(rule.tolist())
    assert rule[[2, 3, 10, 11, 19]].tolist() == [0, 0, 1, 1, 2]
    with pytest.raises(ConfigError, match="6 buckets are more than the 5 strengths"):
        cut_scores(weights, 6)


def rows_of(generator: np.random.Generator, count: int, width: int, parts: int, dtype: type) -> np.ndarray:
    """Return random cumulative histograms."""
    picks = generator.integers(0, width, (count, parts))
    counts = np.stack([(picks <= place).sum(1) for place in range(width)], 1)
    return counts.astype(dtype)


@pytest.mark.parametrize("dtype", [np.uint8, np.uint16])
def test_nearest_centre_is_the_nearest(dtype: type) -> None:
    generator = np.random.default_rng(5)
    rows = rows_of(generator, 3000, 16, 12, dtype)
    centres = rows_of(generator, 40, 16, 12, dtype)
    centres[7] = centres[3]  # a tie
    centres = centres[np.argsort(row_sums(centres), kind="stable")]
    labels, distances = assign(rows, centres)
    away = np.abs(rows[:, None].astype(int) - centres[None].astype(int)).sum(2)
    assert (distances == away.min(1)).all()
    assert (labels == away.argmin(1)).all()  # of equally near ones the first


def test_medians_are_weighted_lower_medians() -> None:
    generator = np.random.default_rng(6)
    rows = rows_of(generator, 200, 8, 9, np.uint8)
    weights = generator.integers(1, 25, 200).astype(np.uint8)
    labels = generator.integers(0, 5, 200)
    labels[labels == 3] = 4  # group 3 is empty and keeps its centre
    members = np.argsort(labels, kind="stable")
    starts = np.searchsorted(labels[members], np.arange(6)).astype(np.int64)
    centres = np.full((5, 8), 77, np.uint8)
    medians(rows, weights, members, starts, 9, centres)
    for group in (0, 1, 2, 4):
        spelled = np.repeat(rows[labels == group], weights[labels == group], axis=0)
        expected = np.sort(spelled, axis=0)[(len(spelled) - 1) // 2]
        assert (centres[group] == expected).all()
    assert (centres[3] == 77).all()


def test_draws_follow_distance_and_weight() -> None:
    distances, weights = np.array([0, 3, 1, 0, 4], np.int32), np.array([9, 2, 2, 9, 1], np.uint8)
    drawn = [draw_row(distances, weights, seed, 0, 0) for seed in range(6000)]
    shares = np.bincount(drawn, minlength=5) / 6000
    assert shares == pytest.approx(np.array([0, 6, 2, 0, 4]) / 12, abs=0.02)
    assert draw_row(np.zeros(5, np.int32), weights, 0, 0, 0) == -1


def test_sample_is_spread_and_fixed_by_the_seed() -> None:
    rows = sample_rows(1_000_003, 1000, 7)
    assert (np.diff(rows) > 0).all()
    assert rows[-1] < 1_000_003
    assert (rows == sample_rows(1_000_003, 1000, 7)).all()
    assert (rows != sample_rows(1_000_003, 1000, 8)).any()


def test_groups_find_what_was_planted() -> None:
    generator = np.random.default_rng(8)
    planted = rows_of(generator, 6, 32, 40, np.uint8).astype(int)
    planted = np.maximum.accumulate(np.clip(planted, 0, 40), axis=1)
    which = generator.integers(0, 6, 4000)
    noise = np.sort(generator.integers(-1, 2, (4000, 32)), axis=1)
    rows = np.clip(planted[which] + noise, 0, 40)
    rows = np.maximum.accumulate(rows, axis=1).astype(np.uint8)
    rows[:, -1] = 40
    found = k_medians(rows, np.ones(4000, np.uint8), 6, Search(restarts=6, sample=1000))
    pairs = {(int(a), int(b)) for a, b in zip(which, found.labels)}
    assert len(pairs) == 6
    assert found.distances.max() <= 32
    means = [rows[found.labels == group].sum(1).mean() for group in range(6)]
    assert means == sorted(means, reverse=True)  # a larger sum is a weaker hand


def test_same_seed_same_groups_on_any_number_of_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = rows_of(np.random.default_rng(9), 5000, 32, 46, np.uint8)
    weights = np.random.default_rng(10).integers(1, 25, 5000).astype(np.uint8)
    steps: list[tuple[int, int]] = []
    search = Search(seed=3, restarts=2, sample=2000)
    first = k_medians(rows, weights, 30, search, lambda done, total: steps.append((done, total)))
    monkeypatch.setattr("overbet.machine.core_count", lambda: 7)
    again = k_medians(rows, weights, 30, search)
    assert (first.labels == again.labels).all()
    assert (first.centres == again.centres).all()
    assert sorted(np.unique(first.labels).tolist()) == list(range(30))
    assert [done for done, _ in steps] == sorted(done for done, _ in steps)
    assert steps[-1][0] == steps[-1][1]
    other = k_medians(rows, weights, 30, Search(seed=4, restarts=2, sample=2000))
    assert (first.labels != other.labels).any()


def test_more_restarts_are_never_worse_on_the_sample() -> None:
    rows = rows_of(np.random.default_rng(11), 1500, 32, 46, np.uint8)
    weights = np.ones(1500, np.uint8)
    few, many = (k_medians(rows, weights, 20, Search(restarts=n, sample=5000)) for n in (1, 5))
    assert many.distances.sum() <= few.distances.sum()


def test_more_groups_than_kinds_of_rows() -> None:
    rows = np.array([[1, 2], [2, 2], [1, 2], [0, 2]], np.uint8)
    found = k_medians(rows, np.ones(4, np.uint8), 3, Search(sample=1000))
    assert found.distances.sum() == 0
    with pytest.raises(ConfigError, match="4 buckets are more than the 3 kinds"):
        k_medians(rows, np.ones(4, np.uint8), 4, Search(sample=1000))
