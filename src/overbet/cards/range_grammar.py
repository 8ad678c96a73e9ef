"""Reading the range language: PioSOLVER's grammar with weights, and GTO+'s way to write them.

    range  := [ part { (',' | space) part } ]
    part   := term | '[' percent ']' term { ',' term } '[/' percent ']'        [50.0]AKo,AQo[/50.0], as GTO+
    term   := hands [ ':' weight ]                    weight in 0..1; left out it is 1
    hands  := combo | class | class '+' | class '-' class | 'any'
    combo  := AsKh                                    one exact holding
    class  := AA | AKs | AKo | AK                     AK is suited and offsuit together; a ten is T or 10

`+` raises a pair to AA, and the lower card of any other hand up to just below its higher card: `KTo+` is
KTo,KJo,KQo and `54s+` is 54s alone, as solvers read it. `-` runs along pairs (`QQ-22`), along one high
card (`A5s-A2s`), or along hands of one gap (`JTs-54s`), in either direction. A later term overrides an
earlier one on the hands they share. See docs/ranges.md.
"""

from __future__ import annotations

import re
from decimal import Decimal
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from overbet.cards.cards import RANKS, SUITS
from overbet.cards.combos import COMBOS, combo, combos_of_class
from overbet.errors import CardError, RangeError, quoted

EVERY_HAND = ("any", "random")

_TERM = re.compile(
    r"(?P<hands>[^],\s:[-]+(?:\s*-\s*[^],\s:[-]*)*)(?:(?P<colon>\s*:\s*)(?P<weight>[^],\s[]*))?"
)
_BRACKET = re.compile(r"\[\s*(?P<end>/?)\s*(?P<percent>[^]\s[]*)\s*\]")
_PERCENT = re.compile(r"\d+\.?\d*|\.\d+")
_SEPARATOR = re.compile(r"[,\s]*")
_CLASS = re.compile(rf"([{RANKS}])([{RANKS}])([so]?)", re.IGNORECASE)
_COMBO = re.compile(rf"[{RANKS}][{SUITS}][{RANKS}][{SUITS}]", re.IGNORECASE)
_WEIGHT = re.compile(r"(\d+\.?\d*|\.\d+)(e[+-]?\d+)?", re.IGNORECASE)
_SHOWN = 60  # characters of a long text quoted in an error


class _Hand(NamedTuple):
    """A class as written: ranks 0..12, higher first, and `s`, `o`, or nothing for both (or a pair)."""

    high: int
    low: int
    kind: str


class _HandError(Exception):
    """What is wrong with a piece of the text, before its place is known."""


def read_range(text: str) -> npt.NDArray[np.float32]:
    """Return the weights of a range text: [1326] float32. A `RangeError` points at the place."""
    weights = np.zeros(COMBOS, np.float32)
    place = _separator(text, 0, first=True)
    bracket: re.Match[str] | None = None  # the one that is open
    while place < len(text):
        if text[place] == "[":
            bracket = _bracket(text, place, bracket)
            place = _separator(text, text.index("]", place) + 1, first=False)
            continue
        found = _TERM.match(text, place)
        if found is None:
            raise _error(text, place, text[place], "has no hand before it")
        hands = found["hands"]
        try:
            members = _members(re.sub(r"\s+", "", hands).replace("10", "T"))
        except (_HandError, CardError) as fault:
            raise _error(text, found.start("hands"), hands, str(fault)) from None
        try:
            weights[members] = _weight_of(found, bracket)
        except _HandError as fault:
            raise _error(text, found.start("weight"), found["weight"], str(fault)) from None
        place = _separator(text, found.end(), first=False)
    if bracket is not None:
        end = f"[/{bracket['percent']}]"
        raise _error(text, bracket.start(), bracket[0], f"is never closed; write {end} behind its hands")
    return weights


def _bracket(text: str, place: int, open_one: re.Match[str] | None) -> re.Match[str] | None:
    """Return the bracket that is open behind the one at `place`, None where that one closes it."""
    found = _BRACKET.match(text, place)
    if found is None:
        raise _error(text, place, text[place : place + 8], "is not a weight; write [50.0]AKo[/50.0]")
    percent = found["percent"]
    if not _PERCENT.fullmatch(percent) or float(percent) > 100:
        raise _error(text, place, found[0], "is not a weight in percent; write [50.0]AKo[/50.0]")
    if not found["end"]:
        if open_one is not None:
            raise _error(text, place, found[0], f"stands within {open_one[0]}; close that one first")
        return found
    if open_one is None or float(open_one["percent"]) != float(percent):
        wanted = "no weight is open here" if open_one is None else f"{open_one[0]} is the one that is open"
        raise _error(text, place, found[0], f"closes nothing: {wanted}")
    return None


