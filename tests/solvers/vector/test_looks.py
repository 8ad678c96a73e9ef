"""When a solve looks at the exploitability, and what it takes for its end."""

from __future__ import annotations

import pytest

from overbet.solvers.vector.engine import VectorEngine
from overbet.solvers.vector.settings import SolveSettings
from overbet.solvers.vector.solver import Progress, Solver
from overbet.tree.spot import Spot
from tests.solvers.vector.spots import RIVER


def solved(**settings: object) -> Solver:
    solver = Solver(Spot.parse(RIVER), SolveSettings.model_validate({"threads": 1, **settings}))
    solver.run()
    return solver


def test_few_looks_and_no_iterations_wasted() -> None:
    """The fall of the exploitability says where the target will be met."""
    often, rarely = solved(target=0.02, check_every=10), solved(target=0.02)
    assert rarely.exploitability <= 0.02
    assert rarely.engine.iteration <= 1.3 * often.engine.iteration
    assert len(rarely.history) <= 12 < len(often.history)


def test_the_judge_confirms_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """A look that is too good to be true does not end a solve."""
    monkeypatch.setattr(VectorEngine, "exploitability", lambda engine: 0.0)
    solver = solved(target=0.5, check_every=10)
    assert isinstance(solver.engine, VectorEngine)
    assert 0 < solver.exploitability <= 0.5
    assert solver.exploitability == pytest.approx(100 * solver.engine.judged_exploitability() / RIVER["pot"])
    assert solver.history[0].exploitability > 0.5


def test_a_fall_that_never_ends_is_no_error() -> None:
    """Extrapolating a fall by nearly nothing gives a number, however large."""
    solver = Solver(Spot.parse(RIVER), SolveSettings(threads=1, target=1e-9))
    solver.history.append(Progress(10, 2.0, 1.0, 1.0, None))
    solver.engine.iteration = 20
    left = solver._iterations_left(1.999999)
    assert left is not None
    assert left > 1e6
