"""Winamax: cash games, tournaments and Expresso."""

from __future__ import annotations

import re

from overbet.interfaces.history.sites.headers import read_acpc_game
from overbet.interfaces.history.sites.told import ToldHand

HEADER = re.compile(
    r"Winamax Poker - (?P<kind>.*?)\s*(?:- )?HandId: #(?P<number>\d+(?:-\d+)*)\s*-\s*(?P<rest>.*)"
)
_TABLE_NUMBER = re.compile(r"\((\d+)\)#\d+")


def read_header(found: re.Match[str], line: int) -> ToldHand:
    """Return the hand that a header begins."""
    hand = ToldHand("winamax", found["number"], line)
    kind = found["kind"]
    if "Tournament" in kind or "buyIn" in kind or "Expresso" in kind:
        hand.format = "expresso" if "expresso" in kind.lower() else "tournament"
    read_acpc_game(hand, found["rest"])
    return hand


def tournament_of(table: str) -> str:
    """Return the number of the tournament, which Winamax writes in the name of the table alone."""
    found = _TABLE_NUMBER.search(table)
    return found[1] if found else ""
