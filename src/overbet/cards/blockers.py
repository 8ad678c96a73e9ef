"""Blockers: what one player's cards do to how often the other takes each action.

A player at a decision has hands with a weight (reach) and a mix of actions. Whoever holds a card takes every
hand with that card out of the other's range; the frequencies of what is left are the blocked frequencies.
For two cards the hands with either are taken out, those with both once only (inclusion and exclusion), so all
1,326 holdings cost a few sums over cards.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from overbet.cards.cards import DECK
from overbet.cards.combos import combo_table, live_combos

Doubles = npt.NDArray[np.float64]


class CardBlockers(NamedTuple):
    """Effects of single cards.

    frequencies: [actions] float64, of the whole range. given: [actions, 52] float64, when the other player
    holds that card. removed: [52] float64, share of the range the card takes out. NaN for board cards.
    """

    frequencies: Doubles
    given: Doubles
    removed: Doubles


def by_card(reach: Doubles, strategy: Doubles, board: Iterable[int] = ()) -> CardBlockers:
    """Return the effect of each card. reach: [1326] float64; strategy: [actions, 1326] float64."""
    taken, total = _taken(reach, strategy)
    whole = taken.sum(1) / 2  # every hand has two cards
    left = whole[:, None] - taken
    frequencies = whole[:-1] / whole[-1] if whole[-1] > 0 else np.full(len(strategy), np.nan)
    given = _share(left[:-1], left[-1], total)
    removed = taken[-1] / total if total > 0 else np.full(DECK, np.nan)
    dead = list(board)
    given[:, dead], removed[dead] = np.nan, np.nan
    return CardBlockers(frequencies, given, removed)


def by_combo(reach: Doubles, strategy: Doubles, board: Iterable[int] = ()) -> Doubles:
    """Return the frequencies when the other player holds each combo: [actions, 1326] float64, NaN if dead."""
    taken, total = _taken(reach, strategy)
    whole = taken.sum(1) / 2
    own = np.vstack([reach * strategy, reach])
    high, low = combo_table()[:, 0].astype(np.int64), combo_table()[:, 1].astype(np.int64)
    left = whole[:, None] - taken[:, high] - taken[:, low] + own
    found = _share(left[:-1], left[-1], total)
    found[:, ~live_combos(board)] = np.nan
    return found


def _taken(reach: Doubles, strategy: Doubles) -> tuple[Doubles, float]:
    """Return what each card takes out, by action and (last row) in all: [actions + 1, 52]; and the total."""
    cards = combo_table().astype(np.int64)
    rows = np.vstack([reach * strategy, reach])
    found = np.array(
        [np.bincount(cards[:, 0], row, DECK) + np.bincount(cards[:, 1], row, DECK) for row in rows]
    )
    return found, float(reach.sum())


def _share(part: Doubles, whole: Doubles, total: float) -> Doubles:
    """Return part / whole, NaN where nothing but rounding is left."""
    some = whole > 1e-9 * total
    found: Doubles = np.divide(part, whole, out=np.full(part.shape, np.nan), where=some[None, :])
    return np.clip(found, 0.0, 1.0)
