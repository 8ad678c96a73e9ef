"""Reading PHH: one file to hands and faults, never stopping at a bad hand.

A `.phh` file holds one hand, a `.phhs` file many, each under a header `[1]`, `[2]`, ... . The text is cut at
the headers before it is parsed, so that a hand that is not TOML spoils itself only, and every fault names
its line.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator
from decimal import Decimal
from itertools import pairwise
from typing import Any

from overbet.errors import quoted, short
from overbet.interfaces.history.record import HOLDEM, VARIANTS, AsPlayed, HandFault, HandRecord, Place

# the header of a hand; a table whose name starts with _ is a field of the user's
_HEADER = re.compile(r"""^\[\s*(?:"([^"]*)"|'([^']*)'|([A-Za-z0-9-][A-Za-z0-9_-]*))\s*\]\s*(?:\#.*)?$""")
_WHERE = re.compile(r"\s*\(at (?:line (\d+), column \d+|end of document)\)$")
_ACTIONS = re.compile(r"^[ \t]*actions[ \t]*=[ \t]*\[", re.MULTILINE)
_CORE = (
    "variant",
    "antes",
    "blinds_or_straddles",
    "min_bet",
    "starting_stacks",
    "actions",
    "ante_trimming_status",
    "finishing_stacks",
    "_as_played",
)
_MOST_DECIMALS = 4
_MOST_MONEY = 10**12  # of the file's unit; with four decimals it still is a number of chips that fits
_MOST_DIGITS = 50  # after the point, zeros included


class _FieldError(ValueError):
    """A field that is missing or wrong."""

    def __init__(self, name: str, reason: str) -> None:
        super().__init__(f"{name}: {reason}")
        self.name = name


def read_text(text: str, source: str) -> Iterator[HandRecord | HandFault]:
    """Yield the hands of one file in order, and a fault for each that cannot be read."""
    for hand, first_line, lines in _cut(text):
        chunk = "\n".join(lines)
        place = Place(source, hand, first_line)
        try:
            values = tomllib.loads(chunk, parse_float=Decimal)
        except RecursionError:
            yield HandFault(place, "is nested too deep")
            continue
        except (ValueError, ArithmeticError) as error:  # TOML's own errors, and numbers beyond all bounds
            yield _not_toml(error, lines, place)
            continue
        hand = short(hand or values.get("hand", ""))
        place = Place(source, hand, first_line)
        variant = values.get("variant")
        if isinstance(variant, str) and variant in VARIANTS and variant != HOLDEM:
            place = Place(source, hand, first_line + _line_of_key("variant", lines))
            yield HandFault(place, f"{VARIANTS[variant]} ({variant}) is not no-limit hold'em (NT)", True)
            continue
        try:
            yield _record(values, place, _action_lines(chunk, first_line))
        except _FieldError as error:
            line = first_line + _line_of_key(error.name, lines)
            yield HandFault(Place(source, hand, line), str(error))


def _cut(text: str) -> Iterator[tuple[str, int, list[str]]]:
    """Yield (name, first line, lines) of each hand: the whole text, or what follows each header."""
    lines = text.split("\n")
    heads = [number for number, line in enumerate(lines) if _HEADER.match(line.strip("\r"))]
    before = heads[0] if heads else len(lines)
    if not heads or any(line.strip() and not line.lstrip().startswith("#") for line in lines[:before]):
        yield "", 1, lines[:before]
    for head, after in pairwise([*heads, len(lines)]):
        match = _HEADER.match(lines[head].strip("\r"))
        name = next((part for part in match.groups() if part is not None), "") if match else ""
        yield name, head + 2, lines[head + 1 : after]


def _not_toml(error: Exception, lines: list[str], place: Place) -> HandFault:
    where = _WHERE.search(str(error))
    reason = short(_WHERE.sub("", str(error)), 200)
    if not isinstance(error, tomllib.TOMLDecodeError):
        return HandFault(place, f"is not TOML ({reason})")
    if where and where[1]:
        line = place.line + int(where[1]) - 1
    else:
        last = max((number for number, text in enumerate(lines) if text.strip()), default=0)
        line, reason = place.line + last, f"the hand breaks off here ({reason})"
    return HandFault(Place(place.source, place.hand, line), reason)


def _record(values: dict[str, object], place: Place, action_lines: tuple[int, ...]) -> HandRecord:
    for name in _CORE[:6]:
        if name not in values:
            raise _FieldError(name, "is missing; no-limit hold'em (NT) needs it")
    if values["variant"] != HOLDEM:
        raise _FieldError("variant", f"{quoted(values['variant'])} is no variant of PHH")
    stacks = _money("starting_stacks", values)
    antes, blinds = _money("antes", values), _money("blinds_or_straddles", values)
    least = _number("min_bet", values["min_bet"])
    finishing = _money("finishing_stacks", values) if "finishing_stacks" in values else None
    for name, given in (
        ("antes", antes),
        ("blinds_or_straddles", blinds),
        ("finishing_stacks", finishing or stacks),
    ):
        if len(given) != len(stacks):
            raise _FieldError(name, f"{len(given)} values for {len(stacks)} starting stacks")
    actions = values["actions"]
    if not isinstance(actions, list) or not all(isinstance(action, str) for action in actions):
        raise _FieldError("actions", "is not a list of texts")
    site, least_unit = _as_played(values.get("_as_played"), len(stacks))
    unit = max(least_unit, _unit((*stacks, *antes, *blinds, least, *(finishing or ()), *_raises(actions))))
    trimming = values.get("ante_trimming_status", False)
    if not isinstance(trimming, bool):
        raise _FieldError("ante_trimming_status", "is neither true nor false")
    return HandRecord(
        starting_stacks=_whole("starting_stacks", stacks, unit),
        blinds=_whole("blinds_or_straddles", blinds, unit),
        antes=_whole("antes", antes, unit),
        min_bet=_whole("min_bet", (least,), unit)[0],
        actions=tuple(actions),
        ante_trimming=trimming,
        finishing_stacks=None if finishing is None else _whole("finishing_stacks", finishing, unit),
        unit=unit,
        as_played=site,
        other={name: value for name, value in values.items() if name not in _CORE},
        place=place,
        action_lines=action_lines,
    )


