"""How a sampling run converges, as `convergence` says."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from overbet.solvers.convergence import Curve, Point, checkpoints
from overbet.solvers.sampling import Progress, SamplingSolver


@dataclass
class SamplingCurve(Curve[SamplingSolver]):
    """The curve of a sampling solver."""

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
            with self.timed():
                self.solver.run(target - self.solver.iterations, workers, progress)
            point = self.measure()
            if measured is not None:
                measured(point)

    def facts(self) -> dict[str, Any]:
        """Return what every row of the frame says of the run."""
        config = self.solver.config
        return {
            "game": self.solver.flat.name,
            "method": config.method,
            "rule": config.rule.name,
            "seed": config.seed,
        }
