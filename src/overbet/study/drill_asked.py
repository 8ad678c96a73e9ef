"""A question of the drill that waits for its answer, and how long one is looked for."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count
from typing import TYPE_CHECKING, Any

from overbet.study.drill_kinds import DrillKind
from overbet.study.errors import NotNowError

if TYPE_CHECKING:
    from overbet.agents.compiled import CompiledAgent
    from overbet.games.holdem_state import HoldemState
    from overbet.study.deck_cards import DeckCard

_TRIES = 40
_SECONDS = 4.0  # for which hands are dealt until one of the wanted kind comes


@dataclass
class Asked:
    """A question that waits for its answer. shown: what the person sees; the rest is for the verdict.

    shares, evs: by action, in the order of shown["actions"]; evs in chips, None where they are found when it
    is answered. pot, accuracy: in chips. kind: what the decision is about. mistake: the id of the mistake
    that is asked again, None where it is new. card, deck: the card it is and the deck's number, of a deck.
    """

    id: str
    shown: dict[str, Any]
    link: dict[str, Any]
    pot: float
    accuracy: float
    shares: list[float]
    evs: list[float | None]
    hand: tuple[HoldemState, int, CompiledAgent, int, int] | None = None
    kind: DrillKind = field(default_factory=DrillKind)
    mistake: str | None = None
    card: DeckCard | None = None
    deck: int | None = None


def tries() -> Iterator[None]:
    """Yield while it is worth dealing another hand: some at least, then until the time is up."""
    end = time.monotonic() + _SECONDS
    for number in count():
        if number >= _TRIES and time.monotonic() > end:
            return
        yield


def nothing_came(wanted: DrillKind) -> NotNowError:
    return NotNowError(f"no decision came up {wanted.words()}; choose something wider".replace("  ", " "))
