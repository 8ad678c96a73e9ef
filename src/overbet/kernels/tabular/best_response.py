"""Exact best responses by one walk over all histories: it shares nothing with the update pass it checks.

With Q[s] the player's value of slot s when everybody keeps to the strategies (weighted by chance and the
others' reach), and v the player's value of an information set, the gain of deviating at a set and below is

    gain(set) = max over its slots of  Q[s] - v + the gains of the player's sets that follow s

and a best response earns the strategy's own value plus the gains of the player's first sets. Every term is
at least 0 in floating point too, so NashConv, the sum of all players' gains, is never negative.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from overbet.kernels.jit import kernel


class ResponseWork(NamedTuple):
    """Work space and results. N nodes, A slots, P players.

    reach:     [N] float64  probability that chance and the other players reach a history
    worth:     [N] float64  the player's value below a history, times that reach
    action:    [A] float64  Q above
    gain:      [A] float64  gains of the player's sets that follow a slot
    response:  [A] float64  the best responses as pure strategies
    values:    [P] float64  what each player wins when all keep to the strategies
    gains:     [P] float64  what each player would win more with a best response
    """

    reach: npt.NDArray[np.float64]
    worth: npt.NDArray[np.float64]
    action: npt.NDArray[np.float64]
    gain: npt.NDArray[np.float64]
    response: npt.NDArray[np.float64]
    values: npt.NDArray[np.float64]
    gains: npt.NDArray[np.float64]


@kernel
def best_responses(tree: Any, strategy: npt.NDArray[np.float64], work: ResponseWork) -> None:
    """Fill `work` for all players; `strategy: [A] float64` sums to 1 in every information set."""
    work.action[:] = 0.0
    work.gain[:] = 0.0
    for player in range(len(work.gains)):
        _walk_down(tree, strategy, work.reach, player)
        _walk_up(tree, strategy, work, player)
        work.values[player] = work.worth[0]
        work.gains[player] = _deviate(tree, strategy, work, player)


@kernel
def _walk_down(
    tree: Any, strategy: npt.NDArray[np.float64], reach: npt.NDArray[np.float64], player: int
) -> None:
    """Fill `reach: [N]` with the probability that everybody but `player` plays to each history."""
    reach[0] = 1.0
    for node in range(1, len(reach)):
        above = tree.parent[node]
        probability = tree.probability[node]
        if tree.slot[node] >= 0 and tree.player[above] != player:
            probability = strategy[tree.slot[node]]
        reach[node] = reach[above] * probability


@kernel
def _walk_up(tree: Any, strategy: npt.NDArray[np.float64], work: ResponseWork, player: int) -> None:
    """Sum values towards the root, and into the slots of `player`."""
    worth = work.worth
    worth[:] = 0.0
    for node in range(len(worth) - 1, 0, -1):
        if tree.terminal[node] >= 0:
            worth[node] = work.reach[node] * tree.returns[tree.terminal[node], player]
        above = tree.parent[node]
        if tree.player[above] == player:
            slot = tree.slot[node]
            work.action[slot] += worth[node]
            worth[above] += strategy[slot] * worth[node]
        else:
            worth[above] += worth[node]
    if tree.terminal[0] >= 0:
        worth[0] = tree.returns[0, player]


@kernel
def _deviate(tree: Any, strategy: npt.NDArray[np.float64], work: ResponseWork, player: int) -> float:
    """Choose the best action of each set from the last to the first; return the gain over the whole game."""
    total = 0.0
    for infoset in range(tree.player_infosets[player + 1] - 1, tree.player_infosets[player] - 1, -1):
        first, last = tree.infoset_offset[infoset], tree.infoset_offset[infoset + 1]
        value, highest = 0.0, work.action[first]
        for slot in range(first, last):
            value += strategy[slot] * work.action[slot]
            highest = max(highest, work.action[slot])
        # a mean is never above the largest term, save by the rounding of its sum
        value = min(value, highest)
        best, gain = first, work.action[first] - value + work.gain[first]
        for slot in range(first + 1, last):
            here = work.action[slot] - value + work.gain[slot]
            if here > gain:
                best, gain = slot, here
        for slot in range(first, last):
            work.response[slot] = 1.0 if slot == best else 0.0
        before = tree.infoset_parent[infoset]
        if before >= 0:
            work.gain[before] += gain
        else:
            total += gain
    return total
