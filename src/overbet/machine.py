"""What this process may use of the machine: cores and memory. Everybody asks here.

Both have two bounds. The machine's own: the cores the process may run on, the memory that is free. And the
container's: the limits of the control groups (cgroups, version 1 or 2) the process is in. A group's limit
holds for all groups inside it, so the whole path from the process's own group up to the root counts.
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

_PROC = Path("/proc")


def usable_cores() -> list[int]:
    """Return the numbers of the cores this process may run on; a container may grant less time than that."""
    if hasattr(os, "sched_getaffinity"):
        return sorted(os.sched_getaffinity(0))
    import psutil

    process = psutil.Process()
    if hasattr(process, "cpu_affinity"):
        return sorted(process.cpu_affinity() or [0])
    return list(range(os.cpu_count() or 1))


def core_count() -> int:
    """Return how many threads can run at once: cores, or the container's share of them rounded up."""
    shares = [quota for group in _groups("cpu", _PROC) if (quota := group.quota()) is not None]
    return max(1, min([len(usable_cores()), *(math.ceil(quota) for quota in shares)]))


def give_memory_back() -> bool:
    """Have the C library give memory that was freed back to the system; return whether any was.

    Who makes and forgets many arrays of many sizes leaves holes that glibc keeps: a process of some hundred
    megabytes then grows to gigabytes. Elsewhere than with glibc nothing is done.
    """
    import ctypes

    try:
        return bool(ctypes.CDLL(None).malloc_trim(0))
    except (AttributeError, OSError, TypeError):
        return False


def available_bytes() -> int:
    """Return the memory that can be had now, by the system and by the container's limit."""
    import psutil

    left = [room for group in _groups("memory", _PROC) if (room := group.room()) is not None]
    return max(0, min([int(psutil.virtual_memory().available), *left]))


class _Group(NamedTuple):
    """One control group: its folder, and whether it is of version 2."""

    folder: Path
    unified: bool

    def quota(self) -> float | None:
        """Return the cores' worth of time this group may take; None: no limit."""
        if self.unified:
            granted, _, period = self._text("cpu.max").partition(" ")
        else:
            granted, period = self._text("cpu.cfs_quota_us"), self._text("cpu.cfs_period_us")
        time, length = _number(granted), _number(period)
        return time / length if time and length else None  # "max" and -1 are no limit

    def room(self) -> int | None:
        """Return the bytes this group may still take; None: no limit."""
        names = ("memory.max", "memory.current") if self.unified else _MEMORY_1
        limit, used = (_number(self._text(name)) for name in names)
        if limit is None or used is None:
            return None
        # pages of files nobody has used for a while are given back as soon as memory is asked for
        key = "inactive_file" if self.unified else "total_inactive_file"
        lines = [line.split() for line in self._text("memory.stat").splitlines()]
        spare = sum(_number(line[1]) or 0 for line in lines if len(line) == 2 and line[0] == key)
        return limit - max(used - spare, 0)

    def _text(self, name: str) -> str:
        try:
            return (self.folder / name).read_text(encoding="ascii").strip()
        except (OSError, ValueError):
            return ""


_MEMORY_1 = ("memory.limit_in_bytes", "memory.usage_in_bytes")


class _Mount(NamedTuple):
    """Where a hierarchy of control groups is mounted: `root` is the group that is seen at `place`."""

    root: str
    place: Path


@cache  # a process stays in its group; what the limits are is read every time
def _groups(controller: str, proc: Path) -> tuple[_Group, ...]:
    """Return the control groups in which a controller (`cpu`, `memory`) may limit us, inside out."""
    return tuple(_groups_found(controller, proc))


def _groups_found(controller: str, proc: Path) -> Iterator[_Group]:
    found = _mounts(controller, proc)
    for line in _lines(proc / "self" / "cgroup"):
        number, _, rest = line.partition(":")
        controllers, _, path = rest.partition(":")
        unified = number == "0" and not controllers
        if not unified and controller not in controllers.split(","):
            continue
        mount = found.get(unified)
        if mount is None:
            continue
        folder = _within(mount, path)
        yield _Group(folder, unified)
        while folder != mount.place:
            folder = folder.parent
            yield _Group(folder, unified)


def _mounts(controller: str, proc: Path) -> dict[bool, _Mount]:
    """Return where the hierarchies are mounted: that of version 2 under True, that of 1 under False."""
    found: dict[bool, _Mount] = {}
    for line in _lines(proc / "self" / "mountinfo"):
        front, _, back = line.partition(" - ")
        fields, kind = front.split(), back.split()
        if len(fields) < 5 or len(kind) < 3:
            continue
        if kind[0] == "cgroup2" or (kind[0] == "cgroup" and controller in kind[2].split(",")):
            place = fields[4].replace("\\040", " ")  # how the kernel writes a space
            found.setdefault(kind[0] == "cgroup2", _Mount(fields[3], Path(place)))
    return found


def _within(mount: _Mount, path: str) -> Path:
    """Return a group's folder; inside a container its path may be told as the host sees it."""
    parts = [part for part in path.split("/") if part]
    roots = [part for part in mount.root.split("/") if part]
    if ".." in parts or parts[: len(roots)] != roots:
        return mount.place
    folder = mount.place.joinpath(*parts[len(roots) :])
    return folder if folder.is_dir() else mount.place


def _lines(path: Path) -> list[str]:
    try:
        return path.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return []  # not Linux


def _number(text: str) -> int | None:
    return int(text) if text.isdigit() else None


def size_text(count: float) -> str:
    """Return a number of bytes for people: 1 kB is 1,000 bytes here and on the page."""
    for unit in ("B", "kB", "MB"):
        if count < 1000:
            return f"{count:.0f} B" if unit == "B" else f"{count:.1f} {unit}"
        count /= 1000
    return f"{count:.1f} GB"
