"""The solve: iterations until the strategy is as good as asked, watched by the judge.

A `Solver` owns an engine and can be run, looked at, and run on; Ctrl-C (or a progress callback that returns
False) stops it after the iterations under way with everything it has.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from typing import NamedTuple

from overbet.solvers.vector.engine import VectorEngine
from overbet.solvers.vector.layout import PublicTree, public_tree
from overbet.solvers.vector.settings import SolveSettings
from overbet.tree.spot import Spot


class Progress(NamedTuple):
    """Where a solve stands. exploitability: in % of the pot; seconds_left: None while unknown."""

    iteration: int
    exploitability: float
    seconds: float
    iterations_per_second: float
    seconds_left: float | None


Watcher = Callable[[Progress], bool | None]


class Solver:
    """Solves one spot. `history` holds a `Progress` for every look at the exploitability."""

    def __init__(
        self, spot: Spot, settings: SolveSettings | None = None, tree: PublicTree | None = None
    ) -> None:
        self.spot = spot
        self.settings = settings or SolveSettings()
        self.tree = tree or public_tree(spot)
        self.engine = VectorEngine(self.tree, self.settings.the_rule(), self.settings.worker_count())
        self.history: list[Progress] = []
        self.interrupted = False

    @property
    def exploitability(self) -> float:
        """The last look at the exploitability, in % of the pot; infinite before the first."""
        return self.history[-1].exploitability if self.history else float("inf")

    def run(self, watch: Watcher | None = None) -> None:
        """Iterate until the target or a limit of the settings is reached, or it is stopped."""
        settings = self.settings
        begun = time.perf_counter()
        before = self.history[-1].seconds if self.history else 0.0
        first = self.engine.iteration
        self.interrupted = False
        try:
            while self.engine.iteration < settings.iterations:
                self.engine.run(min(settings.check_every, settings.iterations - self.engine.iteration))
                elapsed = time.perf_counter() - begun
                look = self._look(before + elapsed, (self.engine.iteration - first) / elapsed)
                if watch and watch(look) is False:
                    self.interrupted = True
                    break
                if look.exploitability <= settings.target or (
                    settings.seconds and elapsed >= settings.seconds
                ):
                    break
        except KeyboardInterrupt:
            self.interrupted = True
            if self.engine.iteration:
                self._look(before + time.perf_counter() - begun, 0.0)

    def _look(self, seconds: float, speed: float) -> Progress:
        """Ask the judge, remember and return the answer."""
        share = 100 * self.engine.exploitability() / self.spot.pot
        look = Progress(self.engine.iteration, share, seconds, speed, self._seconds_left(share, speed))
        self.history.append(look)
        return look

    def _seconds_left(self, share: float, speed: float) -> float | None:
        """Extrapolate the recent rate of fall (a power law in the iteration) to the target."""
        limit = self.settings.iterations - self.engine.iteration
        if not self.history or not speed:
            return None
        if not self.settings.target:
            return limit / speed
        past = next(
            (look for look in reversed(self.history) if look.iteration <= self.engine.iteration / 2), None
        )
        if past is None or past.exploitability <= share or share <= self.settings.target:
            return limit / speed
        return min(limit, _iterations_left(past, self.engine.iteration, share, self.settings.target)) / speed


def _iterations_left(past: Progress, iteration: int, share: float, target: float) -> float:
    slope = math.log(past.exploitability / share) / math.log(iteration / past.iteration)
    return float(iteration * ((share / target) ** (1 / slope) - 1))
