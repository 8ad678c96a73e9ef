"""How a sampling run converges: exploitability at iterations spread evenly on a log scale.

The curve keeps what it measured, so that an interrupted run still has it. Time spent measuring is not counted
as time spent solving.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from overbet.solvers.convergence import Point, checkpoints
from overbet.solvers.sampling import Progress, SamplingSolver

if TYPE_CHECKING:
    import polars


@dataclass
class SamplingCurve:
    """A solver and the points of its curve."""

    solver: SamplingSolver
    points: list[Point] = field(default_factory=list)
    seconds: float = 0.0  # spent in iterations, measurements not counted
    began_at: int = 0  # iterations the solver had when the clock started

    def __post_init__(self) -> None:
        self.began_at = self.solver.iterations

    @property
    def speed(self) -> float:
        """Return iterations a second."""
        return (self.solver.iterations - self.began_at) / self.seconds if self.seconds else 0.0

    def run_to(
        self,
        end: int,
        workers: int = 1,
        progress: Progress | None = None,
        measured: Callable[[Point], None] | None = None,
    ) -> None:
        """Go on until the solver has `end` iterations; `measured` is called with every new point."""
        self.solver.prepare(workers)  # compiling is not solving
        for target in checkpoints(self.solver.iterations, end):
            if target <= self.solver.iterations:  # a whole batch went past it
                continue
            started = time.perf_counter()
            try:
                self.solver.run(target - self.solver.iterations, workers, progress)
            finally:
                self.seconds += time.perf_counter() - started
            point = self.measure()
            if measured is not None:
                measured(point)

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

        config = self.solver.config
        rows = [
            {
                "game": self.solver.flat.name,
                "method": config.method,
                "rule": config.rule.name,
                "seed": config.seed,
                "iterations": point.iterations,
                "exploitability": point.exploitability,
                "nash_conv": point.nash_conv,
                "seconds": point.seconds,
            }
            for point in self.points
        ]
        return polars.DataFrame(rows)
