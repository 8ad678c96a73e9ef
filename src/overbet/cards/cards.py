"""Cards: ints 0..51 = 4 * rank + suit; ranks 2..A are 0..12, suits c d h s are 0..3."""

from __future__ import annotations

import re
from collections.abc import Iterable

from overbet.errors import CardError, quoted

RANKS = "23456789TJQKA"
SUITS = "cdhs"
DECK = 52
_TEN = re.compile(f"10(?=[{SUITS}])", re.IGNORECASE)


def card(text: str) -> int:
    """Return the card named by two characters such as `Ah` or `td`; a ten may be written `10d` too."""
    text = _TEN.sub("T", text)
    if len(text) == 2:
        rank, suit = RANKS.find(text[0].upper()), SUITS.find(text[1].lower())
        if rank >= 0 and suit >= 0:
            return 4 * rank + suit
    raise CardError(
        f"{quoted(text)} is not a card; write a rank of {RANKS} and a suit of {SUITS}, such as Ah"
    )


def card_name(index: int) -> str:
    """Return the two characters of a card."""
    if not 0 <= index < DECK:
        raise CardError(f"{quoted(index)} is not a card; cards are 0 (2c) to 51 (As)")
    return RANKS[index >> 2] + SUITS[index & 3]


def rank_of(index: int) -> int:
    """Return the rank 0 (deuce) to 12 (ace)."""
    return index >> 2


def suit_of(index: int) -> int:
    """Return the suit: 0 clubs, 1 diamonds, 2 hearts, 3 spades."""
    return index & 3


def cards(text: str | Iterable[int]) -> tuple[int, ...]:
    """Return the cards of a text such as `Td9d6h`, `Td 9d 6h` or `10d,9d,6h`; a repeated card is an error.

    Card numbers pass through after the same checks.
    """
    if isinstance(text, str):
        bare = _TEN.sub("T", text.replace(" ", "").replace(",", ""))
        if len(bare) % 2:
            raise CardError(
                f"{quoted(text)} is not a list of cards; write two characters a card, such as Td9d6h"
            )
        found = tuple(card(bare[i : i + 2]) for i in range(0, len(bare), 2))
    else:
        try:
            found = tuple(int(index) for index in text)
        except (TypeError, ValueError, OverflowError):
            raise CardError(f"{quoted(text)} is not a list of cards; write them such as Td9d6h") from None
        for index in found:
            card_name(index)
    check_distinct(found)
    return found


def board(text: str | Iterable[int]) -> tuple[int, ...]:
    """Return a board of 0, 3, 4 or 5 distinct cards, in the order written."""
    found = cards(text)
    if len(found) not in (0, 3, 4, 5):
        raise CardError(f"a board has 0, 3, 4 or 5 cards; {quoted(cards_name(found))} has {len(found)}")
    return found


def cards_name(indices: Iterable[int]) -> str:
    """Return the cards' names run together, such as `Td9d6h`."""
    return "".join(card_name(index) for index in indices)


def check_distinct(indices: Iterable[int]) -> None:
    """Raise a `CardError` that names the first card that appears twice."""
    seen: set[int] = set()
    for index in indices:
        if index in seen:
            raise CardError(f"{card_name(index)} appears twice")
        seen.add(index)
