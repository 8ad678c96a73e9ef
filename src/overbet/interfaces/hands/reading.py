"""The one place where the database gets hands from, and what PHH files that it wrote itself say besides.

A hand of a PHH file has no number of its own. It is named by a digest of its text, or, where it came out of
a database, by the name it had there (`_overbet_hand`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import UTC, date, datetime, time
from pathlib import Path
from typing import cast, get_args

from overbet.interfaces.history.played import read_played as _read
from overbet.interfaces.history.played_hand import Format, PlayedHand, Site
from overbet.interfaces.history.record import HandFault, HandRecord

OWN_NAME = "_overbet_hand"  # site:number in a PHH file that was exported
OWN_HERO, OWN_FORMAT = "_overbet_hero", "_overbet_format"
OWN_RAKE, OWN_NOTES = "_overbet_rake", "_overbet_notes"
_DEALT = re.compile(r"d\s+dh\s+p(\d{1,3})\s+([2-9TJQKA][cdhs][2-9TJQKA][cdhs])")


def read_played(path: str | Path) -> Iterator[PlayedHand | HandFault]:
    """Yield every hand at `path` and a fault for each that is left out; exported hands are as they were."""
    for hand in _read(path):
        yield hand if isinstance(hand, HandFault) or hand.site != "phh" else _as_exported(hand)


def _as_exported(hand: PlayedHand) -> PlayedHand:
    """Return a hand of a PHH file with what the file says of it besides the record."""
    other = hand.record.other
    site, _, number = str(other.get(OWN_NAME, "")).partition(":")
    named = site in get_args(Site) and number
    form = str(other.get(OWN_FORMAT, ""))
    return replace(
        hand,
        site=cast(Site, site) if named else hand.site,
        number=number if named else hand.number,
        played=hand.played or _played_at(other),
        format=cast(Format, form) if form in get_args(Format) else hand.format,
        tournament=hand.tournament or str(other.get("event", "")),
        hero=_hero(hand.record) if hand.hero is None else hand.hero,
        rake=_whole(other.get(OWN_RAKE), hand.rake),
        notes=hand.notes or tuple(filter(None, str(other.get(OWN_NOTES, "")).split("; "))),
    )


def _whole(value: object, otherwise: int) -> int:
    return value if isinstance(value, int) and 0 <= value < 1 << 60 else otherwise


def _hero(record: HandRecord) -> int | None:
    """Return who looked on: the player named so, or the only one of several whose cards were dealt open."""
    named = record.other.get(OWN_HERO)
    if isinstance(named, int) and 1 <= named <= len(record.starting_stacks):
        return named - 1
    found = [match for match in map(_DEALT.match, record.actions) if match]
    hidden = any(action.startswith("d dh") and "?" in action for action in record.actions)
    return int(found[0][1]) - 1 if len(found) == 1 and hidden else None


def _played_at(values: Mapping[str, object]) -> datetime | None:
    year, month, day = (values.get(name) for name in ("year", "month", "day"))
    if not (isinstance(year, int) and isinstance(month, int) and isinstance(day, int)):
        return None
    clock = values.get("time")
    try:
        return datetime.combine(date(year, month, day), clock if isinstance(clock, time) else time(), UTC)
    except (ValueError, OverflowError):
        return None
