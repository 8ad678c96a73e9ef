"""From what was read to a spot that can be solved: two players left, a flop or more, the street from its
start.

Bets of the street go back to the stacks and become the line that leads to the decision in the picture.
Amounts
become chips: hundredths of a big blind or of money, or the chips themselves. Ranges are not in a
picture: every
hand, until somebody says more.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import yaml

from overbet.cards.range import Range
from overbet.errors import OverbetError
from overbet.interfaces.vision.reading import EMPTY, NO_CARD, TableReading
from overbet.solvers.vector.api import SolveFile

EVERY_HAND = "22+,A2s+,K2s+,Q2s+,J2s+,T2s+,92s+,82s+,72s+,62s+,52s+,42s+,32s,A2o+,K2o+,Q2o+,J2o+,T2o+,92o+,82o+,72o+,62o+,52o+,42o+,32o"  # noqa: E501


class SpotError(OverbetError, ValueError):
    """A table that does not show a spot we can solve; the message says which part."""


class ReadSpot(NamedTuple):
    """values: of a spot file; line: to the decision in the picture; seats: of the two players, first to
    act first."""

    values: dict[str, Any]
    line: str
    seats: tuple[int, int]
    hero: str | None  # "oop" or "ip"
    hero_cards: str

    def file(self) -> SolveFile:
        """Return the spot, checked."""
        return SolveFile.parse(self.values, "the spot of the picture")

    def text(self) -> str:
        """Return the spot as YAML, with the line on top."""
        self.file()
        head = f"# read from a picture; its decision is at the line {self.line}\n"
        return head + yaml.safe_dump(self.values, sort_keys=False, allow_unicode=True)


def spot_of(
    reading: TableReading, *, oop: str = EVERY_HAND, ip: str = EVERY_HAND, big_blind: float | None = None
) -> ReadSpot:
    """Return the spot of a reading; every field of it must be known. big_blind: in the unit of the
    amounts."""
    if reading.unknown:
        names = ", ".join(one.name for one in reading.unknown[:6])
        raise SpotError(f"not everything is known: answer {names} first")
    fields = {name: one.value for name, one in reading.fields.items()}
    board = "".join(str(fields[f"board{n}"]) for n in range(5) if fields[f"board{n}"] != NO_CARD)
    if len(board) < 6:
        raise SpotError("there is no flop in the picture: only spots after the flop are solved")
    left = [
        s for s in range(reading.seats) if fields[f"seat{s}"] != EMPTY and fields[f"seat{s}.card0"] != NO_CARD
    ]
    if len(left) != 2:
        raise SpotError(f"{len(left)} players hold cards; a spot has two")
    if not isinstance(fields["button"], int):
        raise SpotError("nobody has the button, so it is not known who acts first")
    button = fields["button"]
    first, second = sorted(left, key=lambda seat: (seat - button - 1) % reading.seats)
    unit = _chips_a_unit(reading)
    amounts = {
        name: _chips(value, unit)
        for name, value in fields.items()
        if isinstance(value, int) and reading.fields[name].kind == "amount"
    }
    bets = (amounts[f"seat{first}.bet"], amounts[f"seat{second}.bet"])
    others = sum(amounts[f"seat{s}.bet"] for s in range(reading.seats) if s not in (first, second))
    pot = amounts["pot"] - sum(bets) if reading.pot_with_bets else amounts["pot"] + others
    stacks = [amounts[f"seat{seat}.stack"] + bet for seat, bet in zip((first, second), bets)]
    if pot < 1 or min(stacks) < 1:
        raise SpotError("nothing is left to play for: a pot and two stacks are needed")
    blind = 100 if reading.unit == "bb" else round((big_blind or 0) * unit)
    values = {
        "board": board,
        "pot": pot,
        "stacks": stacks[0] if stacks[0] == stacks[1] else stacks,
        **({"big_blind": blind} if blind else {}),
        "ranges": {"oop": Range.parse(oop).text(), "ip": Range.parse(ip).text()},
        "bets": {"every": {"bet": "33%, 75%", "raise": "2.5x, a"}},
        "thresholds": {"add_all_in": 1.5, "force_all_in": 0.15, "merge": 0.1},
        "solve": {"target": 0.5},
    }
    hero = reading.hero
    role = None if hero not in (first, second) else "oop" if hero == first else "ip"
    cards = "" if role is None else "".join(str(fields[f"seat{hero}.card{c}"]) for c in (0, 1))
    return ReadSpot(
        values, _line(bets, fields["turn"], second), (first, second), role, cards if len(cards) == 4 else ""
    )


def _chips_a_unit(reading: TableReading) -> int:
    return 1 if reading.unit == "" else 100


def _chips(hundredths: int, unit: int) -> int:
    return hundredths if unit == 100 else round(hundredths / 100)


def _line(bets: tuple[int, int], turn: object, second: int) -> str:
    """Return the shortest line of the street that leaves these bets and this player to act."""
    first_bet, second_bet = bets
    if not first_bet and not second_bet:
        return "r:0:c" if turn == second else "r:0"
    if not second_bet:
        return f"r:0:b{first_bet}"
    if not first_bet:
        return f"r:0:c:b{second_bet}"
    if first_bet < second_bet:
        return f"r:0:b{first_bet}:b{second_bet}"
    return f"r:0:c:b{second_bet}:b{first_bet}"


def answers_of(given: Mapping[str, str], reading: TableReading) -> dict[str, int | str]:
    """Return answers in words (`board0: Ah`, `pot: 12.5`, `button: 3`) as values of a reading's fields."""
    from overbet.cards.cards import card, card_name
    from overbet.errors import ConfigError, quoted, unknown

    found: dict[str, int | str] = {}
    for name, text in given.items():
        if name not in reading.fields:
            raise ConfigError(unknown("field", name, reading.fields))
        kind, word = reading.fields[name].kind, text.strip()
        if kind == "card":
            found[name] = word if word in ("back", NO_CARD) else card_name(card(word))
        elif kind == "seat":
            if word not in ("taken", EMPTY):
                raise ConfigError(f"{name}: a seat is taken or empty, not {quoted(word)}")
            found[name] = word
        elif kind == "amount":
            try:
                value = round(100 * float(word.replace(",", ".")))
            except (ValueError, OverflowError):
                value = -1
            if not 0 <= value <= 10**14:
                raise ConfigError(f"{name}: an amount is a number such as 12.5, not {quoted(word)}")
            found[name] = value
        elif word == NO_CARD:
            found[name] = NO_CARD
        elif word.isdecimal() and len(word) < 3 and int(word) < reading.seats:
            found[name] = int(word)
        else:
            raise ConfigError(f"{name}: a seat from 0 to {reading.seats - 1}, or none, not {quoted(word)}")
    return found
