"""Both players follow a blueprint from a decision on, on one full board: what every pair of hands is worth.

`follow` gives values against one reach. A depth limit asks for values against any reach, so here the values
of all pairs are tabulated. Hands that have the same buckets and the same strength on a board play alike and
win alike: they are one group, and a board has some 60 to 240 groups where it has 1,081 hands. With P the
chance that a group's own actions lead to an end of the hand, and Q the other player's group's,

    value[g, h] = sum over ends of P[end, g] (won[end] + pot[end] share[g, h]) Q[end, h]

where share is 1, 1/2 or 0 by strength. Tables of groups are then added to those of hands.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from overbet.kernels.holdem.layout import CALL, FOLD
from overbet.kernels.jit import fast_kernel, kernel
from overbet.kernels.playout.follow import TO_CALL, TO_FOLD, TO_RAISE, FollowedTree
from overbet.kernels.training.record import row_at, street_of
from overbet.kernels.training.tree import MOST_ACTIONS

Ints = npt.NDArray[np.int32]
Floats = npt.NDArray[np.float32]


class TreeBelow(NamedTuple):
    """All that can follow a decision: N nodes, parents first, siblings side by side; D of them decisions.

    decision: [D, 5] int64: place among the nodes, node of the blueprint's tree, player, actions, place of the
    first child. ends: [T] int64, places of the ends, folds first; folds: how many of them are folds. won: [T]
    float32, chips player 0 wins there beside the pot, from the deal on; pot: [T] float32, what is shown down
    for, 0 at folds.
    """

    size: int
    decision: npt.NDArray[np.int64]
    ends: npt.NDArray[np.int64]
    folds: int
    won: Floats
    pot: Floats


@kernel
def own_chances(
    walk: FollowedTree, below: TreeBelow, bucket: Ints, player: int, lean_to: int, factor: float, out: Floats
) -> None:
    """Fill the chance that a player's own actions lead to each node: out [N, G] float32.

    bucket: [4, G] int32, of each group by street; lean_to, factor: as in `follow.Leaning`.
    """
    groups = bucket.shape[1]
    row = np.empty(MOST_ACTIONS, np.float32)
    for g in range(groups):
        out[0, g] = 1.0
    for d in range(len(below.decision)):
        here, node = below.decision[d, 0], below.decision[d, 1]
        count, child = below.decision[d, 3], below.decision[d, 4]
        if below.decision[d, 2] != player:
            for a in range(count):
                for g in range(groups):
                    out[child + a, g] = out[here, g]
            continue
        first, street = walk.record[node, 1], street_of(walk.record[node, 0])
        for g in range(groups):
            start = row_at(walk.record, node, bucket[street, g])
            total = np.float32(0.0)
            for a in range(count):
                action = walk.action[first + a]
                kind = TO_FOLD if action == FOLD else TO_CALL if action == CALL else TO_RAISE
                row[a] = walk.strategy[start + a] * (factor if kind == lean_to else 1.0)
                total += row[a]
            for a in range(count):
                if total > 0.0:
                    out[child + a, g] = out[here, g] * row[a] / total
                else:  # a row that training never reached checks or calls
                    out[child + a, g] = out[here, g] if walk.action[first + a] == CALL else 0.0


@fast_kernel
def _add_ends(a: Any, i: int, scale: Any, b: Any, first: int, last: int, out: Any) -> None:
    """out[h] += sum over ends of a[end, i] scale[end] b[end, h]; four ends at a time."""
    end = first
    while end + 4 <= last:
        w, x = a[end, i] * scale[end], a[end + 1, i] * scale[end + 1]
        y, z = a[end + 2, i] * scale[end + 2], a[end + 3, i] * scale[end + 3]
        if w != 0.0 or x != 0.0 or y != 0.0 or z != 0.0:
            p, q, r, s = b[end], b[end + 1], b[end + 2], b[end + 3]
            for h in range(len(out)):
                out[h] += (w * p[h] + x * q[h]) + (y * r[h] + z * s[h])
        end += 4
    while end < last:
        w, p = a[end, i] * scale[end], b[end]
        for h in range(len(out)):
            out[h] += w * p[h]
        end += 1


@fast_kernel
def group_values(below: TreeBelow, a: Floats, b: Floats, rank: Ints, player: int, out: Floats) -> None:
    """Fill what player 0 wins, from the deal on, by groups: out [G, G + 1] float32, the last column 0.

    Rows are the groups of `player`, columns those of the other. a, b: [T, G] float32, each one's own chances
    of the ends; rank: [G] int32, strengths.
    """
    groups, ends = len(rank), len(below.ends)
    shown = np.empty(groups, np.float32)
    all_won, half = np.float32(1.0), np.float32(0.5)
    for g in range(groups):
        row = out[g]
        for h in range(groups + 1):
            row[h] = 0.0
        _add_ends(a, g, below.won, b, 0, ends, row[:groups])
        for h in range(groups):
            shown[h] = 0.0
        _add_ends(a, g, below.pot, b, below.folds, ends, shown)
        for h in range(groups):
            mine = rank[g] if player == 0 else rank[h]
            other = rank[h] if player == 0 else rank[g]
            row[h] += shown[h] * (all_won if mine > other else half if mine == other else np.float32(0.0))


@fast_kernel
def add_groups(table: Floats, group: Ints, out: Floats) -> None:
    """Add a table of groups to that of hands. table: [G, G + 1] float32, the last column 0; group: [H] int32,
    of each hand, G for those that the board kills; out: [H, H] float32.
    """
    for h in range(len(group)):
        if group[h] == len(table):
            continue
        row, to = table[group[h]], out[h]
        for k in range(len(group)):
            to[k] += row[group[k]]


@fast_kernel
def rows_against(table: Floats, reach: Floats, out: Floats) -> None:
    """out[h] = sum over k of table[h, k] reach[k], all float32."""
    for h in range(len(out)):
        row = table[h]
        total = np.float32(0.0)
        for k in range(len(reach)):
            total += row[k] * reach[k]
        out[h] = total


@fast_kernel
def columns_against(table: Floats, reach: Floats, out: Floats) -> None:
    """out[k] = sum over h of table[h, k] reach[h], all float32."""
    for k in range(len(out)):
        out[k] = 0.0
    h = 0
    while h + 4 <= len(reach):
        w, x, y, z = reach[h], reach[h + 1], reach[h + 2], reach[h + 3]
        if w != 0.0 or x != 0.0 or y != 0.0 or z != 0.0:
            p, q, r, s = table[h], table[h + 1], table[h + 2], table[h + 3]
            for k in range(len(out)):
                out[k] += (w * p[k] + x * q[k]) + (y * r[k] + z * s[k])
        h += 4
    while h < len(reach):
        w, p = reach[h], table[h]
        for k in range(len(out)):
            out[k] += w * p[k]
        h += 1
