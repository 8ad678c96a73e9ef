"""The two tiers as one cache: suits, counts, damage, and a disk that cannot be used."""

from __future__ import annotations

import errno
import os
import resource
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import lmdb
import numpy as np
import pytest

from overbet.errors import ConfigError
from overbet.search.cache import CacheCounts, CachedArray, CacheRecord, Key, SearchCache, cache_folder
from overbet.search.cache import search_cache as module
from overbet.search.cache.disk import DiskTier
from overbet.search.cache.environment import CacheEnvironment
from tests.search.cache.test_answer import an_answer
from tests.search.cache.test_key import plainly_renamed, renamed_board, some_ranges

ROOT = Path(__file__).parents[3]
SWAP = (1, 0, 3, 2)


def a_key(number: int = 0) -> Key:
    return Key.of("Td9d6h", "r:0", np.ones((2, 1326)), str(number))


def a_record(number: int = 0, size: int = 100) -> CacheRecord:
    values = np.random.default_rng(number).integers(0, 65535, size).astype(np.uint16)
    return CacheRecord({"number": number}, {"x": CachedArray(("n",), values)})


@pytest.fixture
def told() -> list[str]:
    return []


@pytest.fixture
def cache(tmp_path: Path, told: list[str]) -> Iterator[SearchCache]:
    with SearchCache(tmp_path / "cache", disk_bytes=4 << 20, tell=told.append) as found:
        yield found


def test_an_answer_is_found_under_other_suits(cache: SearchCache, told: list[str]) -> None:
    answer, ranges = an_answer(), some_ranges(1)
    cache.put_answer(Key.of("Td9d6h", "r:0", ranges, "x"), answer)
    other = Key.of(renamed_board("Td9d6h", SWAP), "r:0", plainly_renamed(ranges, SWAP), "x")
    for clear_memory in (False, True):
        if clear_memory:
            cache._memory.clear()
        found = cache.get_answer(other)
        assert found is not None
        assert np.array_equal(found.values, plainly_renamed(answer.values, SWAP))
        for read, given in zip(found.strategy, answer.strategy):
            assert np.abs(read - plainly_renamed(given, SWAP)).max() < 1e-4
    assert cache.get_answer(Key.of("Td9d6h", "r:0", ranges, "y")) is None
    assert not told


def test_counts_of_a_process_and_of_all_time(cache: SearchCache) -> None:
    cache.put(a_key(1), a_record(1))
    assert cache.get(a_key(1)) is not None
    assert cache.get(a_key(2)) is None
    cache._memory.clear()
    assert cache.get(a_key(1)) is not None
    assert cache.get(a_key(1)) is not None  # from memory again
    found = cache.statistics()
    assert found.process == CacheCounts(memory_hits=2, disk_hits=1, misses=1, stored=1)
    assert found.process == found.all_time
    assert found.process.hit_rate == 0.75
    assert (found.memory_entries, found.disk_entries, found.on_disk) == (1, 1, True)
    assert 0 < found.memory_bytes < found.disk_bytes <= found.file_bytes
    cache.close()
    with SearchCache(cache.folder, disk_bytes=4 << 20) as later:
        assert later.get(a_key(1)) is not None
        again = later.statistics()
    assert again.process == CacheCounts(disk_hits=1)
    assert again.all_time == found.all_time.plus(CacheCounts(disk_hits=1))


def test_what_happened_is_written_now_and_then(cache: SearchCache) -> None:
    """A process that is killed loses the last few counts, not all."""
    cache.put(a_key(1), a_record(1))
    for _ in range(module._NOTES + 10):
        cache.get(a_key(1))
    tier = DiskTier(cache.folder, 4 << 20)
    assert tier.totals()[3].memory_hits == module._NOTES
    cache.flush()
    assert tier.totals()[3].memory_hits == module._NOTES + 10
    tier.close()


