"""A person's own ranges: a text file each, in folders, below the data folder.

    library = RangeLibrary()                                 # ranges/ in $OVERBET_HOME
    library.save("Button/opens 2.5x", Range.parse("22+,A2s+"))
    library.names()                                          # ['Button/opens 2.5x']
    library["Button/opens 2.5x"]                             # the Range
    library.load_text(text, "Solver ranges")                 # a file of PioSOLVER, GTO+ or `text()`

A name is the path of a file, `Button/opens 2.5x.txt`, so that folders can be copied in and out by hand. A
folder is there as long as something lies in it.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from overbet.cards.range import Range
from overbet.cards.range_text import RangeForm
from overbet.errors import ArtefactError, OverbetError, quoted, reason
from overbet.files import data_folder, write_text
from overbet.study.errors import NotNowError, NotThereError, StudyError

RANGES = "ranges"  # the folder, within the data folder
MOST_RANGES = 5000
_SUFFIX = ".txt"
_MOST_BYTES, _MOST_TEXT = 100_000, 4_000_000
_MOST_NAME, _MOST_DEPTH = 80, 6
_FORBIDDEN = '<>:"\\|?*'  # what some systems do not have in names of files
_TITLE = "#"  # begins the line with a range's name in a text of many


class NamedRange(NamedTuple):
    """A range of the library. text: as `Range.text` writes it."""

    name: str
    text: str
    combos: float


class RangeLibrary:
    """The ranges of a folder; every method looks at the disk, so that several programs can share it."""

    def __init__(self, folder: str | Path | None = None) -> None:
        """Take the folder; `ranges` in the data folder unless named."""
        self.folder = data_folder() / RANGES if folder is None else Path(folder)

    def names(self) -> list[str]:
        """Return the names of all ranges, folder by folder."""
        return [entry.name for entry in self.entries()]

    def entries(self) -> list[NamedRange]:
        """Return all ranges, by name; a file that holds none is passed over."""
        found = []
        for name, path in self._files():
            try:
                found.append(NamedRange(name, *_facts(_read(path))))
            except (OverbetError, OSError):
                continue  # not a range, or gone meanwhile: left where it is
        return sorted(found, key=lambda entry: _order(entry.name))

    def __getitem__(self, name: str) -> Range:
        """Return a range by its name."""
        path = self._path(name)
        try:
            return Range.parse(_read(path))
        except OSError:
            raise NotThereError(_missing(name), "name") from None

    def save(self, name: str, held: Range, *, replace: bool = False) -> NamedRange:
        """Keep a range; one of that name is replaced where `replace` says so, else it is an error."""
        path = self._path(name)
        if path.exists() and not replace:
            raise NotNowError(f"there is a range {quoted(_tidy(name))} already; choose another name", "name")
        if not path.exists() and sum(1 for _ in self._files()) >= MOST_RANGES:
            raise NotNowError(f"there are {MOST_RANGES:,} ranges already; delete some")
        write_text(path, held.text() + "\n")
        return NamedRange(_tidy(name), held.text(), held.combos)

    def move(self, name: str, to: str) -> str:
        """Give a range, or a whole folder, another name; return it as it is written."""
        source, target = self._path(name), self._path(to)
        if not source.is_file() and self._folder(name).is_dir():
            source, target = self._folder(name), self._folder(to)
            if target.is_relative_to(source) and target != source:
                raise StudyError("a folder cannot be moved into itself", "to")
        if not source.exists():
            raise NotThereError(_missing(name), "name")
        if target.exists() and not (source.samefile(target) and source != target):
            if source == target:
                return _tidy(to)
            raise NotNowError(f"there is {quoted(_tidy(to))} already; choose another name", "to")
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            source.rename(target)
        except OSError as error:
            raise ArtefactError(f"{quoted(_tidy(name))} cannot be moved: {reason(error)}") from error
        self._clear(source.parent)
        return _tidy(to)

    def delete(self, name: str) -> Range:
        """Remove a range and return it, so that it can be put back."""
        held = self[name]
        path = self._path(name)
        try:
            path.unlink(missing_ok=True)
        except OSError as error:
            raise ArtefactError(f"{quoted(_tidy(name))} cannot be deleted: {reason(error)}") from error
        self._clear(path.parent)
        return held

    def text(self, form: RangeForm = "pio", folder: str = "") -> str:
        """Return all ranges, or those of a folder, as one text: a line `# name`, then the range."""
        start = f"{_tidy(folder)}/" if folder.strip() else ""
        parts = []
        for entry in self.entries():
            if entry.name.startswith(start):
                parts.append(f"{_TITLE} {entry.name}\n{Range.parse(entry.text).text(form)}\n")
        return "\n".join(parts)

    def load_text(self, text: str, name: str, folder: str = "") -> list[NamedRange]:
        """Keep the ranges of a text: of many, as `text` writes it, or of one, which is then called `name`.

        Nothing is kept where one of them cannot be read. A name that is taken gets a number: `opens (2)`.
        """
        if len(text) > _MOST_TEXT:
            raise StudyError("this file is too long for a list of ranges", "text")
        start = f"{_tidy(folder)}/" if folder.strip() else ""
        found = []
        for title, written in _parts(text, name):
            try:
                found.append((_tidy(start + title), Range.parse(written)))
            except OverbetError as error:
                raise StudyError(f"{title}: {error}", "text") from error
        if not found:
            raise StudyError("this file holds no range", "text")
        return [self.save(self._free(title), held) for title, held in found]

    def _free(self, name: str) -> str:
        number, wanted = 1, name
        while self._path(wanted).exists():
            number += 1
            wanted = f"{name} ({number})"
        return wanted

    def _files(self) -> Iterator[tuple[str, Path]]:
        for folder, inner, files in os.walk(self.folder):
            place = Path(folder)
            if len(place.relative_to(self.folder).parts) >= _MOST_DEPTH:
                inner.clear()
            for file in files:
                path = place / file
                name = path.relative_to(self.folder).as_posix().removesuffix(_SUFFIX)
                if file.endswith(_SUFFIX) and _is_name(name):
                    yield name, path

    def _path(self, name: str) -> Path:
        return self.folder / f"{_tidy(name)}{_SUFFIX}"

    def _folder(self, name: str) -> Path:
        return self.folder / _tidy(name)

    def _clear(self, folder: Path) -> None:
        """Remove folders that have become empty."""
        while folder != self.folder and folder.is_relative_to(self.folder):
            try:
                folder.rmdir()
            except OSError:
                return
            folder = folder.parent


def _parts(text: str, name: str) -> Iterator[tuple[str, str]]:
    """Yield name and text of every range of a file."""
    title, lines = name, list[str]()
    for line in text.removeprefix("\ufeff").splitlines():
        if not line.startswith(_TITLE):
            lines.append(line)
            continue
        if any(map(str.strip, lines)):
            yield title, "\n".join(lines)
        title, lines = line.removeprefix(_TITLE).strip(), []
    if any(map(str.strip, lines)):
        yield title, "\n".join(lines)


def _tidy(name: str) -> str:
    """Return a name as it is kept; a `StudyError` says what is wrong with it."""
    parts = [" ".join(part.split()) for part in name.split("/")]
    for part in parts:
        if not part:
            raise StudyError("write a name, with folders before it if you like: Button/opens", "name")
        if len(part) > _MOST_NAME or len(parts) > _MOST_DEPTH:
            raise StudyError(
                f"a name has up to {_MOST_NAME} letters, in up to {_MOST_DEPTH - 1} folders", "name"
            )
        bad = next((c for c in part if c in _FORBIDDEN or not c.isprintable()), None)
        if bad is not None or part.startswith(".") or part.endswith("."):
            raise StudyError(f"{quoted(bad or '.')} cannot stand there in a name", "name")
    return "/".join(parts)


def _is_name(name: str) -> bool:
    try:
        return _tidy(name) == name
    except OverbetError:
        return False


def _order(name: str) -> tuple[list[str], str]:
    return name.casefold().split("/"), name


def _missing(name: str) -> str:
    return f"there is no range {quoted(_tidy(name))}; it may have been moved or deleted"


def _read(path: Path) -> str:
    """Return the text of a plain file, not of a link, a pipe or one that is too long."""
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOFOLLOW", 0)
    with os.fdopen(os.open(path, flags), "rb") as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise FileNotFoundError(path)
        found = file.read(_MOST_BYTES + 1)
    if len(found) > _MOST_BYTES:
        raise StudyError("a file of that length is not a range")
    try:
        return found.decode("utf-8-sig").strip()
    except UnicodeDecodeError as error:
        raise StudyError("the file is not a text") from error


@lru_cache(maxsize=MOST_RANGES)
def _facts(text: str) -> tuple[str, float]:
    held = Range.parse(text)
    return held.text(), held.combos
