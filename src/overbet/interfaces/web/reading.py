"""Files of the data folder, which others may have filled: plain files only, and so many bytes at most.

A pipe in place of a file would never end, a link could name any file of the machine, a table may have
gigabytes, and a name may hold bytes that are no text. Whatever cannot be read is passed over as if it were
not there.
"""

from __future__ import annotations

import contextlib
import os
import stat
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from overbet.study.packing import plain

_MOST_DEPTH = 60


def is_plain(path: Path) -> bool:
    """Return whether there is a plain file of that name, not a link to one."""
    try:
        return stat.S_ISREG(os.lstat(path).st_mode)
    except (OSError, ValueError):
        return False


def size_of(path: Path) -> int | None:
    """Return the size of a plain file in bytes, None where there is none."""
    try:
        found = os.lstat(path)
    except (OSError, ValueError):
        return None
    return found.st_size if stat.S_ISREG(found.st_mode) else None


def changed(path: Path) -> float | None:
    """Return when a plain file was written last, in seconds, None where there is none."""
    try:
        found = os.lstat(path)
    except (OSError, ValueError):
        return None
    return found.st_mtime if stat.S_ISREG(found.st_mode) else None


def time_text(seconds: float | None) -> str | None:
    """Return a time, ISO 8601 in UTC; None where there is none, or none that has a date."""
    if seconds is None:
        return None
    try:
        return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds")
    except (OverflowError, OSError, ValueError):
        return None


def read_bytes(path: Path, most: int) -> bytes | None:
    """Return what a plain file holds, None where there is none, or one that is longer than `most`."""
    found = _read(path, most + 1)
    return None if found is None or len(found) > most else found


def read_ends(path: Path, head: int, tail: int) -> tuple[bytes, bytes, bool]:
    """Return the first bytes of a plain file, its last ones, and whether there is more between them."""
    first = _read(path, head) or b""
    start = max(head, (size_of(path) or 0) - tail)
    last = (_read(path, tail, start) or b"") if len(first) == head else b""
    return first, last, bool(last) and start > head


def _read(path: Path, most: int, start: int = 0) -> bytes | None:
    # not blocking, so that a pipe put there between two looks cannot hold this up
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOFOLLOW", 0)
    flags |= getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)
    if not is_plain(path):
        return None
    try:
        number = os.open(path, flags)
    except (OSError, ValueError):
        return None
    with contextlib.suppress(OSError), os.fdopen(number, "rb") as file:
        if stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            file.seek(start)
            return file.read(most)
    return None


def shown_text(text: str) -> str:
    """Return a text that can be sent and stands on one line."""
    sound = text.encode("utf-8", "replace").decode("utf-8")
    return " ".join("".join(c if c.isprintable() else " " for c in sound).split())


def shown(value: Any, depth: int = 0) -> Any:
    """Return a value of a file as JSON can have it: sound texts, finite numbers, anything else as text."""
    if depth > _MOST_DEPTH:
        return None
    if isinstance(value, dict):
        return {shown_text(str(key)): shown(part, depth + 1) for key, part in value.items()}
    if isinstance(value, list | tuple | set):
        return [shown(part, depth + 1) for part in value]
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode("utf-8")
    found = plain(value)
    return found if found is None or isinstance(found, bool | int | float) else shown_text(str(found))
