"""One hand that people played, as a site's history tells it: the hand itself, and who, where and when.

`record` is what can be replayed; the players of the record are numbered from the left of the button, as in
`games.holdem` (with two players the button is player 0 of the record's order of blinds, see `record`).
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from overbet.interfaces.history.record import HandRecord, Place

Site = Literal["pokerstars", "ggpoker", "winamax", "phh", "acpc"]
Format = Literal["cash", "tournament", "expresso"]


@dataclass(frozen=True, slots=True)
class PlayedHand:
    """record: the hand, chips whole. site, number: together they name the hand; two readings of one hand
    have the same. place: where it was read. played: when, without a zone: in UTC where the site names its
    zone, otherwise as the site wrote it, None where it is not said. format: what was played. table: the
    site's name of it; tournament: its number, "" for cash games. currency: such as "EUR", "USD", "" for
    chips. unit: chips of the record in one of the currency (1 for tournament chips). players: names by
    player of the record; hero: who looked on, None where nobody did. won: chips that each collected, by
    player, cash-outs included. rake: chips the house took, less what it added to the pot. notes: what was
    out of the ordinary, in words (`run it twice`, `cashed out`, `straddle`).
    """

    record: HandRecord
    site: Site
    number: str
    place: Place
    played: datetime | None
    format: Format
    table: str
    tournament: str
    currency: str
    unit: int
    players: tuple[str, ...]
    hero: int | None
    won: tuple[int, ...]
    rake: int
    notes: tuple[str, ...] = ()
