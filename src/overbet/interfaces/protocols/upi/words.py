"""Words in and numbers out: how a command line is taken apart, and how numbers and hands are written.

Arguments are divided by blanks; one with a blank in it stands in quotation marks. The 1,326 hands come in one
order everywhere, PioSOLVER's, which is our own: 2d2c, 2h2c, 2h2d, 2s2c, ...
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt

from overbet.cards.combos import COMBOS, combo_name, combo_table
from overbet.cards.range import Range
from overbet.errors import ConfigError, quoted

Doubles = npt.NDArray[np.float64]
LONGEST = 1 << 20  # characters of a command
POSITIONS = ("OOP", "IP")
_WORD = re.compile(r'"([^"]*)"|(\S+)')


class UpiError(ConfigError):
    """A command that cannot be carried out; the message follows `ERROR: `."""


def words_of(line: str) -> list[str]:
    """Return the words of a command."""
    return [quoted_part or plain for quoted_part, plain in _WORD.findall(line)]


def position(word: str) -> int:
    """Return 0 for OOP, 1 for IP."""
    try:
        return POSITIONS.index(word.upper())
    except ValueError:
        raise UpiError(f"{quoted(word)} is no position; write OOP or IP") from None


def whole(word: str, name: str, least: int = 0, most: int = 10**9) -> int:
    """Return a whole number; `50.0` is one too."""
    value = number(word, name)
    if not least <= value <= most or value != int(value):
        raise UpiError(f"{name}: {quoted(word)} is not a whole number from {least} to {most}")
    return int(value)


def number(word: str, name: str) -> float:
    """Return a number."""
    try:
        value = float(word)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise UpiError(f"{name}: {quoted(word)} is not a number")
    return value


def numbers(words: Sequence[str], name: str) -> Doubles:
    """Return many numbers, none of them negative: [words] float64."""
    try:
        values = np.array([float(word) for word in words])
    except ValueError:
        raise UpiError(f"{name}: {len(words)} words are not all numbers") from None
    if not np.isfinite(values).all() or (values < 0).any():
        raise UpiError(f"{name}: numbers are finite and not negative")
    return values


def range_of(words: Sequence[str]) -> Range:
    """Return a range: 1,326 weights in the order of hands, or a text such as `AA,KQs:0.5`."""
    if len(words) == COMBOS:
        weights = numbers(words, "range")
        if weights.max() > 1:
            raise UpiError("range: weights are from 0 to 1")
        return Range(weights)
    return Range.parse(" ".join(words))


def row(values: Iterable[float]) -> str:
    """Return numbers as one line, six digits each, `nan` where there is none."""
    return " ".join(f"{value:.6g}" for value in values)


def spread(combos: npt.NDArray[np.int16], values: Doubles, empty: float = 0.0) -> Doubles:
    """Return values of some hands as a vector of all: [1326] float64, `empty` for the others."""
    found = np.full(COMBOS, empty)
    found[combos] = values
    return found


def hand_order() -> str:
    """Return all hands in their order."""
    return " ".join(combo_name(combo) for combo in range(COMBOS))


def matchups(weights: Doubles) -> Doubles:
    """Return how much of a range goes with each hand, no card being in both: [1326] float64.

    weights: [1326] float64, the range. All of it less what holds either card, and once more the hand itself.
    """
    table = combo_table().astype(np.int64)
    by_card = np.bincount(table[:, 0], weights, 52) + np.bincount(table[:, 1], weights, 52)
    found: Doubles = weights.sum() - by_card[table[:, 0]] - by_card[table[:, 1]] + weights
    return np.maximum(found, 0.0)
