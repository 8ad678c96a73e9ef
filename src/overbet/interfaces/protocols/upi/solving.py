"""A solve in the background: begun by `go`, ended by its limits, by its accuracy or by `stop`.

What it prints goes through the session's own writer, which never mixes it with an answer.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Any

from overbet.errors import OverbetError, short
from overbet.solvers.vector.api import solve
from overbet.solvers.vector.locking import Lock
from overbet.solvers.vector.solution import Solution
from overbet.solvers.vector.solver import Progress
from overbet.tree.spot import Spot

_ENDLESS = 10**9  # iterations


class BackgroundSolve:
    """One solve in a thread. solution: what it left, once it has ended; trouble: why it could not."""

    def __init__(
        self,
        spot: Spot,
        locks: Sequence[Lock],
        before: Solution | None,
        limits: dict[str, Any],
        info_seconds: float,
        emit: Callable[..., None],
        report: Callable[[Solution], str],
    ) -> None:
        """Take what is to be solved. before: the solution to go on from. limits: target, iterations, seconds,
        threads.

        emit: what prints a message of the solver, which has an end where it has several lines; report: the
        figures of a solution.
        """
        self.solution: Solution | None = None
        self._stop, self._limits = threading.Event(), limits
        self._arguments = (spot, locks, before, info_seconds, emit, report)
        self._thread = threading.Thread(target=self._run, name="upi solve", daemon=True)
        self._begun, self._over = False, threading.Event()

    def begin(self) -> None:
        """Begin, once: after `go ok!` has been said."""
        if not self._begun:
            self._begun = True
            self._thread.start()

    @property
    def running(self) -> bool:
        """Whether it is still at work; not any more when it says that it stopped."""
        return self._begun and not self._over.is_set()

    def stop(self) -> None:
        """Ask it to stop, and wait until it has."""
        self._stop.set()
        self.wait()

    def wait(self) -> None:
        """Wait until it has ended."""
        while self._thread.is_alive():
            self._thread.join(0.2)  # in steps, so that Ctrl-C is heard

    def _run(self) -> None:
        emit = self._arguments[4]
        emit("SOLVER: started")
        try:
            ended = self._solved()
        except OverbetError as error:
            ended = f"ERROR: {error}"
        except Exception as error:
            ended = f"ERROR: unexpected {type(error).__name__}: {short(error)}"
        self._over.set()
        emit(f"SOLVER: stopped ({ended})")

    def _solved(self) -> str:
        """Solve, and return why it ended."""
        spot, locks, before, info_seconds, emit, report = self._arguments
        self.solution = solve(
            spot,
            progress=self._goes_on,
            locks=() if before is not None else locks,
            resume=before,
            checkpoint=lambda found: emit(f"SOLVER:\n{report(found)}", end=True),
            every=info_seconds,
            beat=lambda done, seconds: self._stop.is_set(),
            **self._limits,
        )
        emit(f"SOLVER:\n{report(self.solution)}", end=True)
        if self._stop.is_set():
            return "requested"
        if self.solution.exploitability <= self._limits["target"]:
            return "required accuracy reached"
        return "limit reached"

    def _goes_on(self, look: Progress) -> bool:
        return not self._stop.is_set()
