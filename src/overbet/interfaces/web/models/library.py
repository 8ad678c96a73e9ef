"""The shapes of the library: marks on what is kept, and ranges by name."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from overbet.interfaces.web.library_store import (
    MOST_FOLDER,
    MOST_NOTE,
    MOST_TAG,
    MOST_TAGS,
    LibraryKind,
)
from overbet.interfaces.web.models.solving import Model

Folder = Annotated[str, Field(max_length=MOST_FOLDER)]
RangeName = Annotated[str, Field(max_length=500)]


class Marks(Model):
    """Folder, tags and note of one thing."""

    kind: LibraryKind
    id: str
    folder: str
    tags: list[str]
    note: str


class Library(Model):
    """The marks of a kind, and the folders and tags there are."""

    marks: list[Marks]
    folders: list[str]
    tags: list[str]


class NewMarks(Model):
    """What to change; what is left out stays as it is."""

    folder: Folder | None = None
    tags: list[Annotated[str, Field(max_length=MOST_TAG)]] | None = Field(None, max_length=MOST_TAGS)
    note: Annotated[str, Field(max_length=MOST_NOTE)] | None = None


class FolderMove(Model):
    """A folder and its new name; an empty name takes the folder away and leaves what lies in it."""

    folder: Folder
    to: Folder = ""


class Moved(Model):
    """How many things moved."""

    moved: int


class KeptRange(Model):
    """A range of the library."""

    name: str
    text: str
    combos: float


class KeptRanges(Model):
    """The range library, by name."""

    ranges: list[KeptRange]


class NewRange(Model):
    """A range to keep."""

    name: RangeName
    text: str = Field(max_length=60_000)
    replace: bool = False


class RangeMove(Model):
    """A range or a folder of ranges, and its new name."""

    name: RangeName
    to: RangeName


class RangeNamed(Model):
    """One range by its name."""

    name: RangeName


class RangeImport(Model):
    """A file of ranges. name: what a single range in it is called."""

    name: RangeName
    text: str = Field(max_length=900_000)
    folder: Folder = ""


class StrategyRangeShown(Model):
    """A range of a shipped strategy."""

    group: str
    position: str
    name: str
    text: str
    combos: float


class StrategyRanges(Model):
    """All of them."""

    ranges: list[StrategyRangeShown]
