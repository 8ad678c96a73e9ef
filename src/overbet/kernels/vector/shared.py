"""Whole iterations of a spot in which hands share rows, over all boards or over those that were drawn.

As `spot` does it, with the sums of `buckets`: a block of boards adds to its own, and when all boards are done
the threads apply the regret rule, each to its part of the rows. Results are the same for any number of them.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from overbet.kernels.jit import lean
from overbet.kernels.regret import RuleStep, step_at
from overbet.kernels.vector.buckets import SharedHands, SharedMemory, apply_sums, scale, shared_rows
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
    own_update,
    rows_on,
)
from overbet.kernels.vector.draws import Draws
from overbet.kernels.vector.river import play_board
from overbet.kernels.vector.spot import add_blocks
from overbet.kernels.vector.street import close_street, collect_turn, open_street
from overbet.kernels.vector.threads import NEXT, Shared, fetch_add, wait_for_all


@lean
def _play_river(
    own: Player,
    opp: Player,
    mine: SharedHands,
    theirs: SharedHands,
    deal: Deal,
    board: Index,
    block: Index,
    factor: Floats,
    above: Floats,
    step: RuleStep,
    width: Index,
    own_reach: Floats,
    opp_reach: Floats,
    memory: Memory,
    work: SharedMemory,
    total: Floats,
) -> None:
    """Update one river board; see `shared_rows` for the factors."""
    n, m = np.int64(own.seat.alive[board]), np.int64(opp.seat.alive[board])
    shared = shared_rows(own, opp, mine, theirs, RIVER, board, block, factor, above, work)
    play_board(
        own, opp, deal, board, n, m, rows_on(own.seat, RIVER, board, n), rows_on(opp.seat, RIVER, board, m),
        own.tables, opp.tables.play, own_update(step), width, own_reach, opp_reach, memory, total, shared,
    )  # fmt: skip


@lean
def _play_turn(
    own: Player,
    opp: Player,
    mine: SharedHands,
    theirs: SharedHands,
    deal: Deal,
    turn: Index,
    block: Index,
    factor: Floats,
    step: RuleStep,
    above: Early,
    memory: Memory,
    work: SharedMemory,
    total: Floats,
    draws: Draws,
    t: Index,
) -> None:
    """Update a turn board and its rivers, all or those drawn; add its values and its mirrors' to `total`."""
    here, one, how = memory.turn, type(factor)(1.0), own_update(step)
    shared = shared_rows(own, opp, mine, theirs, TURN, turn, block, factor, one, work)
    open_street(own, opp, TURN, turn, how, above.width, above.own, above.opp, here, memory, shared)
    if len(draws.turn) == 0:
        for river in range(np.int64(deal.child_start[turn]), np.int64(deal.child_start[turn + 1])):
            _play_river(
                own, opp, mine, theirs, deal, river, block, one, factor, step,
                here.width, here.own, here.opp, memory, work, here.back,
            )  # fmt: skip
    else:
        for k in range(draws.river.shape[2]):
            river_factor = draws.river_factor[t, block, k]
            if river_factor > 0:
                _play_river(
                    own, opp, mine, theirs, deal, np.int64(draws.river[t, block, k]), block, river_factor,
                    factor, step, here.width, here.own, here.opp, memory, work, here.back,
                )  # fmt: skip
    shared = shared_rows(own, opp, mine, theirs, TURN, turn, block, factor, one, work)
    close_street(own, TURN, turn, how, here, memory.starts, shared)
    lines = own.program.chunks[own.program.street_chunk[TURN]]
    for line in range(lines[8], lines[9]):
        row = own.seat.stride[TURN]
        scale(here.value, own.program.lines[line, 2] * row, row, factor)
    collect_turn(own, deal, turn, above.width, here, total)


@lean
def _update(
    own: Player,
    opp: Player,
    mine: SharedHands,
    theirs: SharedHands,
    deal: Deal,
    first: Index,
    step: RuleStep,
    early: Early,
    edges: Ints,
    totals: Floats,
    counter: Shared,
    rank: Index,
    threads: Index,
    memory: Memory,
    work: SharedMemory,
    draws: Draws,
    t: Index,
) -> None:
    """Update one player. draws: of no iterations for all boards, in blocks as `edges` say; else a block
    each."""
    one, how = type(early.back[0])(1.0), own_update(step)
    if first == RIVER:
        _play_river(
            own,
            opp,
            mine,
            theirs,
            deal,
            0,
            0,
            one,
            one,
            step,
            1,
            own.root,
            opp.root,
            memory,
            work,
            early.back,
        )
        apply_sums(own, mine, RIVER, step, 0, 1)
        return
    if rank == 0:
        shared = shared_rows(own, opp, mine, theirs, first, 0, 0, one, one, work)
        open_street(own, opp, first, 0, how, 1, own.root, opp.root, early, memory, shared)
        counter[NEXT] = 0
    wait_for_all(counter, threads)
    while True:
        block = fetch_add(counter, NEXT, 1)
        if block >= len(totals):
            break
        total = totals[block]
        for k in range(len(total)):
            total[k] = 0.0
        if len(draws.turn) == 0:
            for board in range(np.int64(edges[block]), np.int64(edges[block + 1])):
                if first == FLOP:
                    _play_turn(
                        own,
                        opp,
                        mine,
                        theirs,
                        deal,
                        board,
                        block,
                        one,
                        step,
                        early,
                        memory,
                        work,
                        total,
                        draws,
                        t,
                    )
                else:
                    _play_river(
                        own, opp, mine, theirs, deal, board, block, one, one, step,
                        early.width, early.own, early.opp, memory, work, total,
                    )  # fmt: skip
        elif first == FLOP:
            factor = draws.turn_factor[t, block]
            if factor > 0:
                _play_turn(
                    own, opp, mine, theirs, deal, np.int64(draws.turn[t, block]), block, factor, step, early,
                    memory, work, total, draws, t,
                )  # fmt: skip
        else:
            factor = draws.river_factor[t, 0, block]
            if factor > 0:
                _play_river(
                    own, opp, mine, theirs, deal, np.int64(draws.river[t, 0, block]), block, factor, one,
                    step, early.width, early.own, early.opp, memory, work, total,
                )  # fmt: skip
    wait_for_all(counter, threads)
    for street in range(first + 1, RIVER + 1):
        apply_sums(own, mine, street, step, rank, threads)
    if rank == 0:
        add_blocks(totals, early.back, (0, len(early.back)))
        shared = shared_rows(own, opp, mine, theirs, first, 0, 0, one, one, work)
        close_street(own, first, 0, how, early, memory.starts, shared)
        apply_sums(own, mine, first, step, 0, 1)


@lean
def iterate_shared(
    one: Player,
    two: Player,
    ones: SharedHands,
    twos: SharedHands,
    order: Ints,
    deal: Deal,
    first: Index,
    steps: Any,
    early: Early,
    edges: Ints,
    totals: Floats,
    counter: Shared,
    rank: Index,
    threads: Index,
    memory: Memory,
    work: SharedMemory,
    draws: Draws,
) -> None:
    """Run iterations, as one of some threads that all call this: see `spot.iterate` and `_update`."""
    for t in range(len(steps)):
        step = step_at(steps, t)
        for k in range(len(order)):
            if order[k] == 0:
                _update(
                    one, two, ones, twos, deal, first, step, early, edges, totals, counter, rank, threads,
                    memory, work, draws, t,
                )  # fmt: skip
            else:
                _update(
                    two, one, twos, ones, deal, first, step, early, edges, totals, counter, rank, threads,
                    memory, work, draws, t,
                )  # fmt: skip
