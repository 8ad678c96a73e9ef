"""Threads and the cores they run on: how many, a core for each thread, memory that no other writes to."""

from __future__ import annotations

import math
import os
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import numpy as np
import numpy.typing as npt

from overbet.errors import ConfigError
from overbet.machine import core_count, usable_cores

_APART = 128  # bytes: processors fetch cache lines in pairs


def worker_count(asked: int) -> int:
    """Return how many threads to use; 0 asks for all cores."""
    if asked < 0:
        raise ConfigError(f"workers: {asked} is less than nothing; 0 means all cores")
    return asked or core_count()


def core_each(workers: int) -> Callable[[], None]:
    """Return what each of the workers' threads calls first: it then stays on a core of its own.

    With fewer or more threads than cores nothing is done: the system knows better which ones are free.
    """
    cores = usable_cores()
    left = iter(cores)

    def stay() -> None:
        with suppress(OSError, StopIteration):
            os.sched_setaffinity(0, {next(left)})  # 0 is the calling thread, not the process

    return stay if 1 < workers == len(cores) and hasattr(os, "sched_setaffinity") else lambda: None


def own_lines(shape: int | tuple[int, ...], kind: npt.DTypeLike) -> npt.NDArray[Any]:
    """Return zeros that share no cache line with another array: no two threads write to the same line."""
    size = math.prod((shape,) if isinstance(shape, int) else shape) * np.dtype(kind).itemsize
    room = np.zeros(size + 2 * _APART, np.uint8)
    start = -room.ctypes.data % _APART
    return room[start : start + size].view(kind).reshape(shape)
