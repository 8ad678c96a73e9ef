"""A betting tree given line by line, as PioSOLVER's `add_line` gives it, in the place of menus.

A line is the chips that whoever acts has put in since the root after acting, one number an action, out of
position first: `0 20 60 60 150` is a check, a bet of 20, a raise to 60, a call, and on the next street a bet
of 90 more. A number that is no more than what the other has in is a check or a call. Cards stand in no line:
the betting is the same on every board. At every decision folding, where there is something to call, and
checking or calling are there without being named; the bets are those of the lines. One line says that each of
its bets is there, so the lines that are needed are the longest ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from overbet.errors import ConfigError, quoted

Line = tuple[int, ...]
Branch = Mapping[int, Any]  # what follows an action, by the chips put in after it: a branch each
MOST_LINES = 200_000
MOST_ACTIONS = 100  # of a line


def read_bet_line(value: object) -> Line:
    """Return a line written as a text, `0 20 60`, or as a list of numbers."""
    parts = value.replace(",", " ").split() if isinstance(value, str) else value
    if (
        not isinstance(parts, Sequence)
        or isinstance(parts, str | bytes)
        or not 0 < len(parts) <= MOST_ACTIONS
    ):
        raise ConfigError(
            f"{quoted(value)} is no line of bets; write 1 to {MOST_ACTIONS} numbers, such as 0 20 60"
        )
    found = []
    for part in parts:
        text = str(part)
        if isinstance(part, bool | float) or not (text.isascii() and text.isdecimal() and len(text) <= 10):
            raise ConfigError(f"{quoted(value)}: {quoted(part)} is not a whole number of chips")
        found.append(int(text))
    return tuple(found)


def check_bet_line(line: Line, stack: int, streets: int) -> None:
    """Raise where a line cannot be played. stack: effective, in chips; streets: from the first on."""
    put, player, street, text = [0, 0], 0, 0, " ".join(map(str, line))
    for place, amount in enumerate(line, 1):
        if street >= streets or (min(put) >= stack and player == 0):
            raise ConfigError(f"line {quoted(text)}: number {place} comes when nobody is to act any more")
        most = max(put)
        if not most <= amount <= stack:
            raise ConfigError(
                f"line {quoted(text)}: number {place}, {amount}, is the chips put in after the action: from"
                f" {most} (check or call) to {stack} (all-in)"
            )
        facing = put[player] < most
        put[player] = amount
        if amount == most and (facing or player == 1):
            street, player = street + 1, 0
        else:
            player = 1 - player


def branch_of(lines: Iterable[Line]) -> Branch:
    """Return what can follow the root."""
    root: dict[int, Any] = {}
    for line in lines:
        at = root
        for amount in line:
            at = at.setdefault(amount, {})
    return root


def without_line(lines: Iterable[Line], line: Line) -> tuple[Line, ...]:
    """Return the lines less the last action of `line` and all that follows it."""
    kept = dict.fromkeys(one[: len(line) - 1] if one[: len(line)] == line else one for one in lines)
    return tuple(one for one in kept if one)


def lines_after(lines: Iterable[Line], played: Line, put: int) -> tuple[Line, ...]:
    """Return the lines of a subgame on a later street. played: the actions before it; put: chips by each."""
    found = {
        tuple(amount - put for amount in one[len(played) :]) for one in lines if one[: len(played)] == played
    }
    return tuple(sorted(one for one in found if one)) or ((0,),)