def test_counts_are_written_at_the_end_of_a_process(tmp_path: Path) -> None:
    code = (
        "import sys; from types import SimpleNamespace; from overbet.search.cache import SearchCache\n"
        "cache = SearchCache(sys.argv[1], disk_bytes=4 << 20)\n"
        "cache.get(SimpleNamespace(data=bytes(32)))\n"
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    subprocess.run([sys.executable, "-c", code, tmp_path], check=True, env=environment)
    with SearchCache(tmp_path, disk_bytes=4 << 20) as cache:
        assert cache.statistics().all_time == CacheCounts(misses=1)


def test_memory_keeps_to_its_limit(tmp_path: Path) -> None:
    with SearchCache(tmp_path, memory_bytes=20_000, disk_bytes=4 << 20) as cache:
        for number in range(12):
            cache.put(a_key(number), a_record(number, 2000))
        cache.put(a_key(99), a_record(99, 20_000))
        found = cache.statistics()
        assert 2 <= found.memory_entries <= 4
        assert 8_000 < found.memory_bytes <= 20_000
        assert all(cache.get(a_key(number)) is not None for number in (*range(12), 99))
        assert cache.statistics().process.disk_hits >= 9


@pytest.mark.parametrize("limits", [{"memory_bytes": 0}, {"disk_bytes": 0}])
def test_a_tier_can_be_left_out(tmp_path: Path, limits: dict) -> None:
    with SearchCache(tmp_path / "c", **{"disk_bytes": 4 << 20, **limits}) as cache:
        cache.put(a_key(1), a_record(1))
        found = cache.get(a_key(1))
        assert found is not None
        assert found.equals(a_record(1))
        counts = cache.statistics().process
    assert (counts.memory_hits, counts.disk_hits, counts.failures) == ((1, 0, 0), (0, 1, 0))[
        "memory_bytes" in limits
    ]
    assert (tmp_path / "c").exists() == ("memory_bytes" in limits)


def test_looking_is_no_lookup(cache: SearchCache) -> None:
    cache.put(a_key(1), a_record(1))
    assert a_key(1) in cache
    cache._memory.clear()
    assert a_key(1) in cache
    assert a_key(2) not in cache
    assert cache.statistics().process.lookups == 0


def test_uses_that_are_never_written_do_not_pile_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("overbet.search.cache.disk._MOST_USED", 5)
    cache = SearchCache(disk_bytes=0)
    for number in range(10):
        cache.put(a_key(number), a_record(number))
        assert cache.get(a_key(number)) is not None
    assert [*cache._pending.used] == [a_key(number).data for number in range(5, 10)]


def test_limits_are_checked() -> None:
    for limits in ({"memory_bytes": -1}, {"disk_bytes": 100}, {"disk_bytes": -1}):
        with pytest.raises(ConfigError, match="bytes of disk"):
            SearchCache(**limits)


def test_what_was_read_cannot_change_what_is_kept(cache: SearchCache) -> None:
    given = a_record(1)
    cache.put(a_key(1), given)
    given["x"][:] = 0
    found = cache.get(a_key(1))
    assert found is not None
    found.head["number"] = 5  # type: ignore[index]
    with pytest.raises(ValueError, match="read-only"):
        found["x"][0] = 1
    again = cache.get(a_key(1))
    assert again is not None
    assert again.equals(a_record(1))


def test_a_damaged_entry_is_a_miss_and_is_deleted(cache: SearchCache, told: list[str]) -> None:
    """Bytes are changed in the file itself, as a bad disk does."""
    for number in range(3):
        cache.put(a_key(number), a_record(number, 5000))
    cache.close()
    cache._memory.clear()
    tier = DiskTier(cache.folder, 4 << 20)
    data = tier.get(a_key(1).data)
    tier.close()
    assert data is not None
    file = cache.folder / "data.mdb"
    content = bytearray(file.read_bytes())
    content[content.index(data) + 3000] ^= 4
    file.write_bytes(content)
    assert cache.get(a_key(1)) is None
    found = cache.statistics()
    assert (found.process.damaged, found.process.misses, found.disk_entries) == (1, 1, 2)
    assert cache.get(a_key(0)) is not None
    assert cache.get(a_key(2)) is not None
    cache.put(a_key(1), a_record(1, 5000))
    cache._memory.clear()
    assert cache.get(a_key(1)) is not None
    assert not told


def test_an_entry_under_another_key_is_a_miss(cache: SearchCache) -> None:
    cache.put(a_key(1), a_record(1))
    tier = DiskTier(cache.folder, 4 << 20)
    tier.put(a_key(2).data, tier.get(a_key(1).data) or b"")
    tier.close()
    assert cache.get(a_key(2)) is None
    assert cache.statistics().process.damaged == 1


def test_damaged_files_are_begun_anew(cache: SearchCache, told: list[str]) -> None:
    cache.put(a_key(1), a_record(1))
    cache.close()
    (cache.folder / "data.mdb").write_bytes(b"no database" * 5000)
    cache.put(a_key(2), a_record(2))
    assert cache.get(a_key(1)) is not None  # memory has it
    cache.put(a_key(3), a_record(3))
    found = cache.statistics()
    assert (found.disk_entries, found.process.failures) == (1, 1)
    (line,) = told
    assert "is damaged" in line
    assert line.endswith("; a new one is begun")
    assert "\n" not in line


def test_a_full_disk_leaves_memory(
    cache: SearchCache, told: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    cache.put(a_key(1), a_record(1))
    write = DiskTier._put

    def full(*_: object) -> int:
        with CacheEnvironment.transaction(cache._tier._environment, write=True):
            raise lmdb.DiskError("mdb_txn_commit: No space left on device")

    monkeypatch.setattr(DiskTier, "_put", full)
    for number in (2, 3):
        cache.put(a_key(number), a_record(number))
    assert all(cache.get(a_key(number)) is not None for number in (1, 2, 3))
    assert cache.get(a_key(4)) is None
    (line,) = told
    assert line.endswith("cannot be used: No space left on device; searches are kept in memory alone for now")
    found = cache.statistics()
    assert not found.on_disk
    assert found.process == CacheCounts(memory_hits=3, misses=1, stored=3, failures=3)
    cache._again = 0.0  # a minute later it is still full
    cache.put(a_key(2), a_record(2))
    assert cache.statistics().process.failures == 4
    monkeypatch.setattr(DiskTier, "_put", write)
    cache._again = 0.0  # and then there is room
    cache.put(a_key(4), a_record(4))
    assert cache.statistics().disk_entries == 2
    assert len(told) == 1


def test_a_real_limit_on_files_leaves_memory(tmp_path: Path) -> None:
    """The system refuses every byte after the first 200,000 of a file, as a full disk does."""
    code = (
        "import sys, numpy as np; from types import SimpleNamespace\n"
        "from overbet.search.cache import SearchCache, CacheRecord, CachedArray\n"
        "same = (0, 1, 2, 3)\n"
        "tell = lambda line: print(line, file=sys.stderr)\n"
        "cache = SearchCache(sys.argv[1], disk_bytes=4 << 20, tell=tell)\n"
        "keys = [SimpleNamespace(data=bytes([n]) * 32, renaming=same, back=same) for n in range(30)]\n"
        "for key in keys:\n"
        "    values = np.random.default_rng(key.data[0]).integers(0, 65535, 10_000).astype(np.uint16)\n"
        "    cache.put(key, CacheRecord({}, {'x': CachedArray(('n',), values)}))\n"
        "assert all(cache.get(key) for key in keys)\n"
        "print(cache.statistics().process.failures)\n"
    )

    def limited() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000))

    ran = subprocess.run(
        [sys.executable, "-c", code, tmp_path],
        check=False,
        preexec_fn=limited,
        env={**os.environ, "PYTHONPATH": str(ROOT / "src"), "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
    )
    assert ran.returncode == 0, ran.stderr
    (line,) = ran.stderr.splitlines()
    assert "kept in memory alone" in line
    failures = int(ran.stdout)
    assert 20 <= failures < 30
    with SearchCache(tmp_path, disk_bytes=4 << 20) as cache:
        assert cache.statistics().disk_entries == 30 - failures
        assert all(
            cache.get(Key(bytes([number]) * 32, (0, 1, 2, 3))) is not None for number in range(30 - failures)
        )


def test_a_full_disk_at_the_start(
    cache: SearchCache, told: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "posix_fallocate", full)
    cache.put(a_key(1), a_record(1))
    assert cache.get(a_key(1)) is not None
    (line,) = told
    assert line.endswith("cannot be used: No space left on device; searches are kept in memory alone for now")
    assert cache.statistics().process.failures == 1


def in_a_file(folder: Path) -> None:
    folder.write_text("not a folder")


def read_only(folder: Path) -> None:
    folder.mkdir()
    folder.chmod(0o500)


@pytest.mark.parametrize("place", [in_a_file, read_only])
def test_a_folder_that_cannot_be_written_leaves_memory(tmp_path: Path, place: Callable[[Path], None]) -> None:
    """As somebody who is not root, for whom a folder may be read-only."""
    folder = tmp_path / "cache"
    place(folder)
    tmp_path.chmod(0o755)
    warned: list[str] = []
    process = os.fork()
    if not process:
        code = 1
        try:
            if os.geteuid() == 0:
                os.chown(folder, 65534, 65534)
                os.seteuid(65534)
            cache = SearchCache(folder, tell=warned.append)
            cache.put(a_key(1), a_record(1))
            kept = cache.get(a_key(1)) is not None
            code = 0 if kept and len(warned) == 1 and cache.statistics().process.failures == 1 else 2
            assert "kept in memory alone" in warned[0]
        finally:
            os._exit(code)
    assert os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]) == 0


