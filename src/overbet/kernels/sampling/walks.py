"""The walks of Monte Carlo CFR on a flat game: external and outcome sampling, and many players' averages.

A walk is a pure function: it reads the table, never writes it, and notes what it wants to add in a log of
(place in the table, amount) pairs. The random number of a decision is the one of its node, whatever the order
in which nodes are met. Chance's is the one of its turn, so that all lines of a walk see the same deal: regret
is made of differences between lines, and the luck of the deal cancels in them. What is done with a row of the
table stands in `rows`, what a node's numbers mean in `nodes`.

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

from overbet.kernels.jit import inlined, lean_inlined
from overbet.kernels.rng import uniform
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
from overbet.kernels.sampling.rows import (
    expected,
    explored,
    explored_chance,
    matched,
    mean_of,
    note_line,
    note_regrets,
    note_shares,
    picked,
)

STRIDE = 1  # regrets of a row stand side by side, and so do averages


class WalkScratch(NamedTuple):
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


class SamplingSettings(NamedTuple):
    """The numbers of a run that never change."""

    seed: int
    players: int
    slots: int
    widest: int  # most actions at a node
    batch: int  # iterations that read the same tables
    discount_every: int  # iterations between two discounts of the whole table
    discounts: int  # how many discounts there are; then the rule's weights stay as they are
    baseline: float  # step towards the newest value, in (0, 1]; 0 for no baseline


@lean_inlined
def external_walk(
    tree: Any, table: Any, mine: Any, settings: Any, key: np.uint64, player: int, logged: int
) -> int:
    """One external-sampling traversal. `mine`: a worker's row of `WalkScratch`. Returns the log's length."""
    place, link, value, sigma = mine.place, mine.link, mine.value, mine.sigma
    head, tail, trailing = 0, 1, 0
    base = first_baseline(tree, settings, player)
    place[0] = 0
    # Down: a queue of the traverser's nodes and the ends of lines; sampled moves are followed at once.
    while head < tail:
        n = place[head]
        who = player_at(tree, n)
        mine.mark[head] = trailing
        while who != player and who != TERMINAL:
            first, count, chance = first_child(tree, n), count_at(tree, n), who == CHANCE
            if chance:
                n = dealt(tree, n, key)
            else:
                row = row_at(tree, n)
                matched(table, row, STRIDE, count, sigma, 0)
                if settings.players == 2:
                    logged = note_shares(mine, settings.slots + row, STRIDE, sigma, 0, count, 1, 1, logged)
                n = first + picked(sigma, 0, count, uniform(key, n))
            if settings.baseline > 0.0 and head > 0:  # above the first own decision values are not used
                mean = _mean(tree, table, sigma, 0, base, first, count, chance)
                mine.trail[trailing] = n
                mine.offset[trailing] = mean - table[base + n]
                trailing += 1
            who = player_at(tree, n)
        place[head] = n
        if who == TERMINAL:
            value[head] = return_at(tree, n, player)
        else:
            link[head] = tail
            tail = _queue_children(tree, n, place, tail)
        head += 1
    # Up: children stand behind their parents in the queue.
    for head in range(tail - 1, -1, -1):
        n = place[head]
        if player_at(tree, n) != TERMINAL:
            row, count, below = row_at(tree, n), count_at(tree, n), link[head]
            matched(table, row, STRIDE, count, sigma, 0)
            value[head] = expected(sigma, 0, value, below, count)
            logged = note_regrets(mine, row, STRIDE, value, below, count, value[head], 1, logged)
        while trailing > mine.mark[head]:
            trailing -= 1
            mine.slot[logged], mine.amount[logged] = base + mine.trail[trailing], value[head]
            logged += 1
            value[head] += mine.offset[trailing]
    return logged


@lean_inlined
def first_baseline(tree: Any, settings: Any, player: int) -> Any:
    """Return where a player's baselines begin in the table: behind regrets and averages, one a node."""
    return 2 * settings.slots + player * len(tree.node)