def _as_played(value: object, players: int) -> tuple[AsPlayed | None, int]:
    """Return what our own field `_as_played` says of a hand at a site, and its chips in one of the file's."""
    if value is None:
        return None, 1
    if not isinstance(value, dict):
        raise _FieldError("_as_played", "is not a table")
    given = dict(value)
    unit = given.pop("unit", 1)
    numbers = [unit, given.get("rake", 0), given.get("odd", 1), given.get("opener", 0)]
    lists = [given.get("beside", []), given.get("gave_up", [])]
    if not all(isinstance(one, list) for one in lists):
        raise _FieldError("_as_played", "beside and gave_up are lists")
    numbers += [*lists[0], *lists[1]]
    boards = given.get("boards", [])
    if any(type(one) is not int or abs(one) > _MOST_MONEY for one in numbers):
        raise _FieldError("_as_played", "has something else than whole numbers")
    if not isinstance(boards, list) or not all(isinstance(one, str) for one in boards):
        raise _FieldError("_as_played", "boards is not a list of texts")
    seats = [given.get("opener", 0), *lists[1]]
    if unit not in (1, 10, 100, 1000, 10000) or not all(0 <= seat < players for seat in seats):
        raise _FieldError("_as_played", "names a unit or a player that does not exist")
    if given.keys() - set(AsPlayed.__dataclass_fields__) or len(lists[0]) not in (0, players):
        raise _FieldError("_as_played", "has fields that are not known, or too few players in beside")
    fields: dict[str, Any] = {
        name: tuple(one) if isinstance(one, list) else one for name, one in given.items()
    }
    return AsPlayed(**fields), unit


def _number(name: str, value: object) -> Decimal:
    if isinstance(value, bool) or not isinstance(value, int | Decimal):
        raise _FieldError(name, f"{quoted(value)} is not a number")
    number = Decimal(value)
    if not number.is_finite():
        raise _FieldError(name, f"{value} is unknown; a hand with unknown stacks cannot be replayed")
    if number.copy_abs() > _MOST_MONEY:
        raise _FieldError(name, f"{quoted(value)} is more than {_MOST_MONEY:,}")
    if -int(number.as_tuple().exponent) > _MOST_DIGITS:
        raise _FieldError(name, f"{quoted(value)} has more than {_MOST_DECIMALS} decimals")
    return number


def _money(name: str, values: dict[str, object]) -> tuple[Decimal, ...]:
    given = values[name]
    if not isinstance(given, list):
        raise _FieldError(name, "is not a list of numbers")
    return tuple(_number(name, value) for value in given)


def _raises(actions: Iterable[str]) -> Iterator[Decimal]:
    for action in actions:
        words = action.partition("#")[0].split()
        if len(words) == 3 and words[1] == "cbr" and re.fullmatch(r"\d+(\.\d+)?", words[2], re.ASCII):
            yield _number("actions", Decimal(words[2]))


def _unit(amounts: Iterable[Decimal]) -> int:
    """Return the smallest power of ten that makes every amount whole."""
    decimals = max((-int(amount.normalize().as_tuple().exponent) for amount in amounts), default=0)
    return int(10 ** min(max(decimals, 0), _MOST_DECIMALS))


def _whole(name: str, amounts: tuple[Decimal, ...], unit: int) -> tuple[int, ...]:
    chips = []
    for amount in amounts:
        scaled = amount * unit
        if scaled != int(scaled):
            raise _FieldError(name, f"{quoted(amount)} has more than {_MOST_DECIMALS} decimals")
        chips.append(int(scaled))
    return tuple(chips)


def _line_of_key(name: str, lines: list[str]) -> int:
    key = re.compile(rf"^\s*{re.escape(name)}\s*=")
    return next((number for number, line in enumerate(lines) if key.match(line)), 0)


def _action_lines(chunk: str, first_line: int) -> tuple[int, ...]:
    """Return the line of each text in the list `actions`, by walking over strings and comments."""
    start = _ACTIONS.search(chunk)
    if not start:
        return ()
    place, line, found = start.end(), first_line + chunk.count("\n", 0, start.end()), []
    while place < len(chunk) and chunk[place] != "]":
        mark = chunk[place]
        if mark == "\n":
            line += 1
        elif mark == "#":
            place = chunk.find("\n", place)
            if place < 0:
                break
            continue
        elif mark in "'\"":
            found.append(line)
            place += 1
            while place < len(chunk) and chunk[place] != mark:
                place += 2 if chunk[place] == "\\" and mark == '"' else 1
        place += 1
    return tuple(found)
