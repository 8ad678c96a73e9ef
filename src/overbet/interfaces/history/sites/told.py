"""What the lines of one hand tell, in the words of no site: seats, posts, actions, boards, winnings.

Amounts are hundredths. Every reader of a site fills one `ToldHand`; `build` makes the record of it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from overbet.interfaces.history.played_hand import Format, Site

Post = Literal["ante", "small", "big", "both", "straddle", "dead"]
Verb = Literal["fold", "check", "call", "bet", "raise"]


class HandError(ValueError):
    """A hand that cannot be read; `line` is where, counted within the file."""

    def __init__(self, reason: str, line: int, unsupported: bool = False) -> None:
        super().__init__(reason)
        self.line = line
        self.unsupported = unsupported


@dataclass(slots=True)
class ToldStep:
    """One action or one card: `verb` of `name`, or the board that lies from now on (`cards`)."""

    line: int
    name: str = ""
    verb: Verb | None = None
    chips: int = 0  # what a call or bet adds, what a raise is to
    cards: str = ""
    preflop: bool = False


@dataclass(slots=True)
class ToldHand:
    """seats: by number (name, stack). out: names that are not dealt in unless they act. posts, steps: in the
    order of the file. boards: further boards by run (2, 3, ...). shown: cards by name, one or two. won: from
    the pots, as the lines tell it; unnamed: winnings whose name is not at the table; summed: winnings by seat
    of the summary. returned: uncalled bets. cashed: what players had instead of their pots. beside: premiums
    and pay-outs of insurance. fees: what the house took, None where it is not said; added: what it gave.
    """

    site: Site
    number: str
    line: int
    small: int = 0
    big: int = 0
    format: Format = "cash"
    played: datetime | None = None
    table: str = ""
    tournament: str = ""
    currency: str = ""
    button: int | None = None
    seats: dict[int, tuple[str, int]] = field(default_factory=dict)
    names: set[str] = field(default_factory=set)
    dealt: list[str] = field(default_factory=list)
    posts: list[tuple[str, Post, int, int]] = field(default_factory=list)
    steps: list[ToldStep] = field(default_factory=list)
    board: str = ""
    boards: dict[int, str] = field(default_factory=dict)
    shown: dict[str, str] = field(default_factory=dict)
    won: dict[str, int] = field(default_factory=dict)
    unnamed: int = 0
    summed: dict[int, int] = field(default_factory=dict)
    returned: dict[str, int] = field(default_factory=dict)
    cashed: dict[str, int] = field(default_factory=dict)
    beside: dict[str, int] = field(default_factory=dict)
    fees: int | None = None
    added: int = 0
    ended: bool = False  # the summary was reached
    notes: list[str] = field(default_factory=list)

    def note(self, words: str) -> None:
        """Remember that something was out of the ordinary."""
        if words not in self.notes:
            self.notes.append(words)
