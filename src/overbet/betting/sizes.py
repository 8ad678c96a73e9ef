"""Bet sizes as players write them, and the menu of legal amounts they give at a decision.

A size is one of

| text   | meaning |
|--------|---------|
| `33%`  | a share of the pot; for a raise, of the pot after calling, added to the bet faced |
| `2.5x` | a multiple of the bet faced (raises only) |
| `20c`  | chips added to the bet faced |
| `4bb`  | to so many big blinds in all on this street |
| `e`    | geometric: the same share of the pot on every street left ends all-in on the river |
| `2e`   | geometric over two streets, starting now |
| `a`    | all-in; also `ai`, `allin`, `all-in` |

Sizes stand apart by commas, blanks or both. `33`, `1/3` and `pot` are shares of the pot, too, and letters may
be large. A bare number below 10 is refused: it may mean percents, a share or a multiple.

Amounts are whole chips, counted as the player's total on this street. The three thresholds follow the
conventions of the common solvers: all-in is *added* when the largest bet is at most that share of the
pot, *forced* when calling would leave less than that share of the new pot behind, and sizes are *merged*
from the largest down when (1 + larger) / (1 + smaller) < 1 + threshold, both as shares of the pot.
"""

from __future__ import annotations

import math
import re
from typing import NamedTuple

import numpy as np

from overbet.errors import ConfigError
from overbet.kernels.betting.sizes import merge_sizes

MOST = 1e9  # a size's number: times any pot it is still a whole number of 64 bits

_SIZE = re.compile(
    r"(?:(?P<share>\d+(?:\.\d+)?)%|(?P<times>\d+(?:\.\d+)?)x|(?P<chips>\d+)c|(?P<blinds>\d+(?:\.\d+)?)bb|(?P<streets>\d*)e"
    r"|(?P<all>a|ai|all-?in)|(?P<pot>pot)|(?P<bare>\d+(?:\.\d+)?)|(?P<top>\d{1,9})/(?P<bottom>\d{1,9}))"
)
_APART = re.compile(r"[,;\s]+")
_SIGNS = re.compile(r"\s([%x/]|bb)")  # a sign that stands away from its number
_FEWEST_PERCENT = 10  # a bare number below this may mean something else than percents


class SizeLimitError(ConfigError):
    """A size whose number is beyond all pots."""


class Size(NamedTuple):
    """One bet size. kind: `%`, `x`, `c`, `bb`, `e` or `a`; value: its number (streets: 0 for all left)."""

    kind: str
    value: float


class Thresholds(NamedTuple):
    """Shares of the pot at which all-in is added or forced and close sizes are merged; 0 switches one off."""

    add_all_in: float = 0.0
    force_all_in: float = 0.0
    merge: float = 0.0


class Decision(NamedTuple):
    """What a menu needs to know of a decision, in chips.

    pot: all chips in the middle, this street's bets included; faced: the opponent's total on this
    street; own: the player's total on this street; stack: the largest total the player can reach on this
    street (both stacks considered); streets_left: this one included; min_bet: the smallest first bet;
    min_raise: the smallest total to raise to; big_blind: 0 where no size is in bb.
    """

    pot: int
    faced: int
    own: int
    stack: int
    streets_left: int
    min_bet: int
    min_raise: int
    big_blind: int = 0


def parse_sizes(text: str, *, raising: bool = False) -> tuple[Size, ...]:
    """Return the sizes of a text such as `33%, 75%, e, a` or `33 75 ai`; an empty text gives none."""
    joined = " ".join(text.split()).lower().replace("all in", "allin")
    joined = _SIGNS.sub(r"\1", joined).replace("/ ", "/")
    return tuple(one_size(part, text, raising=raising) for part in _APART.split(joined) if part)


