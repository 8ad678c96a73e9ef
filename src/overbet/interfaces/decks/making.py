"""Filling a deck: from the review of one's hands, or from the mistakes of the drill."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from overbet.errors import ConfigError, OverbetError, short
from overbet.interfaces.decks.store import CardsAdded, DeckStore, DrillDeck
from overbet.interfaces.hands.database import NAME, HandDatabase
from overbet.study.deck_cards import DeckCard, card_of_mistake
from overbet.study.mistakes import MistakeRecord


@dataclass(frozen=True, slots=True)
class DeckSettings:
    """What a deck is to be; None: as it is, or as decks are unless said."""

    retention: float | None = None
    new_a_day: int | None = None


@dataclass(frozen=True, slots=True)
class DeckMade:
    """A deck and what was added. deck: None where nothing was found; left_out: what cannot be shown."""

    deck: DrillDeck | None
    added: CardsAdded
    left_out: int


def deck_of_hands(
    store: DeckStore,
    name: str,
    settings: DeckSettings,
    folder: Path,
    filter: str = "",
    *,
    player: str | None = None,
    least_bb: float = 0.0,
) -> DeckMade:
    """Make a deck of what the review of the hands in a folder found, or add to one; see `cards_of_review`."""
    from overbet.interfaces.decks.from_review import cards_of_review

    if not (folder / NAME).is_file():
        raise ConfigError(f"there are no hands in {short(folder)}; take some in with overbet hands import")
    with HandDatabase(folder) as hands:
        if not _reviewed(hands):
            raise ConfigError("no decision of your hands was reviewed yet; run overbet hands review first")
        found = list(cards_of_review(hands, filter, player=player, least_bb=least_bb))
    return _filled(store, name, settings, found)


def has_reviews(folder: Path) -> bool:
    """Return whether any decision of the hands in a folder was reviewed."""
    if not (folder / NAME).is_file():
        return False
    try:
        with HandDatabase(folder) as hands:
            return _reviewed(hands)
    except OverbetError:  # no database of hands: whoever makes a deck is told
        return False


def _reviewed(hands: HandDatabase) -> bool:
    return bool(hands.connection.execute("SELECT EXISTS (SELECT 1 FROM reviews)").fetchone()[0])


def deck_of_mistakes(
    store: DeckStore, name: str, settings: DeckSettings, mistakes: list[MistakeRecord]
) -> DeckMade:
    """Make a deck of mistakes of the drill, or add to one."""
    return _filled(store, name, settings, [card_of_mistake(one) for one in mistakes])


def _filled(store: DeckStore, name: str, settings: DeckSettings, found: list[DeckCard | None]) -> DeckMade:
    cards = [card for card in found if card is not None]
    left_out = len(found) - len(cards)
    if not cards:  # no empty deck is made
        return DeckMade(None, CardsAdded(0, 0, 0), left_out)
    deck = store.make(name, settings.retention, settings.new_a_day)
    return DeckMade(deck, store.add(deck, cards), left_out)
