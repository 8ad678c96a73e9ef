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

from overbet.errors import ConfigError

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

LOCK = "run.lock"
_NO_FLOCK = {errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOLCK, errno.ENOSYS, errno.EINVAL}
_WRITTEN_SECONDS = 0.1  # after which another process has written its name into the file it made


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
                    os.write(held, _own_name().encode())
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
            if not _name_in(path):
                time.sleep(_WRITTEN_SECONDS)
            if _alive(_name_in(path)):
                raise _refusal(path) from None
            path.unlink(missing_ok=True)
            continue
        with open(made, "w", encoding="utf-8") as file:
            file.write(_own_name())
        time.sleep(_WRITTEN_SECONDS)  # two may have found the same dead one: the last file stays
        if _name_in(path) != _own_name().split():
            raise _refusal(path)
        return


def _release(path: Path, held: int | None) -> None:
    own = _name_in(path) == _own_name().split() if held is None else _is_at(path, held)
    if own:
        with suppress(OSError):
            path.unlink(missing_ok=True)
    if held is not None:
        os.close(held)


def _refusal(path: Path) -> ConfigError:
    name = _name_in(path)
    who = f"process {name[0]}" if name else "another process"
    if len(name) == 3 and name[2] != _host():
        who += f" on {name[2]}"
    return ConfigError(
        f"{path.parent} has a run that is going in {who}; stop it or wait for its end, or use another --out"
    )


def _alive(name: list[str]) -> bool:
    """Return whether the process of a lock file lives; one on another machine is taken to."""
    import psutil

    if len(name) != 3:
        return False
    number, started, host = name
    if host != _host():
        return True
    try:
        return f"{psutil.Process(int(number)).create_time():.2f}" == started
    except (psutil.NoSuchProcess, ValueError):
        return False
    except psutil.Error:
        return True


def _own_name() -> str:
    """Return process number, its start (numbers are used again) and machine, in one line."""
    import psutil

    return f"{os.getpid()} {psutil.Process().create_time():.2f} {_host()}\n"


def _name_in(path: Path) -> list[str]:
    try:
        return path.read_text(encoding="utf-8", errors="replace").split()
    except OSError:
        return []


def _host() -> str:
    return "".join(socket.gethostname().split()) or "localhost"


def _is_at(path: Path, held: int) -> bool:
    """Return whether the open file is still the one at `path`."""
    try:
        return os.path.samestat(os.fstat(held), os.stat(path))
    except OSError:
        return False
