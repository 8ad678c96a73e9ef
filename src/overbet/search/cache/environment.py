"""The LMDB environment of a cache folder: opened once in a process, used by many processes at once.

LMDB maps its files into memory and trusts them. Two things are therefore done before it sees them: the lock
file gets its blocks on the disk, and a data file that was cut short gets its length back. Otherwise a full
disk or a cut file would end the process by a signal instead of an error.

Whoever has the environment open holds a shared lock on `users.lock`. Files are removed under an exclusive
lock alone, so that nobody's map loses its file.
"""

from __future__ import annotations

import errno
import os
import shutil
import struct
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import lmdb
from lmdb.verify import VerifyError, verify

from overbet.errors import ArtefactError, reason, short

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

DATA, LOCK, USERS = "data.mdb", "lock.mdb", "users.lock"
TABLES = ("entries", "uses", "order", "totals")
_READERS = 510  # processes and threads that may read at once
_LOCK_BYTES = 64 * _READERS + 8192  # more than LMDB asks for
_PAGES = 1 << 20  # bytes: a disk with less than this is full
_USERS_SECONDS = 5.0  # to wait while somebody removes or checks the files
_NO_SUCH_LOCKS = {errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOLCK, errno.ENOSYS, errno.EINVAL}
_DAMAGED = (
    lmdb.CorruptedError,
    lmdb.InvalidError,
    lmdb.PageNotFoundError,
    lmdb.PanicError,
    lmdb.VersionMismatchError,
    lmdb.IncompatibleError,
    lmdb.BadValsizeError,
    struct.error,  # a number of another length
)


class DamagedCacheError(ArtefactError):
    """The files of a cache are not what LMDB wrote; they can only be removed."""


class CacheFullError(ArtefactError):
    """The file has no room for a change; there may be some after entries were removed."""


