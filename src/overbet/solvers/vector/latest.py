"""Results that are remembered as long as they are among the latest asked for."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Generic, TypeVar

Key = TypeVar("Key", bound=Hashable)
Result = TypeVar("Result")


class Latest(Generic[Key, Result]):
    """Up to `most` results by key, for several threads.

    `functools.lru_cache` round a bound method would refer to its object, which refers to it: large tables
    then wait for the garbage collector. Here the work is handed in with every question.
    """

    def __init__(self, most: int) -> None:
        self._most, self._kept, self._lock = most, OrderedDict[Key, Result](), Lock()

    def get(self, key: Key, work: Callable[[], Result]) -> Result:
        """Return what is remembered of a key, or work it out; two threads may do so at the same time."""
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
                return self._kept[key]
        found = work()
        with self._lock:
            self._kept[key] = found
            while len(self._kept) > self._most:
                self._kept.popitem(last=False)
        return found

    def clear(self) -> None:
        """Forget everything."""
        with self._lock:
            self._kept.clear()
