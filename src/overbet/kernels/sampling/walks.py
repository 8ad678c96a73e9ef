"""The walks of Monte Carlo CFR on a flat game: external and outcome sampling, and many players' averages.

A walk is a pure function: it reads the table, never writes it, and notes what it wants to add in a log of
(place in the table, amount) pairs. The random number of a decision is the one of its node, whatever the order
in which nodes are met. Chance's is the one of its turn, so that all lines of a walk see the same deal: regret
is made of differences between lines, and the luck of the deal cancels in them. The small pieces (regret
matching at a row, an action for a random number) work on any dense table of rows.

External sampling (Lanctot et al. 2009), traverser i: every action at i's nodes, one sampled action elsewhere.
At i's node

    R(a) += v(a) - sum_b sigma(b) v(b)

and no reach multiplies that: sampling the others already does. Outcome sampling follows one line; i's actions
come from epsilon * uniform + (1 - epsilon) * sigma and values carry the weight 1/q.

With a baseline b, one number a history, a sampled action a (chance's too) counts b(a) + (v - b(a)) / q(a) and
every other action b(a): the same mean, less variance (VR-MCCFR, Schmid et al. 2019; Davis et al. 2020). Where
actions are sampled as they are played this is v - b(a) + sum_c sigma(c) b(c).

The table is one array of float64: regret [A] | average [A] | baseline [P, N] (P * N = 0 without baselines).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from overbet.kernels.jit import inlined
from overbet.kernels.rng import uniform

CHANCE = -1
TERMINAL = -4


class SampleTree(NamedTuple):
    """What a traversal reads of a game: one line of memory a node. N nodes, L terminals, P players.

    node:    [N, 4] int32    player; first child; first slot of a decision, row of returns at a terminal node,
                             number of the draw at a chance node; children
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


class Scratch(NamedTuple):
    """Work space, one row a worker. Q places of a walk, M actions at most, E entries of a log.

    place:    [W, Q] int32      nodes met by the walk
    link:     [W, Q] int32      where the children of a place stand (external), the child taken (outcome)
    value:    [W, Q] float64    values (external), weights 1/q (outcome)
    trail:    [W, Q] int32      children taken by sampled moves (external with baselines)
    offset:   [W, Q] float64    what each such move adds to the value below it
    mark:     [W, Q] int32      where the moves into a place begin in `trail`
    sigma:    [W, Q * M] float64   strategies along a line (outcome), one row at a time (external)
    slot:     [W, E] int32      log: where in the table
    amount:   [W, E] float64    log: how much
    """

    place: npt.NDArray[np.int32]
    link: npt.NDArray[np.int32]
    value: npt.NDArray[np.float64]
    trail: npt.NDArray[np.int32]
    offset: npt.NDArray[np.float64]
    mark: npt.NDArray[np.int32]
    sigma: npt.NDArray[np.float64]
    slot: npt.NDArray[np.int32]
    amount: npt.NDArray[np.float64]


class Settings(NamedTuple):
    """The numbers of a run that never change."""

    seed: int
    players: int
    slots: int
    widest: int  # most actions at a node
    batch: int  # iterations that read the same tables
    discount_every: int  # iterations between two discounts of the whole table
    discounts: int  # how many discounts there are; then the rule's weights stay as they are
    baseline: float  # step towards the newest value, in (0, 1]; 0 for no baseline


@inlined
def matched(
    regret: npt.NDArray[np.float64], first: int, count: int, out: npt.NDArray[np.float64], at: int
) -> None:
    """Regret matching at one row: fill out[at : at + count] from regret[first : first + count].

    Offsets instead of slices, here and below: a slice costs more than the row.
    """
    total = 0.0
    for a in range(count):
        out[at + a] = max(regret[first + a], 0.0)
        total += out[at + a]
    if total > 0.0:
        scale = 1.0 / total
        for a in range(count):
            out[at + a] *= scale
    else:
        for a in range(count):
            out[at + a] = 1.0 / count


