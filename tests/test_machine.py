"""Cores and memory of the machine and of the container, on made-up trees of control groups."""

from __future__ import annotations

import ctypes
import os
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import psutil
import pytest

from overbet import machine
from overbet.blueprint.config import BlueprintConfig
from overbet.blueprint.cores import worker_count
from overbet.blueprint.keyed import KeyedTrainer
from overbet.blueprint.trainer import Trainer
from overbet.errors import TooLargeError
from overbet.interfaces.web.limits import Limits
from overbet.solvers.vector.estimate import estimate
from overbet.tree.spot import Spot
from tests.solvers.vector.spots import TURN

MIB = 1 << 20
NO_LIMIT = 9223372036854771712  # how version 1 writes it


class FakeSystem:
    """A /proc and its control groups in a folder; `mount` and `write` fill them."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.groups, self.mounts = folder, "", ""
        (folder / "proc" / "self").mkdir(parents=True)

    def mount(self, kind: str, options: str, path: str, root: str = "/") -> Path:
        """Mount a hierarchy whose group `root` is seen at the place; the process is in the group `path`."""
        place = self.folder / (options.replace(",", "-") or "unified")
        place.mkdir()
        name = "" if kind == "cgroup2" else options
        self.groups += f"{0 if kind == 'cgroup2' else len(self.groups) + 1}:{name}:{path}\n"
        self.mounts += f"31 23 0:28 {root} {place} rw,relatime shared:9 - {kind} {kind} rw,{options}\n"
        own = self.folder / "proc" / "self"
        (own / "cgroup").write_text(self.groups)
        (own / "mountinfo").write_text("1 1 0:1 / / rw - ext4 /dev/a rw\n" + self.mounts)
        machine._groups.cache_clear()
        return place


@pytest.fixture
def system(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FakeSystem:
    monkeypatch.setattr(machine, "_PROC", tmp_path / "proc")
    monkeypatch.setattr(machine, "usable_cores", lambda: list(range(16)))
    monkeypatch.setattr(psutil, "virtual_memory", lambda: SimpleNamespace(available=8000 * MIB))
    return FakeSystem(tmp_path)


def write(folder: Path, **files: object) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        (folder / name.replace("__", ".")).write_text(f"{text}\n")


def test_without_a_container_the_machine_counts(system: FakeSystem) -> None:
    assert machine.core_count() == 16
    assert machine.available_bytes() == 8000 * MIB
    root = system.mount("cgroup2", "", "/user.slice/a")
    write(root / "user.slice" / "a", memory__max="max", memory__current=5 * MIB, cpu__max="max 100000")
    assert machine.core_count() == 16
    assert machine.available_bytes() == 8000 * MIB
    write(root, memory__max=7 * MIB, memory__current=0)
    assert machine.available_bytes() == 7 * MIB  # the limit of the outermost group holds as well


def test_version_2_takes_the_least_of_all_groups_around_us(system: FakeSystem) -> None:
    root = system.mount("cgroup2", "", "/pod/box/inner")
    write(root / "pod" / "box" / "inner", memory__max="max", memory__current=MIB, cpu__max="max 100000")
    write(root / "pod" / "box", memory__max=600 * MIB, memory__current=100 * MIB, cpu__max="250000 100000")
    write(root / "pod", memory__max=900 * MIB, memory__current=500 * MIB, cpu__max="400000 100000")
    assert machine.available_bytes() == 400 * MIB  # the pod's other boxes have used the rest
    assert machine.core_count() == 3  # two and a half, rounded up
    write(root / "pod", memory__stat=f"anon {50 * MIB}\ninactive_file {300 * MIB}\nactive_file {MIB}")
    assert machine.available_bytes() == 500 * MIB  # files in memory make room; now the box itself is tighter
    write(root / "pod", memory__current=1000 * MIB, memory__stat="")
    assert machine.available_bytes() == 0


def test_version_1_has_a_hierarchy_a_controller(system: FakeSystem) -> None:
    memory = system.mount("cgroup", "memory", "/docker/box/inner")
    cpu = system.mount("cgroup", "cpu,cpuacct", "/docker/box")
    names = {"memory__limit_in_bytes": NO_LIMIT, "memory__usage_in_bytes": 3 * MIB}
    write(memory / "docker" / "box" / "inner", **names)
    write(memory / "docker" / "box", memory__limit_in_bytes=600 * MIB, memory__usage_in_bytes=200 * MIB)
    write(memory, **names)
    write(cpu / "docker" / "box", cpu__cfs_quota_us=-1, cpu__cfs_period_us=100000)
    assert machine.available_bytes() == 400 * MIB
    assert machine.core_count() == 16
    write(memory / "docker" / "box", memory__stat=f"inactive_file 1\ntotal_inactive_file {50 * MIB}")
    write(cpu / "docker" / "box", cpu__cfs_quota_us=150000)
    assert machine.available_bytes() == 450 * MIB
    assert machine.core_count() == 2


@pytest.mark.parametrize("root", ["/docker/box", "/"])
def test_a_path_as_the_host_sees_it(system: FakeSystem, root: str) -> None:
    """Without a name space of its own, a container is told the host's path and sees its own group mounted."""
    place = system.mount("cgroup", "memory", "/docker/box", root)
    write(place, memory__limit_in_bytes=300 * MIB, memory__usage_in_bytes=MIB)
    assert machine.available_bytes() == 299 * MIB


