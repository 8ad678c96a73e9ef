"""How far the reading of a file is: by the line of a text, by the files of an archive."""

from __future__ import annotations

import tarfile
import zipfile
import zlib
from pathlib import Path

from overbet.interfaces.history.record import Place

_BLOCK = 1 << 20
_ARCHIVES = (".tar", ".tar.gz", ".tgz", ".tar.xz", ".tar.bz2")


class FileShare:
    """Tells, from the place of each hand, which share of a file has been read; 0 where nothing says it."""

    def __init__(self, path: Path) -> None:
        """Look through the file once: lines are counted, or the files of an archive."""
        name = path.name.lower()
        self._by_line = name.endswith((".txt", ".phhs"))
        self._parts, self._met, self._source = 0, 0, ""
        try:
            if self._by_line:
                with open(path, "rb") as file:
                    self._parts = sum(block.count(b"\n") for block in iter(lambda: file.read(_BLOCK), b""))
            elif name.endswith(_ARCHIVES):
                with tarfile.open(path) as archive:
                    for member in archive:
                        self._parts += member.isfile()
                        archive.members = []  # type: ignore[attr-defined]  # or all of them stay in memory
            elif name.endswith(".zip"):
                with zipfile.ZipFile(path) as zipped:
                    self._parts = len(zipped.namelist())
        except (OSError, EOFError, ValueError, tarfile.TarError, zipfile.BadZipFile, zlib.error):
            self._parts = 0  # the reader says what is wrong with it

    def at(self, place: Place) -> float:
        """Return the share, from 0 to 1, now that the hand at `place` is read; called in order."""
        if place.source != self._source:
            self._source, self._met = place.source, self._met + 1
        done = place.line if self._by_line else self._met
        return min(done / self._parts, 1.0) if self._parts else 0.0