def test_a_warning_is_the_way_to_tell_unless_named(tmp_path: Path) -> None:
    in_a_file(tmp_path / "cache")
    cache = SearchCache(tmp_path / "cache")
    with pytest.warns(UserWarning, match="kept in memory alone"):
        cache.put(a_key(1), a_record(1))


def test_a_forked_process_opens_its_own(cache: SearchCache) -> None:
    another = SearchCache(cache.folder, disk_bytes=4 << 20)  # shares the environment
    assert another.get(a_key(1)) is None
    cache.put(a_key(1), a_record(1))
    cache.get(a_key(1))
    process = os.fork()
    if not process:
        code = 1
        try:
            cache._memory.clear()
            assert cache.get(a_key(1)) is not None
            assert another.get(a_key(1)) is not None
            cache.put(a_key(2), a_record(2))
            assert cache.statistics().process.failures == 0
            assert another.statistics().process.failures == 0
            cache.close()
            code = 0
        finally:
            os._exit(code)
    assert os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]) == 0
    assert cache.get(a_key(2)) is not None
    assert another.get(a_key(2)) is not None
    another.close()
    cache.put(a_key(3), a_record(3))
    assert cache.statistics().disk_entries == 3


def test_threads_share_a_cache(cache: SearchCache) -> None:
    keys, wrong = [a_key(number) for number in range(10)], []

    def work(first: int) -> None:
        for number in range(first, first + 10):
            cache.put(keys[number % 10], a_record(number % 10))
            found = cache.get(keys[number % 10])
            if found is None or not found.equals(a_record(number % 10)):
                wrong.append(number)

    threads = [threading.Thread(target=work, args=(first,)) for first in (0, 3, 6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong
    assert cache.statistics().process.memory_hits == 30


def test_clearing(cache: SearchCache) -> None:
    cache.put(a_key(1), a_record(1))
    cache.clear()
    assert cache.get(a_key(1)) is None
    assert cache.statistics().disk_entries == 0
    cache.put(a_key(1), a_record(1))
    assert cache.get(a_key(1)) is not None


def test_the_folder_is_in_the_data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OVERBET_HOME", str(tmp_path))
    assert cache_folder() == tmp_path / "search-cache"
    assert SearchCache().folder == cache_folder()
