"""Two-player zero-sum games solved exactly: the linear program of the sequence form (von Stengel 1996)."""

from __future__ import annotations

from typing import Any

import numpy as np

from overbet.tree.flat import FlatGame


def solve_exactly(flat: FlatGame) -> np.ndarray:
    """Return an equilibrium of a two-player zero-sum game, [slot] float64; uniform where nobody gets."""
    from scipy.optimize import linprog
    from scipy.sparse import csr_matrix, hstack

    tree, me, you = flat.tree, 0, 1
    last = np.full((flat.num_nodes, 2), -1)
    chance = np.ones(flat.num_nodes)
    for node in range(1, flat.num_nodes):
        above = tree.parent[node]
        last[node] = last[above]
        chance[node] = chance[above] * tree.probability[node]
        if tree.slot[node] >= 0:
            last[node, tree.player[above]] = tree.slot[node]
    ends = np.flatnonzero(tree.terminal >= 0)
    pay = chance[ends] * tree.returns[tree.terminal[ends], me]
    size = flat.num_slots + 1  # sequence s is column s + 1; column 0 is the empty one
    matrix = csr_matrix((pay, (last[ends, me] + 1, last[ends, you] + 1)), shape=(size, size))
    own, own_rhs = _constraints(flat, me)
    other, other_rhs = _constraints(flat, you)
    # maximise other_rhs . q  with  other' q <= matrix' x,  own x = own_rhs,  x >= 0
    count = other.shape[0]
    cost = np.concatenate([np.zeros(size), -other_rhs])
    found = linprog(
        cost,
        A_ub=hstack([-matrix.T, other.T]).tocsr(),
        b_ub=np.zeros(size),
        A_eq=hstack([own, csr_matrix((own.shape[0], count))]).tocsr(),
        b_eq=own_rhs,
        bounds=[(0, None)] * size + [(None, None)] * count,
        method="highs",
    )
    assert found.status == 0, found.message
    # the other player's plan is the dual of the first inequalities
    plans = found.x[1:size], -found.ineqlin.marginals[1:]
    owner = tree.infoset_player[tree.slot_infoset]
    return flat.normalise(np.maximum(np.where(owner == me, *plans), 0.0))


def _constraints(flat: FlatGame, player: int) -> tuple[Any, np.ndarray]:
    """Return the equations of a realisation plan: the empty sequence is 1; a set's sum to what led to it."""
    from scipy.sparse import csr_matrix

    tree = flat.tree
    sets = range(int(tree.player_infosets[player]), int(tree.player_infosets[player + 1]))
    rows, columns, entries = [0], [0], [1.0]
    for row, infoset in enumerate(sets, 1):
        rows.append(row)
        columns.append(int(tree.infoset_parent[infoset]) + 1)
        entries.append(-1.0)
        for slot in range(flat.slots(infoset).start, flat.slots(infoset).stop):
            rows.append(row)
            columns.append(slot + 1)
            entries.append(1.0)
    matrix = csr_matrix((entries, (rows, columns)), shape=(len(sets) + 1, flat.num_slots + 1))
    return matrix, np.array([1.0] + [0.0] * len(sets))