@lean_inlined
def _queue_children(tree: Any, n: Any, place: Any, tail: Any) -> Any:
    """Put the children of a node at the end of a queue (or stack); return its new length."""
    for a in range(count_at(tree, n)):
        place[tail + a] = first_child(tree, n) + a
    return tail + count_at(tree, n)


@lean_inlined
def _mean(
    tree: Any, table: Any, sigma: Any, at: int, base: int, first: int, count: int, chance: bool
) -> float:
    """Return the mean baseline of the children first .. first+count-1, as chance deals or sigma plays."""
    if chance:
        return mean_of(tree.chance, first, table, base + first, count)
    return mean_of(sigma, at, table, base + first, count)


@lean_inlined
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
    place, link, weight, sigma = mine.place, mine.link, mine.value, mine.sigma
    n, steps, inverse = 0, 0, 1.0
    who = player_at(tree, 0)
    while who != TERMINAL:
        first, count = first_child(tree, n), count_at(tree, n)
        place[steps], weight[steps] = n, inverse
        if who == CHANCE:
            n = dealt(tree, n, key)
        else:
            u = uniform(key, n)
            here, row = steps * settings.widest, row_at(tree, n)
            matched(table, row, STRIDE, count, sigma, here)
            if who == player:
                n = first + explored(sigma, here, count, u, epsilon)
                inverse /= explored_chance(sigma[here + n - first], count, epsilon)
            else:
                if settings.players == 2:
                    average = settings.slots + row
                    logged = note_shares(mine, average, STRIDE, sigma, here, count, 1, inverse, logged)
                n = first + picked(sigma, here, count, u)
        link[steps] = n
        # what chance does before the first decision is no one's regret
        steps += 1 if steps > 0 or who != CHANCE else 0
        who = player_at(tree, n)
    value = return_at(tree, n, player)
    base = first_baseline(tree, settings, player)
    for step in range(steps - 1, -1, -1):
        n, child = place[step], link[step]
        who, first, count = player_at(tree, n), first_child(tree, n), count_at(tree, n)
        here = step * settings.widest
        guesses, guess, mean = -1, 0.0, 0.0
        if settings.baseline > 0.0:
            guesses = base + first
            guess = table[base + child]
            mean = _mean(tree, table, sigma, here, base, first, count, who == CHANCE)
            mine.slot[logged], mine.amount[logged] = base + child, value
            logged += 1
        if who != player:  # sampled as played: share / q is 1
            value = mean + (value - guess)
            continue
        taken = child - first
        correction = (value - guess) / explored_chance(sigma[here + taken], count, epsilon)
        value = mean + sigma[here + taken] * correction
        row = row_at(tree, n)
        logged = note_line(
            mine, row, STRIDE, count, taken, correction, value, weight[step], table, guesses, logged
        )
    return logged


@lean_inlined
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
    place, sigma = mine.place, mine.sigma
    left = 1
    place[0] = 0
    while left > 0:
        left -= 1
        n = place[left]
        who = player_at(tree, n)
        while who in (CHANCE, player) or (epsilon is not None and who != TERMINAL):
            first, count = first_child(tree, n), count_at(tree, n)
            u = uniform(key, n)
            if who == CHANCE:
                n = dealt(tree, n, key)
            elif who == player:
                row = row_at(tree, n)
                matched(table, row, STRIDE, count, sigma, 0)
                logged = note_shares(mine, settings.slots + row, STRIDE, sigma, 0, count, 1, 1, logged)
                n = first + picked(sigma, 0, count, u)
            else:
                n = first + int(u * count)
            who = player_at(tree, n)
        if who != TERMINAL:
            left = _queue_children(tree, n, place, left)
    return logged


@inlined
def space_of(scratch: Any, worker: int) -> WalkScratch:
    """Return a worker's own work space."""
    return WalkScratch(
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
