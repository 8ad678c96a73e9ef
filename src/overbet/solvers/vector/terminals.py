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
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from overbet.kernels.vector.bundles import RIVER
from overbet.kernels.vector.leaves import FOLDS, SHOWS
from overbet.solvers.vector.layout import chance_scale
from overbet.tree.betting import FOLD, SHOWDOWN, BettingTree
from overbet.tree.public import PublicTree

Ints = npt.NDArray[np.int32]


class Terminals(NamedTuple):
    """The terminals of all chunks, for one player.

    leaves: [., 4] int32; pays: [., 3] float64; derived: [., 2] int32; factors: [.] float64: see `Program`.
    leaf_edges, derived_edges: [chunks + 1], the first of each chunk.
    """

    leaves: Ints
    pays: Any
    leaf_edges: Any
    derived: Ints
    factors: Any
    derived_edges: Any


def swept_at(betting: BettingTree, own: int) -> npt.NDArray[np.int64]:
    """Return for each terminal the node whose reach of the opponent is swept for it: [terminals].

    It is the terminal itself, or the decision where the opponent folds on the river.
    """
    ends = np.flatnonzero(betting.kind >= FOLD)
    above = np.maximum(betting.parent[ends], 0)
    theirs = (betting.kind[ends] == FOLD) & (betting.kind[above] == 1 - own) & (betting.street[ends] == RIVER)
    found: npt.NDArray[np.int64] = np.where(theirs, above, ends)
    return found


def first_above(betting: BettingTree, begins: npt.NDArray[np.bool_]) -> npt.NDArray[np.int64]:
    """Return for each node the nearest one at or above it that is marked, or the tree's first: [N]."""
    owner = np.where(begins, np.arange(betting.size), np.maximum(betting.parent, 0))
    while True:
        further = owner[owner]
        if np.array_equal(further, owner):
            return owner
        owner = further


def terminals_of(tree: PublicTree, own: int, slot: Ints, place: Any, chunk_of: Any, edges: Any) -> Terminals:
    """Return what is swept and what follows from it.

    slot: [N], the opponent's, in its chunk; place, chunk_of: [N]; edges: [chunks + 1], nodes of chunks.
    Leaves with both ends come first, then showdowns, then folds, so that tiles are of one kind.
    """
    betting = tree.betting
    ends = np.flatnonzero(betting.kind >= FOLD)
    swept = swept_at(betting, own)
    pays = _pays(tree, own, ends)
    less = _taken_off(betting, ends, swept, pays[:, 2])
    most = int(slot.max()) + 1
    keys, leaf = np.unique(chunk_of[ends] * most + slot[swept], return_inverse=True)
    chunk = keys // most
    nowhere = np.diff(edges)[chunk]
    found = np.stack([keys % most, nowhere, nowhere, np.zeros(len(keys), np.int64)], 1)
    paid = np.zeros((len(keys), 3))
    direct = swept == ends
    shows, folds = direct & (betting.kind[ends] == SHOWDOWN), direct & (betting.kind[ends] == FOLD)
    for code, column, those in ((SHOWS, 2, shows), (FOLDS, 1, folds)):
        found[leaf[those], column] = place[ends[those]]
        found[leaf[those], 3] |= code
    paid[leaf[shows], 0] = pays[shows, 0]
    paid[leaf[shows], 1] = pays[shows, 1] - less[ends[shows]]
    paid[leaf[folds], 2] = pays[folds, 2] - less[ends[folds]]
    moved = np.flatnonzero(~direct)
    more = pays[moved, 2] - less[swept[moved]]
    first, at = np.unique(leaf[moved], return_index=True)  # a leaf that has no fold yet takes the first
    free = found[first, 3] & FOLDS == 0
    first, at = first[free], at[free]
    found[first, 1], paid[first, 2] = place[ends[moved[at]]], more[at]
    found[first, 3] |= FOLDS
    rest = np.ones(len(moved), bool)
    rest[at] = False
    moved, more = moved[rest], more[rest]
    base = leaf[moved]
    derived = np.stack([place[ends[moved]], found[base, 1]], 1).astype(np.int32)
    order = np.lexsort((keys, -found[:, 3], chunk))
    bounds = np.arange(len(edges))
    return Terminals(
        found[order].astype(np.int32),
        paid[order],
        np.searchsorted(chunk[order], bounds),
        derived,
        more / paid[base, 2],
        np.searchsorted(chunk_of[ends[moved]], bounds),
    )


def _taken_off(betting: BettingTree, ends: Any, swept: Any, folds: Any) -> npt.NDArray[np.float64]:
    """Return by how much less each node pays than the game says: [N], what the opponent's last fold on the
    way there would have paid. folds: [terminals]."""
    paid = np.zeros(betting.size)
    moved = swept != ends
    paid[swept[moved]] = folds[moved]
    deciding = np.zeros(betting.size, bool)
    deciding[swept[moved]] = True
    above = np.maximum(betting.parent, 0)
    root = np.zeros(betting.size, bool)
    root[betting.line_start[:-1]] = True
    last = first_above(betting, root | deciding[above])
    return np.where(root[last], 0.0, paid[above[last]])


def _pays(tree: PublicTree, own: int, ends: Any) -> npt.NDArray[np.float64]:
    """Return what terminals pay: [., 3], half the pot for all beaten and once more for ties, what losing
    costs, a fold.

    Payoffs are chips won beyond half of the starting pot, so that a game without rake sums to zero.
    """
    spot, betting = tree.spot, tree.betting
    scales = [chance_scale(spot, street) if street >= spot.first_street else 0.0 for street in range(3)]
    half, rake = spot.pot / 2, cache(spot.rake.of)
    kinds = betting.kind[ends].tolist()
    folders = betting.kind[np.maximum(betting.parent[ends], 0)].tolist()
    found = np.zeros((len(ends), 3))
    for k, (kind, folder, street, put) in enumerate(
        zip(kinds, folders, betting.street[ends].tolist(), betting.put[ends].tolist())
    ):
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
