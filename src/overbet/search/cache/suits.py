"""Values for hands after the suits are renamed."""

from __future__ import annotations

from functools import cache
from itertools import permutations
from typing import Any

import numpy as np
import numpy.typing as npt

from overbet.cards.combos import combo_table

Renaming = tuple[int, int, int, int]  # entry s is the suit that suit s becomes

SAME_SUITS: Renaming = (0, 1, 2, 3)
RENAMINGS: tuple[Renaming, ...] = tuple((a, b, c, d) for a, b, c, d in permutations(range(4)))


def inverse(renaming: Renaming) -> Renaming:
    """Return the renaming that takes another one back."""
    a, b, c, d = (renaming.index(suit) for suit in range(4))
    return a, b, c, d


def rename_hands(values: npt.NDArray[Any], renaming: Renaming, axis: int = -1) -> npt.NDArray[Any]:
    """Return values for the renamed hands; `axis` is the axis of the 1,326 combos.

    The value of a combo is found at the combo that its two cards become.
    """
    if renaming == SAME_SUITS:
        return values
    return np.take(values, _sources(renaming), axis=axis)


@cache
def _sources(renaming: Renaming) -> npt.NDArray[np.intp]:
    """Return for every combo the one that becomes it: [1326]."""
    cards = combo_table().astype(np.intp)
    before = cards - cards % 4 + np.array(inverse(renaming), np.intp)[cards % 4]
    high, low = before.max(axis=1), before.min(axis=1)
    sources: npt.NDArray[np.intp] = high * (high - 1) // 2 + low
    return sources
