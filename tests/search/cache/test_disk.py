"""The tier on disk: many processes, kills, limits, damage."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import lmdb
import pytest

from overbet.errors import ArtefactError, ConfigError
from overbet.search.cache import environment
from overbet.search.cache.disk import KEPT, DiskTier
from overbet.search.cache.encoding import decode
from overbet.search.cache.environment import DamagedCacheError, remove_files
from tests.search.cache.writers import LIMIT, entry_of, key_of

ROOT = Path(__file__).parents[3]
SMALL = 1 << 20


@pytest.fixture
def tier(tmp_path: Path) -> Iterator[DiskTier]:
    found = DiskTier(tmp_path, SMALL)
    yield found
    found.close()


def writers(*words: object) -> str:
    """Run the program of writers and return what it printed."""
    ran = subprocess.run(
        [sys.executable, "-m", "tests.search.cache.writers", *map(str, words)],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": f"{ROOT / 'src'}{os.pathsep}{ROOT}"},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert ran.returncode == 0, ran.stderr[-2000:]
    assert not ran.stderr
    return ran.stdout.strip()


def test_processes_write_at_once(tmp_path: Path) -> None:
    assert writers("together", tmp_path, 3, 40) == "0 0 0"
    tier = DiskTier(tmp_path, LIMIT)
    entries, size, limit, counts = tier.totals()
    found = dict(tier.entries())
    tier.close()
    assert sorted(found) == [key_of(number) for number in range(80)]  # half of them written twice
    assert all(decode(data, key).head["number"] == int.from_bytes(key, "big") for key, data in found.items())
    assert (entries, counts.stored, limit) == (80, 120, LIMIT)
    assert size == sum(tier._cost(data) for data in found.values())


def test_nothing_is_lost_when_writers_are_killed(tmp_path: Path) -> None:
    rounds, finished, entries, lost, evicted = map(int, writers("kill", tmp_path, 20).split())
    assert (rounds, lost, evicted) == (20, 0, 0)
    assert finished >= 60  # in every round one of each, and one after the other was killed
    assert finished <= entries <= finished + 40  # one may be finished and not yet named


def test_the_least_recently_used_are_evicted(tier: DiskTier) -> None:
    for number in range(20):
        tier.put(key_of(number), entry_of(7000 - 1))  # 15 kB each
    assert tier.get(key_of(0)) is not None
    evicted, number = 0, 20
    while not evicted:
        evicted = tier.put(key_of(number), entry_of(7000 - 1))
        number += 1
        assert number < 100
    left = {int.from_bytes(key, "big") for key, _ in tier.entries()}
    assert left == {0, *range(1 + evicted, number)}  # 0 was used, so that 1 and the next were the oldest
    entries, size, _, counts = tier.totals()
    assert entries == len(left)
    assert counts.evicted == evicted
    assert KEPT * tier.room - 40_000 < size <= KEPT * tier.room


def test_the_file_never_grows_beyond_its_limit(tier: DiskTier, tmp_path: Path) -> None:
    """Entries of very different sizes leave free pages that lie apart."""
    for number in range(150):
        tier.put(key_of(number % 90), os.urandom(1 + (number * 7919) % 150_000))
        assert tier.totals()[1] <= tier.room
    assert os.path.getsize(tmp_path / "data.mdb") <= SMALL
    sizes = [len(data) for _, data in tier.entries()]
    assert sum(sizes) > 0.5 * tier.room  # it is used well, all the same


def test_a_file_without_room_is_emptied_until_there_is(
    tier: DiskTier, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tier, "room", 10 * SMALL)  # so that LMDB is the one to notice
    for number in range(80):
        tier.put(key_of(number), os.urandom(40_000))
        assert tier.get(key_of(number)) is not None
    assert tier.totals()[3].evicted > 30


def test_an_entry_larger_than_the_room_is_left_out(tier: DiskTier) -> None:
    tier.put(key_of(1), entry_of(1))
    assert tier.put(key_of(2), bytes(SMALL)) == 0
    assert tier.get(key_of(2)) is None
    assert tier.get(key_of(1)) is not None


def test_a_smaller_limit_evicts_with_the_next_entry(tmp_path: Path) -> None:
    large = DiskTier(tmp_path, 8 * SMALL)
    for number in range(90):
        large.put(key_of(number), os.urandom(60_000))
    assert large.totals()[0] == 90
    large.close()
    small = DiskTier(tmp_path, SMALL)
    assert small.put(key_of(999), entry_of(1)) > 70
    assert small.totals()[1] <= small.room
    small.close()


def test_a_full_file_under_a_smaller_limit_can_be_emptied(tmp_path: Path) -> None:
    """LMDB maps no more than the file has where the limit is smaller, and removing needs new pages."""
    large = DiskTier(tmp_path, 4 * SMALL)
    with large._environment.transaction(write=True) as transaction:
        for _ in range(600):
            large._insert(transaction, os.urandom(32), os.urandom(3_000))
    large.close()
    small = DiskTier(tmp_path, SMALL)
    assert small.totals()[0] == 600
    small.put(key_of(9999), entry_of(1))
    assert small.totals()[1] <= small.room
    small.close()


def test_a_process_with_a_larger_limit_does_not_disturb(tmp_path: Path) -> None:
    """It makes the file larger than the map of this one."""
    ours = DiskTier(tmp_path, SMALL)
    ours.put(key_of(1), entry_of(1))
    code = (
        "import os, sys; from pathlib import Path\n"
        "from overbet.search.cache.disk import DiskTier\n"
        "tier = DiskTier(Path(sys.argv[1]), 16 << 20)\n"
        "[tier.put(bytes([number]) * 32, os.urandom(1 << 20)) for number in range(8)]\n"
    )
    subprocess.run(
        [sys.executable, "-c", code, tmp_path],
        check=True,
        env={**os.environ, "PYTHONPATH": str(ROOT / "src")},
    )
    assert len(ours.get(bytes([7]) * 32) or b"") == 1 << 20
    ours.put(key_of(2), entry_of(2))
    assert ours.get(key_of(2)) == entry_of(2)
    assert ours.totals()[1] <= ours.room  # and the next entry keeps to our limit
    ours.close()


def open_in(folder: Path) -> list[str]:
    """Return what is open there: caches of other tests may still be."""
    return [place for _, place in environment._open if place.startswith(str(folder))]


def test_two_in_one_process_share_the_folder(tmp_path: Path) -> None:
    one, two = DiskTier(tmp_path, SMALL), DiskTier(tmp_path / "." / "x" / "..", SMALL)
    one.put(key_of(1), entry_of(1))
    assert two.get(key_of(1)) == entry_of(1)
    one.close()
    two.put(key_of(2), entry_of(2))
    two.close()
    assert not open_in(tmp_path)


def test_the_lock_file_has_its_blocks(tier: DiskTier, tmp_path: Path) -> None:
    """LMDB maps it: a hole that a full disk cannot fill would be SIGBUS."""
    found = os.stat(tmp_path / "lock.mdb")
    assert found.st_blocks * 512 >= found.st_size >= environment._LOCK_BYTES


def spoil(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "data.mdb").write_bytes(content)


def good_file(tmp_path: Path) -> bytes:
    tier = DiskTier(tmp_path, SMALL)
    for number in range(10):
        tier.put(key_of(number), entry_of(6000))
    tier.close()
    return (tmp_path / "data.mdb").read_bytes()


def test_what_is_no_cache_is_told_and_can_be_removed(tmp_path: Path) -> None:
    good = good_file(tmp_path)
    for bad in (b"no database" * 1000, good[:100], bytes(len(good))):
        spoil(tmp_path, bad)
        with pytest.raises(DamagedCacheError, match="overbet cache clear"):
            DiskTier(tmp_path, SMALL)
        assert remove_files(tmp_path)
        tier = DiskTier(tmp_path, SMALL)
        tier.put(key_of(1), entry_of(1))
        tier.close()


def test_a_file_that_was_cut_short_is_told_and_no_signal(tmp_path: Path) -> None:
    """Without its length back, reading what is missing would end the process."""
    good = good_file(tmp_path)
    spoil(tmp_path, good[: 4 * 4096])
    code = (
        "import sys; from pathlib import Path\n"
        "from overbet.errors import ArtefactError\n"
        "from overbet.search.cache.disk import DiskTier\n"
        "try:\n"
        "    tier = DiskTier(Path(sys.argv[1]), 1 << 20)\n"
        "    [tier.get(number.to_bytes(32, 'big')) for number in range(10)]\n"
        "except ArtefactError as error: print(error)\n"
    )
    ran = subprocess.run(
        [sys.executable, "-c", code, tmp_path],
        check=False,
        env={**os.environ, "PYTHONPATH": str(ROOT / "src")},
        capture_output=True,
        text=True,
    )
    assert ran.returncode == 0
    assert "is damaged" in ran.stdout


def test_files_in_use_are_not_removed(tier: DiskTier, tmp_path: Path) -> None:
    tier.put(key_of(1), entry_of(1))
    assert not remove_files(tmp_path)
    assert tier.get(key_of(1)) is not None
    tier.clear()
    assert tier.totals()[:2] == (0, 0)
    assert tier.get(key_of(1)) is None
    tier.put(key_of(1), entry_of(1))
    assert tier.totals()[0] == 1


def test_another_layout_is_told(tmp_path: Path) -> None:
    tier = DiskTier(tmp_path, SMALL)
    with tier._environment.transaction(write=True) as transaction:
        tier._add(transaction, "layout", 77)
    tier.close()
    with pytest.raises(ArtefactError, match="another version"):
        DiskTier(tmp_path, SMALL)
    assert not open_in(tmp_path)


def test_a_damaged_number_is_told(tier: DiskTier) -> None:
    with tier._environment.transaction(write=True) as transaction:
        transaction.put(b"bytes", b"xxx", db=tier._tables["totals"])
    with pytest.raises(DamagedCacheError):
        tier.put(key_of(1), entry_of(1))


def test_a_limit_of_nothing_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="at least 1,048,576 bytes"):
        DiskTier(tmp_path, 5)


def test_no_room_at_all_is_told(tier: DiskTier, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        with tier._environment.transaction(write=True):
            raise lmdb.MapFullError("mdb_put")

    monkeypatch.setattr(tier, "_put", full)
    with pytest.raises(ArtefactError, match="no room to write"):
        tier.put(key_of(1), entry_of(1))


@pytest.mark.parametrize(
    ("free", "said"), [(4096, "No space left on device"), (1 << 30, "Input/output error")]
)
def test_a_page_written_in_part_on_a_full_disk_is_a_full_disk(
    tier: DiskTier, monkeypatch: pytest.MonkeyPatch, free: int, said: str
) -> None:
    def cut(*_: object) -> None:
        with tier._environment.transaction(write=True):
            raise lmdb.DiskError("mdb_txn_commit: Input/output error")

    monkeypatch.setattr(tier, "_put", cut)
    monkeypatch.setattr(environment.shutil, "disk_usage", lambda folder: SimpleNamespace(free=free))
    with pytest.raises(ArtefactError, match=f"cannot be used: {said}"):
        tier.put(key_of(1), entry_of(1))
