"""Counter-based randomness: a pure function of its counters, uniform, independent between streams."""

import numba
import numpy as np

from overbet.kernels.rng import below, stream_key, uniform


@numba.njit
def _draws(seed: int, iteration: int, stream: int, n: int) -> np.ndarray:
    key = stream_key(seed, iteration, stream)
    out = np.empty(n)
    for i in range(n):
        out[i] = uniform(key, i)
    return out


@numba.njit
def _counts(seed: int, n: int, sides: int) -> np.ndarray:
    key = stream_key(seed, 0, 0)
    out = np.zeros(sides, np.int64)
    for i in range(n):
        out[below(key, i, sides)] += 1
    return out


def test_same_counters_same_numbers() -> None:
    assert np.array_equal(_draws(7, 3, 2, 100), _draws(7, 3, 2, 100))
    for other in ((8, 3, 2), (7, 4, 2), (7, 3, 3)):
        assert not np.intersect1d(_draws(7, 3, 2, 100), _draws(*other, 100)).size


def test_uniform_in_the_unit_interval() -> None:
    draws = _draws(1, 0, 0, 1_000_000)
    assert draws.min() >= 0
    assert draws.max() < 1
    assert abs(draws.mean() - 0.5) < 0.002
    counts = np.bincount((draws * 100).astype(int), minlength=100)
    assert ((counts - 10_000) ** 2 / 10_000).sum() < 160  # chi-square with 99 degrees of freedom


def test_neighbouring_streams_do_not_correlate() -> None:
    first = np.array([_draws(1, t, 0, 1)[0] for t in range(5000)])
    assert abs(np.corrcoef(first[:-1], first[1:])[0, 1]) < 0.06


def test_below_is_fair() -> None:
    counts = _counts(5, 520_000, 52)
    assert ((counts - 10_000) ** 2 / 10_000).sum() < 100  # 51 degrees of freedom
