"""Groups of buckets: against a plain merging, of whole numbers, from weak to strong."""

from __future__ import annotations

import numpy as np
import pytest

from overbet.abstraction.bucket_config import BucketsConfig
from overbet.abstraction.buckets import Buckets
from overbet.abstraction.grouping import grouped, merged, runs
from overbet.errors import ConfigError


def plainly_merged(centres: list[list[int]], weights: list[int], groups: int) -> set[frozenset[int]]:
    """Return the groups that merging the cheapest pair again and again leaves."""
    held = [frozenset([row]) for row in range(len(centres))]

    def mean(members: frozenset[int]) -> list[int]:
        total = sum(weights[row] for row in members)
        return [
            256 * sum(weights[row] * centres[row][k] for row in members) // total
            for k in range(len(centres[0]))
        ]

    def cost(one: frozenset[int], other: frozenset[int]) -> float:
        ours, theirs = (sum(weights[row] for row in members) for members in (one, other))
        apart = sum(abs(a - b) for a, b in zip(mean(one), mean(other)))
        return ours * theirs / (ours + theirs) * apart

    while len(held) > groups:
        pairs = [(a, b) for place, a in enumerate(held) for b in held[:place]]
        one, other = min(pairs, key=lambda pair: cost(*pair))
        held = [members for members in held if members not in (one, other)] + [one | other]
    return set(held)


def test_groups_are_those_of_plain_merging() -> None:
    rng = np.random.default_rng(4)
    for groups in (1, 3, 7):
        centres = np.cumsum(rng.integers(0, 60, (14, 6)), axis=1)
        weights = rng.integers(1, 500, 14)
        labels = merged(centres, weights, groups)
        found = {frozenset(np.flatnonzero(labels == group).tolist()) for group in range(groups)}
        assert found == plainly_merged(centres.tolist(), weights.tolist(), groups)
        # centres are cumulative histograms: the less, the stronger
        means = [
            np.average(centres[labels == group], axis=0, weights=weights[labels == group]).sum()
            for group in range(groups)
        ]
        assert means == sorted(means, reverse=True)


def test_runs_are_neighbours_of_equal_length() -> None:
    np.testing.assert_array_equal(runs(7, 3), [0, 0, 0, 1, 1, 2, 2])


@pytest.fixture(scope="module")
def buckets() -> Buckets:
    rng = np.random.default_rng(2)
    config = BucketsConfig(flop=6, turn=8, river=10, restarts=1)
    centres = (
        np.cumsum(rng.integers(0, 9, (6, 16)), axis=1).astype(np.uint16),
        np.cumsum(rng.integers(0, 9, (8, 8)), axis=1).astype(np.uint8),
    )
    return Buckets(
        config,
        rng.integers(0, 6, 1_286_792).astype(np.uint16),
        rng.integers(0, 8, 13_960_050).astype(np.uint16),
        (np.arange(1981) * 10 // 1981).astype(np.uint16),
        centres=centres,
    )


def test_a_hand_of_a_bucket_is_in_its_group(buckets: Buckets) -> None:
    found = grouped(buckets, (3, 4, 5))
    assert found.counts == (169, 3, 4, 5)
    assert found.hash != buckets.hash
    for fine, coarse in ((buckets.flop, found.flop), (buckets.turn, found.turn)):
        together = np.bincount(16 * fine.astype(np.int64) + coarse)
        assert np.count_nonzero(together) == fine.max() + 1  # every bucket went to one group
        assert coarse.max() + 1 < fine.max() + 1
    np.testing.assert_array_equal(found.river_rule, buckets.river_rule // 2)
    assert grouped(buckets, (3, 4, 5)).hash == found.hash


def test_more_groups_than_buckets_are_refused(buckets: Buckets) -> None:
    with pytest.raises(ConfigError, match="9 turn groups of 8 buckets"):
        grouped(buckets, (3, 9, 5))
