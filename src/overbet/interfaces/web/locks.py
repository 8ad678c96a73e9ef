"""Locks as the page shows and solves them: what a lock would fix, hand by hand, on the real board.

Total frequencies are reached from a solution's strategy (`locking.shifted`). Before a solve they are written
out hand by hand where the line has cards: there the new tree keeps every suit apart and boards are numbered
otherwise than in the tree the frequencies start from.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from overbet.cards.cards import card
from overbet.cards.combos import combo_name
from overbet.cards.range import Range
from overbet.errors import CardError
from overbet.solvers.vector.lines import Action
from overbet.solvers.vector.locking import Lock, fixed, shifted
from overbet.solvers.vector.solution import Solution


class LockedNode(NamedTuple):
    """A lock on a solved tree. combos: [H] int16; shares: [H, actions] float64, NaN for free hands."""

    line: str
    actions: tuple[Action, ...]
    combos: npt.NDArray[np.int16]
    shares: npt.NDArray[np.float64]


def locked_node(solution: Solution, lock: Lock) -> LockedNode:
    """Return what a lock fixes, starting from a solution's strategy."""
    fixed(solution.tree, lock)  # refuses lines and actions that are not there
    node = solution.node(lock.line)
    seat = node.seat()
    assert seat.strategy is not None
    tokens = [action.token for action in node.actions]
    shares = np.full(seat.strategy.shape, np.nan)
    if lock.frequencies is not None:
        wanted = np.array([lock.frequencies.get(token, 0.0) for token in tokens])
        shares[:] = shifted(seat.strategy.T, seat.reach, wanted).T
    for text, mix in (lock.hands or {}).items():
        these = Range.parse(text).weights[seat.combos] > 0
        shares[these] = [mix.get(token, 0.0) for token in tokens]
    return LockedNode(node.line, node.actions, seat.combos, shares)


def written_out(solution: Solution, lock: Lock) -> Lock:
    """Return a lock that needs no solution to start from, where the line has cards; any other as it is."""
    if lock.frequencies is None or not any(map(_is_card, lock.line.split(":"))):
        return lock
    found = locked_node(solution, lock)
    tokens = [action.token for action in found.actions]
    shares = found.shares / found.shares.sum(1, keepdims=True)
    hands = {
        combo_name(int(combo)): dict(zip(tokens, row.tolist())) for combo, row in zip(found.combos, shares)
    }
    return Lock(line=lock.line, hands=hands)


def _is_card(part: str) -> bool:
    try:
        card(part)
    except CardError:
        return False
    return True
