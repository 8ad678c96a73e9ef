"""Sizes too close to each other are one: the rule of menus and of solved spots."""

from __future__ import annotations

from typing import Any

from overbet.kernels.jit import inlined


@inlined
def merge_sizes(values: Any, count: int, faced: int, pot: int, threshold: float) -> int:
    """Drop sizes too close to the next larger one kept; return how many are left.

    values: [count or more] int64, ascending, chips bet or raised to; pot: after calling what is faced. Two
    are too close where (1 + larger) / (1 + smaller) < 1 + threshold as shares of the pot, worked out in whole
    chips: a tie is a tie, and shares would round it to either side. A threshold of 0 drops nothing.
    """
    if threshold <= 0.0 or count < 2:
        return count
    kept = count - 1  # values[kept:] are kept
    for place in range(count - 2, -1, -1):
        larger, smaller = pot + values[kept] - faced, pot + values[place] - faced
        if larger / smaller >= 1.0 + threshold:
            kept -= 1
            values[kept] = values[place]
    for place in range(kept, count):
        values[place - kept] = values[place]
    return count - kept
