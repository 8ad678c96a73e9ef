"""A played hand as the rows that go into the database, made where the hand is read."""

from __future__ import annotations

import datetime
import re
from dataclasses import dataclass, replace

from overbet.interfaces.hands.features import DecisionRow, SeatRow, features
from overbet.interfaces.hands.names import hashed_players, nameless_notes
from overbet.interfaces.hands.reading import OWN_FORMAT, OWN_HERO, OWN_NAME, OWN_NOTES, OWN_RAKE
from overbet.interfaces.hands.record_text import packed_record
from overbet.interfaces.hands.words import FORMATS, SITES
from overbet.interfaces.history.played_hand import PlayedHand
from overbet.interfaces.history.record import HandFault, HandRecord

# fields of PHH that say nothing about persons
_IMPERSONAL = ("hand", "level", "seats", "seat_count", "currency", "currency_symbol", "time_zone", OWN_NAME)
_GAME = re.compile(r"^(.*?)(?: \([^)]*\))?(?: is not .*| cannot .*|; .*)?$")


@dataclass(frozen=True, slots=True)
class HandRows:
    """One hand. `facts` has the columns of `hands` after `id`, `file`, `table_name`, `tournament`."""

    facts: tuple[object, ...]
    table: str
    tournament: str
    names: tuple[str, ...]
    seats: tuple[SeatRow, ...]
    decisions: tuple[DecisionRow, ...]


FACTS = (
    "site, number, line, played, format, currency, unit, small_blind, big_blind, players, hero, pot, rake, "
    "board, texture, flop_players, preflop_raises, notes, record"
)


def hand_rows(hand: PlayedHand, key: bytes | None) -> HandRows:
    """Return the rows of a hand; with a key, names are hashed. `HistoryError` where it cannot be replayed."""
    found = features(hand)
    names = hand.players
    if key is not None:
        names = hashed_players(hand.players, hand.hero, key)
        hand = replace(hand, notes=nameless_notes(hand.notes, hand.players))
    played = None if hand.played is None else _seconds(hand.played)
    facts = (
        SITES.index(hand.site),
        hand.number,
        hand.place.line,
        played,
        FORMATS.index(hand.format),
        hand.currency,
        hand.unit,
        found.small_blind,
        found.big_blind,
        len(names),
        hand.hero,
        found.pot,
        hand.rake,
        found.board,
        found.texture,
        found.flop_players,
        found.preflop_raises,
        "; ".join(hand.notes),
        packed_record(_kept(hand, names, key is not None)),
    )
    return HandRows(facts, hand.table, hand.tournament, names, found.seats, found.decisions)


def game_of_fault(fault: HandFault) -> str:
    """Return the name of the other game a hand was of, as the reader's words begin with it; else ""."""
    if not fault.unsupported:
        return ""
    match = _GAME.match(fault.reason)
    return (match[1] if match else fault.reason) or "another game"


def _seconds(when: datetime.datetime) -> int:
    """Return seconds since 1970; a time that says no zone is taken as UTC."""
    return int((when if when.tzinfo else when.replace(tzinfo=datetime.UTC)).timestamp())


def _kept(hand: PlayedHand, names: tuple[str, ...], hashed: bool) -> HandRecord:
    """Return the record with what an exported hand should say of itself."""
    given = hand.record.other
    other = {name: value for name, value in given.items() if not hashed or name in _IMPERSONAL}
    other["players"] = list(names)
    other[OWN_NAME] = f"{hand.site}:{hand.number}"
    other[OWN_FORMAT] = hand.format
    if hand.rake:
        other[OWN_RAKE] = hand.rake
    if hand.notes:
        other[OWN_NOTES] = "; ".join(hand.notes)
    if hand.hero is not None:
        other[OWN_HERO] = hand.hero + 1
    for name, value in (("table", hand.table), ("event", hand.tournament), ("currency", hand.currency)):
        if value:
            other.setdefault(name, value)
    if hand.played is not None:
        other.update(year=hand.played.year, month=hand.played.month, day=hand.played.day)
        other["time"] = hand.played.time().replace(tzinfo=None)
    return replace(hand.record, other=other)
