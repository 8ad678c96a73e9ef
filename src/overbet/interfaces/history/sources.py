"""Where hands come from: a `.phh` or `.phhs` file, a folder of them, or a tar archive.

Nothing is left out without a word: a file that cannot be read is a fault, and an archive is read to its end,
where a checksum that does not fit or bytes that are no file show that it is damaged.
"""

from __future__ import annotations

import lzma
import re
import tarfile
import zlib
from collections.abc import Iterator
from pathlib import Path

from overbet.errors import ArtefactError, reason, short
from overbet.interfaces.history.phh import read_text
from overbet.interfaces.history.record import HandFault, HandRecord, Place

_SUFFIXES = (".phh", ".phhs")
_ARCHIVES = (".tar", ".tar.gz", ".tgz", ".tar.xz", ".tar.bz2")
PHH_ENDINGS = (*_SUFFIXES, *_ARCHIVES)
_MOST_BYTES = 1 << 28  # of one file of hands; ten million hands are less
_BLOCK = 512
_DAMAGE = (tarfile.TarError, EOFError, OSError, zlib.error, lzma.LZMAError, ValueError, OverflowError)


def read_hands(path: str | Path) -> Iterator[HandRecord | HandFault]:
    """Yield every hand at `path`, and a `HandFault` for each that cannot be read; the others go on."""
    place = Path(path)
    if not place.exists():
        raise ArtefactError(
            f"{short(place)} does not exist; give a .phh or .phhs file, a folder or a .tar.gz of them"
        )
    if place.is_dir():
        files = sorted((file for file in place.rglob("*") if file.suffix in _SUFFIXES), key=_natural)
        if not files:
            raise ArtefactError(f"{place} holds no .phh or .phhs file")
        for file in files:
            yield from _read_file(file, str(file.relative_to(place)))
    elif place.name.endswith(_ARCHIVES):
        yield from _read_archive(place)
    elif place.suffix in _SUFFIXES:
        try:
            content = place.read_bytes()
        except OSError as error:
            raise ArtefactError(f"cannot read {place}: {reason(error)}") from error
        yield from _read_bytes(content, place.name)
    else:
        raise ArtefactError(f"{place.name} is not a .phh or .phhs file, a folder or a .tar.gz of them")


def _read_file(file: Path, source: str) -> Iterator[HandRecord | HandFault]:
    try:
        if not file.is_file():
            return
        content = file.read_bytes()
    except OSError as error:
        yield HandFault(Place(source), f"cannot be read: {reason(error)}")
        return
    yield from _read_bytes(content, source)


def _read_bytes(content: bytes, source: str) -> Iterator[HandRecord | HandFault]:
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        yield HandFault(Place(source, "", line), "is not text (UTF-8)")
        return
    yield from read_text(text, source)


def _read_archive(path: Path) -> Iterator[HandRecord | HandFault]:
    last, files, damage = "the beginning", 0, ""
    try:
        with tarfile.open(path) as archive:
            for member in archive:
                if not member.isfile() or not member.name.endswith(_SUFFIXES):
                    continue
                if member.size > _MOST_BYTES:
                    yield HandFault(
                        Place(short(member.name)), f"{member.size:,} bytes are too many for a file of hands"
                    )
                    continue
                file = archive.extractfile(member)
                content = file.read() if file else b""
                last, files = member.name, files + 1
                yield from _read_bytes(content, member.name)
            damage = _rest_of(archive)
    except _DAMAGE as error:
        damage = short(error, 200) or type(error).__name__
    if damage:
        reads = f"{files:,} file{'' if files == 1 else 's'} of hands up to there can be read"
        yield HandFault(
            Place(path.name),
            f"the archive is damaged after {short(last)} ({damage}): {reads}, the rest cannot",
            archive=True,
        )


def _rest_of(archive: tarfile.TarFile) -> str:
    """Return what is wrong with the end of an archive whose files have been read, or an empty text.

    `tarfile` takes a damaged head of a file for the end of the archive. The true end is blocks of zeros; a
    compressed archive has its checksum after them, which is compared when all of it is read.
    """
    stream = archive.fileobj
    assert stream is not None  # an archive that was just read
    stream.seek(archive.offset)
    block = stream.read(_BLOCK)
    if not block.strip(b"\0") and block:
        while piece := stream.read(1 << 20):
            if piece.strip(b"\0"):
                return f"there is more after its end mark at byte {archive.offset:,}"
        return ""
    return f"the head of a file at byte {archive.offset:,} is broken" if block else "its end is missing"


def _natural(path: Path) -> list[tuple[str, int]]:
    """Return a key that sorts 9.phh before 10.phh."""
    return [(text, int(digits or 0)) for text, digits in re.findall(r"(\D*)(\d{0,300})", str(path), re.ASCII)]
