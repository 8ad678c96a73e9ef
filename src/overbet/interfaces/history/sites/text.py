"""Lines of a file of hands as text, whatever its encoding, one hand at a time."""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import IO

from overbet.interfaces.history.sites import ggpoker, pokerstars, winamax
from overbet.interfaces.history.sites.told import ToldHand

_LONGEST = 1 << 14  # bytes of a line; a longer one is cut
_MOST_LINES = 2_000  # of one hand
_PEEK = 1 << 12
_BLOCK = 1 << 16

Reader = Callable[[re.Match[str], int], ToldHand]
_SITES: tuple[tuple[re.Pattern[str], Reader], ...] = (
    (ggpoker.HEADER, ggpoker.read_header),
    (winamax.HEADER, winamax.read_header),
    (pokerstars.HEADER, pokerstars.read_header),
)


# a header in mid-line: the hand before it was cut off, and the next file put behind it
_WITHIN = re.compile(
    r"(?<=.)(?:(?:PokerStars|POKERSTARS) (?:\w+ ){0,3}(?:Hand|Game|HAND|GAME) #\d|Poker Hand #[A-Z]"
    r"|Winamax Poker - )"
)


@dataclass(frozen=True, slots=True)
class HandText:
    """The lines of one hand: its header, who reads it, the number of the header's line, and what follows."""

    header: re.Match[str]
    reader: Reader
    line: int
    lines: list[str]


def header_of(line: str) -> tuple[re.Match[str], Reader] | None:
    """Return the header that a line is, and the site that reads it."""
    if "#" not in line or ":" not in line:
        return None
    text = line.strip().lstrip("\ufeff").lstrip()
    for pattern, reader in _SITES:
        found = pattern.match(text)
        if found:
            return found, reader
    within = _WITHIN.search(text)
    return header_of(text[within.start() :]) if within else None


def hand_texts(stream: IO[bytes], first: int = 1) -> Iterator[HandText]:
    """Yield the hands of a file in order; whatever stands before the first header is passed over."""
    current: HandText | None = None
    for number, line in enumerate(text_lines(stream), first):
        found = header_of(line)
        if found:
            if current:
                yield current
            current = HandText(*found, number, [])
        elif current and len(current.lines) < _MOST_LINES:
            current.lines.append(line)
    if current:
        yield current


def text_lines(stream: IO[bytes]) -> Iterator[str]:
    """Yield the lines of a file: UTF-16 where its first bytes say so, otherwise UTF-8 or else cp1252."""
    head = stream.read(_PEEK)
    stream.seek(0)
    wide = _wide(head)
    if wide:
        yield from _wide_lines(stream, wide)
        return
    while raw := stream.readline(_LONGEST):
        # every line for itself: merged files have lines of several encodings
        try:
            yield raw.decode("utf-8")
        except UnicodeDecodeError:
            yield raw.decode("cp1252", errors="replace")


def _wide(head: bytes) -> str:
    if head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16"
    zeros = head.count(0)
    if zeros * 5 < len(head) * 2:  # fewer than two in five
        return ""
    return "utf-16-le" if head[1::2].count(0) >= head[::2].count(0) else "utf-16-be"


def _wide_lines(stream: IO[bytes], encoding: str) -> Iterator[str]:
    decoder = codecs.getincrementaldecoder(encoding)(errors="replace")
    rest = ""
    while block := stream.read(_BLOCK):
        *lines, rest = (rest + decoder.decode(block)).split("\n")
        yield from lines
        rest = rest[-_LONGEST:]
    if rest:
        yield rest