class CacheEnvironment:
    """An open environment. `tables`: handles by name; one transaction at a time in this process."""

    def __init__(self, folder: Path, limit: int) -> None:
        self.folder, self.process = folder, os.getpid()
        self._lock = threading.RLock()
        self._users = -1
        with told(folder):
            folder.mkdir(parents=True, exist_ok=True)
            self._users = _hold(folder, exclusive=False)
            try:
                _reserve(folder / LOCK)
                self._env = lmdb.open(
                    str(folder),
                    map_size=max(limit, _size(folder / DATA) + limit // 8),  # room to remove entries
                    metasync=False,  # a power cut may lose the last entry, never the others
                    max_dbs=len(TABLES),
                    max_readers=_READERS,
                    mode=0o644,
                )
            except BaseException:
                _let_go(self._users)
                raise
        try:
            with told(folder):
                self.page = int(self._env.stat()["psize"])
                self.forget_killed_readers()
                self._restore_length()
                self.tables = {name: self._env.open_db(name.encode()) for name in TABLES}
        except BaseException:
            self.close()
            raise

    @contextmanager
    def transaction(self, *, write: bool = False) -> Iterator[lmdb.Transaction]:
        """Yield a transaction: all it wrote is there for everybody when the body ends well, else nothing."""
        with self._lock, told(self.folder), self._begin(write) as transaction:
            yield transaction

    def forget_killed_readers(self) -> None:
        """Let old pages be used again that processes were reading when they were killed."""
        with self._lock, told(self.folder):
            self._env.reader_check()

    def file_bytes(self) -> int:
        """Return what the data file takes on the disk."""
        with suppress(OSError):
            found = os.stat(self.folder / DATA)
            return int(getattr(found, "st_blocks", 0)) * 512 or found.st_size
        return 0

    def _begin(self, write: bool) -> lmdb.Transaction:
        try:
            return self._env.begin(write=write)
        except lmdb.MapResizedError:  # another process has a larger limit
            self._env.set_mapsize(0)
            return self._env.begin(write=write)

    def _restore_length(self) -> None:
        """Give a data file that was cut short its length: missing pages are then zeros, which LMDB refuses.

        It is done under the lock of writers. A good file may lack pages at its end that are free.
        """
        with self._begin(write=True):
            length = (int(self._env.info()["last_pgno"]) + 1) * self.page
            if _size(self.folder / DATA) < length:
                os.truncate(self.folder / DATA, length)

    def close(self) -> None:
        """Close it; transactions of other threads end first."""
        if self.process != os.getpid():
            self._lock = threading.RLock()  # whoever held it is in the other process
        with self._lock:
            self._env.close()
            _let_go(self._users)
            self._users = -1


@contextmanager
def told(folder: Path) -> Iterator[None]:
    """Turn what LMDB or the system says into one line of ours."""
    try:
        yield
    except _DAMAGED as error:
        raise DamagedCacheError(
            f"the search cache in {short(folder, 200)} is damaged ({_why(error, folder)}); "
            "`overbet cache clear` removes it"
        ) from error
    except lmdb.MapFullError as error:
        raise CacheFullError(
            f"the search cache in {short(folder, 200)} has no room to write, not even to remove entries; "
            "`overbet cache clear` empties it"
        ) from error
    except lmdb.Error as error:
        raise ArtefactError(
            f"the search cache in {short(folder, 200)} cannot be used: {_why(error, folder)}"
        ) from error
    except OSError as error:
        raise ArtefactError(
            f"the search cache in {short(folder, 200)} cannot be used: {reason(error)}"
        ) from error


def _why(error: Exception, folder: Path) -> str:
    """Return what LMDB says, without the folder or the name of its function in front."""
    text = str(error).removeprefix(f"{folder}: ")
    if "Input/output error" in text and _is_full(folder):  # a page that was written in part
        return "No space left on device"
    return short(text.partition(": ")[2] if text.startswith("mdb_") and ": " in text else text)


def _is_full(folder: Path) -> bool:
    try:
        return shutil.disk_usage(folder).free < _PAGES
    except OSError:
        return False


@contextmanager
def alone(folder: Path) -> Iterator[bool]:
    """Yield whether nobody has the environment open; if so, whoever opens it waits until the body ends."""
    with told(folder):
        try:
            users = _hold(folder, exclusive=True)
        except BlockingIOError:
            users = -1
        try:
            yield users >= 0  # without such locks nobody can tell
        finally:
            _let_go(users)


def remove_files(folder: Path) -> bool:
    """Remove the environment where nobody has it open; return whether it is gone."""
    if not (folder / DATA).exists() and not (folder / LOCK).exists():
        return True
    with alone(folder) as unused:
        if unused:
            for name in (DATA, LOCK):
                (folder / name).unlink(missing_ok=True)
        return unused


def structural_fault(folder: Path) -> str | None:
    """Return what is wrong with the file's own structure, "" where nothing is, None while it is in use.

    LMDB trusts that structure, and may end the process where it is damaged. This reads the file without LMDB.
    """
    with alone(folder) as unused:
        if not unused:
            return None
        try:
            faults: list[str] = verify(str(folder))  # type: ignore[no-untyped-call]
        except VerifyError as error:
            faults = [str(error)]
    return short(faults[0], 200) if faults else ""


# -- one environment a folder and process: LMDB allows no more

_open: dict[tuple[int, str], tuple[CacheEnvironment, int]] = {}
_opening = threading.Lock()


def shared_environment(folder: Path, limit: int) -> CacheEnvironment:
    """Return the environment of a folder, opened now or before; hand it back with `release`."""
    place = os.getpid(), os.path.realpath(folder)
    with _opening:
        found, users = _open.get(place, (None, 0))
        if found is None:
            found = CacheEnvironment(Path(place[1]), limit)
        _open[place] = found, users + 1
        return found


def release(environment: CacheEnvironment) -> None:
    """Hand an environment back; the last to do so closes it.

    A forked process closes what it inherited at once: it can open its own only then, and the other process
    does not notice.
    """
    place = environment.process, str(environment.folder)
    with _opening:
        found, users = _open.get(place, (None, 0))
        if found is not environment:
            return
        if users > 1 and environment.process == os.getpid():
            _open[place] = environment, users - 1
        else:
            del _open[place]
            environment.close()


# -- files


def _hold(folder: Path, *, exclusive: bool) -> int:
    """Return a descriptor that holds the lock on `users.lock`, -1 where there are no such locks."""
    if fcntl is None:
        return -1
    held = os.open(folder / USERS, os.O_RDWR | os.O_CREAT, 0o644)
    how = (fcntl.LOCK_EX if exclusive else fcntl.LOCK_SH) | fcntl.LOCK_NB
    end = time.monotonic() + (0.0 if exclusive else _USERS_SECONDS)
    while True:
        try:
            fcntl.flock(held, how)
            return held
        except OSError as error:
            if error.errno in _NO_SUCH_LOCKS:
                os.close(held)
                return -1
            if not isinstance(error, BlockingIOError) or time.monotonic() >= end:
                os.close(held)
                raise
        time.sleep(0.01)


def _let_go(held: int) -> None:
    if held >= 0:
        os.close(held)


def _reserve(lock: Path) -> None:
    """Give the lock file its blocks: on a full disk this is an error, and later it would be SIGBUS."""
    held = os.open(lock, os.O_RDWR | os.O_CREAT, 0o644)
    try:
        found = os.fstat(held)
        if found.st_size >= _LOCK_BYTES and getattr(found, "st_blocks", _LOCK_BYTES) * 512 >= _LOCK_BYTES:
            return
        if hasattr(os, "posix_fallocate"):
            try:
                os.posix_fallocate(held, 0, _LOCK_BYTES)
            except OSError as error:
                if error.errno not in _NO_SUCH_LOCKS:
                    raise
        elif found.st_size == 0:
            os.write(held, bytes(_LOCK_BYTES))
    finally:
        os.close(held)


def _size(file: Path) -> int:
    return file.stat().st_size if file.exists() else 0
