"""GGPoker: the form of PokerStars with a header of its own; others have names for a session alone."""

from __future__ import annotations

import re

from overbet.interfaces.history.sites.headers import read_acpc_game
from overbet.interfaces.history.sites.told import ToldHand

HEADER = re.compile(r"Poker Hand #(?P<number>[A-Z]{1,4}\d+):\s*(?P<rest>.*)")
_TOURNAMENT = re.compile(r"Tournament #(\d+), ?(.*)")


def read_header(found: re.Match[str], line: int) -> ToldHand:
    """Return the hand that a header begins."""
    hand = ToldHand("ggpoker", found["number"], line)
    rest = found["rest"]
    tournament = _TOURNAMENT.search(rest)
    if tournament:
        hand.format, hand.tournament = "tournament", tournament[1]
        rest = tournament[2]
    read_acpc_game(hand, rest)
    if found["number"].startswith("AF"):
        hand.note("all-in or fold")
    return hand
