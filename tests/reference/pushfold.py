"""Push or fold by combos, not classes: values and best responses over all pairs of 1,326 combos."""

from __future__ import annotations

import numpy as np

from overbet.cards.combos import class_of_combos, combo_table
from overbet.cards.preflop import BOARDS, matchups


def values(stack: float, ante: float, push: np.ndarray, call: np.ndarray) -> tuple[float, float, float]:
    """Return the small blind's value, and what each player's best response to the other gets.

    `push`, `call`: [169], how often each class is all in. Amounts are chips in the middle, counted one
    player at a time: what comes back from the pot less what was put in.
    """
    cards = combo_table().astype(int)
    shared = (cards[:, None, :, None] == cards[None, :, None, :]).any((2, 3))
    deal = np.where(shared, 0.0, 1.0)
    deal /= deal.sum()
    table = matchups()
    equity = (table.wins + table.ties / 2) / BOARDS
    often, calls = push[class_of_combos()], call[class_of_combos()]

    folded = 0.0 - (0.5 + ante)
    stolen = (0.5 + ante + 1.0 + ante) - (0.5 + ante)
    showdown = 2 * stack * equity - stack

    pushed = (deal * (calls * showdown + (1 - calls) * stolen)).sum(1)
    out = deal.sum(1) * folded
    value = (often * pushed + (1 - often) * out).sum()
    small = _best_by_class(pushed, out)

    big_called = (often[:, None] * deal * -showdown).sum(0)
    big_folded = (often[:, None] * deal * -stolen).sum(0)
    unpushed = ((1 - often)[:, None] * deal * -folded).sum()
    big = unpushed + _best_by_class(big_called, big_folded)
    return float(value), float(small), float(big)


def _best_by_class(act: np.ndarray, fold: np.ndarray) -> float:
    """Return the sum of the better choice, made once for all combos of a class."""
    classes = class_of_combos()
    return float(np.maximum(np.bincount(classes, act, 169), np.bincount(classes, fold, 169)).sum())
