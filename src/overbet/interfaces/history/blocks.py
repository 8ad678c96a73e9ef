"""Reading hands on several cores: large files are cut between two hands, every block is read by itself."""

from __future__ import annotations

import io
import re
from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path

from overbet.errors import ArtefactError, short
from overbet.interfaces.history.containers import HandFile, opened
from overbet.interfaces.history.played import read_file
from overbet.interfaces.history.played_hand import PlayedHand
from overbet.interfaces.history.record import HandFault
from overbet.interfaces.history.sites.text import header_of
from overbet.machine import core_count

_BLOCK = 1 << 20  # bytes: about a thousand hands
_HEADER = re.compile(rb"\n[^\n]{0,200}(?:Hand|Game|HAND|GAME|HandId:) #[A-Z]{0,4}\d")
_HEAD = 1 << 12
_AHEAD = 2  # blocks waiting for each worker

Hands = list[PlayedHand | HandFault]


@dataclass(frozen=True, slots=True)
class HandBlock:
    """A part of a plain file from byte `start` to `end`, `line` its first line; the whole where end is -1."""

    path: Path
    source: str
    start: int = 0
    end: int = -1
    line: int = 1


def blocks_of(path: str | Path, size: int = _BLOCK) -> Iterator[HandBlock]:
    """Yield the blocks of every file at `path` in order; archives are one block each."""
    place = Path(path)
    if not place.exists():
        raise ArtefactError(f"{short(place)} does not exist; give a file of hands, a folder or an archive")
    if not place.is_dir():
        yield from _cut(place, place.name, size)
        return
    for file in sorted(place.rglob("*")):
        if file.is_file() and not any(part.startswith(".") for part in file.relative_to(place).parts):
            yield from _cut(file, str(file.relative_to(place)), size)


def read_block(block: HandBlock) -> Hands:
    """Return the hands of one block."""
    return list(block_hands(block))


def block_hands(block: HandBlock) -> Iterator[PlayedHand | HandFault]:
    """Yield the hands of one block."""
    if block.end < 0:
        for file in opened(block.path, block.source):
            if isinstance(file, HandFault):
                yield file
            else:
                yield from read_file(file)
        return
    with block.path.open("rb") as stream:
        stream.seek(block.start)
        content = stream.read(block.end - block.start)
    yield from read_file(HandFile(block.source, io.BytesIO(content)), block.line, whole=False)


def read_in_parallel(path: str | Path, workers: int | None = None) -> Iterator[PlayedHand | HandFault]:
    """Yield what `read_played` yields, in the same order, read by `workers` processes (every core)."""
    count = workers or core_count()
    waiting: deque[Future[Hands]] = deque()
    with ProcessPoolExecutor(count, mp_context=get_context("spawn")) as pool:
        for block in blocks_of(path):
            waiting.append(pool.submit(read_block, block))
            if len(waiting) >= _AHEAD * count:
                yield from waiting.popleft().result()
        while waiting:
            yield from waiting.popleft().result()


def _first_header(piece: bytes) -> int:
    """Return where the first line of a hand after the first line begins; 0 where there is none."""
    for found in _HEADER.finditer(piece):
        start = found.start() + 1
        end = piece.find(b"\n", start)
        if header_of(piece[start : end if end > 0 else len(piece)].decode("utf-8", "replace")):
            return start
    return 0


def _cut(path: Path, source: str, size: int) -> Iterator[HandBlock]:
    """Cut a large plain file at headers of hands, counting its lines on the way."""
    try:
        length = path.stat().st_size
        with path.open("rb") as file:
            head = file.read(_HEAD)
            plain = b"\0" not in head and not head.startswith((b"\x1f\x8b", b"PK", b"BZh", b"\xfd7zXZ"))
            if length <= size or not plain or path.suffix in (".phh", ".phhs"):
                yield HandBlock(path, source)
                return
            start, line, place, lines = 0, 1, 0, 0
            file.seek(0)
            while piece := file.read(size):
                piece += file.readline()
                cut = _first_header(piece) if place else 0
                if cut:
                    lines_before = piece.count(b"\n", 0, cut)
                    end = place + cut
                    yield HandBlock(path, source, start, end, line)
                    start, line = end, 1 + lines + lines_before
                lines += piece.count(b"\n")
                place += len(piece)
            yield HandBlock(path, source, start, length, line)
    except OSError:
        yield HandBlock(path, source)  # reading it says what is wrong
