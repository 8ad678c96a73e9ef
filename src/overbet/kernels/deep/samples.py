"""Traversals of a flat game that learn nothing themselves: they write samples, from which networks learn.

The strategy they follow is a table, one number a slot: networks are asked once an iteration about all
information sets, and a traversal costs what it costs a tabular solver. A sample is a row of three logs:

    regrets    at the traverser's information sets: the first slot of the set, what each action is worth
               above the strategy, and a weight
    plays      at the other players' sets: the first slot and a weight; the strategy there is in the table
    edges      the decisions of a line and where they led (outcome sampling): what a baseline learns from

External sampling takes every action of the traverser, so a set comes up as often as the others lead to it,
and weights are 1. Outcome sampling takes one, drawn from epsilon * uniform + (1 - epsilon) * strategy: a set
then comes up as often as the traverser's own exploration leads to it as well, and 1 / that chance is the
weight.

With a baseline (what a history is worth to player 0, see `solvers.deep.baseline`) a sampled action a counts
b(a) + (v - b(a)) / q(a) and every other b(a): the same mean, less variance.

Random numbers are functions of (seed, iteration, traversal, node): how traversals are spread over threads
changes nothing.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from overbet.kernels.jit import kernel, lean_inlined
from overbet.kernels.rng import stream_key, uniform
from overbet.kernels.sampling.nodes import (
    CHANCE,
    TERMINAL,
    count_at,
    dealt,
    first_child,
    player_at,
    return_at,
    row_at,
)
from overbet.kernels.sampling.rows import expected, explored, explored_chance, mean_of, picked


class WalkSpace(NamedTuple):
    """Work space of one thread: Q places of a traversal, at least as many as `walk_bounds` says.

    place: [Q] int32     nodes met
    link:  [Q] int32     where the children of a place stand (external), the child taken (outcome)
    value: [Q] float64   values (external), weights 1/q (outcome)
    """

    place: npt.NDArray[np.int32]
    link: npt.NDArray[np.int32]
    value: npt.NDArray[np.float64]


class Samples(NamedTuple):
    """The logs of a block of traversals; E entries each, M actions at most.

    regret_row:    [E] int32       first slot of the information set
    regret:        [E, M] float32  one number an action, 0 beyond the set's actions
    regret_weight: [E] float32
    play_row:      [E] int32
    play_weight:   [E] float32
    edge:          [E] int32       node that a decision led to (outcome sampling only)
    edge_value:    [E] float32     what followed was worth to player 0, baselines counted
    length:        [3] int64       entries in use: regrets, plays, edges
    """

    regret_row: npt.NDArray[np.int32]
    regret: npt.NDArray[np.float32]
    regret_weight: npt.NDArray[np.float32]
    play_row: npt.NDArray[np.int32]
    play_weight: npt.NDArray[np.float32]
    edge: npt.NDArray[np.int32]
    edge_value: npt.NDArray[np.float32]
    length: npt.NDArray[np.int64]


class WalkBlock(NamedTuple):
    """Which traversals: numbers first .. last-1 of `player` in one iteration of a seed."""

    seed: int
    iteration: int
    players: int
    player: int
    first: int
    last: int
    epsilon: float


@kernel
def external_samples(tree: Any, strategy: Any, space: WalkSpace, found: Samples, block: WalkBlock) -> None:
    """External sampling: walk the block's traversals and write what they saw into `found`."""
    found.length[:] = 0
    for number in range(block.first, block.last):
        key = stream_key(block.seed, block.iteration, number * block.players + block.player)
        _external(tree, strategy, space, found, key, block.player)


