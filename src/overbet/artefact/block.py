"""The first 512 bytes of an artefact: what it is, and the checksum of the rest.

    overbet solution 2      kind and version
    1843204                 bytes of the whole file
    9f86d081884c7d65...     sha256 of everything after these 512 bytes
    1840000 3204            where the head lies, and how long it is

The lines are ASCII and zeros fill the block. It is HDF5's user block, which other readers skip.
"""

from __future__ import annotations

import hashlib
import io
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, NamedTuple

from overbet.errors import ArtefactError

BLOCK = 512
_PREFIX = "overbet "
_STEP = 1 << 22


@dataclass(frozen=True)
class Kind:
    """A kind of file: its name, the version this program reads and writes, and how to get a new one."""

    name: str  # "solution": the file says "overbet solution"
    version: int
    again: str  # "solve its spot again": what to do with a file that cannot be used

    @property
    def label(self) -> str:
        """What the file says it is, before the version."""
        return _PREFIX + self.name


class Block(NamedTuple):
    """The lines of the block."""

    label: str
    version: str
    length: str
    checksum: str
    head: str  # offset and size


def block_text(kind: Kind, length: int, checksum: str, head: tuple[int, int]) -> bytes:
    """Return the block of a file."""
    text = f"{kind.label} {kind.version}\n{length}\n{checksum}\n{head[0]} {head[1]}\n"
    return text.encode().ljust(BLOCK, b"\0")


def length_and_checksum(raw: BinaryIO | io.FileIO) -> tuple[int, str]:
    """Return the length of a file and the sha256 of what follows the block."""
    raw.seek(BLOCK)
    digest = hashlib.sha256()
    while part := raw.read(_STEP):
        digest.update(part)
    return raw.tell(), digest.hexdigest()


def kind_of(path: str | Path) -> str:
    """Return the kind a file says it is, such as `solution`; an empty string where it says nothing."""
    try:
        with open(path, "rb") as raw:
            block = _parsed(raw.read(BLOCK))
    except OSError as error:
        raise ArtefactError(f"cannot read {path}: {error.strerror}") from error
    return block.label.removeprefix(_PREFIX) if block else ""


def examine(raw: BinaryIO, path: str | Path, kind: Kind) -> tuple[int, int, int]:
    """Verify all bytes of an open file; return its length, and offset and size of its head."""
    first = raw.read(BLOCK)
    block = _parsed(first)
    if block is None or block.label != kind.label:
        found = f"it is an {block.label}" if block else "it has no head of overbet"
        raise ArtefactError(f"{path} is not a file of the kind '{kind.label}': {found}; {kind.again}")
    if block.version != str(kind.version):
        raise ArtefactError(
            f"{path} has version {block.version[:20]} of the format '{kind.label}' and this program reads "
            f"{kind.version}; use the version of overbet it was saved with, or {kind.again}"
        )
    if len(first) < BLOCK:
        raise ArtefactError(f"{path} is cut short or too long: {len(first)} bytes; {kind.again}")
    length, checksum = length_and_checksum(raw)
    if block.length != str(length):
        raise ArtefactError(
            f"{path} is cut short or too long: {length:,} bytes, not {block.length[:20]}; {kind.again}"
        )
    try:
        offset, size = (int(word) for word in block.head.split(" "))
        # the same block again: every byte of it is then known to be right, the filling zeros too
        sound = first == block_text(kind, length, checksum, (offset, size))
        if not sound or not (offset >= BLOCK and 0 < size <= length - offset):
            raise ValueError
    except ValueError as error:
        raise ArtefactError(
            f"{path} is damaged: its content does not match its checksum; {kind.again}"
        ) from error
    return length, offset, size


def _parsed(first: bytes) -> Block | None:
    try:
        lines = first.rstrip(b"\0").decode("ascii").split("\n")
    except UnicodeDecodeError:
        lines = []
    label, _, version = lines[0].rpartition(" ") if lines else ("", "", "")
    if not label.startswith(_PREFIX):
        return None
    lines += [""] * 4
    return Block(label, version, *lines[1:4])
