"""The arithmetic of leaks beside brute force, scipy and simulations."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from overbet.study import leak_tests
from overbet.study.leak_tests import adjusted, interval, tail, two_sided


def test_the_tail_of_few_trials_is_that_of_all_outcomes() -> None:
    shares = np.array([0.0, 0.1, 0.35, 0.5, 0.5, 0.8, 0.97, 1.0])
    for count in range(len(shares) + 2):
        chance = sum(
            np.prod(np.where(outcome, shares, 1 - shares))
            for outcome in product((0, 1), repeat=len(shares))
            if sum(outcome) >= count
        )
        assert tail(shares, count) == pytest.approx(chance, abs=1e-14)


def test_the_tail_of_many_trials_is_as_exact_far_out() -> None:
    """The saddlepoint beside the sum, from the middle to one in 10^12."""
    from scipy.stats import binom

    rng = np.random.default_rng(1)
    for shares in (rng.random(800), rng.beta(0.2, 6.0, 800), np.full(800, 0.3)):
        mean, sd = shares.sum(), np.sqrt((shares * (1 - shares)).sum())
        for off in (-3, -1, -0.01, 0, 0.3, 1, 2, 4, 7):
            count = int(np.clip(mean + off * sd, 1, 799))
            assert tail(shares, count) == pytest.approx(leak_tests._summed(shares, count), rel=0.01)
    assert tail(np.full(20_000, 0.25), 5_400) == pytest.approx(binom.sf(5_399, 20_000, 0.25), rel=0.01)


def test_within_the_tolerance_nothing_is_unlikely() -> None:
    from scipy.stats import binom

    shares = np.zeros(1000)
    assert two_sided(shares, 4)[0] == 0.0  # never done by the strategy, done four times
    assert two_sided(shares, 4, 0.005)[0] > 0.5
    assert two_sided(shares, 40, 0.005)[0] < 1e-10
    high, low = two_sided(np.full(1000, 0.5), 430, 0.005)
    assert high > 0.99
    assert low == pytest.approx(binom.cdf(430, 1000, 0.495), rel=0.01)


def test_corrections_are_those_of_the_books() -> None:
    from scipy.stats import false_discovery_control

    values = np.random.default_rng(2).random(40) ** 3
    for name in ("bh", "by"):
        assert np.allclose(adjusted(values, name), false_discovery_control(values, method=name))
    assert np.allclose(adjusted([0.01, 0.04, 0.03], "holm"), [0.03, 0.06, 0.06])
    assert adjusted([]).size == 0


def test_intervals_hold_what_they_promise() -> None:
    """Players who multiply the strategy's odds by 2.5: the interval has their frequency in 95 of 100."""
    rng = np.random.default_rng(3)
    shares = rng.beta(0.7, 1.0, 400).clip(0.01, 0.99)
    own = 2.5 * shares / (1 - shares + 2.5 * shares)
    inside = 0
    for _ in range(200):
        low, high = interval(shares, int((rng.random(400) < own).sum()), 0.95)
        inside += low <= own.mean() <= high
    assert 183 <= inside <= 200
    assert interval(shares, 400, 0.95)[1] == 1.0
    assert interval(shares, 0, 0.95)[0] == 0.0
