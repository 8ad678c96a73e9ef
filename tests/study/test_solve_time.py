"""The time of a solve before it begins: from solves of this machine, from a trial, or told to be neither."""

from __future__ import annotations

import pytest

import overbet
from overbet.solvers.vector.api import SolveFile
from overbet.solvers.vector.estimate import NANOSECONDS, estimate
from overbet.solvers.vector.settings import SolveSettings
from overbet.study.solve_time import expected_time, rate_of, usual_iterations
from tests.interfaces.web.server import TURN

SIZE = estimate(SolveFile.parse(TURN, "spot").spot(), SolveSettings(threads=1))
RATE = {"nanoseconds": 7.0, "street": "turn", "precision": "float32", "threads": 1}


def test_the_rate_is_that_of_the_solves_most_like_it() -> None:
    others = [{**RATE, "street": "flop", "nanoseconds": 90.0}, {**RATE, "threads": 8, "nanoseconds": 1.0}]
    found = expected_time(SIZE, SolveSettings(threads=1, target=1.0), [*others, RATE])
    assert (found.basis, found.solves) == ("solves", 1)
    assert found.seconds_per_iteration == pytest.approx(7e-9 * SIZE.action_hands)
    assert found.iterations == round(usual_iterations(1.0))
    assert found.low < found.seconds < found.high
    trial = expected_time(SIZE, SolveSettings(threads=1), [], {**RATE, "threads": 2})
    assert trial.basis == "trial"
    assert trial.seconds_per_iteration == pytest.approx(14e-9 * SIZE.action_hands)
    nothing = expected_time(SIZE, SolveSettings(threads=1))
    assert nothing.basis == "elsewhere"
    assert nothing.seconds_per_iteration == pytest.approx(1e-9 * NANOSECONDS * SIZE.action_hands)


def test_limits_end_it_before_the_accuracy() -> None:
    found = expected_time(SIZE, SolveSettings(threads=1, target=0.0, iterations=40), [RATE])
    assert (found.iterations, found.limited) == (40, True)
    assert found.low == found.high == found.seconds
    late = expected_time(SIZE, SolveSettings(threads=1, target=0.5, seconds=1e-6), [RATE])
    assert late.limited
    assert late.seconds == pytest.approx(1e-6)


def test_a_solve_tells_its_rate_and_takes_about_the_usual_iterations() -> None:
    solution = overbet.solve(TURN, target=0.5, check_every=10, threads=1)
    found = rate_of(solution)
    assert found is None or found["street"] == "turn"  # this spot may be too quick to tell
    usual = usual_iterations(0.5)
    assert usual / 3 < solution.iteration < 3 * usual
    more = overbet.solve(TURN, target=0, iterations=1200, check_every=300, threads=1)
    rate = rate_of(more)
    assert rate is not None
    spent = more.history[-1].seconds - more.history[0].seconds
    assert rate["nanoseconds"] * 1e-9 * 900 * SIZE.action_hands == pytest.approx(spent)
