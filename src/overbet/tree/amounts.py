"""Amounts of a spot as people write them: whole chips, or big blinds such as `5.5bb`.

The engine counts whole chips, and `big_blind` says how many of them a big blind is. A spot that is written in
big blinds need not say it: then one is 100 chips, so that hundredths of a big blind are whole. What the page
takes and shows in big blinds is the same number.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

CHIPS_OF_BB = 100  # where a spot in big blinds does not say
_BLINDS = re.compile(r"\s*(\d{1,12}(?:\.\d{1,12})?)\s*bb\s*", re.IGNORECASE)
_FIELDS = ("pot", "stacks", "min_bet")


def whole_chips(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values of a spot with every amount in chips; what is no amount in big blinds is kept."""
    found, rake = dict(values), values.get("rake")
    written = [values.get(name) for name in _FIELDS] + [
        rake.get("cap") if isinstance(rake, Mapping) else None
    ]
    if not any(_is_blinds(one) for amount in written for one in _each(amount)):
        return found
    if not found.get("big_blind"):
        found["big_blind"] = CHIPS_OF_BB
    unit = found["big_blind"]
    if not isinstance(unit, int):
        return found  # the field itself is at fault
    for name in _FIELDS:
        if name in found:
            found[name] = _chips(found[name], unit, name)
    if isinstance(rake, Mapping) and "cap" in rake:
        found["rake"] = {**rake, "cap": _chips(rake["cap"], unit, "rake.cap")}
    return found


def _each(amount: Any) -> tuple[Any, ...]:
    return tuple(amount) if isinstance(amount, list | tuple) else (amount,)


def _is_blinds(amount: Any) -> bool:
    return isinstance(amount, str) and _BLINDS.fullmatch(amount) is not None


def _chips(amount: Any, unit: int, name: str) -> Any:
    if isinstance(amount, list | tuple):
        return tuple(_chips(one, unit, name) for one in amount)
    match = _BLINDS.fullmatch(amount) if isinstance(amount, str) else None
    if match is None:
        return amount
    chips = Fraction(match[1]) * unit
    if chips.denominator != 1:
        raise ValueError(
            f"{name}: {amount.strip()} is not a whole number of chips where a big blind is {unit}; round it, "
            f"or set big_blind: {unit * chips.denominator}"
        )
    return int(chips)
