"""Batches of Monte Carlo CFR: walks that read the same table, their logs merged in the order of iterations.

The merge does not know how the walks were spread over threads, so any number of threads leaves the same bits,
and a batch of one iteration is the textbook algorithm. Every random number is a function of (seed, iteration,
stream), with the player as stream (and players + player in the walk for the average): nothing needs to be
remembered between two calls but the table and the number of iterations.
"""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
import numpy.typing as npt

from overbet.kernels.jit import inlined, kernel, parallel_kernel
from overbet.kernels.regret import RuleStep, accumulated, averaged, step_at
from overbet.kernels.rng import stream_key
from overbet.kernels.sampling.nodes import CHANCE, TERMINAL
from overbet.kernels.sampling.rows import moved_towards
from overbet.kernels.sampling.walks import average_walk, external_walk, outcome_walk, space_of


@inlined
def walk_block(
    tree: Any,
    table: Any,
    mine: Any,
    settings: Any,
    epsilon: float | None,
    player: int,
    first: int,
    last: int,
) -> int:
    """Run the walks of iterations first .. last-1 for `player`; return the length of their log.

    Outcome sampling explores with `epsilon`; None means external sampling, decided when it is compiled.
    """
    logged = 0
    for t in range(first, last):
        key = stream_key(settings.seed, t, player)
        if epsilon is None:
            logged = external_walk(tree, table, mine, settings, key, player, logged)
        else:
            logged = outcome_walk(tree, table, mine, settings, epsilon, key, player, logged)
        if settings.players > 2:
            key = stream_key(settings.seed, t, settings.players + player)
            logged = average_walk(tree, table, mine, settings, epsilon, key, player, logged)
    return logged


@inlined
def merge(table: Any, mine: Any, settings: Any, logged: int, step: RuleStep) -> None:
    """Add a worker's log to the table, entry by entry."""
    adding = RuleStep(1.0, 1.0, step.weight, step.floor, 1.0, 0.0, 1.0, step.average_weight)
    slots = settings.slots
    for e in range(logged):
        slot, amount = mine.slot[e], mine.amount[e]
        if slot < slots:
            table[slot] = accumulated(table[slot], amount, adding)
        elif slot < 2 * slots:
            table[slot] = averaged(table[slot], amount, adding)
        else:
            moved_towards(table, slot, amount, settings.baseline)


@inlined
def begin(table: Any, settings: Any, steps: Any, start: int, first_epoch: int) -> RuleStep:
    """Return the step of the batch that starts at iteration `start`; discount the table in a new epoch.

    `steps: [epoch, 8] float64` begins with epoch `first_epoch`, counted from 0.
    """
    epoch = start // settings.discount_every
    step = step_at(steps, min(epoch, settings.discounts) - first_epoch)
    before = (start - settings.batch) // settings.discount_every
    if start > 0 and before < epoch <= settings.discounts:
        for slot in range(settings.slots):
            table[slot] = accumulated(table[slot], 0.0, step)
        for slot in range(settings.slots, 2 * settings.slots):
            table[slot] = averaged(table[slot], 0.0, step)
    return step


@kernel
def sample(
    tree: Any,
    table: Any,
    scratch: Any,
    settings: Any,
    epsilon: float | None,
    steps: npt.NDArray[np.float64],
    clock: npt.NDArray[np.int64],
    batches: int,
) -> None:
    """Run that many batches on this thread; `clock: [1] int64` holds the iterations done."""
    first_epoch = min(clock[0] // settings.discount_every, settings.discounts)
    mine = space_of(scratch, 0)
    for _ in range(batches):
        start = clock[0]
        step = begin(table, settings, steps, start, first_epoch)
        for player in range(settings.players):
            logged = walk_block(tree, table, mine, settings, epsilon, player, start, start + settings.batch)
            merge(table, mine, settings, logged, step)
        clock[0] = start + settings.batch


@kernel
def sample_on_threads(
    tree: Any,
    table: Any,
    scratch: Any,
    settings: Any,
    epsilon: float | None,
    steps: npt.NDArray[np.float64],
    clock: npt.NDArray[np.int64],
    batches: int,
) -> None:
    """The same, each batch split over as many threads as `scratch` has rows; the same bits."""
    first_epoch = min(clock[0] // settings.discount_every, settings.discounts)
    workers = len(scratch.place)
    logged = np.zeros((workers, 8), dtype=np.int64)  # a cache line a worker
    for _ in range(batches):
        start = clock[0]
        step = begin(table, settings, steps, start, first_epoch)
        for player in range(settings.players):
            _walk_blocks(tree, table, scratch, settings, epsilon, player, start, logged)
            for worker in range(workers):
                merge(table, space_of(scratch, worker), settings, logged[worker, 0], step)
        clock[0] = start + settings.batch


@parallel_kernel
def _walk_blocks(
    tree: Any,
    table: Any,
    scratch: Any,
    settings: Any,
    epsilon: float | None,
    player: int,
    start: int,
    logged: npt.NDArray[np.int64],
) -> None:
    for worker in numba.prange(len(logged)):
        logged[worker, 0] = walk_share(tree, table, scratch, settings, epsilon, player, start, worker)


@kernel
def walk_share(
    tree: Any,
    table: Any,
    scratch: Any,
    settings: Any,
    epsilon: float | None,
    player: int,
    start: int,
    worker: int,
) -> int:
    """Run a worker's share of the batch that begins at iteration `start`; return the length of its log."""
    # compiled apart from its parallel caller, whose arithmetic is not strict: threads cannot change bits
    workers = len(scratch.place)
    first = start + settings.batch * worker // workers
    last = start + settings.batch * (worker + 1) // workers
    return walk_block(tree, table, space_of(scratch, worker), settings, epsilon, player, first, last)


@kernel
def earlier_deals(tree: Any) -> npt.NDArray[np.int32]:
    """Return how often chance has moved before each node of a flat game's `Tree`, [N] int32."""
    earlier = np.zeros(len(tree.player), dtype=np.int32)
    for n in range(1, len(earlier)):
        above = tree.parent[n]
        earlier[n] = earlier[above] + (1 if tree.player[above] == CHANCE else 0)
    return earlier


@kernel
def walk_bounds(tree: Any, outcome: bool, players: int) -> tuple[int, int]:
    """Return the most places and the most log entries one iteration of one player can need.

    `tree` is the `Tree` of a flat game. Where a walk takes all actions their needs add up, elsewhere the
    largest counts. No line is longer than its decisions' actions and its chance nodes together.
    """
    entries = 0
    for player in range(players):
        walked = _needs(tree, -2 if outcome else player, False)
        if players > 2:
            walked += _needs(tree, -2 if outcome else player, not outcome)
        entries = max(entries, walked)
    return entries + 1, entries


@kernel
def _needs(tree: Any, player: int, others: bool) -> int:
    """Sum over the actions of `player` (or with `others` of everybody else), largest elsewhere."""
    size: npt.NDArray[np.int64] = np.zeros(len(tree.player), dtype=np.int64)
    for n in range(len(size) - 1, -1, -1):
        who = tree.player[n]
        if who != TERMINAL:  # a row of slots, and a place and a baseline
            size[n] += (tree.num_children[n] if who >= 0 else 0) + 1
        if n > 0:
            above = tree.parent[n]
            who = tree.player[above]
            if who >= 0 and ((who == player) != others):
                size[above] += size[n]
            else:
                size[above] = max(size[above], size[n])
    return int(size[0])
