"""Threads, cores and memory of their own."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from overbet.blueprint.cores import core_each, own_lines, worker_count
from overbet.errors import ConfigError
from overbet.machine import core_count

needs_affinity = pytest.mark.skipif(not hasattr(os, "sched_getaffinity"), reason="no choice of cores here")


def test_all_cores_are_those_we_may_use() -> None:
    assert worker_count(0) == core_count()
    assert worker_count(3) == 3
    with pytest.raises(ConfigError, match="less than nothing"):
        worker_count(-1)


@needs_affinity
def test_threads_stay_on_a_core_each_and_the_main_thread_where_it_likes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    before = os.sched_getaffinity(0)
    asked: list[set[int]] = []
    monkeypatch.setattr("overbet.blueprint.cores.usable_cores", lambda: [4, 6, 7])
    monkeypatch.setattr(os, "sched_setaffinity", lambda who, cores: asked.append(cores))
    for workers in (1, 2, 4):
        core_each(workers)()
    assert asked == []  # fewer or more than cores
    stay = core_each(3)
    for _ in range(4):
        stay()
    assert asked == [{4}, {6}, {7}]
    monkeypatch.undo()
    with ThreadPoolExecutor(len(before), initializer=core_each(len(before))) as pool:
        list(pool.map(int, range(100)))
    assert os.sched_getaffinity(0) == before


@pytest.mark.parametrize("shape", [5, (3, 7), (0, 4)])
def test_arrays_with_lines_of_their_own(shape: int | tuple[int, ...]) -> None:
    one, other = own_lines(shape, np.float32), own_lines(shape, np.float32)
    assert one.shape == np.zeros(shape).shape
    assert one.flags.c_contiguous
    assert one.flags.aligned
    assert not one.any()
    if one.size:
        assert one.ctypes.data % 128 == 0
        one[:] = 1
        assert not other.any()
        gap = abs(one.ctypes.data - other.ctypes.data) - one.nbytes
        assert gap >= 64
