"""The words and fields a filter of hands knows, each as a condition of SQL on seats joined with hands."""

from __future__ import annotations

import datetime
import math
import re
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from overbet.cards.cards import RANKS, cards_name
from overbet.cards.cards import cards as parse_cards
from overbet.errors import OverbetError, unknown
from overbet.interfaces.hands.words import (
    CONNECTEDNESS,
    FLAGS,
    FORMATS,
    PAIRING,
    POSITIONS,
    SITES,
    SUITS,
)

Condition = tuple[str, tuple[object, ...]]
_ORDER = ("=", "!=", "<", "<=", ">", ">=")
_SAME = ("=", "!=")
_MOST_VALUES = 100


class FieldError(ValueError):
    """A value that a field does not have; the message says what is possible."""


@dataclass(frozen=True, slots=True)
class FilterField:
    """A field: what it is, how it is compared, and the condition of a comparison with a text."""

    about: str
    example: str
    signs: tuple[str, ...]
    condition: Callable[[str, str], Condition]


WORDS: dict[str, Condition] = {
    **{word: (f"seats.flags & {bit}", ()) for word, bit in FLAGS.items()},
    "won": ("seats.net > 0", ()),
    "lost": ("seats.net < 0", ()),
    "hero": ("hands.hero = seats.player", ()),
    "headsup": ("hands.players = 2", ()),
    "multiway": ("hands.flop_players > 2", ()),
}


def _each(make: Callable[[str], Condition]) -> Callable[[str, str], Condition]:
    """Return the condition of `=` and `!=` with one value or several, parted by commas."""

    def condition(op: str, text: str) -> Condition:
        parts = [part.strip() for part in text.split(",") if part.strip()]
        if not parts or len(parts) > _MOST_VALUES:
            raise FieldError("is no value" if not parts else f"are more than {_MOST_VALUES} values")
        found = [make(part) for part in parts]
        sql = "(" + " OR ".join(f"ifnull({sql}, 0)" for sql, _ in found) + ")"
        values = tuple(value for _, values in found for value in values)
        return (f"NOT {sql}" if op == "!=" else sql), values

    return condition


def _number(column: str, sign: int = 1) -> Callable[[str, str], Condition]:
    def condition(op: str, text: str) -> Condition:
        word = text.lower().removesuffix("bb").strip()
        try:
            number = float(word)
        except ValueError:
            number = math.nan
        if not math.isfinite(number):
            raise FieldError("is not a number, such as 40 or 2.5")
        return f"{sign} * {column} {op} ?", (number,)

    return condition


def _place(kind: str, known: tuple[str, ...], text: str) -> int:
    found = {word.lower(): number for number, word in enumerate(known)}.get(text.lower())
    if found is None:
        raise FieldError(f"is not known: {unknown(kind, text, known)}")
    return found


def _position(text: str) -> Condition:
    """Heads up the button is the small blind: it answers to both names."""
    if text.upper() in ("BTN", "BU", "D"):
        button, small = POSITIONS.index("BTN"), POSITIONS.index("SB")
        return f"seats.position = {button} OR seats.position = {small} AND hands.players = 2", ()
    return "seats.position = ?", (_place("position", POSITIONS, text),)


def _flop(text: str) -> Condition:
    word = {"twotone": "two-tone", "two_tone": "two-tone", "semiconnected": "semi-connected"}.get(
        text.lower(), text.lower()
    )
    for known, step in ((SUITS, 1), (PAIRING, 3), (CONNECTEDNESS, 9)):
        if word in known:
            return f"hands.texture / {step} % 3 = ?", (known.index(word),)
    high = re.fullmatch(r"([2-9TJQKA])(?:-?high)?", text, re.IGNORECASE)
    if high:
        return "hands.texture / 27 = ?", (RANKS.index(high[1].upper()),)
    words = (*SUITS, *PAIRING, *CONNECTEDNESS, "A-high", "K-high")
    return _cards(text, "substr(hands.board, 1, 6)", 3, f"is no look of a flop: {', '.join(words)}, or cards")


def _board(text: str) -> Condition:
    return _cards(text, "hands.board", 5, "is not a list of cards such as AsKd")


def _cards(text: str, column: str, most: int, fault: str) -> Condition:
    """Return the condition that all these cards lie there, in any order."""
    try:
        found = parse_cards(text)
    except OverbetError as error:
        raise FieldError(fault) from error
    if not 1 <= len(found) <= most:
        raise FieldError(f"has {len(found)} cards; 1 to {most} are possible")
    names = [cards_name([card]) for card in found]
    return " AND ".join([f"instr({column}, ?) > 0"] * len(names)), tuple(names)


def _hand(op: str, text: str) -> Condition:
    from overbet.cards.range import Range

    try:
        combos = np.flatnonzero(Range.parse(text).weights > 0)
    except OverbetError as error:
        raise FieldError(f"is not a hand or a range such as AKs or 22+,A5s-A2s ({error})") from error
    listed = ", ".join(str(int(combo)) for combo in combos)
    return f"seats.hole {'NOT IN' if op == '!=' else 'IN'} ({listed})", ()


def _date(op: str, text: str) -> Condition:
    first, after = _days(text)
    column = "hands.played"
    if op in _SAME:
        within = f"({column} >= ? AND {column} < ?)"
        return (f"NOT {within}" if op == "!=" else within), (first, after)
    bound = after if op in ("<=", ">") else first
    return f"{column} {'<' if op in ('<', '<=') else '>='} ?", (bound,)