@lean_inlined
def _external(tree: Any, strategy: Any, space: Any, found: Any, key: np.uint64, player: int) -> None:
    place, link, value, length = space.place, space.link, space.value, found.length
    head, tail = 0, 1
    place[0] = 0
    while head < tail:  # down: a queue of the traverser's nodes and the ends of lines
        n = place[head]
        who = player_at(tree, n)
        while who != player and who != TERMINAL:
            if who == CHANCE:
                n = dealt(tree, n, key)
            else:
                row = row_at(tree, n)
                found.play_row[length[1]], found.play_weight[length[1]] = row, 1.0
                length[1] += 1
                n = first_child(tree, n) + picked(strategy, row, count_at(tree, n), uniform(key, n))
            who = player_at(tree, n)
        place[head] = n
        if who == TERMINAL:
            value[head] = return_at(tree, n, player)
        else:
            link[head] = tail
            for a in range(count_at(tree, n)):
                place[tail + a] = first_child(tree, n) + a
            tail += count_at(tree, n)
        head += 1
    for head in range(tail - 1, -1, -1):  # up: children stand behind their parents in the queue
        n = place[head]
        if player_at(tree, n) != TERMINAL:
            row, count, below = row_at(tree, n), count_at(tree, n), link[head]
            value[head] = expected(strategy, row, value, below, count)
            e = length[0]
            found.regret_row[e], found.regret_weight[e] = row, 1.0
            for a in range(found.regret.shape[1]):
                found.regret[e, a] = value[below + a] - value[head] if a < count else 0.0
            length[0] += 1


@kernel
def outcome_samples(
    tree: Any, strategy: Any, baseline: Any, space: WalkSpace, found: Samples, block: WalkBlock
) -> None:
    """Outcome sampling: as `external_samples`; baseline: [node] float64, what a node is worth to player 0."""
    found.length[:] = 0
    for number in range(block.first, block.last):
        key = stream_key(block.seed, block.iteration, number * block.players + block.player)
        _outcome(tree, strategy, baseline, space, found, key, block)


@lean_inlined
def _outcome(
    tree: Any, strategy: Any, baseline: Any, space: Any, found: Any, key: np.uint64, block: Any
) -> None:
    place, link, weight, length = space.place, space.link, space.value, found.length
    player, epsilon = block.player, block.epsilon
    sign = 1.0 if player == 0 else -1.0
    n, steps, inverse = 0, 0, 1.0
    who = player_at(tree, 0)
    while who != TERMINAL:
        first, count = first_child(tree, n), count_at(tree, n)
        place[steps], weight[steps] = n, inverse
        if who == CHANCE:
            n = dealt(tree, n, key)
        else:
            u, row = uniform(key, n), row_at(tree, n)
            if who == player:
                taken = explored(strategy, row, count, u, epsilon)
                inverse /= explored_chance(strategy[row + taken], count, epsilon)
            else:
                found.play_row[length[1]], found.play_weight[length[1]] = row, inverse
                length[1] += 1
                taken = picked(strategy, row, count, u)
            n = first + taken
        link[steps] = n
        # what chance does before the first decision is no one's regret
        steps += 1 if steps > 0 or who != CHANCE else 0
        who = player_at(tree, n)
    value = return_at(tree, n, player)
    for step in range(steps - 1, -1, -1):
        n, child = place[step], link[step]
        who, first, count = player_at(tree, n), first_child(tree, n), count_at(tree, n)
        guess = sign * baseline[child]
        if who == CHANCE:  # drawn as it falls: share / q is 1
            value = sign * mean_of(tree.chance, first, baseline, first, count) + (value - guess)
            continue
        found.edge[length[2]], found.edge_value[length[2]] = child, sign * value
        length[2] += 1
        row = row_at(tree, n)
        mean = sign * mean_of(strategy, row, baseline, first, count)
        if who != player:
            value = mean + (value - guess)
            continue
        taken = child - first
        correction = (value - guess) / explored_chance(strategy[row + taken], count, epsilon)
        value = mean + strategy[row + taken] * correction
        e = length[0]
        found.regret_row[e], found.regret_weight[e] = row, weight[step]
        for a in range(found.regret.shape[1]):
            gained = correction if a == taken else 0.0
            found.regret[e, a] = sign * baseline[first + a] + gained - value if a < count else 0.0
        length[0] += 1


@kernel
def add_to_average(
    tree: Any, strategy: Any, average: Any, reach: Any, discount: float, weight: float
) -> None:
    """Add an iteration's strategy to an average, by the owner's reach: all but scalars [slot] float64.

    tree: the `Tree` of a flat game, whose sets stand behind those that lead to them; reach: work space. This
    is what playing one of the kept networks, drawn anew for each game, amounts to.
    """
    offset, above = tree.infoset_offset, tree.infoset_parent
    for infoset in range(len(above)):
        own = 1.0 if above[infoset] < 0 else reach[above[infoset]]
        for slot in range(offset[infoset], offset[infoset + 1]):
            reach[slot] = own * strategy[slot]
            average[slot] = discount * average[slot] + weight * reach[slot]