def test_what_cannot_be_read_is_no_limit(system: FakeSystem) -> None:
    place = system.mount("cgroup2", "", "/../outside")
    write(place, memory__max="nonsense", memory__current="", cpu__max="")
    (system.folder / "proc" / "self" / "mountinfo").open("a").write("short\n - \n")
    assert machine.available_bytes() == 8000 * MIB
    assert machine.core_count() == 16


def test_this_machine() -> None:
    assert 1 <= machine.core_count() <= len(machine.usable_cores()) <= (os.cpu_count() or 1)
    assert 0 < machine.available_bytes() <= psutil.virtual_memory().total


def test_training_solving_and_the_page_keep_to_the_container(system: FakeSystem) -> None:
    """Tables of hundreds of megabytes, in a container of 20 MiB on a machine that has 8000."""
    place = system.mount("cgroup", "memory", "/")
    write(place, memory__limit_in_bytes=21 * MIB, memory__usage_in_bytes=MIB)
    cpu = system.mount("cgroup2", "", "/")
    write(cpu, cpu__max="300000 100000")
    street = {"sizes": ["33%, 75%, 150%, a", "a"], "raises": 3}
    values = {
        "game": {"stack_bb": 200},
        "menu": {"preflop": {"sizes": ["2bb, 3bb, 4bb", "a"], "raises": 4}, "flop": street},
        "cards": {"kind": "preflop"},
        "solver": {"tables": "keyed", "capacity": 1_000_000},
    }
    with pytest.raises(TooLargeError, match=r"rows of \d+ actions need .*B and .*B are free"):
        KeyedTrainer(BlueprintConfig.parse(values))

    class ManyBuckets:
        counts, deck, digest = (169, 100_000, 10, 10), range(52), "many"

    values["solver"] = {"exact_all_in": False}
    with pytest.raises(TooLargeError, match=r"buckets need .*B and .*B are free; use fewer sizes"):
        Trainer(BlueprintConfig.parse(values), ManyBuckets())  # type: ignore[arg-type]
    write(place, memory__limit_in_bytes=MIB + 4096)
    with pytest.raises(TooLargeError, match=r"and 4\.1 kB are free"):
        estimate(Spot.parse(TURN)).require()
    assert Limits().solve_limit() == int(0.8 * 4096)
    assert worker_count(0) == 3


@pytest.mark.skipif(not hasattr(ctypes.CDLL(None), "malloc_trim"), reason="needs glibc")
def test_memory_of_holes_is_given_back() -> None:
    """Every other of many arrays is forgotten: what they had is free, and the process no smaller before."""
    kept = [np.ones(1 << 13) for _ in range(1200)]  # 64 kB each: from the heap
    del kept[::2]
    before = _resident()
    assert machine.give_memory_back()
    assert before - _resident() > 20 << 20
    assert len(kept) == 600


def _resident() -> int:
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
