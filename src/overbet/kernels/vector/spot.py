"""Whole iterations of a spot: streets, boards, threads.

Each street is opened (reach down, folds settled), the next street is played for every card, the values of
its boards are collected into the CHANCE nodes, and the street is closed (values up, regrets). Boards are
independent between opening and closing: threads take the next block of them whenever they are free. Each
block's values are summed in board order and the blocks in theirs, so results are the same for any number of
threads.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from overbet.kernels.jit import lean
from overbet.kernels.regret import step_at
from overbet.kernels.vector.bundles import (
    FLOP,
    RIVER,
    TURN,
    Deal,
    Early,
    Floats,
    Index,
    Ints,
    Memory,
    Player,
    Span,
    UpdateMode,
)
from overbet.kernels.vector.river import play_river
from overbet.kernels.vector.street import close_hands, close_street, collect_turn, mirror_hands, open_street
from overbet.kernels.vector.threads import NEXT, Shared, fetch_add, wait_for_all
from overbet.kernels.vector.vectors import load, plus, store


@lean
def _play_turn(
    own: Player,
    opp: Player,
    deal: Deal,
    turn: Index,
    how: UpdateMode,
    above: Early,
    memory: Memory,
    total: Floats,
) -> None:
    """Update a turn board and all its rivers; add its values, and its mirrors', to `total`."""
    here = memory.turn
    open_street(own, opp, TURN, turn, how, above.width, above.own, above.opp, here, memory, None)
    for river in range(np.int64(deal.child_start[turn]), np.int64(deal.child_start[turn + 1])):
        play_river(own, opp, deal, river, how, here.width, here.own, here.opp, memory, here.back)
    close_street(own, TURN, turn, how, here, memory.starts, None)
    collect_turn(own, deal, turn, above.width, here, total)


@lean
def add_blocks(totals: Floats, back: Floats, span: Span) -> None:
    """Add the values of all blocks, [blocks, .], in their order: those of `span`, whole rows of 16."""
    for at in range(span[0], span[1], 16):
        total = load(back, at)
        for block in range(len(totals)):
            total = plus(total, load(totals[block], at))
        store(back, at, total)


@lean
def update(
    own: Player,
    opp: Player,
    deal: Deal,
    first: Index,
    how: UpdateMode,
    early: Early,
    edges: Ints,
    totals: Floats,
    shared: Shared,
    rank: Index,
    threads: Index,
    memory: Memory,
    backwards: bool,
) -> None:
    """Update one player. edges: [blocks + 1] int32, of boards; totals: [blocks, .].

    backwards: the last block is played first. Updates take turns, so that each begins with the boards whose
    tables the one before has left in the cache that cores share. What is added up in which order stays.
    """
    if first == RIVER:
        play_river(own, opp, deal, 0, how, 1, own.root, opp.root, memory, early.back)
        return
    if rank == 0:
        open_street(own, opp, first, 0, how, 1, own.root, opp.root, early, memory, None)
        shared[NEXT] = 0
    wait_for_all(shared, threads)
    while True:
        block = fetch_add(shared, NEXT, 1)
        if block >= len(totals):
            break
        if backwards:
            block = len(totals) - 1 - block
        total = totals[block]
        for k in range(len(total)):
            total[k] = 0.0
        for board in range(np.int64(edges[block]), np.int64(edges[block + 1])):
            if first == FLOP:
                _play_turn(own, opp, deal, board, how, early, memory, total)
            else:
                play_river(own, opp, deal, board, how, early.width, early.own, early.opp, memory, total)
    wait_for_all(shared, threads)
    tiles = own.seat.stride[first] // 16
    hands = (16 * (tiles * rank // threads), 16 * (tiles * (rank + 1) // threads))
    add_blocks(totals, early.back, (hands[0] * early.width, hands[1] * early.width))
    close_hands(own, first, 0, how, early, memory.starts, hands, None)
    wait_for_all(shared, threads)
    if rank == 0 and not how.judged:
        mirror_hands(own, first, 0)


@lean
def iterate(
    one: Player,
    two: Player,
    order: Ints,
    deal: Deal,
    first: Index,
    steps: Any,
    count: Index,
    begun: bool,
    early: Early,
    edges: Ints,
    totals: Floats,
    shared: Shared,
    rank: Index,
    threads: Index,
    memory: Memory,
    judged: bool,
) -> None:
    """Run `count` iterations, as one of some threads that all call this. order: players to update in each.

    steps: [count, 8] floats, see `Rule`, or [count + 1, 8] where another call goes on with the next one.
    What a player plays goes into its average while its reach is carried down for the other's update: the
    second player's in the same iteration, the first one's for the next, whose strategy is known by then.
    begun: an earlier call did so for the first iteration; else the first player adds to its own.
    """
    paired = len(order) == 2 and len(one.tables.packed) == 1 and not judged
    for t in range(count):
        step = step_at(steps, t)
        for k in range(len(order)):
            later = min(t + k, len(steps) - 1)
            how = UpdateMode(
                step,
                step_at(steps, later),
                not judged and (not paired or (t == 0 and k == 0 and not begun)),
                paired and later == t + k,
                judged,
            )
            back = (t * len(order) + k) % 2 == 1
            if order[k] == 0:
                update(one, two, deal, first, how, early, edges, totals, shared, rank, threads, memory, back)
            else:
                update(two, one, deal, first, how, early, edges, totals, shared, rank, threads, memory, back)
