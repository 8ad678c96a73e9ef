"""Iterations handed out to threads piece by piece, until a number of them or a time is reached.

Whoever is free takes the next piece, so the pieces taken are always the first ones: however a chunk ends,
what was done is one stretch. Pieces are long enough that taking one costs nothing beside it, and get shorter
towards the end: the threads finish together, and nobody waits for the last one.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator

MOST = 4096  # iterations of a piece: their deals stay in the second-level cache
_FIRST = 4  # iterations of a worker's first piece, which tells how long one takes
_LONGEST, _SHORTEST = 0.025, 0.001  # seconds of a piece


class IterationQueue:
    """A chunk of iterations. Iterate once in each worker; `given` tells how many were handed out.

    A set `interrupt` ends it, as does `close`: pieces that were taken are finished and no more are given,
    save for the very first.
    """

    def __init__(
        self,
        count: int,
        workers: int,
        seconds: float,
        interrupt: threading.Event | None = None,
        together: int = 1,
    ) -> None:
        """Hand out `count` iterations for some seconds, in multiples of `together` but for the last."""
        self.given = 0
        self._together = together
        self._count, self._workers, self._interrupt = count, workers, interrupt
        self._until = time.perf_counter() + seconds
        self._lock = threading.Lock()

    def __iter__(self) -> Iterator[tuple[int, int]]:
        """Yield low, high of pieces that no other worker has taken."""
        per_second, now = 0.0, time.perf_counter()
        while True:
            first, last = self._take(per_second, now)
            if first == last:
                return
            yield first, last
            before, now = now, time.perf_counter()
            per_second = (last - first) / max(now - before, 1e-9)

    def close(self) -> None:
        """Hand out nothing more."""
        self._count = 0

    def _take(self, per_second: float, now: float) -> tuple[int, int]:
        time_left = self._until - now
        stopped = self._interrupt is not None and self._interrupt.is_set()
        # the first piece is given whatever happens: a chunk that begins an epoch has discounted the table,
        # and must not leave the run there to do it again
        if (stopped or time_left <= 0.0) and self.given:
            return 0, 0
        size = _FIRST
        if per_second:
            size = int(per_second * min(max(time_left / 2, _SHORTEST), _LONGEST))
        with self._lock:
            first = self.given
            left = max(self._count - first, 0)
            if self._workers > 1:  # what is left is shared out twice over, down to the shortest piece
                size = min(size, max(left // (2 * self._workers), int(per_second * _SHORTEST)))
            size = max(size // self._together, 1) * self._together
            self.given = first + min(size, max(MOST, self._together), left)
            return first, self.given
