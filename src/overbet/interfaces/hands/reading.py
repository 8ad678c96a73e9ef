"""Hands of PHH files as hands that were played: what a site's reader gives for a site's own files.

A hand of a PHH file has no number of its own. It is named by a digest of its text, or, where it came out of
a database, by the name it had there (`_overbet_hand`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, date, datetime, time
from hashlib import blake2b
from pathlib import Path
from typing import cast, get_args

from overbet.interfaces.history.phh_writer import write_hand
from overbet.interfaces.history.played_hand import Format, PlayedHand, Site
from overbet.interfaces.history.record import HandFault, HandRecord, HistoryError
from overbet.interfaces.history.replay import states
from overbet.interfaces.history.sources import read_hands

OWN_NAME = "_overbet_hand"  # site:number in a PHH file that was exported
OWN_HERO = "_overbet_hero"
_DEALT = re.compile(r"d\s+dh\s+p(\d{1,3})\s+([2-9TJQKA][cdhs][2-9TJQKA][cdhs])")


def read_played(path: str | Path) -> Iterator[PlayedHand | HandFault]:
    """Yield every hand at `path`, and a fault for each that cannot be read or replayed."""
    for hand in read_hands(path):
        if isinstance(hand, HandFault):
            yield hand
            continue
        try:
            yield _played(hand)
        except HistoryError as error:
            yield error.fault


def _played(record: HandRecord) -> PlayedHand:
    *_, final = states(record)
    finishing = record.finishing_stacks or final.stacks
    put_in = final.put_in
    won = tuple(
        after - before + chips for after, before, chips in zip(finishing, record.starting_stacks, put_in)
    )
    other = record.other
    site, _, number = str(other.get(OWN_NAME, "")).partition(":")
    if site not in get_args(Site) or not number:
        site, number = "phh", blake2b(write_hand(record).encode(), digest_size=10).hexdigest()
    format_ = str(other.get("_overbet_format", "cash"))
    return PlayedHand(
        record=record,
        site=cast(Site, site),
        number=number,
        place=record.place,
        played=_played_at(other),
        format=cast(Format, format_ if format_ in get_args(Format) else "cash"),
        table=str(other.get("table", "")),
        tournament=str(other.get("event", "")),
        currency=str(other.get("currency", "")),
        unit=record.unit,
        players=record.players,
        hero=_hero(record),
        won=won,
        rake=max(final.pot - sum(won), 0),
    )


def _hero(record: HandRecord) -> int | None:
    """Return who looked on: the player named so, or the only one of several whose cards were dealt open."""
    named = record.other.get(OWN_HERO)
    if isinstance(named, int) and 1 <= named <= len(record.starting_stacks):
        return named - 1
    found = [match for match in map(_DEALT.match, record.actions) if match]
    hidden = any(action.startswith("d dh") and "?" in action for action in record.actions)
    return int(found[0][1]) - 1 if len(found) == 1 and hidden else None


def _played_at(other: object) -> datetime | None:
    values = cast(dict[str, object], other)
    year, month, day = (values.get(name) for name in ("year", "month", "day"))
    if not (isinstance(year, int) and isinstance(month, int) and isinstance(day, int)):
        return None
    clock = values.get("time")
    try:
        return datetime.combine(date(year, month, day), clock if isinstance(clock, time) else time(), UTC)
    except (ValueError, OverflowError):
        return None
