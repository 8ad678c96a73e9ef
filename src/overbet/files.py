"""Files that are either the old one or the new one, never half of either.

Only regular files are replaced by renaming. A device, a pipe or a socket keeps its place and gets the bytes
written into it, and a symbolic link goes on pointing where it points.
"""

from __future__ import annotations

import errno
import os
import shutil
import stat
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path

from overbet.errors import ArtefactError, reason, short

_NAME = 40  # characters of the file's name in the name beside it: names have a greatest length
_numbers = count()


@contextmanager
def replacing(path: str | Path) -> Iterator[Path]:
    """Yield a path beside `path` to write to; on success it is flushed to disk and renamed into place.

    When the body fails, or the disk is full, the beside-file is removed and `path` stays as it was. Where
    `path` is no regular file, the yielded one lies in the folder for temporary files and is copied at last.
    """
    with _told(path):
        through = _is_written_through(path)
    if through:
        with (
            _told(path, "a part may have been written"),
            tempfile.TemporaryDirectory(prefix="overbet-") as folder,
        ):
            beside = Path(folder) / Path(path).name
            yield beside
            _pour(beside, path)
        return
    with _told(path):
        target = _end_of_links(path)
        _make_folder(target.parent)
        beside = _beside(target)
        try:
            yield beside
            with open(beside, "rb+") as handle:
                os.fsync(handle.fileno())
            os.replace(beside, target)
        except BaseException:
            with suppress(OSError):  # a read-only file system: the first error is the one to tell
                beside.unlink(missing_ok=True)
            raise


def write_text(path: str | Path, text: str) -> None:
    """Write `text` to `path`, atomically."""
    with replacing(path) as beside:
        beside.write_text(text, encoding="utf-8")


def check_place(path: str | Path) -> None:
    """Raise an `ArtefactError` where `path` could not be written, before long work and not after it.

    It is really tried: folders that are missing are made, a file is written beside, and all of it is taken
    away again.
    """
    with _told(path, "choose another place"):
        if _is_written_through(path):
            kind = _kind(path)
            if kind is None or stat.S_ISSOCK(kind.st_mode):  # writing would not open it
                raise _error(errno.ENXIO)
            if not os.access(path, os.W_OK):
                raise _error(errno.EACCES)
            return
        target = _end_of_links(path)
        made = [folder for folder in target.parents if not folder.exists()]
        beside = _beside(target)
        try:
            _make_folder(target.parent)
            _kind(target)  # a name that is too long shows here, now that its folder is there
            beside.write_bytes(b"\0")
        finally:
            with suppress(OSError):
                beside.unlink(missing_ok=True)
                for folder in made:  # the deepest first
                    folder.rmdir()


def data_folder() -> Path:
    """Return the folder for what overbet makes and keeps: `$OVERBET_HOME`, or `~/.local/share/overbet`."""
    home = os.environ.get("OVERBET_HOME")
    return Path(home) if home else Path.home() / ".local" / "share" / "overbet"


@contextmanager
def _told(path: str | Path, what_now: str = "what was there before is untouched") -> Iterator[None]:
    """Turn whatever the system says into one line of ours."""
    try:
        yield
    except OSError as error:
        raise ArtefactError(f"cannot write {short(path)}: {reason(error)}; {what_now}") from error
    except ValueError as error:
        if "\0" not in str(path):
            raise
        raise ArtefactError(f"cannot write {short(path)}: no file has such a name; {what_now}") from error


def _error(number: int) -> OSError:
    return OSError(number, os.strerror(number))


def _is_written_through(path: str | Path) -> bool:
    """Return whether bytes go into what is there: a device, a pipe, a socket, or our own output."""
    kind = _kind(path)
    if kind is None:
        return False
    if stat.S_ISDIR(kind.st_mode):
        raise _error(errno.EISDIR)
    return not stat.S_ISREG(kind.st_mode) or _own_output(kind) is not None


def _kind(path: str | Path) -> os.stat_result | None:
    try:
        return os.stat(path)
    except FileNotFoundError:
        return None


def _own_output(kind: os.stat_result) -> int | None:
    """Return 1 or 2 where the file is this program's output or error stream, as /dev/stdout is."""
    for number in (1, 2):
        with suppress(OSError):
            if os.path.samestat(os.fstat(number), kind):
                return number
    return None


def _end_of_links(path: str | Path) -> Path:
    return Path(os.path.realpath(path)) if os.path.islink(path) else Path(path)


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except FileExistsError as error:
        raise _error(errno.ENOTDIR) from error


def _beside(target: Path) -> Path:
    """Return a new name in the folder of `target`, of this process and this call alone."""
    return target.with_name(f".{target.name[:_NAME]}.{os.getpid()}.{next(_numbers)}.part")


def _pour(source: Path, path: str | Path) -> None:
    """Copy a finished file into a device, a pipe or our own output."""
    kind = _kind(path)
    own = None if kind is None else _own_output(kind)
    if own is not None:
        (sys.stdout if own == 1 else sys.stderr).flush()
    with (
        open(source, "rb") as finished,
        open(path if own is None else os.dup(own), "wb", buffering=0) as into,
    ):
        shutil.copyfileobj(finished, into)
