"""PokerStars, and the programs and sites that write its form (Full Tilt, Run It Once, exports)."""

from __future__ import annotations

import re

from overbet.interfaces.history.sites.headers import read_acpc_game
from overbet.interfaces.history.sites.told import ToldHand

HEADER = re.compile(
    r"(?P<brand>PokerStars|POKERSTARS|Full ?Tilt|Run It Once|PokerMaster|[A-Z][\w.' -]{0,30}?)"
    r"(?: Poker)?(?: (?:Zoom|Rush|Home Game))* (?:Hand|Game|HAND|GAME) #(?P<number>\d+):\s*(?P<rest>.*)"
)
_TOURNAMENT = re.compile(r"Tournament #(\d+), ?(.*)")


def read_header(found: re.Match[str], line: int) -> ToldHand:
    """Return the hand that a header begins."""
    brand = found["brand"]
    number = found["number"] if brand.lower() == "pokerstars" else f"{brand} {found['number']}"
    hand = ToldHand("pokerstars", number, line)
    rest = found["rest"]
    tournament = _TOURNAMENT.search(rest)
    if tournament:
        hand.format, hand.tournament = "tournament", tournament[1]
        rest = tournament[2]
    read_acpc_game(hand, rest)
    if brand.lower() != "pokerstars":
        hand.note(f"from {brand}")
    return hand
