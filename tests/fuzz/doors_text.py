"""Doors for texts: ranges, cards, spots, overrides, lines."""

from __future__ import annotations

import random
from pathlib import Path

from overbet.cards.range import Range
from tests.fuzz.door import Door, WrongError
from tests.fuzz.grammar import mutated_text, odd_number, odd_text

RANGES = (
    "22+,A2s+,KTs+,QJs,AJo+,KQo",
    "QQ-22,AQs-A2s,ATo+,T9s:0.5,65s:0.25",
    "AhKh,AsKs,random",
    "[50]22+,AK[/50],QQ",
)
_RANKS, _SUITS = "AKQJT98765432", "shdc"


def odd_range(rng: random.Random) -> str:
    """Return a range text, or what looks like one."""
    if rng.random() < 0.4:
        return mutated_text(rng, rng.choice(RANGES))
    parts = []
    for _ in range(rng.choice((1, 2, 3, 8, 40))):
        one, two = rng.choice(_RANKS), rng.choice(_RANKS)
        hand = rng.choice(
            (
                f"{one}{two}{rng.choice(('', 's', 'o', 'x'))}",
                f"{one}{rng.choice(_SUITS)}{two}{rng.choice(_SUITS)}",
                one,
            )
        )
        if rng.random() < 0.3:
            hand += rng.choice(("+", "-", f"-{rng.choice(_RANKS)}{rng.choice(_RANKS)}s", "++"))
        if rng.random() < 0.3:
            hand += f":{odd_number(rng)}"
        parts.append(hand if rng.random() < 0.9 else odd_text(rng))
    return rng.choice((",", ", ", " ", "\n", ";")).join(parts)


class RangeDoor(Door):
    """Range texts."""

    name = "range"

    def prepare(self, folder: Path) -> None:
        """Read a good one."""
        self.run(RANGES[0])

    def make(self, rng: random.Random) -> str:
        """Return a range text."""
        return odd_range(rng)

    def run(self, given: str) -> None:
        """Read it, and read again what it is written as."""
        found = Range.parse(given)
        if Range.parse(str(found)) != found:
            raise WrongError(f"{str(found)[:200]!r} is not the range it was written from")


DOORS = (RangeDoor,)
