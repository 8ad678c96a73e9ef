"""Counterfactual regrets of a small game by definition: every history is walked, with Python floats."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from overbet.games.protocol import CHANCE, TERMINAL
from overbet.tree.flat import FlatGame


def history_values(flat: FlatGame, strategy: Sequence[float], player: int) -> list[float]:
    """Return what each history is worth to a player when all play `strategy: [slot]`."""
    tree, values = flat.tree, [0.0] * flat.num_nodes
    for node in range(flat.num_nodes - 1, -1, -1):
        if tree.player[node] == TERMINAL:
            values[node] = float(tree.returns[tree.terminal[node], player])
            continue
        first, count = int(tree.first_child[node]), int(tree.num_children[node])
        for child in range(first, first + count):
            chance = tree.player[node] == CHANCE
            share = tree.probability[child] if chance else strategy[int(tree.slot[child])]
            values[node] += float(share) * values[child]
    return values


def counterfactual_regrets(flat: FlatGame, strategy: Sequence[float], player: int) -> list[float]:
    """Return the regret of each slot of a player's sets, weighed by the reach of all others: [slot]."""
    tree, values = flat.tree, history_values(flat, strategy, player)
    others, regrets = [1.0] * flat.num_nodes, [0.0] * flat.num_slots
    for node in range(flat.num_nodes):
        first, count = int(tree.first_child[node]), int(tree.num_children[node])
        for child in range(first, first + count):
            share = 1.0
            if tree.player[node] == CHANCE:
                share = float(tree.probability[child])
            elif tree.player[node] != player:
                share = float(strategy[int(tree.slot[child])])
            else:
                regrets[int(tree.slot[child])] += others[node] * (values[child] - values[node])
            others[child] = others[node] * share
    return regrets


def own_reach(flat: FlatGame, strategy: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Return how often the owner of each slot plays up to it and takes it: [slot]."""
    reach = np.zeros(flat.num_slots)
    for infoset in range(flat.num_infosets):
        above = int(flat.tree.infoset_parent[infoset])
        slots = flat.slots(infoset)
        reach[slots] = (1.0 if above < 0 else reach[above]) * strategy[slots]
    return reach
