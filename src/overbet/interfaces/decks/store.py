"""The decks of a data folder: adding cards, drawing what is due, keeping answers.

decks = DeckStore()
deck = decks.make("3-bet pots")
decks.add(deck, cards)               # a card that is there already keeps its schedule
drawn = decks.draw(deck)             # what is due, None where nothing is
decks.answer(drawn.deck, drawn.card, "c")   # the verdict, and when it is asked again
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from overbet.errors import ConfigError, OverbetError, quoted, short
from overbet.files import data_folder
from overbet.interfaces.decks import schema
from overbet.study.deck_cards import DeckCard, card_verdict
from overbet.study.mistakes import RIGHT
from overbet.study.scheduling import (
    DAY,
    LEAST_RETENTION,
    MOST_NEW,
    MOST_RETENTION,
    NEW_A_DAY,
    RETENTION,
    CardSchedule,
    rated,
    rating_of,
    scheduler_of,
)

MOST_NAME = 60  # characters
_ROW = "deck, key, card, schedule, put_off, first, asked, correct"


class NoDeckError(OverbetError, LookupError):
    """A deck that is not there."""


@dataclass(frozen=True, slots=True)
class DrillDeck:
    """A deck. retention: how likely a card is still known when it is due; new_a_day: new cards a day."""

    id: int
    name: str
    created: int
    retention: float
    new_a_day: int


@dataclass(frozen=True, slots=True)
class KeptCard:
    """A card in a deck. due: when it is asked, seconds since 1970. asked, correct: answers so far."""

    deck: int
    key: str
    card: DeckCard
    schedule: CardSchedule
    due: int
    first: int | None
    asked: int
    correct: int


@dataclass(frozen=True, slots=True)
class DeckStanding:
    """How a deck stands: cards that can be asked, never asked, to be asked now, and when the next one is.

    due: asked before and due again; new_now: new ones that today still takes. next_due: None without cards.
    damaged: cards that cannot be read and are passed over.
    """

    deck: DrillDeck
    cards: int
    new: int
    due: int
    new_now: int
    next_due: int | None
    damaged: int

    @property
    def now(self) -> int:
        """How many are to be asked now."""
        return self.due + self.new_now


class CardsAdded(NamedTuple):
    """What adding cards did: new ones, ones priced anew, ones that were the same."""

    new: int
    updated: int
    same: int


class DeckAnswer(NamedTuple):
    """An answer. found: the verdict, as `drill.verdict` has it; due: when it is asked again, None: never."""

    found: dict[str, Any]
    loss_bb: float
    due: int | None


class DeckStore:
    """The decks of a folder. fuzz: FSRS varies days a little. clock: seconds since 1970."""

    def __init__(
        self,
        folder: str | Path | None = None,
        *,
        fuzz: bool = True,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self.path = (Path(folder) if folder is not None else data_folder()) / schema.NAME
        self.fuzz = fuzz
        self._clock = clock

    def now(self) -> int:
        """Return the time in seconds since 1970."""
        return int(self._clock())

    # decks

    def decks(self) -> list[DrillDeck]:
        """Return all decks, by name."""
        with schema.read(self.path) as connection:
            return [] if connection is None else _decks(connection)

    def deck(self, name: str | int) -> DrillDeck:
        """Return a deck by its name, or by its number."""
        found = self.decks()
        for deck in found:
            if deck.id == name or (isinstance(name, str) and deck.name.casefold() == name.strip().casefold()):
                return deck
        if not found:
            raise NoDeckError("there is no deck yet; make one with `overbet decks make NAME`")
        names = ", ".join(short(deck.name, 40) for deck in found[:10])
        raise NoDeckError(f"there is no deck {quoted(name)}; there are {names}")

    def make(self, name: str, retention: float | None = None, new_a_day: int | None = None) -> DrillDeck:
        """Return the deck of a name, a new one where there is none; settings that are given are kept."""
        name = checked_name(name)
        if retention is not None and not LEAST_RETENTION <= retention <= MOST_RETENTION:
            raise ConfigError(f"the retention is from {LEAST_RETENTION:g} to {MOST_RETENTION:g}")
        if new_a_day is not None and not 0 <= new_a_day <= MOST_NEW:
            raise ConfigError(f"new cards a day are from 0 to {MOST_NEW}")
        with schema.opened(self.path) as connection:
            connection.execute(
                "INSERT OR IGNORE INTO decks (name, created, retention, new_a_day) VALUES (?, ?, ?, ?)",
                (name, self.now(), RETENTION, NEW_A_DAY),
            )
            for column, value in (("retention", retention), ("new_a_day", new_a_day)):
                if value is not None:
                    connection.execute(f"UPDATE decks SET {column} = ? WHERE name = ?", (value, name))
            return next(deck for deck in _decks(connection) if deck.name.casefold() == name.casefold())

    def delete(self, deck: DrillDeck) -> None:
        """Delete a deck with its cards and answers."""
        with schema.opened(self.path) as connection:
            for table, column in (("answers", "deck"), ("cards", "deck"), ("decks", "id")):
                connection.execute(f"DELETE FROM {table} WHERE {column} = ?", (deck.id,))

    # cards

    def add(self, deck: DrillDeck, cards: Iterable[DeckCard]) -> CardsAdded:
        """Add cards; one that is there is brought up to date and keeps its schedule."""
        new = updated = same = 0
        wanted = [(card.key, card.model_dump_json()) for card in cards]
        with schema.opened(self.path) as connection:
            if not connection.execute("SELECT 1 FROM decks WHERE id = ?", (deck.id,)).fetchone():
                raise NoDeckError(f"the deck {quoted(deck.name)} was deleted meanwhile")
            for key, text in wanted:
                row = connection.execute(
                    "SELECT card FROM cards WHERE deck = ? AND key = ?", (deck.id, key)
                ).fetchone()
                if row is None:
                    empty = CardSchedule(due=self.now()).model_dump_json()
                    connection.execute(
                        "INSERT INTO cards (deck, key, card, schedule) VALUES (?, ?, ?, ?)",
                        (deck.id, key, text, empty),
                    )
                    new += 1
                elif row[0] == text:
                    same += 1
                else:
                    connection.execute(
                        "UPDATE cards SET card = ? WHERE deck = ? AND key = ?", (text, deck.id, key)
                    )
                    updated += 1
        return CardsAdded(new, updated, same)

    def remove(self, deck: DrillDeck, key: str) -> bool:
        """Take a card out of a deck; return whether it was there."""
        with schema.opened(self.path) as connection:
            connection.execute("DELETE FROM answers WHERE deck = ? AND key = ?", (deck.id, key))
            found = connection.execute("DELETE FROM cards WHERE deck = ? AND key = ?", (deck.id, key))
            return found.rowcount > 0

    def cards(self, deck: DrillDeck) -> list[KeptCard]:
        """Return the cards of a deck that can be read, in the order in which they are asked."""
        return self._cards(deck)[0]

    def _cards(self, deck: DrillDeck) -> tuple[list[KeptCard], int]:
        """Return the cards that can be read, and how many cannot."""
        with schema.read(self.path) as connection:
            query = f"SELECT {_ROW} FROM cards WHERE deck = ?"
            rows = [] if connection is None else connection.execute(query, (deck.id,)).fetchall()
        found = [card for card in map(_kept, rows) if card is not None]
        return sorted(found, key=_order), len(rows) - len(found)

    def standing(self, deck: DrillDeck) -> DeckStanding:
        """Return how a deck stands now."""
        cards, damaged = self._cards(deck)
        return _standing(deck, cards, damaged, self.now())

    def draw(
        self, decks: DrillDeck | Iterable[DrillDeck], but: Iterable[tuple[int, str]] = ()
    ) -> KeptCard | None:
        """Return the card to ask now: what is longest due, then new ones, the most expensive first.

        but: deck and key of cards to leave out.
        """
        now, left_out, found = self.now(), {*but}, list[KeptCard]()
        for deck in [decks] if isinstance(decks, DrillDeck) else decks:
            cards, _ = self._cards(deck)
            takes = _new_now(deck, cards, now)
            waiting = [card for card in cards if card.due <= now and (card.deck, card.key) not in left_out]
            found += [card for card in waiting if not card.schedule.is_new]
            found += [card for card in waiting if card.schedule.is_new][:takes]
        return min(found, key=_order, default=None)

    def answer(self, deck: int, card: DeckCard, token: str) -> DeckAnswer:
        """Judge an answer and keep it: the schedule is the one on disk, whoever answered last."""
        verdict = card_verdict(card, token)
        loss, now = card.in_blinds(verdict["loss_chips"]), self.now()
        rating = rating_of(verdict["grade"])
        with schema.opened(self.path) as connection:
            row = connection.execute(
                f"SELECT {_ROW} FROM cards WHERE deck = ? AND key = ?", (deck, card.key)
            ).fetchone()
            kept = None if row is None else _kept(row)
            if kept is None:
                return DeckAnswer(verdict, loss, None)
            (retention,) = connection.execute("SELECT retention FROM decks WHERE id = ?", (deck,)).fetchone()
            schedule, put_off = kept.schedule, 0
            if rating is None:
                put_off = now + DAY  # nothing was learned of the memory: it waits a day
            else:
                scheduler = scheduler_of(retention, fuzz=self.fuzz)
                at = max(now, schedule.last_review or 0)  # a clock that was set back
                schedule = rated(schedule, rating, at, scheduler)
            due = max(schedule.due, put_off)
            connection.execute(
                "UPDATE cards SET schedule = ?, put_off = ?, first = ifnull(first, ?), asked = asked + 1, "
                "correct = correct + ? WHERE deck = ? AND key = ?",
                (
                    schedule.model_dump_json(),
                    put_off,
                    now,
                    verdict["grade"] in RIGHT,
                    deck,
                    card.key,
                ),
            )
            connection.execute(
                "INSERT INTO answers (deck, key, at, token, grade, rating, loss_bb, due) "
                "VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                (deck, card.key, now, token, verdict["grade"], rating, loss, due),
            )
        return DeckAnswer(verdict, loss, due)


def checked_name(name: str) -> str:
    """Return the name of a deck without blanks at its ends, or say what is wrong with it."""
    found = " ".join(name.split())
    if not 0 < len(found) <= MOST_NAME or not found.isprintable():
        raise ConfigError(f"a deck's name has 1 to {MOST_NAME} characters")
    return found


def _decks(connection: sqlite3.Connection) -> list[DrillDeck]:
    query = "SELECT id, name, created, retention, new_a_day FROM decks ORDER BY name"
    return [DrillDeck(*row) for row in connection.execute(query)]


def _kept(row: tuple[Any, ...]) -> KeptCard | None:
    """Return the card of a row, None where it is damaged."""
    deck, key, card, schedule, put_off, first, asked, correct = row
    try:
        read = DeckCard.model_validate_json(card)
        times = CardSchedule.model_validate_json(schedule)
        due = max(times.due, int(put_off))
    except (ValueError, TypeError, RecursionError):
        return None
    return KeptCard(deck, key, read, times, due, first, asked, correct) if read.key == key else None


def _order(card: KeptCard) -> tuple[bool, float, str]:
    """Return what cards are sorted by: asked before by when they are due, then new ones by what they cost."""
    new = card.schedule.is_new
    return new, -card.card.in_blinds(card.card.given.loss_chips) if new else card.due, card.key


def _new_now(deck: DrillDeck, cards: Iterable[KeptCard], now: int) -> int:
    """Return how many new cards today (UTC) still takes."""
    today = now - now % DAY
    return max(0, deck.new_a_day - sum(card.first is not None and card.first >= today for card in cards))


def _standing(deck: DrillDeck, cards: list[KeptCard], damaged: int, now: int) -> DeckStanding:
    new = [card for card in cards if card.schedule.is_new]
    known = [card for card in cards if not card.schedule.is_new]
    ready = sum(card.due <= now for card in new)
    new_now = min(ready, _new_now(deck, cards, now))
    times = [card.due for card in known]
    if new_now:
        times.append(now)
    elif new and deck.new_a_day:
        tomorrow = now - now % DAY + DAY
        times.append(min(max(card.due, tomorrow) for card in new))
    return DeckStanding(
        deck=deck,
        cards=len(cards),
        new=len(new),
        due=sum(card.due <= now for card in known),
        new_now=new_now,
        next_due=min(times, default=None),
        damaged=damaged,
    )
