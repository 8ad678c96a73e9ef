"""The solve: iterations until the strategy is as good as asked, watched by the judge.

A `Solver` owns an engine and can be run, looked at, and run on; Ctrl-C (or a progress callback that returns
False) stops it after the iterations under way with everything it has.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from typing import NamedTuple

from overbet.ahead import compile_ahead
from overbet.solvers.vector.devices import engine_for
from overbet.solvers.vector.engine import VectorEngine
from overbet.solvers.vector.locking import Lock, Strategies, apply_locks, tree_for
from overbet.solvers.vector.settings import SolveSettings
from overbet.tree.public import PublicTree
from overbet.tree.spot import Spot

_FAR = 20.0  # a power of e: so many times the iterations run are as good as never
_NEAR = 40  # iterations to the target that an extrapolation is trusted for
_BEAT = 0.25  # seconds between two beats, about


class Progress(NamedTuple):
    """Where a solve stands. exploitability: in % of the pot; seconds_left: None while unknown."""

    iteration: int
    exploitability: float
    seconds: float
    iterations_per_second: float
    seconds_left: float | None


Watcher = Callable[[Progress], bool | None]
Beat = Callable[[int, float], bool | None]  # iterations done, seconds; True asks for a look now


class Checkpoint(NamedTuple):
    """What is done on the way, after a look, when so many seconds have passed since the last time.

    asked: whether it is wanted now, however long ago the last time was.
    """

    call: Callable[[], None]
    every: float
    asked: Callable[[], bool] = lambda: False


class Solver:
    """Solves one spot, perhaps with locked nodes.

    note: a line to show when another device serves than was asked for.
    history: a `Progress` for every look at the exploitability. before: a solved tree from which the total
    frequencies of locks start.
    """

    def __init__(
        self,
        spot: Spot,
        settings: SolveSettings | None = None,
        locks: Sequence[Lock] = (),
        before: Strategies | None = None,
        tree: PublicTree | None = None,
    ) -> None:
        self.spot, self.locks = spot, tuple(locks)
        self.settings = settings or SolveSettings()
        self.tree = tree or tree_for(spot, locks)
        self.engine, self.note = engine_for(self.tree, self.settings)
        apply_locks(self.engine, locks, before)
        if isinstance(self.engine, VectorEngine) and not locks and self.settings.precision != "float64":
            compile_ahead(*self.engine.judge.kernel_calls())  # while the iterations' own kernel is compiled
        self.history: list[Progress] = []
        self.interrupted = False
        self._part = 1  # iterations between two beats

    @property
    def exploitability(self) -> float:
        """The last look at the exploitability, in % of the pot; infinite before the first."""
        return self.history[-1].exploitability if self.history else float("inf")

    def run(
        self, watch: Watcher | None = None, checkpoint: Checkpoint | None = None, beat: Beat | None = None
    ) -> None:
        """Iterate until the target or a limit of the settings is reached, or it is stopped.

        checkpoint: called between iterations; not after the last ones, when the caller has it all. beat:
        called before the first iteration, after it, and then about four times a second.
        """
        settings = self.settings
        begun = time.perf_counter()
        before = self.history[-1].seconds if self.history else 0.0
        first = self.engine.iteration
        self.interrupted = False
        kept = begun
        if beat:
            beat(first, before)
        try:
            while self.engine.iteration < settings.iterations:
                self._advance(self._stretch(), beat, begun - before)
                elapsed = time.perf_counter() - begun
                look = self._look(before + elapsed, (self.engine.iteration - first) / elapsed)
                if watch and watch(look) is False:
                    self.interrupted = True
                    break
                late = settings.seconds is not None and elapsed >= settings.seconds
                if look.exploitability <= settings.target or late:
                    break
                over = self.engine.iteration >= settings.iterations
                due = checkpoint and (time.perf_counter() - kept >= checkpoint.every or checkpoint.asked())
                if checkpoint and due and not over:
                    checkpoint.call()
                    kept = time.perf_counter()
        except KeyboardInterrupt:
            self.interrupted = True
            if self.engine.iteration:
                self._look(before + time.perf_counter() - begun, 0.0)

    def _advance(self, count: int, beat: Beat | None, begun: float) -> None:
        """Run so many iterations, fewer where the beat asks for a look; by parts the tables are the same."""
        if beat is None:
            self.engine.run(count)
            return
        end = self.engine.iteration + count
        while self.engine.iteration < end:
            part, started = min(self._part, end - self.engine.iteration), time.perf_counter()
            self.engine.run(part)
            now = time.perf_counter()
            self._part = max(1, min(2 * part, int(_BEAT * part / max(now - started, 1e-6))))
            if beat(self.engine.iteration, now - begun):
                return

    def _stretch(self) -> int:
        """Return how many iterations to run before the next look.

        A look costs about an iteration, so by default looks are rarer the longer the solve has run. Once the
        fall of the exploitability is known, the next one is placed where the target is expected to be met:
        three quarters of the way there while it is far, and never further than the iterations run until now.
        """
        limit = self.settings.iterations - self.engine.iteration
        if self.settings.check_every:
            return min(limit, self.settings.check_every)
        stretch = max(10, 10 * (self.engine.iteration // 40))
        left = self._iterations_left(self.history[-1].exploitability) if len(self.history) >= 2 else None
        if left:
            way = left if left <= _NEAR else 0.75 * left
            most = stretch if self.settings.seconds is not None else max(10, self.engine.iteration)
            stretch = min(most, 10 * math.ceil(way / 10))
        return min(limit, stretch)

    def _look(self, seconds: float, speed: float) -> Progress:
        """Look at the exploitability, remember and return it; where the target seems met, the judge
        confirms."""
        share = 100 * self.engine.exploitability() / self.spot.pot
        if share <= self.settings.target and isinstance(self.engine, VectorEngine):
            share = 100 * self.engine.judged_exploitability() / self.spot.pot
        look = Progress(self.engine.iteration, share, seconds, speed, self._seconds_left(share, speed))
        self.history.append(look)
        return look

    def _seconds_left(self, share: float, speed: float) -> float | None:
        """Return the time to the target or, failing that, to the limit of iterations."""
        if not speed:
            return None
        limit = self.settings.iterations - self.engine.iteration
        left = self._iterations_left(share)
        return (limit if left is None else min(limit, left)) / speed

    def _iterations_left(self, share: float) -> float | None:
        """Extrapolate the recent fall of the exploitability, a power law in the iteration, to the target."""
        now = self.engine.iteration
        past = next((look for look in reversed(self.history) if look.iteration <= now / 2), None)
        if not self.settings.target or past is None or not past.exploitability > share > 0:
            return None
        slope = math.log(past.exploitability / share) / math.log(now / past.iteration)
        power = min(math.log(share / self.settings.target) / slope, _FAR)
        return max(0.0, now * (math.exp(power) - 1))
