"""Walks over a whole small game in numpy, a level of the tree at a time: reaches down, values up.

The kernels of `solvers/tabular` answer for a whole game; re-solving asks for the numbers at single histories.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from overbet.errors import RulesError
from overbet.games.protocol import CHANCE
from overbet.tree.flat import FlatGame, Tree

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]
_SUM = 1e-9  # how far the two players' returns may be from summing to zero


def check_two_players(flat: FlatGame) -> None:
    """Refuse a game in which re-solving promises nothing: it needs two players, zero sum, perfect recall."""
    if flat.num_players != 2:
        raise RulesError(
            f"re-solving is proved for two players; {flat.name} has {flat.num_players}: use two-player games"
        )
    if flat.num_terminals and np.abs(flat.tree.returns.sum(axis=1)).max() > _SUM:
        raise RulesError(
            f"re-solving is proved for zero-sum games; the returns of {flat.name} do not sum to 0"
        )
    if not flat.perfect_recall:
        raise RulesError(f"{flat.name} has imperfect recall, and re-solving needs perfect recall")


def sums(index: npt.NDArray[np.signedinteger[Any]], weights: Floats, count: int) -> Floats:
    """Return the sum of the weights that go to each of `count` places: [count] float64."""
    return np.bincount(index, weights=weights, minlength=count).astype(np.float64, copy=False)


def levels(tree: Tree) -> list[slice]:
    """Return the nodes of each depth, from the root down."""
    found, start, end = [], 0, 1
    while start < end:
        found.append(slice(start, end))
        start, end = end, end + int(tree.num_children[start:end].sum())
    return found


def edges(tree: Tree, strategy: Floats) -> Floats:
    """Return the probability of the edge into each node, [node] float64: a player's or chance's."""
    slot = tree.slot
    return np.where(slot >= 0, strategy[np.maximum(slot, 0)], tree.probability)


def reaches(flat: FlatGame, strategy: Floats) -> Floats:
    """Return [3, node] float64: how likely player 0, player 1 and chance each play to a history."""
    tree = flat.tree
    edge = edges(tree, strategy)
    mover = np.full(flat.num_nodes, CHANCE)
    mover[1:] = tree.player[tree.parent[1:]]
    factors = np.stack([np.where(mover == who, edge, 1.0) for who in (0, 1, CHANCE)])
    found = np.ones((3, flat.num_nodes))
    for level in levels(tree)[1:]:
        found[:, level] = found[:, tree.parent[level]] * factors[:, level]
    return found


def node_values(flat: FlatGame, strategy: Floats, player: int, lowest: Mask | None = None) -> Floats:
    """Return what `player` wins from each history on when all follow `strategy`, [node] float64.

    lowest: [node] bool; at those histories the mover takes what is worst for `player` instead.
    """
    tree = flat.tree
    edge = edges(tree, strategy)
    value = np.zeros(flat.num_nodes)
    over = tree.terminal >= 0
    value[over] = tree.returns[tree.terminal[over], player]
    for level in reversed(levels(tree)[1:]):
        above = tree.parent[level]
        first, last = int(above[0]), int(above[-1])
        means = sums(above - first, edge[level] * value[level], last - first + 1)
        inner = ~over[first : last + 1]
        value[first : last + 1][inner] = means[inner]
        if lowest is not None and (chosen := lowest[above]).any():
            nodes = above[chosen]
            value[nodes] = np.inf
            np.minimum.at(value, nodes, value[level][chosen])
    return value


def last_slots(flat: FlatGame) -> Ints:
    """Return [2, node] int64: the slot of each player's last action before a history; -1 without one."""
    tree = flat.tree
    found = np.full((2, flat.num_nodes), -1, dtype=np.int64)
    for level in levels(tree)[1:]:
        above = tree.parent[level]
        for player in (0, 1):
            own = tree.player[above] == player
            found[player, level] = np.where(own, tree.slot[level], found[player, above])
    return found
