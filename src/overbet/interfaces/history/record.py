"""One hand as a PHH file records it (Kim 2024, "Recording and Describing Poker Hands", arXiv:2312.11753).

PHH is TOML: a few fields that set the table and a list of actions such as `d dh p1 AhKh`, `p3 cbr 300`,
`d db Td9d6h`, `p1 sm AhKh`. Its players p1, p2, ... are our players 0, 1, ... . Money with decimals is
kept as whole chips of the largest unit that fits: `unit` chips are one of the file's.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal

from overbet.errors import OverbetError

HOLDEM = "NT"
VARIANTS = {
    "FT": "fixed-limit hold'em",
    "NT": "no-limit hold'em",
    "NS": "no-limit short-deck hold'em",
    "PO": "pot-limit Omaha",
    "FO/8": "fixed-limit Omaha high-low",
    "F7S": "fixed-limit seven-card stud",
    "F7S/8": "fixed-limit seven-card stud high-low",
    "FR": "fixed-limit razz",
    "N2L1D": "no-limit deuce-to-seven single draw",
    "F2L3D": "fixed-limit deuce-to-seven triple draw",
    "FB": "fixed-limit badugi",
}


@dataclass(frozen=True, slots=True)
class Place:
    """Where a hand stands: the file, the hand's name in it, and the line it starts on."""

    source: str
    hand: str = ""
    line: int = 1

    def __str__(self) -> str:
        hand = f", hand {self.hand}" if self.hand else ""
        return f"{self.source}{hand}, line {self.line}"


@dataclass(frozen=True, slots=True)
class HandFault:
    """A hand that was left out, and why.

    `unsupported`: a hand of a game other than no-limit hold'em. `archive`: not one hand, but all the rest of
    an archive.
    """

    place: Place
    reason: str
    unsupported: bool = False
    archive: bool = False

    def __str__(self) -> str:
        return f"{self.place}: {self.reason}"


class HistoryError(OverbetError, ValueError):
    """A hand that cannot be replayed; the message says which hand, which line and why."""

    def __init__(self, fault: HandFault) -> None:
        super().__init__(str(fault))
        self.fault = fault


@dataclass(frozen=True, slots=True)
class AsPlayed:
    """What a hand at a site had beside the fields of PHH. Chips are whole.

    opener: who acts first before the flop, None for the rule (left of the largest blind). rake: chips the
    house took from the pots, less what it added to them. odd: the smallest amount a pot is split by.
    beside: chips that each player had from the house beside the pots (cash-outs, insurance), by player, less
    what it cost; empty where nobody had any. boards: the further boards of a hand that was run several
    times, five cards each. gave_up: players who were all in by a forced bet and folded all the same, as
    sites do for players who are away.
    """

    opener: int | None = None
    rake: int = 0
    odd: int = 1
    beside: tuple[int, ...] = ()
    boards: tuple[str, ...] = ()
    gave_up: tuple[int, ...] = ()


def fields_of(site: AsPlayed) -> dict[str, object]:
    """Return what a record had beside PHH as fields of a file, those at their defaults left out."""
    defaults = AsPlayed()
    names = ("opener", "rake", "odd", "beside", "boards", "gave_up")
    return {name: getattr(site, name) for name in names if getattr(site, name) != getattr(defaults, name)}


@dataclass(frozen=True, slots=True)
class HandRecord:
    """A hand of no-limit hold'em. Chips are whole; two records are equal when they tell the same hand.

    `as_played`: a hand from a site's history, whose own rules on raises are taken as they were.
    """

    starting_stacks: tuple[int, ...]
    blinds: tuple[int, ...]
    antes: tuple[int, ...]
    min_bet: int
    actions: tuple[str, ...]
    ante_trimming: bool = False
    finishing_stacks: tuple[int, ...] | None = None
    unit: int = 1
    as_played: AsPlayed | None = None
    other: Mapping[str, object] = field(default_factory=dict)  # every further field, as the file has it
    place: Place = field(default=Place("hand"), compare=False)
    action_lines: tuple[int, ...] = field(default=(), compare=False)

    @property
    def players(self) -> tuple[str, ...]:
        """The players' names; `p1`, `p2`, ... where the file names none."""
        names = self.other.get("players")
        if isinstance(names, list) and len(names) == len(self.starting_stacks):
            return tuple(str(name) for name in names)
        return tuple(f"p{number}" for number in range(1, len(self.starting_stacks) + 1))

    def line_of(self, action: int) -> int:
        """Return the line of the file on which action number `action` stands."""
        return self.action_lines[action] if action < len(self.action_lines) else self.place.line

    def amount(self, chips: int) -> int | Decimal:
        """Return chips in the file's own money."""
        return chips if self.unit == 1 else Decimal(chips) / self.unit