def _days(text: str) -> tuple[int, int]:
    """Return the seconds at which a day, month or year begins and ends (UTC)."""
    match = re.fullmatch(r"(\d{4})(?:-(\d{1,2})(?:-(\d{1,2}))?)?", text, re.ASCII)
    if match is None:
        raise FieldError("is not a date; write 2024-01-31, 2024-01 or 2024")
    year, month, day = int(match[1]), int(match[2] or 1), int(match[3] or 1)
    try:
        first = datetime.datetime(year, month, day, tzinfo=datetime.UTC)
        if match[3]:
            after = first + datetime.timedelta(days=1)
        elif match[2]:
            after = first.replace(year=year + month // 12, month=month % 12 + 1)
        else:
            after = first.replace(year=year + 1)
        return int(first.timestamp()), int(after.timestamp())
    except (ValueError, OverflowError) as error:
        raise FieldError("is not a date of the calendar; write 2024-01-31") from error


def _word_of(column: str) -> Callable[[str, str], Condition]:
    def condition(op: str, text: str) -> Condition:
        sql = f"{column} IN (SELECT id FROM words WHERE text = ? COLLATE NOCASE)"
        return (f"NOT {sql}" if op == "!=" else sql), (text,)

    return condition


def _text(column: str) -> Callable[[str, str], Condition]:
    return _each(lambda text: (f"{column} = ? COLLATE NOCASE", (text,)))


def _note(op: str, text: str) -> Condition:
    sql = "instr(lower(hands.notes), lower(?)) > 0"
    return (f"NOT {sql}" if op == "!=" else sql), (text,)


def _in_bb(column: str) -> str:
    return f"(1.0 * {column} / hands.big_blind)"


def _amount(about: str, example: str, column: str, sign: int = 1) -> FilterField:
    return FilterField(about, f"such as {example}", _ORDER, _number(column, sign))


FIELDS: dict[str, FilterField] = {
    "pos": FilterField(
        f"position: {', '.join(POSITIONS)}", "such as pos=BTN or pos=SB,BB", _SAME, _each(_position)
    ),
    "flop": FilterField(
        "look of the flop, its high card, or cards on it",
        "such as flop=monotone, flop=A-high or flop=AsKd",
        _SAME,
        _each(_flop),
    ),
    "board": FilterField("cards on the board", "such as board=AsKd", _SAME, _each(_board)),
    "hand": FilterField("own cards, as a range", "such as hand=AKs or hand=22+,A5s-A2s", _SAME, _hand),
    "stack": _amount("own stack before the hand, bb", "stack>=100", _in_bb("seats.stack")),
    "depth": _amount("effective stack before the hand, bb", "depth<=25", _in_bb("seats.depth")),
    "won": _amount("result, bb", "won>10", _in_bb("seats.net")),
    "lost": _amount("loss, bb", "lost>10", _in_bb("seats.net"), -1),
    "pot": _amount("pot at the end, bb", "pot>50", _in_bb("hands.pot")),
    "players": _amount("players dealt in", "players=6", "hands.players"),
    "flopplayers": _amount("players who saw the flop", "flopplayers=2", "hands.flop_players"),
    "raises": _amount("raises before the flop", "raises>=2", "hands.preflop_raises"),
    "blind": _amount("big blind, in the hand's money", "blind<=0.5", "(1.0 * hands.big_blind / hands.unit)"),
    "id": _amount("number in the database", "id<=1000", "hands.id"),
    "date": FilterField("day, month or year, UTC", "such as date>=2024-01-31 or date=2024", _ORDER, _date),
    "site": FilterField(
        f"site: {', '.join(SITES)}",
        "such as site=winamax",
        _SAME,
        _each(lambda text: ("hands.site = ?", (_place("site", SITES, text),))),
    ),
    "format": FilterField(
        f"format: {', '.join(FORMATS)}",
        "such as format=cash",
        _SAME,
        _each(lambda text: ("hands.format = ?", (_place("format", FORMATS, text),))),
    ),
    "name": FilterField("name of the player", 'such as name="Al B"', _SAME, _word_of("seats.name")),
    "table": FilterField(
        "name of the table", 'such as table="Aludra II"', _SAME, _word_of("hands.table_name")
    ),
    "tournament": FilterField(
        "number of the tournament", "such as tournament=123", _SAME, _word_of("hands.tournament")
    ),
    "currency": FilterField("currency", "such as currency=EUR", _SAME, _text("hands.currency")),
    "number": FilterField(
        "the site's number of the hand", "such as number=123", _SAME, _text("hands.number")
    ),
    "note": FilterField("what was out of the ordinary", 'such as note="run it twice"', _SAME, _note),
}


def filter_help() -> list[tuple[str, str]]:
    """Return every word and field with what it means."""
    from overbet.interfaces.hands.words import LINE_WORDS

    words = {
        **LINE_WORDS,
        "won": "won chips",
        "lost": "lost chips",
        "hero": "looked on",
        "headsup": "two players were dealt in",
        "multiway": "three or more players saw the flop",
    }
    fields = [(name, f"{field.about}; {field.example}") for name, field in FIELDS.items()]
    return [*words.items(), *fields]
