"""The words of the database: what is kept as a small number, and what each number means.

A number is a place in one of these tuples and is written into databases: words are added at the end only,
and any other change is a new version of the schema.
"""

from __future__ import annotations

from overbet.study.decision_lines import FACING as FACING
from overbet.study.decision_lines import KINDS, STREET_NAMES

SITES = ("pokerstars", "ggpoker", "winamax", "phh", "acpc")
FORMATS = ("cash", "tournament", "expresso")
STREETS = STREET_NAMES
POSITIONS = ("SB", "BB", "UTG", "UTG+1", "UTG+2", "LJ", "HJ", "CO", "BTN", "UTG+3")
ACTIONS = KINDS
SUITS = ("rainbow", "two-tone", "monotone")
PAIRING = ("unpaired", "paired", "trips")
CONNECTEDNESS = ("connected", "semi-connected", "disconnected")

# What a player did in a hand: bit n of `flags` is word n. The filter knows each of them by its name.
LINE_WORDS: dict[str, str] = {
    "vpip": "put chips in before the flop by choice",
    "pfr": "raised before the flop",
    "open": "made the first raise before the flop, nobody having limped",
    "iso": "made the first raise before the flop after a limp",
    "limp": "called the blind before any raise",
    "flat": "called the first raise before the flop",
    "3bet": "made the second raise before the flop",
    "squeeze": "made the second raise after somebody called the first",
    "4bet": "made the third raise before the flop",
    "5bet": "made the fourth raise before the flop, or a later one",
    "faced3bet": "made the first raise and had to answer a 3-bet",
    "fold3bet": "made the first raise and folded to a 3-bet",
    "cbetchance": "raised last before the flop and could bet the flop first",
    "cbet": "raised last before the flop and bet the flop first",
    "facedcbet": "had to answer such a bet, not yet raised",
    "foldcbet": "folded to such a bet",
    "donk": "bet the flop before the last raiser could act",
    "checkraise": "checked and raised on the same street after the flop",
    "allin": "put in the whole stack",
    "sawflop": "was in the hand when the flop came",
    "sawturn": "was in the hand when the turn came",
    "sawriver": "was in the hand when the river came",
    "showdown": "was in the hand at the showdown",
    "walk": "won the blinds because everybody folded",
}
# what a list leaves out of a line, because the board and other words say it
UNSAID = ("vpip", "pfr", "sawflop", "sawturn", "sawriver", "cbetchance", "facedcbet", "faced3bet")
FLAGS = {word: 1 << number for number, word in enumerate(LINE_WORDS)}


def words_of(flags: int) -> list[str]:
    """Return the line words of a player's flags."""
    return [word for word, bit in FLAGS.items() if flags & bit]


def said_words(flags: int) -> list[str]:
    """Return the line words that a list shows."""
    return [word for word in words_of(flags) if word not in UNSAID]
