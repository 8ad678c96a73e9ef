"""Hands that people played, from files of any of the sites: the one way in is `read_played`."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from pathlib import Path

from overbet.errors import ArtefactError, short
from overbet.interfaces.history.acpc import LOG, read_log
from overbet.interfaces.history.containers import DAMAGE, HandFile, hand_files
from overbet.interfaces.history.phh import read_text
from overbet.interfaces.history.phh_writer import write_hand
from overbet.interfaces.history.played_hand import PlayedHand
from overbet.interfaces.history.record import HandFault, HandRecord, HistoryError, Place
from overbet.interfaces.history.replay import replay
from overbet.interfaces.history.sites.build import build
from overbet.interfaces.history.sites.lines import read_lines
from overbet.interfaces.history.sites.text import HandText, hand_texts, text_lines
from overbet.interfaces.history.sites.told import HandError
from overbet.interfaces.history.sites.winamax import tournament_of
from overbet.interfaces.history.sources import PHH_ENDINGS, read_hands

_PHH = re.compile(rb"^\s*variant\s*=", re.MULTILINE)
_PEEK = 1 << 12
_MOST_BYTES = 1 << 28  # of a PHH file, which is read whole


def read_played(path: str | Path) -> Iterator[PlayedHand | HandFault]:
    """Yield every hand at `path` in order, and a `HandFault` for each that is left out.

    path: a file, a folder or an archive (see `containers`). A hand that is yielded has been replayed through
    the rules and ends with the stacks that its file states. Memory does not grow with the files.
    """
    for file in hand_files(path):
        if isinstance(file, HandFault):
            yield file
        else:
            yield from read_file(file)


def read_records(path: str | Path) -> Iterator[HandRecord | HandFault]:
    """Yield the records of every hand at `path`: of PHH files alone where there are any, else of sites."""
    place, found = Path(path), False
    if place.name.endswith(PHH_ENDINGS) or place.is_dir() or not place.exists():
        try:
            for record in read_hands(place):
                found = True
                yield record
        except ArtefactError:
            if not place.is_dir():
                raise
    if not found:
        for hand in read_played(place):
            yield hand if isinstance(hand, HandFault) else hand.record


def read_file(file: HandFile, line: int = 1, whole: bool = True) -> Iterator[PlayedHand | HandFault]:
    """Yield the hands of one open file.

    line: the number of its first line. whole: no part of a file, so that it is a fault if it holds no hand.
    """
    head = file.stream.read(_PEEK)
    file.stream.seek(0)
    if file.source.endswith((".phh", ".phhs")) or _PHH.search(head):
        yield from _read_phh(file)
        return
    number = 0
    try:
        if LOG.search(head):
            yield from read_log(text_lines(file.stream), file.source, line)
            return
        for text in hand_texts(file.stream, line):
            number += 1
            yield read_hand(text, file.source)
    except DAMAGE as error:
        yield HandFault(Place(file.source), f"is damaged ({short(error, 200)}); the rest cannot be read")
        return
    if whole and not number:
        yield HandFault(
            Place(file.source),
            "holds no hand of PokerStars, GGPoker, Winamax, the ACPC or PHH",
        )


def read_hand(text: HandText, source: str) -> PlayedHand | HandFault:
    """Return one hand of a site, replayed and found to end as its file states, or why not."""
    number = text.header["number"]
    try:
        told = text.reader(text.header, text.line)
        number = told.number
        read_lines(told, text.lines, text.line + 1)
        if told.site == "winamax":
            told.tournament = tournament_of(told.table) if told.format != "cash" else ""
            if "expresso" in told.table.lower():
                told.format = "expresso"
        hand = build(told, source)
        result = replay(hand.record)
    except HandError as error:
        return HandFault(Place(source, number, error.line), str(error), error.unsupported)
    except HistoryError as error:
        return error.fault
    if not result.agrees:
        return HandFault(
            hand.place, f"the rules end with {result.stacks}, the file with {hand.record.finishing_stacks}"
        )
    return hand


def _read_phh(file: HandFile) -> Iterator[PlayedHand | HandFault]:
    content = file.stream.read(_MOST_BYTES + 1)
    if len(content) > _MOST_BYTES:
        yield HandFault(Place(file.source), f"more than {_MOST_BYTES:,} bytes are too many for a PHH file")
        return
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        yield HandFault(Place(file.source, "", line), "is not text (UTF-8)")
        return
    for hand in read_text(text, file.source):
        yield hand if isinstance(hand, HandFault) else _of_record(hand)


def _of_record(record: HandRecord) -> PlayedHand | HandFault:
    """Return the hand of a PHH record; its number is made from what it tells, as PHH has no such number."""
    try:
        result = replay(record)
    except HistoryError as error:
        return error.fault
    if result.agrees is False:
        return HandFault(
            record.place,
            f"the rules end with {result.stacks}, the file with {record.finishing_stacks}",
        )
    start, final = record.starting_stacks, result.final
    won = tuple(
        after - before + put for before, after, put in zip(start, result.stacks, final.put_in, strict=True)
    )
    return PlayedHand(
        record=record,
        site="phh",
        number=hashlib.sha256(write_hand(record).encode()).hexdigest()[:16],
        place=record.place,
        played=None,
        format="cash",
        table=str(record.other.get("table", "")),
        tournament="",
        currency=str(record.other.get("currency", "")),
        unit=record.unit,
        players=record.players,
        hero=None,
        won=won,
        rake=0,
    )
