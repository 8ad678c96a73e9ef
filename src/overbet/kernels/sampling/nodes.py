"""The nodes of a small game as walks read them: the one place where a node's four numbers are told apart.

column   at a decision       at a chance node       at the end
0        player              CHANCE                 TERMINAL
1        first child         first child
2        first slot          number of the draw     row of `returns`
3        children            children               0
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from overbet.kernels.jit import lean_inlined
from overbet.kernels.rng import uniform

CHANCE = -1
TERMINAL = -4


class SampleTree(NamedTuple):
    """What a traversal reads of a game: one line of memory a node. N nodes, L terminals, P players.

    node:    [N, 4] int32    as above
    returns: [L, P] float64  what each player won
    keep:    [N] float64     chance's outcomes as an alias table (Walker 1977): share of the draw that stays
    alias:   [N] int32       the sibling that takes the rest
    chance:  [N] float64     chance's probability of the edge into the node
    """

    node: npt.NDArray[np.int32]
    returns: npt.NDArray[np.float64]
    keep: npt.NDArray[np.float64]
    alias: npt.NDArray[np.int32]
    chance: npt.NDArray[np.float64]


def packed_nodes(
    player: npt.NDArray[Any], child: npt.NDArray[Any], place: npt.NDArray[Any], count: npt.NDArray[Any]
) -> npt.NDArray[np.int32]:
    """Return [N, 4] int32 of the columns above, each [N]."""
    return np.stack([player, child, place, count], axis=1).astype(np.int32)


@lean_inlined
def player_at(tree: Any, n: Any) -> Any:
    """Return who acts at a node: a player, CHANCE or TERMINAL."""
    return tree.node[n, 0]


@lean_inlined
def first_child(tree: Any, n: Any) -> Any:
    """Return the first child of a node; the others follow it."""
    return tree.node[n, 1]


@lean_inlined
def count_at(tree: Any, n: Any) -> Any:
    """Return how many children a node has."""
    return tree.node[n, 3]


@lean_inlined
def row_at(tree: Any, n: Any) -> Any:
    """Return the first slot of a decision's row."""
    return tree.node[n, 2]


@lean_inlined
def return_at(tree: Any, n: Any, player: Any) -> Any:
    """Return what a player won at an end."""
    return tree.returns[tree.node[n, 2], player]


@lean_inlined
def dealt(tree: Any, n: Any, key: np.uint64) -> int:
    """Return the child that chance deals at a node, in constant time."""
    scaled = uniform(key, tree.node[n, 2]) * tree.node[n, 3]
    which = int(scaled)
    child = tree.node[n, 1] + which
    return int(child if scaled - which < tree.keep[child] else tree.alias[child])
