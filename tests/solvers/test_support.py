"""Exact equilibria of small games of yes-or-no decisions."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from overbet.solvers.support import finish_exactly


def best_gains(gain: np.ndarray, matrix: np.ndarray, p: np.ndarray, c: np.ndarray) -> float:
    """Return the mean gain of best responses, by trying every pure strategy of each player."""

    def value(one: np.ndarray, two: np.ndarray) -> float:
        return float(one @ gain + one @ matrix @ two)

    ones = [np.array([k >> i & 1 for i in range(len(p))], float) for k in range(2 ** len(p))]
    twos = [np.array([k >> j & 1 for j in range(len(c))], float) for k in range(2 ** len(c))]
    return (max(value(one, c) for one in ones) - min(value(p, two) for two in twos)) / 2


@settings(max_examples=150, deadline=None)
@given(st.integers(0, 2**32), st.integers(1, 4), st.integers(1, 4))
def test_a_random_game_is_solved_from_nothing(seed: int, rows: int, columns: int) -> None:
    """With every decision undecided all supports are tried, and a generic game has an equilibrium in one."""
    rng = np.random.default_rng(seed)
    gain, matrix = rng.normal(size=rows), rng.normal(size=(rows, columns))
    found = finish_exactly(gain, matrix, np.full(rows, 0.5), np.full(columns, 0.5), 1e-12)
    assert found is not None
    for strategy in found:
        assert strategy.min() >= 0
        assert strategy.max() <= 1
    assert best_gains(gain, matrix, *found) <= 1e-12


def test_a_mixed_equilibrium() -> None:
    """Matching pennies: row 1 wins when column 1 stays out, row 2 when it does not; all mix by halves."""
    gain, matrix = np.array([1.0, -1.0]), np.array([[-2.0], [2.0]])
    found = finish_exactly(gain, matrix, np.array([0.4, 0.6]), np.array([0.3]), 1e-12)
    assert found is not None
    assert found[1].tolist() == [0.5]
    assert found[0][0] == found[0][1]


def test_a_decision_that_looked_settled_joins_in() -> None:
    """The start has the second row wrong and certain; the candidates show it, and it is put right."""
    gain = np.array([1.0, 1.0])
    matrix = np.array([[-3.0, 1.0], [0.5, 1.0]])
    found = finish_exactly(gain, matrix, np.array([0.5, 0.0]), np.array([0.5, 0.0]), 1e-12)
    assert found is not None
    assert found[0][1] == 1.0
    assert best_gains(gain, matrix, *found) <= 1e-12


def test_too_much_undecided_is_left_to_the_iterations() -> None:
    half = np.full(5, 0.5)
    assert finish_exactly(np.ones(5), np.eye(5), half, half, 1e-12) is None


def test_far_from_an_equilibrium_there_is_nothing_to_finish() -> None:
    gain, matrix = np.array([1.0, 1.0, 1.0]), np.zeros((3, 1))
    assert finish_exactly(gain, matrix, np.zeros(3), np.zeros(1), 1e-12) is None


@pytest.mark.parametrize("tolerance", [1e-12, 1e-3])
def test_the_tolerance_is_kept(tolerance: float) -> None:
    rng = np.random.default_rng(11)
    gain, matrix = rng.normal(size=4), rng.normal(size=(4, 4))
    found = finish_exactly(gain, matrix, np.full(4, 0.5), np.full(4, 0.5), tolerance)
    assert found is not None
    assert best_gains(gain, matrix, *found) <= tolerance
