"""Entries that are written after the answer was given: found at once, there at the end, never in the way."""

import os
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest

from overbet.search.cache import SearchCache
from overbet.search.cache.disk import DiskTier
from overbet.search.cache.key import Key
from overbet.search.cache.record import CachedArray, CacheRecord

BOARD, LINE = "Td9d6h", "r:0:c"


def key(number: int) -> Key:
    return Key.of(BOARD, LINE, np.ones((2, 1326)), f"config {number}")


def record(number: int) -> CacheRecord:
    return CacheRecord({"kind": "test"}, {"number": CachedArray(("one",), np.array([number], np.int32))})


def test_a_slow_disk_is_not_waited_for_and_the_entry_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    go, put = threading.Event(), DiskTier.put

    def slow(tier: DiskTier, name: bytes, data: bytes) -> int:
        assert go.wait(30)
        return put(tier, name, data)

    monkeypatch.setattr(DiskTier, "put", slow)
    with SearchCache(tmp_path) as cache:
        cache.put_later(key(1), record(1))  # would hang here if it waited
        go.set()
        found = cache.get(key(1))
        assert found is not None
        assert found["number"][0] == 1
        assert key(1) in cache
    with SearchCache(tmp_path, memory_bytes=0) as cache:
        assert cache.get(key(1)) is not None


def test_closing_writes_all_in_order(tmp_path: Path) -> None:
    with SearchCache(tmp_path) as cache:
        for number in range(20):
            cache.put_later(key(number % 5), record(number))
    with SearchCache(tmp_path, memory_bytes=0) as cache:
        assert [int(cache.get(key(number))["number"][0]) for number in range(5)] == [15, 16, 17, 18, 19]
        assert cache.statistics().all_time.stored == 20


_ENDS = """
import sys
sys.path.insert(0, {root!r})
from tests.search.cache.test_late_writes import key, record
from overbet.search.cache import SearchCache
cache = SearchCache({folder!r})
for number in range(8):
    cache.put_later(key(number), record(number))
{end}
"""


def test_the_end_of_a_program_waits_for_the_disk(tmp_path: Path) -> None:
    root = str(Path(__file__).parents[3])
    code = _ENDS.format(root=root, folder=str(tmp_path), end="")
    subprocess.run([sys.executable, "-c", code], check=True, timeout=300)
    with SearchCache(tmp_path, memory_bytes=0) as cache:
        assert all(cache.get(key(number)) is not None for number in range(8))


def test_a_killed_program_loses_only_what_waited(tmp_path: Path) -> None:
    root = str(Path(__file__).parents[3])
    last = "cache.get(key(5)); import os; os.kill(os.getpid(), 9)"  # the sixth has been written by then
    code = _ENDS.format(root=root, folder=str(tmp_path), end=last)
    assert subprocess.run([sys.executable, "-c", code], timeout=300).returncode == -9
    with SearchCache(tmp_path, memory_bytes=0) as cache:
        assert all(cache.get(key(number)) is not None for number in range(6))
        assert cache.statistics().process.damaged == 0


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork on this system")
def test_a_forked_process_writes_its_own(tmp_path: Path) -> None:
    with SearchCache(tmp_path) as cache:
        for number in range(4):
            cache.put_later(key(number), record(number))
        child = os.fork()
        if child == 0:
            code = 1
            try:
                cache.put_later(key(9), record(9))
                cache.flush()
                code = 0
            finally:
                os._exit(code)
        assert os.waitpid(child, 0)[1] == 0
    with SearchCache(tmp_path, memory_bytes=0) as cache:
        assert all(cache.get(key(number)) is not None for number in (0, 1, 2, 3, 9))
