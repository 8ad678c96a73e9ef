"""Means, intervals and differences."""

import math

import numpy as np
import pytest

from overbet.errors import ConfigError
from overbet.evaluation.statistics import (
    Blocks,
    Estimate,
    Moments,
    interval_by_groups,
    interval_of,
    paired,
    sd_reduction,
    t_quantile,
    t_tail,
    unpaired,
)


@pytest.mark.parametrize(
    ("degrees", "quantile"), [(1, 12.7062047), (2, 4.3026527), (10, 2.2281389), (1000, 1.9623391)]
)
def test_quantiles_are_those_of_the_tables(degrees, quantile):
    assert t_quantile(degrees) == pytest.approx(quantile, abs=1e-6)
    assert t_tail(quantile, degrees) == pytest.approx(0.025, abs=1e-8)


def test_many_degrees_are_the_normal_distribution():
    assert t_quantile(10**8) == pytest.approx(1.959963985, abs=1e-6)


def test_an_interval_of_three_numbers():
    found = interval_of([3.0, 5.0, 4.0])
    assert found.mean == 4.0
    assert found.sd == 1.0
    assert found.half == pytest.approx(4.3026527 / math.sqrt(3), abs=1e-6)


def test_one_group_has_no_certainty_and_none_is_refused():
    one = interval_of([7.0])
    assert one.half == math.inf
    assert not one.significant
    with pytest.raises(ConfigError, match="nothing was measured"):
        interval_of([])


def test_intervals_hold_the_truth_as_often_as_they_say():
    draws = np.random.default_rng(1).standard_exponential((4000, 30))
    held = [abs(interval_of(row).mean - 1.0) <= interval_of(row).half for row in draws]
    assert 0.90 < np.mean(held) < 0.96  # a skewed distribution: a little below 95 %
    few = np.random.default_rng(2).standard_normal((4000, 3))
    held = [abs(interval_of(row).mean) <= interval_of(row).half for row in few]
    assert 0.935 < np.mean(held) < 0.965


def test_groups_of_one_size_are_their_means():
    values = np.random.default_rng(3).standard_normal((50, 4))
    groups = np.repeat(np.arange(50), 4)
    found, expected = interval_by_groups(values.ravel(), groups), interval_of(values.mean(1))
    assert found == pytest.approx(expected, abs=1e-12)


def test_dependent_hands_do_not_make_an_interval_narrow():
    values = np.repeat(np.random.default_rng(4).standard_normal(20), 100)
    by_group = interval_by_groups(values, np.repeat(np.arange(20), 100))
    assert by_group.half > 5 * interval_of(values).half
    assert by_group.groups == 20


def test_groups_of_unequal_sizes():
    rng = np.random.default_rng(5)
    held = 0
    for _ in range(600):
        sizes = rng.integers(1, 12, 40)
        centre = rng.standard_normal(40)
        values = np.repeat(centre, sizes) + rng.standard_normal(sizes.sum())
        found = interval_by_groups(values, np.repeat(np.arange(40), sizes))
        held += abs(found.mean) <= found.half
    assert 0.90 < held / 600 < 0.98


def test_blocks_give_the_same_bits_in_any_order():
    blocks = [np.random.default_rng(i).standard_normal(100 + i) * 10**i for i in range(6)]
    results = set()
    for order in ([0, 1, 2, 3, 4, 5], [5, 4, 3, 2, 1, 0], [3, 0, 5, 1, 4, 2]):
        gathered = Blocks()
        for number in order:
            gathered.add(number, blocks[number])
        results.add(gathered.moments)
    assert len(results) == 1
    whole = Moments.of(np.concatenate(blocks))
    (found,) = results
    assert found.mean == pytest.approx(whole.mean, rel=1e-12)
    assert found.squares == pytest.approx(whole.squares, rel=1e-12)
    with pytest.raises(ConfigError, match="twice"):
        gathered.add(2, [1.0])


def test_blocks_after_a_gap_wait():
    gathered = Blocks()
    assert gathered.add(1, [1.0, 2.0]).count == 0
    assert gathered.add(0, [3.0]).count == 3


def test_paired_differences_see_through_common_noise():
    rng = np.random.default_rng(6)
    noise = 100.0 * rng.standard_normal(400)
    one, two = noise + 1.0 + rng.standard_normal(400), noise + rng.standard_normal(400)
    assert paired(one, two).estimate.significant
    assert paired(one, two).p_value < 1e-10
    assert not unpaired(interval_of(one), interval_of(two)).estimate.significant
    with pytest.raises(ConfigError, match="same groups"):
        paired(one, two[:-1])


def test_welch_against_the_textbook():
    one = [27.5, 21.0, 19.0, 23.6, 17.0, 17.9, 16.9, 20.1, 21.9, 22.6, 23.1, 19.6, 19.0, 21.7, 21.4]
    two = [27.1, 22.0, 20.8, 23.4, 23.4, 23.5, 25.8, 22.0, 24.8, 20.2, 21.9, 22.1, 22.9, 20.5, 24.4]
    found = unpaired(interval_of(one), interval_of(two))
    assert found.degrees == pytest.approx(24.988529, abs=1e-4)
    assert found.p_value == pytest.approx(0.021378, abs=1e-5)


def test_reduction_of_the_deviation():
    assert sd_reduction(Estimate(0, 1, 10.0, 9), Estimate(0, 1, 4.0, 9)) == pytest.approx(0.6)


def test_a_result_in_big_blinds_a_hundred_hands() -> None:
    assert interval_of([598.6, 598.6]).bb100 == "+59.9 ± 0.0"
    assert interval_of([-25.0, -35.0])._replace(half=31.0).bb100 == "-3.0 ± 3.1"
