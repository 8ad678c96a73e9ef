"""The files of hands at a path: a file, a folder, a zip or tar archive, archives within them.

What a file is its first bytes say, not its name. Nothing is unpacked to disk and no file is read whole.
"""

from __future__ import annotations

import bz2
import gzip
import lzma
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from overbet.errors import ArtefactError, reason, short
from overbet.interfaces.history.record import HandFault, Place

_DEEPEST = 4  # archives within archives
_HEAD = 1 << 10
_PACKED: tuple[tuple[bytes, Callable[[IO[bytes]], Any]], ...] = (
    (b"\x1f\x8b", lambda file: gzip.GzipFile(fileobj=file)),
    (b"BZh", bz2.BZ2File),
    (b"\xfd7zXZ\x00", lzma.LZMAFile),
)
DAMAGE = (
    tarfile.TarError,
    zipfile.BadZipFile,
    EOFError,
    OSError,
    zlib.error,
    lzma.LZMAError,
    ValueError,
    OverflowError,
    RuntimeError,  # a zip with a password
    NotImplementedError,  # a zip with a compression that Python does not know
)


@dataclass(frozen=True, slots=True)
class HandFile:
    """An open file that may hold hands, and what to call it. It is closed once the next one is asked for."""

    source: str
    stream: IO[bytes]


def hand_files(path: str | Path) -> Iterator[HandFile | HandFault]:
    """Yield every file at `path`, folders and archives opened; a fault for each that cannot be read."""
    place = Path(path)
    if not place.exists():
        raise ArtefactError(f"{short(place)} does not exist; give a file of hands, a folder or an archive")
    if not place.is_dir():
        yield from opened(place, place.name)
        return
    for file in sorted(place.rglob("*")):
        if file.is_file() and not any(part.startswith(".") for part in file.relative_to(place).parts):
            yield from opened(file, str(file.relative_to(place)))


def opened(file: Path, source: str) -> Iterator[HandFile | HandFault]:
    """Yield one file, or the files in it where it is an archive. source: what to call it."""
    try:
        stream = file.open("rb")
    except OSError as error:
        yield HandFault(Place(source), f"cannot be read: {reason(error)}")
        return
    with stream:
        yield from _unpacked(stream, source, 0)


def _unpacked(stream: IO[bytes], source: str, depth: int) -> Iterator[HandFile | HandFault]:
    """Yield the file itself, or the files in it where it is an archive."""
    try:
        head = stream.read(_HEAD)
        stream.seek(0)
        packer = next((opened for mark, opened in _PACKED if head.startswith(mark)), None)
        archive = packer is not None or head.startswith(b"PK\x03\x04") or head[257:262] == b"ustar"
        if not archive:
            yield HandFile(source, stream)
        elif depth == _DEEPEST:
            yield HandFault(Place(source), f"lies in more than {_DEEPEST} archives", archive=True)
        elif head.startswith(b"PK"):
            with zipfile.ZipFile(stream) as zipped:
                for name in zipped.namelist():
                    if not name.endswith("/"):
                        with zipped.open(name) as member:
                            yield from _unpacked(member, f"{source}/{name}", depth + 1)
        elif packer is not None:
            with packer(stream) as plain:
                yield from _unpacked(plain, source, depth + 1)
        else:
            with tarfile.open(fileobj=stream, mode="r:") as tar:
                for info in tar:
                    content = tar.extractfile(info) if info.isfile() else None
                    if content is not None:
                        yield from _unpacked(content, f"{source}/{info.name.removeprefix('./')}", depth + 1)
    except DAMAGE as error:
        words = short(error, 200) or type(error).__name__
        yield HandFault(Place(source), f"is damaged ({words}); the rest of it cannot be read", archive=True)