@inlined
def picked(share: npt.NDArray[np.float64], at: int, count: int, u: float) -> int:
    """Return the action that u, uniform in [0, 1), falls on; share[at : at + count] sums to 1."""
    a, reached = 0, share[at]
    while a < count - 1 and u >= reached:
        a += 1
        reached += share[at + a]
    return a


@inlined
def dealt(tree: Any, n: int, key: np.uint64) -> int:
    """Return the child that chance deals at node n, in constant time."""
    scaled = uniform(key, tree.node[n, 2]) * tree.node[n, 3]
    which = int(scaled)
    child = tree.node[n, 1] + which
    return int(child if scaled - which < tree.keep[child] else tree.alias[child])


@inlined
def note(scratch: Any, place: int, amounts: npt.NDArray[np.float64], count: int, logged: int) -> int:
    """Append amounts[:count] for table[place : place + count] to the log; return its new length."""
    for a in range(count):
        scratch.slot[logged + a] = place + a
        scratch.amount[logged + a] = amounts[a]
    return logged + count


@inlined
def external_walk(
    tree: Any, table: Any, mine: Any, settings: Any, key: np.uint64, player: int, logged: int
) -> int:
    """One external-sampling traversal. `mine` is a worker's row of `Scratch`; returns the log's length."""
    node, place, link, value, sigma = tree.node, mine.place, mine.link, mine.value, mine.sigma
    head, tail, trailing = 0, 1, 0
    base = 2 * settings.slots + player * len(node)
    place[0] = 0
    # Down: a queue of the traverser's nodes and the ends of lines; sampled moves are followed at once.
    while head < tail:
        n = place[head]
        who = node[n, 0]
        mine.mark[head] = trailing
        while who != player and who != TERMINAL:
            first, count, chance = node[n, 1], node[n, 3], who == CHANCE
            if chance:
                n = dealt(tree, n, key)
            else:
                matched(table, node[n, 2], count, sigma, 0)
                if settings.players == 2:
                    logged = note(mine, settings.slots + node[n, 2], sigma, count, logged)
                n = first + picked(sigma, 0, count, uniform(key, n))
            if settings.baseline > 0.0 and head > 0:  # above the first own decision values are not used
                mean = _mean(tree, table, sigma, 0, base, first, count, chance)
                mine.trail[trailing] = n
                mine.offset[trailing] = mean - table[base + n]
                trailing += 1
            who = node[n, 0]
        place[head] = n
        if who == TERMINAL:
            value[head] = tree.returns[node[n, 2], player]
        else:
            link[head] = tail
            for a in range(node[n, 3]):
                place[tail + a] = node[n, 1] + a
            tail += node[n, 3]
        head += 1
    # Up: children stand behind their parents in the queue.
    for head in range(tail - 1, -1, -1):
        n = place[head]
        if node[n, 0] != TERMINAL:
            count, below = node[n, 3], link[head]
            matched(table, node[n, 2], count, sigma, 0)
            expected = 0.0
            for a in range(count):
                expected += sigma[a] * value[below + a]
            for a in range(count):
                mine.slot[logged + a] = node[n, 2] + a
                mine.amount[logged + a] = value[below + a] - expected
            logged += count
            value[head] = expected
        while trailing > mine.mark[head]:
            trailing -= 1
            mine.slot[logged], mine.amount[logged] = base + mine.trail[trailing], value[head]
            logged += 1
            value[head] += mine.offset[trailing]
    return logged


@inlined
def _mean(
    tree: Any, table: Any, sigma: Any, at: int, base: int, first: int, count: int, chance: bool
) -> float:
    """Return the mean baseline of the children first .. first+count-1, as chance deals or sigma plays."""
    total = 0.0
    for a in range(count):
        share = tree.chance[first + a] if chance else sigma[at + a]
        total += share * table[base + first + a]
    return total


