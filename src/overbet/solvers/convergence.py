"""How a solver converges: exploitability at iterations spread evenly on a log scale.

A curve keeps what it measured, so that an interrupted run still has it. Time spent measuring is not counted
as time spent solving.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

from overbet.solvers.tabular import Progress, TabularBestResponse, TabularSolver

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


class Measurable(Protocol):
    """A solver whose average strategy can be measured."""

    @property
    def iterations(self) -> int:
        """Iterations done."""

    def best_response(self) -> TabularBestResponse:
        """Return best responses to the average strategy."""


SolverT = TypeVar("SolverT", bound=Measurable)


@dataclass
class Curve(Generic[SolverT]):
    """A solver and the points of its curve."""

    solver: SolverT
    points: list[Point] = field(default_factory=list)
    seconds: float = 0.0  # spent in iterations, measurements not counted

    @contextmanager
    def timed(self) -> Iterator[None]:
        """Count the time of what is done within."""
        started = time.perf_counter()
        try:
            yield
        finally:
            self.seconds += time.perf_counter() - started

    def measure(self) -> Point:
        """Add the point the solver stands at (once) and return it."""
        response = self.solver.best_response()
        done = self.solver.iterations
        point = Point(done, response.exploitability, response.nash_conv, self.seconds)
        if not self.points or self.points[-1].iterations < done:
            self.points.append(point)
        return point

    def facts(self) -> dict[str, Any]:
        """Return what every row of the frame says of the run."""
        raise NotImplementedError

    def to_frame(self) -> polars.DataFrame:
        """Return the curve as a tidy frame: one row a point."""
        import polars

        return polars.DataFrame([self.facts() | asdict(point) for point in self.points])


class Trace(Curve[TabularSolver]):
    """The curve of an exact solver."""

    def run(self, iterations: int, progress: Progress | None = None) -> None:
        """Run that many further iterations, measuring on the way and at the end."""
        start = self.solver.iterations
        for target in checkpoints(start, start + iterations):
            with self.timed():
                self.solver.run(target - self.solver.iterations, progress)
            self.measure()

    def facts(self) -> dict[str, Any]:
        """Return what every row of the frame says of the run."""
        return {"game": self.solver.flat.name, "rule": self.solver.rule.name, "updates": self.solver.updates}


def checkpoints(start: int, end: int) -> list[int]:
    """Return the iterations after `start` to measure at, ten a decade, and `end`."""
    found = []
    decade = 1
    while decade <= end:
        found += [round(part * decade) for part in _PER_DECADE]
        decade *= 10
    return sorted({n for n in found if start < n < end} | ({end} if end > start else set()))
