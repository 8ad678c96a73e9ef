"""How a solver converges: exploitability at iterations spread evenly on a log scale.

A `Trace` keeps what it measured, so that an interrupted run still has its curve. Time spent measuring is
not counted as time spent solving.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from overbet.solvers.tabular import Progress, TabularSolver

if TYPE_CHECKING:
    import polars

_PER_DECADE = (1, 1.25, 1.6, 2, 2.5, 3.2, 4, 5, 6.3, 8)  # 1, 2 and 5 are among them: they are read in tables


@dataclass(frozen=True, slots=True)
class Point:
    """One measurement of the average strategy."""

    iterations: int
    exploitability: float
    nash_conv: float
    seconds: float


@dataclass
class Trace:
    """A solver and the points of its curve."""

    solver: TabularSolver
    points: list[Point] = field(default_factory=list)
    seconds: float = 0.0  # spent in iterations, measurements not counted

    def run(self, iterations: int, progress: Progress | None = None) -> None:
        """Run that many further iterations, measuring on the way and at the end."""
        start = self.solver.iterations
        for target in checkpoints(start, start + iterations):
            started = time.perf_counter()
            try:
                self.solver.run(target - self.solver.iterations, progress)
            finally:
                self.seconds += time.perf_counter() - started
            self.measure()

    def measure(self) -> Point:
        """Add the point the solver stands at (once) and return it."""
        response = self.solver.best_response()
        done = self.solver.iterations
        point = Point(done, response.exploitability, response.nash_conv, self.seconds)
        if not self.points or self.points[-1].iterations < done:
            self.points.append(point)
        return point

    def to_frame(self) -> polars.DataFrame:
        """Return the curve as a tidy frame: one row a point."""
        import polars

        solver = self.solver
        rows = [
            {
                "game": solver.flat.name,
                "rule": solver.rule.name,
                "updates": solver.updates,
                "iterations": point.iterations,
                "exploitability": point.exploitability,
                "nash_conv": point.nash_conv,
                "seconds": point.seconds,
            }
            for point in self.points
        ]
        return polars.DataFrame(rows)


def checkpoints(start: int, end: int) -> list[int]:
    """Return the iterations after `start` to measure at, ten a decade, and `end`."""
    found = []
    decade = 1
    while decade <= end:
        found += [round(part * decade) for part in _PER_DECADE]
        decade *= 10
    return sorted({n for n in found if start < n < end} | ({end} if end > start else set()))