@inlined
def outcome_walk(
    tree: Any,
    table: Any,
    mine: Any,
    settings: Any,
    epsilon: float,
    key: np.uint64,
    player: int,
    logged: int,
) -> int:
    """One outcome-sampling traversal: a single line down, then its values back up."""
    node, place, link, weight, sigma = tree.node, mine.place, mine.link, mine.value, mine.sigma
    n, steps, inverse = 0, 0, 1.0
    who = node[0, 0]
    while who != TERMINAL:
        first, count = node[n, 1], node[n, 3]
        place[steps], weight[steps] = n, inverse
        if who == CHANCE:
            n = dealt(tree, n, key)
        else:
            u = uniform(key, n)
            here = steps * settings.widest
            matched(table, node[n, 2], count, sigma, here)
            if who == player:
                n = first + _explored(sigma, here, count, u, epsilon)
                inverse /= epsilon / count + (1.0 - epsilon) * sigma[here + n - first]
            else:
                if settings.players == 2:
                    for a in range(count):
                        mine.slot[logged + a] = settings.slots + node[place[steps], 2] + a
                        mine.amount[logged + a] = sigma[here + a] * inverse
                    logged += count
                n = first + picked(sigma, here, count, u)
        link[steps] = n
        # what chance does before the first decision is no one's regret
        steps += 1 if steps > 0 or who != CHANCE else 0
        who = node[n, 0]
    value = tree.returns[node[n, 2], player]
    base = 2 * settings.slots + player * len(node)
    for step in range(steps - 1, -1, -1):
        n, child = place[step], link[step]
        who, first, row, count = node[n, 0], node[n, 1], node[n, 2], node[n, 3]
        here = step * settings.widest
        guess, mean = 0.0, 0.0
        if settings.baseline > 0.0:
            guess = table[base + child]
            mean = _mean(tree, table, sigma, here, base, first, count, who == CHANCE)
            mine.slot[logged], mine.amount[logged] = base + child, value
            logged += 1
        if who != player:  # sampled as played: share / q is 1
            value = mean + (value - guess)
            continue
        taken = child - first
        correction = (value - guess) / (epsilon / count + (1.0 - epsilon) * sigma[here + taken])
        value = mean + sigma[here + taken] * correction
        for a in range(count):
            known = table[base + first + a] if settings.baseline > 0.0 else 0.0
            gained = known + correction if a == taken else known
            mine.slot[logged + a] = row + a
            mine.amount[logged + a] = weight[step] * (gained - value)
        logged += count
    return logged


@inlined
def _explored(share: npt.NDArray[np.float64], at: int, count: int, u: float, epsilon: float) -> int:
    """Return an action drawn from epsilon * uniform + (1 - epsilon) * share."""
    if u < epsilon:
        return min(int(u / epsilon * count), count - 1)
    return picked(share, at, count, (u - epsilon) / (1.0 - epsilon))


@inlined
def average_walk(
    tree: Any,
    table: Any,
    mine: Any,
    settings: Any,
    epsilon: float | None,
    key: np.uint64,
    player: int,
    logged: int,
) -> int:
    """Add to the average of `player` where there are three players or more.

    Own actions and chance are sampled as played. The others must not be: their reach would weigh iterations
    against each other. Under external sampling all their actions are walked, under outcome sampling one is
    drawn uniformly.
    """
    node, place, sigma = tree.node, mine.place, mine.sigma
    left = 1
    place[0] = 0
    while left > 0:
        left -= 1
        n = place[left]
        who = node[n, 0]
        while who in (CHANCE, player) or (epsilon is not None and who != TERMINAL):
            first, count = node[n, 1], node[n, 3]
            u = uniform(key, n)
            if who == CHANCE:
                n = dealt(tree, n, key)
            elif who == player:
                matched(table, node[n, 2], count, sigma, 0)
                logged = note(mine, settings.slots + node[n, 2], sigma, count, logged)
                n = first + picked(sigma, 0, count, u)
            else:
                n = first + int(u * count)
            who = node[n, 0]
        if who != TERMINAL:
            for a in range(node[n, 3]):
                place[left + a] = node[n, 1] + a
            left += node[n, 3]
    return logged


@inlined
def row_of(scratch: Any, worker: int) -> Scratch:
    """Return a worker's own work space."""
    return Scratch(
        scratch.place[worker],
        scratch.link[worker],
        scratch.value[worker],
        scratch.trail[worker],
        scratch.offset[worker],
        scratch.mark[worker],
        scratch.sigma[worker],
        scratch.slot[worker],
        scratch.amount[worker],
    )
