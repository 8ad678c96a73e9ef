"""Curves: where they are measured and what they hold."""

from __future__ import annotations

import pytest

from overbet.solvers.convergence import Trace, checkpoints
from overbet.solvers.tabular import TabularSolver


def test_checkpoints_are_even_on_a_log_scale_and_include_the_end() -> None:
    assert checkpoints(0, 1) == [1]
    assert checkpoints(0, 0) == []
    points = checkpoints(0, 12_345)
    assert {1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 12_345} <= set(points)
    assert points == sorted(set(points))
    assert checkpoints(100, 200) == [125, 160, 200]


def test_a_trace_measures_on_the_way_and_goes_on() -> None:
    trace = Trace(TabularSolver("kuhn", "cfr"))
    trace.run(50)
    trace.run(50)
    assert [p.iterations for p in trace.points] == checkpoints(0, 50) + checkpoints(50, 100)
    assert trace.points[-1].exploitability == pytest.approx(0.00822597732, rel=1e-8)
    assert trace.measure() == trace.points[-1]
    assert trace.points[-1].seconds > 0
    frame = trace.to_frame()
    assert frame.height == len(trace.points)
    assert frame["iterations"].to_list()[-1] == 100
    assert set(frame["rule"]) == {"cfr"}
