"""A run's folder belongs to one process at a time.

The lock file is held open under `flock`: the kernel lets go of it when the process ends, however it ends.
Where there is no `flock` (Windows, some network file systems) the file itself is the lock, and is taken over
when the process it names is dead.
"""

from __future__ import annotations

import errno
import os
import socket
import time
import weakref
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from overbet.errors import ConfigError

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

LOCK = "run.lock"
_NO_FLOCK = {errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOLCK, errno.ENOSYS, errno.EINVAL}
_CLOCK_SECONDS = 5.0  # by which the clock may be put right while a process runs
_WRITTEN_SECONDS = 0.1  # after which another process has written its name into the file it made


class _Name(NamedTuple):
    """Who has the lock: what the file says."""

    process: int
    started: float  # numbers of processes are used again
    host: str

    def line(self) -> str:
        return f"{self.process} {self.started:.2f} {self.host}\n"


class FolderLock:
    """The right to write into a folder, until `release`, the end of this object or of the process.

    Raises `ConfigError` where another process (or another run of this one) has it; the folder is then as it
    was.
    """

    def __init__(self, folder: Path) -> None:
        path = folder / LOCK
        try:
            folder.mkdir(parents=True, exist_ok=True)
            held = _flock(path) if fcntl is not None else None
            if held is None:
                _make_own(path)
        except OSError as error:
            raise ConfigError(
                f"cannot use the folder {folder}: {error.strerror}; use another --out"
            ) from error
        self.release = weakref.finalize(self, _release, path, held)


def _flock(path: Path) -> int | None:
    """Return the descriptor that holds the lock; None where this file system has no such locks."""
    while True:
        held = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
        try:
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if _is_at(path, held):
                with suppress(OSError):  # a full disk: the lock holds without a name in it
                    os.ftruncate(held, 0)
                    os.write(held, _own_name().line().encode())
                return held
        except BlockingIOError:
            os.close(held)
            raise _refusal(path) from None
        except OSError as error:
            os.close(held)
            if error.errno in _NO_FLOCK:
                return None
            raise
        os.close(held)  # whoever had it removed the file meanwhile: once more with the new one


def _make_own(path: Path) -> None:
    """Make the lock file, or take it over from a process that is dead."""
    while True:
        try:
            made = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o644)
        except FileExistsError:
            if _name_in(path) is None:
                time.sleep(_WRITTEN_SECONDS)
            if _alive(_name_in(path)):
                raise _refusal(path) from None
            path.unlink(missing_ok=True)
            continue
        with open(made, "w", encoding="utf-8") as file:
            file.write(_own_name().line())
        time.sleep(_WRITTEN_SECONDS)  # two may have found the same dead one: the last file stays
        if not _is_ours(path):
            raise _refusal(path)
        return


def _release(path: Path, held: int | None) -> None:
    if _is_ours(path) if held is None else _is_at(path, held):
        with suppress(OSError):
            path.unlink(missing_ok=True)
    if held is not None:
        os.close(held)


def _refusal(path: Path) -> ConfigError:
    name = _name_in(path)
    who = "another process" if name is None else f"process {name.process}"
    if name is not None and name.host != _host():
        who += f" on {name.host}"
    return ConfigError(
        f"{path.parent} has a run that is going in {who}; stop it or wait for its end, or use another --out"
    )


def _alive(name: _Name | None) -> bool:
    """Return whether the process of a lock file lives; one on another machine is taken to."""
    import psutil

    if name is None or name.host != _host():
        return name is not None
    try:
        return abs(psutil.Process(name.process).create_time() - name.started) < _CLOCK_SECONDS
    except (psutil.NoSuchProcess, ValueError):
        return False
    except psutil.Error:
        return True


def _own_name() -> _Name:
    import psutil

    return _Name(os.getpid(), psutil.Process().create_time(), _host())


def _name_in(path: Path) -> _Name | None:
    try:
        number, started, host = path.read_text(encoding="utf-8", errors="replace").split()
        return _Name(int(number), float(started), host)
    except (OSError, ValueError):
        return None


def _is_ours(path: Path) -> bool:
    name = _name_in(path)
    return name is not None and (name.process, name.host) == (os.getpid(), _host())


def _host() -> str:
    return "".join(socket.gethostname().split()) or "localhost"


def _is_at(path: Path, held: int) -> bool:
    """Return whether the open file is still the one at `path`."""
    try:
        return os.path.samestat(os.fstat(held), os.stat(path))
    except OSError:
        return False
