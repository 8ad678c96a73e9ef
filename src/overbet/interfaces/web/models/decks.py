"""The shapes of decks."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, FiniteFloat

from overbet.interfaces.decks.store import MOST_NAME
from overbet.interfaces.web.models.solving import Model
from overbet.study.scheduling import LEAST_RETENTION, MOST_NEW, MOST_RETENTION


class DeckShown(Model):
    """A deck. due: cards to ask now; new: never asked; next_due: ISO 8601 in UTC; damaged: passed over."""

    id: str
    name: str
    cards: int
    due: int
    new: int
    next_due: str | None
    retention: float
    new_a_day: int
    damaged: int


class Decks(Model):
    """All decks. reviewed: whether any decision of the hands was reviewed, so that a deck can be made."""

    decks: list[DeckShown]
    reviewed: bool


class NewDeck(Model):
    """A deck to make, or to add to. source: the review of the hands, or the mistakes of the drill."""

    name: Annotated[str, Field(min_length=1, max_length=MOST_NAME)]
    source: Literal["hands", "drill"] = "hands"
    filter: Annotated[str, Field(max_length=1000)] = ""
    player: Annotated[str, Field(max_length=200)] | None = None
    least_loss_bb: Annotated[FiniteFloat, Field(ge=0, le=1e6)] = 0.0
    retention: Annotated[FiniteFloat, Field(ge=LEAST_RETENTION, le=MOST_RETENTION)] | None = None
    new_a_day: Annotated[int, Field(ge=0, le=MOST_NEW)] | None = None


class DeckMadeShown(Model):
    """What came of it: new cards, cards priced anew, cards as they were, mistakes that cannot be shown."""

    deck: DeckShown
    new: int
    updated: int
    same: int
    left_out: int
