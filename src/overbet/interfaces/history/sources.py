"""Where hands come from: a `.phh` or `.phhs` file, a folder of them, or a tar archive."""

from __future__ import annotations

import re
import tarfile
import zlib
from collections.abc import Iterator
from pathlib import Path

from overbet.errors import ArtefactError
from overbet.interfaces.history.phh import read_text
from overbet.interfaces.history.record import HandFault, HandRecord, Place

_SUFFIXES = (".phh", ".phhs")
_ARCHIVES = (".tar", ".tar.gz", ".tgz", ".tar.xz", ".tar.bz2")


def read_hands(path: str | Path) -> Iterator[HandRecord | HandFault]:
    """Yield every hand at `path`, and a `HandFault` for each that cannot be read; the others go on."""
    place = Path(path)
    if not place.exists():
        raise ArtefactError(
            f"{place} does not exist; give a .phh or .phhs file, a folder or a .tar.gz of them"
        )
    if place.is_dir():
        files = sorted((file for file in place.rglob("*") if file.suffix in _SUFFIXES), key=_natural)
        if not files:
            raise ArtefactError(f"{place} holds no .phh or .phhs file")
        for file in files:
            yield from _read_bytes(_bytes_of(file), str(file.relative_to(place)))
    elif place.name.endswith(_ARCHIVES):
        yield from _read_archive(place)
    elif place.suffix in _SUFFIXES:
        yield from _read_bytes(_bytes_of(place), place.name)
    else:
        raise ArtefactError(f"{place.name} is not a .phh or .phhs file, a folder or a .tar.gz of them")


def _bytes_of(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError as error:
        raise ArtefactError(f"cannot read {file}: {error.strerror}") from error


def _read_bytes(content: bytes, source: str) -> Iterator[HandRecord | HandFault]:
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        yield HandFault(Place(source, "", line), "is not text (UTF-8)")
        return
    yield from read_text(text, source)


def _read_archive(path: Path) -> Iterator[HandRecord | HandFault]:
    last = "the beginning"
    try:
        with tarfile.open(path) as archive:
            for member in archive:
                if not member.isfile() or not member.name.endswith(_SUFFIXES):
                    continue
                file = archive.extractfile(member)
                content = file.read() if file else b""
                last = member.name
                yield from _read_bytes(content, member.name)
    except (tarfile.TarError, EOFError, OSError, zlib.error) as error:
        yield HandFault(Place(path.name), f"the archive is damaged after {last} ({error})")


def _natural(path: Path) -> list[tuple[str, int]]:
    """Return a key that sorts 9.phh before 10.phh."""
    return [(text, int(digits or 0)) for text, digits in re.findall(r"(\D*)(\d*)", str(path))]
