"""Writes that are made after the answer has been given: by one thread, in the order they were asked for.

Nothing of what is promised about entries changes: each is one transaction. What waits here when a process is
killed is not written; what ends in any other way, a fork included, waits for it first.
"""

from __future__ import annotations

import os
import threading
import weakref
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor


class LateWrites:
    """Writes of one cache that are under way. Threads may share it; a forked process begins with none."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._process = os.getpid()
        self._writer: ThreadPoolExecutor | None = None
        self._waiting: dict[bytes, Future[None]] = {}
        _all.add(self)

    def add(self, key: bytes, write: Callable[[], None]) -> None:
        """Have an entry written soon. The interpreter's own end waits for it."""
        with self._lock:
            if self._writer is None or self._process != os.getpid():
                self._writer = ThreadPoolExecutor(1, "overbet-cache")
                self._process, self._waiting = os.getpid(), {}
            done = self._writer.submit(write)
            self._waiting[key] = done
        done.add_done_callback(lambda found: self._forget(key, found))

    def wait(self, key: bytes | None = None) -> None:
        """Wait until an entry, or every one, is written; what went wrong with it is raised here."""
        with self._lock:
            if self._process != os.getpid():
                return
            asked = list(self._waiting.values()) if key is None else [self._waiting.get(key)]
        for done in asked:
            if done is not None:
                done.result()

    def _forget(self, key: bytes, found: Future[None]) -> None:
        with self._lock:
            if self._waiting.get(key) is found and found.exception() is None:
                del self._waiting[key]


_all: weakref.WeakSet[LateWrites] = weakref.WeakSet()


def _before_fork() -> None:
    """A child has no writer: nothing may wait, and no lock may be held by it, when it begins."""
    for late in list(_all):
        late.wait()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_before_fork)