def _weight_of(term: re.Match[str], bracket: re.Match[str] | None) -> float:
    """Return the weight of a term: behind its colon, or that of the bracket around it."""
    if bracket is None:
        return 1.0 if term["colon"] is None else _weight(term["weight"])
    if term["colon"] is not None:
        raise _HandError(f"is a second weight within {bracket[0]}; keep one of the two")
    return float(Decimal(bracket["percent"]) / 100)


def _separator(text: str, place: int, *, first: bool) -> int:
    """Return where the next term begins; two commas with nothing between, or one at an end, are an error."""
    found = _SEPARATOR.match(text, place)
    assert found is not None  # the pattern matches the empty string
    commas = found[0].count(",")
    end = found.end()
    if commas > 1 or (commas == 1 and (first or end == len(text))):
        at = place + found[0].rindex(",")
        raise _error(text, at, ",", "stands where a hand should be; take the comma out or write the hand")
    return end


def _members(hands: str) -> npt.NDArray[np.int64]:
    """Return the combos that `hands` (one term without its weight) names."""
    if hands.lower() in EVERY_HAND:
        return np.arange(COMBOS)
    if _COMBO.fullmatch(hands):
        return np.array([combo(hands)])
    if "-" in hands:
        first, _, last = hands.partition("-")
        return _combos(_interval(_hand(first), _hand(last)))
    if hands.endswith("+"):
        return _combos(_plus(_hand(hands[:-1])))
    return _combos([_hand(hands)])


def _hand(text: str) -> _Hand:
    found = _CLASS.fullmatch(text)
    if found is None:
        if _COMBO.fullmatch(text):
            raise _HandError("uses an exact combo with '+' or '-'; only classes such as AKs run")
        raise _HandError("is not a hand; write AA, AKs, AKo, AK, AsKh, QQ+, A5s-A2s or JTs-54s")
    low, high = sorted(RANKS.index(letter.upper()) for letter in found.group(1, 2))
    kind = found[3].lower()
    if low == high and kind:
        raise _HandError(f"is a pair with a suit mark; write {found[1].upper() * 2}")
    return _Hand(high, low, kind)


def _plus(hand: _Hand) -> list[_Hand]:
    if hand.high == hand.low:
        return [_Hand(rank, rank, "") for rank in range(hand.high, 13)]
    return [hand._replace(low=rank) for rank in range(hand.low, hand.high)]


def _interval(a: _Hand, b: _Hand) -> list[_Hand]:
    if a.kind != b.kind:
        raise _HandError("runs between unlike hands; suited to suited or offsuit to offsuit, such as A5s-A2s")
    if a.high == b.high and (a.low == a.high) == (b.low == b.high):
        return [a._replace(low=rank) for rank in range(min(a.low, b.low), max(a.low, b.low) + 1)]
    if a.high - a.low == b.high - b.low:
        gap = a.high - a.low
        highs = range(min(a.high, b.high), max(a.high, b.high) + 1)
        return [_Hand(rank, rank - gap, a.kind) for rank in highs]
    raise _HandError(
        "runs between hands of no common line; keep the high card (A5s-A2s) or the gap (JTs-54s)"
    )


def _combos(hands: list[_Hand]) -> npt.NDArray[np.int64]:
    members: list[int] = []
    for high, low, kind in hands:
        row, column = 12 - high, 12 - low
        if kind != "o":
            members += combos_of_class(13 * row + column)
        if kind != "s" and high != low:
            members += combos_of_class(13 * column + row)
    return np.array(members)


def _weight(text: str) -> float:
    if not _WEIGHT.fullmatch(text):
        raise _HandError("is not a weight; write a number from 0 to 1, such as AKs:0.5")
    weight = float(text)
    if weight > 1.0:
        raise _HandError("is not a weight from 0 to 1; write 0.5 for half of the time")
    return weight


def _error(text: str, place: int, piece: str, fault: str) -> RangeError:
    """Return the one-line error: the piece, its position counted from 1, the text around it, the fault."""
    start = max(0, place - _SHOWN // 2) if len(text) > _SHOWN else 0
    shown = text[start : start + _SHOWN]
    before, after = "..." if start else "", "..." if start + _SHOWN < len(text) else ""
    around = " ".join(f"{before}{shown}{after}".split())
    return RangeError(f"range: {quoted(piece, _SHOWN)} at position {place + 1} in {around!r} {fault}")
