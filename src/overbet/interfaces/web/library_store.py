"""Folders, tags and notes on what the data folder keeps: solved spots, sets of flops, training runs.

All of them are in one file, `library.json`, by kind and id; whatever lies in no folder and has neither tag
nor note is not in it. A folder is there as long as something lies in it.
"""

from __future__ import annotations

import threading
from typing import Annotated, Literal, get_args

import pydantic
from pydantic import Field

from overbet.errors import OverbetError
from overbet.interfaces.web.faults import Fault
from overbet.interfaces.web.folder import DataFolder, read_json, write_json
from overbet.study.records import Record

LibraryKind = Literal["solve", "batch", "run"]
KINDS: tuple[LibraryKind, ...] = get_args(LibraryKind)
LIBRARY = "library.json"
MOST_ENTRIES, MOST_TAGS, MOST_TAG, MOST_FOLDER, MOST_NOTE = 10_000, 20, 40, 200, 4000


class LibraryMarks(Record):
    """What a person has written about one thing. folder: its parts between slashes, empty for none."""

    folder: Annotated[str, Field(max_length=MOST_FOLDER)] = ""
    tags: list[Annotated[str, Field(max_length=MOST_TAG)]] = Field(default_factory=list, max_length=MOST_TAGS)
    note: Annotated[str, Field(max_length=MOST_NOTE)] = ""

    @property
    def empty(self) -> bool:
        """Whether there is nothing to keep."""
        return not (self.folder or self.tags or self.note)


class LibraryRecord(Record):
    """The file."""

    version: Literal[1]
    marks: dict[LibraryKind, dict[Annotated[str, Field(max_length=200)], LibraryMarks]]


class LibraryStore:
    """The marks of a data folder, read once and written at every change."""

    def __init__(self, folder: DataFolder) -> None:
        self._path = folder.root / LIBRARY
        self._lock = threading.Lock()
        self._marks: dict[LibraryKind, dict[str, LibraryMarks]] = {}
        try:
            self._marks = LibraryRecord.model_validate(read_json(self._path)).marks
        except (pydantic.ValidationError, ValueError, RecursionError):
            self._keep_aside()

    def all(self, kind: LibraryKind) -> dict[str, LibraryMarks]:
        """Return the marks of a kind by id."""
        with self._lock:
            return dict(self._marks.get(kind, {}))

    def get(self, kind: LibraryKind, id: str) -> LibraryMarks:
        """Return the marks of one thing."""
        return self.all(kind).get(id, LibraryMarks())

    def put(
        self,
        kind: LibraryKind,
        id: str,
        *,
        folder: str | None = None,
        tags: list[str] | None = None,
        note: str | None = None,
    ) -> LibraryMarks:
        """Change what is given and keep the rest."""
        with self._lock:
            before = self._marks.get(kind, {}).get(id, LibraryMarks())
            after = LibraryMarks(
                folder=before.folder if folder is None else folder_name(folder),
                tags=before.tags if tags is None else tag_names(tags),
                note=before.note if note is None else _sendable(note).strip(),
            )
            self._write({kind: {**self._marks.get(kind, {}), id: after}})
            return after

    def move_folder(self, kind: LibraryKind, folder: str, to: str) -> int:
        """Rename a folder with all that lies in it; without a new name it is gone. Return how many moved."""
        source, target = folder_name(folder), folder_name(to)
        if not source:
            raise Fault(422, "name the folder to move", "folder")
        with self._lock:
            moved = {
                id: marks.model_copy(update={"folder": folder_name(target + marks.folder[len(source) :])})
                for id, marks in self._marks.get(kind, {}).items()
                if marks.folder == source or marks.folder.startswith(f"{source}/")
            }
            if moved:
                self._write({kind: {**self._marks[kind], **moved}})
        return len(moved)

    def forget(self, kind: LibraryKind, id: str) -> None:
        """Drop the marks of something that was deleted."""
        with self._lock:
            if id in self._marks.get(kind, {}):
                self._write({kind: {**self._marks[kind], id: LibraryMarks()}})

    def _write(self, changed: dict[LibraryKind, dict[str, LibraryMarks]]) -> None:
        """Write all marks with those of a kind changed; what is in memory follows what is on disk."""
        after = {**self._marks, **changed}
        after = {kind: {id: m for id, m in marks.items() if not m.empty} for kind, marks in after.items()}
        if sum(map(len, after.values())) > MOST_ENTRIES:
            raise Fault(429, f"{MOST_ENTRIES:,} things have notes or folders already; delete some")
        shown = {kind: {id: m.model_dump() for id, m in marks.items()} for kind, marks in after.items()}
        try:
            write_json(self._path, {"version": 1, "marks": shown})
        except (OverbetError, OSError, ValueError) as error:
            raise Fault(409, f"it cannot be kept: {error}") from error
        self._marks = after

    def _keep_aside(self) -> None:
        """Put a file that cannot be read beside, so that the next change does not replace it."""
        try:
            self._path.replace(self._path.with_suffix(".unread.json"))
        except OSError:
            return  # there is none


def folder_name(text: str) -> str:
    """Return a folder as it is kept: its parts without blanks around them, none of them empty."""
    return "/".join(filter(None, (_line(part) for part in text.split("/"))))[:MOST_FOLDER]


def tag_names(tags: list[str]) -> list[str]:
    """Return tags as they are kept: each once, whatever its case."""
    found = {line.casefold(): line for line in reversed([_line(tag) for tag in tags]) if line}
    return list(found.values())[::-1][:MOST_TAGS]


def _sendable(text: str) -> str:
    return text.encode("utf-8", "replace").decode("utf-8").replace("\0", " ")


def _line(text: str) -> str:
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())
