"""Which terminals of one player's moves are swept over the hands, and what they pay.

Terminals with the same reach of the opponent share a leaf: a player's own fold and call. A fold of the
opponent on the river is not swept at all. With `every(x)` the opponent's compatible reach behind x, that is

    every(fold) = every(decision) - every(call) - every(raises)

so what the fold pays can be paid at the decision instead, where every action below pays so much less: calls
and folds further down are swept anyway. The value of the decision is the same, and below it all values of a
hand are less by the same number, which no regret and no best response sees. `every(decision)` is known from
the player's own fold or showdown with that reach: the fold's row of values is a multiple of the row there.
Where there is neither, one sweep serves all decisions with that reach. Before the river a call is no
terminal, and the opponent's folds are swept like all others.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from overbet.kernels.vector.bundles import RIVER
from overbet.solvers.vector.layout import chance_scale
from overbet.tree.betting import FOLD, SHOWDOWN, BettingTree
from overbet.tree.public import PublicTree

Longs = npt.NDArray[np.int64]
Doubles = npt.NDArray[np.float64]


class Terminals(NamedTuple):
    """What is swept for one player, and what follows from it: L leaves, D rows of values.

    reach: [L], the first node with a leaf's reach of the opponent. fold, show: [L], the terminals whose
    values come of it, or -1. pays: [L, 3], half the pot for all beaten and once more for ties, what losing
    costs, a fold; times the chance of the cards. derived: [D, 2], a terminal and the leaf of whose fold its
    values are a multiple; factors: [D].
    """

    reach: Longs
    fold: Longs
    show: Longs
    pays: Doubles
    derived: Longs
    factors: Doubles


def slot_owners(betting: BettingTree, player: int) -> Longs:
    """Return the first node of each node's slot of a player: [N]. A slot begins with a line and after each of
    the player's actions."""
    return _first_above(betting, betting.kind[np.maximum(betting.parent, 0)] == player)


def swept_at(betting: BettingTree, own: int) -> Longs:
    """Return for each terminal the node whose reach of the opponent is swept for it: [terminals].

    It is the terminal itself, or the decision where the opponent folds on the river.
    """
    ends = np.flatnonzero(betting.kind >= FOLD)
    above = np.maximum(betting.parent[ends], 0)
    folds = (betting.kind[ends] == FOLD) & (betting.kind[above] == 1 - own)
    return np.where(folds & (betting.street[ends] == RIVER), above, ends)


def terminals_of(tree: PublicTree, own: int) -> Terminals:
    """Return what is swept for a player, and what follows from it."""
    betting = tree.betting
    ends, swept = np.flatnonzero(betting.kind >= FOLD), swept_at(betting, own)
    pays = _pays(tree, own, ends)
    less = _taken_off(betting, ends, swept, pays[:, 2])
    reach, leaf = np.unique(slot_owners(betting, 1 - own)[swept], return_inverse=True)
    fold, show, paid = np.full(len(reach), -1), np.full(len(reach), -1), np.zeros((len(reach), 3))
    shows, folds = betting.kind[ends] == SHOWDOWN, (betting.kind[ends] == FOLD) & (swept == ends)
    show[leaf[shows]], fold[leaf[folds]] = ends[shows], ends[folds]
    paid[leaf[shows], 0] = pays[shows, 0]
    paid[leaf[shows], 1] = pays[shows, 1] - less[ends[shows]]
    paid[leaf[folds], 2] = pays[folds, 2] - less[ends[folds]]
    moved = np.flatnonzero(swept != ends)
    more = pays[moved, 2] - less[swept[moved]]
    first, at = np.unique(leaf[moved], return_index=True)
    free = fold[first] < 0  # such a leaf takes the first of the folds for its own
    first, at = first[free], at[free]
    fold[first], paid[first, 2] = ends[moved[at]], more[at]
    rest = np.ones(len(moved), bool)
    rest[at] = False
    moved, more = moved[rest], more[rest]
    derived, base = np.stack([ends[moved], leaf[moved]], 1), paid[leaf[moved], 2]
    # an own fold always costs something; without one all folds of a leaf pay the same, be it nothing
    factors = np.divide(more, base, out=np.ones_like(more), where=base != 0)
    return Terminals(reach, fold, show, paid, derived, factors)


def _first_above(betting: BettingTree, begins: npt.NDArray[np.bool_]) -> Longs:
    """Return for each node the nearest one at or above it that is marked or begins a line: [N]."""
    begins = begins.copy()
    begins[betting.line_start[:-1]] = True
    owner = np.where(begins, np.arange(betting.size), np.maximum(betting.parent, 0))
    while True:
        further = owner[owner]
        if np.array_equal(further, owner):
            return owner
        owner = further


def _taken_off(betting: BettingTree, ends: Longs, swept: Longs, folds: Doubles) -> Doubles:
    """Return by how much less each node pays than the game says: [N], what the opponent's last fold on the
    way there would have paid. folds: [terminals]."""
    paid = np.zeros(betting.size)
    moved = swept != ends
    paid[swept[moved]] = folds[moved]
    above = np.maximum(betting.parent, 0)
    last = _first_above(betting, np.isin(above, swept[moved]))
    begins = np.isin(last, betting.line_start[:-1])
    return np.where(begins, 0.0, paid[above[last]])


def _pays(tree: PublicTree, own: int, ends: Longs) -> Doubles:
    """Return what terminals pay by the game: [terminals, 3], see `Terminals`.

    Payoffs are chips won beyond half of the starting pot, so that a game without rake sums to zero.
    """
    spot, betting = tree.spot, tree.betting
    scales = [chance_scale(spot, street) if street >= spot.first_street else 0.0 for street in range(3)]
    half, rake = spot.pot / 2, cache(spot.rake.of)
    kinds, streets, puts = (x[ends].tolist() for x in (betting.kind, betting.street, betting.put))
    folders = betting.kind[np.maximum(betting.parent[ends], 0)].tolist()
    found = np.zeros((len(ends), 3))
    for k, (kind, folder, street, put) in enumerate(zip(kinds, folders, streets, puts)):
        scale = scales[street]
        if kind == FOLD:
            called = put[folder]  # the uncalled part of the bet goes back
            total = spot.pot + 2 * called
            won = -called - half if folder == own else total - called - rake(total) - half
            found[k, 2] = won * scale
        else:
            total = spot.pot + 2 * put[own]
            found[k, 0] = (total - rake(total)) / 2 * scale
            found[k, 1] = (-put[own] - half) * scale
    return found