def one_size(part: str, text: str, *, raising: bool = False) -> Size:
    """Return the size of one part of a text, which errors quote."""
    match = _SIZE.fullmatch(part)
    if not match:
        raise ConfigError(f"bet size {part!r} in {text!r} is not one of 33%, 2.5x, 4bb, 20c, 1/3, e, 2e, a")
    if match["times"]:
        if not raising:
            raise ConfigError(f"bet size {part!r} in {text!r}: a multiple needs a bet to raise; use a % size")
        size = Size("x", float(match["times"]))
        if size.value <= 1:
            raise ConfigError(f"raise size {part!r} in {text!r} must be above 1x")
    elif match["chips"]:
        size = Size("c", float(match["chips"]))
    elif match["blinds"]:
        size = Size("bb", float(match["blinds"]))
    elif match["all"]:
        size = Size("a", 0.0)
    elif match["streets"] is not None:
        size = Size("e", float(match["streets"] or 0))
    else:
        size = Size("%", _share(match, part, text))
    if size.kind in ("%", "c", "bb") and size.value <= 0:
        raise ConfigError(f"bet size {part!r} in {text!r} must be positive")
    check_size(size)
    return size


def _share(match: re.Match[str], part: str, text: str) -> float:
    """Return the share of the pot of a size in percents, as a fraction, as a bare number or in words."""
    if match["pot"]:
        return 1.0
    if match["top"]:
        if not int(match["bottom"]):
            raise ConfigError(f"bet size {part!r} in {text!r}: nothing can be divided by 0")
        return int(match["top"]) / int(match["bottom"])
    percents = float(match["share"] or match["bare"])
    if match["bare"] and percents < _FEWEST_PERCENT:
        raise ConfigError(
            f"bet size {part!r} in {text!r} may mean several things; write {part}% of the pot, {part}x the "
            "bet or a share such as 1/2"
        )
    return percents / 100


def check_size(size: Size) -> None:
    """Refuse a number that no pot can be multiplied by."""
    if size.value > MOST:
        raise SizeLimitError(f"the number of a bet size is at most {MOST:,.0f}; write a (all-in) for more")


def menu(sizes: tuple[Size, ...], at: Decision, thresholds: Thresholds) -> list[int]:
    """Return the bet or raise amounts at a decision, ascending, as totals on this street.

    Every amount is legal: at least the minimum, at most the stack (an all-in may be under the minimum).
    The list is empty when the player cannot raise: the stack is no more than the bet faced.
    """
    if at.stack <= at.faced:
        return []
    to_call = at.faced - at.own
    pot_after_call = at.pot + to_call
    smallest = min(at.min_raise if at.faced else at.min_bet, at.stack)
    amounts = {_clamp(_amount(size, at, pot_after_call), smallest, at.stack) for size in sizes}
    if thresholds.add_all_in and at.stack - at.faced <= math.floor(
        pot_after_call * thresholds.add_all_in + 0.5
    ):
        amounts.add(at.stack)
    amounts = {_forced(amount, at, pot_after_call, thresholds.force_all_in) for amount in amounts}
    return _merged(sorted(amounts), at.faced, pot_after_call, thresholds.merge)


def _amount(size: Size, at: Decision, pot_after_call: int) -> int:
    if size.kind == "a":
        return at.stack
    if size.kind == "%":
        return at.faced + _rounded(pot_after_call * size.value)
    if size.kind == "x":
        return _rounded(at.faced * size.value)
    if size.kind == "c":
        return at.faced + int(size.value)
    if size.kind == "bb":
        return _rounded(size.value * at.big_blind)
    streets = int(size.value) or at.streets_left
    behind = at.stack - at.faced
    share = ((1 + 2 * behind / pot_after_call) ** (1 / streets) - 1) / 2
    return at.faced + _rounded(pot_after_call * share)


def _rounded(x: float) -> int:
    """Round half up, as the other solvers do; Python's round goes half to even."""
    return math.floor(x + 0.5)


def _clamp(amount: int, smallest: int, largest: int) -> int:
    return min(max(amount, smallest), largest)


def _forced(amount: int, at: Decision, pot_after_call: int, threshold: float) -> int:
    """Return all-in when a call of `amount` would leave no more than `threshold` of the new pot behind."""
    new_pot = pot_after_call + 2 * (amount - at.faced)
    return at.stack if threshold and at.stack - amount <= new_pot * threshold else amount


def _merged(amounts: list[int], faced: int, pot_after_call: int, threshold: float) -> list[int]:
    values = np.array(amounts, np.int64)
    count = int(merge_sizes(values, len(values), faced, pot_after_call, threshold))
    kept: list[int] = values[:count].tolist()
    return kept
