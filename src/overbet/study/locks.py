"""A lock before it is solved: what it would fix, hand by hand, on the real board.

Total frequencies are reached from a solution's strategy (`locking.shifted`).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from overbet.cards.grid import class_means
from overbet.cards.range import Range
from overbet.solvers.vector.lines import Action
from overbet.solvers.vector.locking import Lock, fixed, shifted
from overbet.solvers.vector.solution import Solution
from overbet.study.views import View, dense


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


def lock_preview(solution: Solution, lock: Lock) -> View:
    """Return the node as a lock would fix it, before anything is solved again.

    `strategy`, [actions, 1326], is NaN for hands that stay free; `class_mix`, [actions, 169], is the grid, in
    which free hands play as they do now. frequencies: the totals, hands as often here as now.
    """
    found = locked_node(solution, lock)
    seat = solution.node(lock.line).seat()
    assert seat.strategy is not None
    whole = np.where(np.isfinite(found.shares), found.shares, seat.strategy)
    facts = {
        "line": found.line,
        "actions": [{"token": action.token, "label": action.label} for action in found.actions],
        "hands": int(np.isfinite(found.shares[:, 0]).sum()),
        "frequencies": (seat.weight @ whole).tolist(),
    }
    mix = class_means(found.combos, whole, seat.reach)
    arrays = {"strategy": dense(found.combos, found.shares), "class_mix": mix.T.astype(np.float32)}
    return View(facts, arrays)
