"""The streets before a depth limit: down on all boards of the last one, and up again once leaves are valued.

Every board of the last street keeps its memory in between, because what its leaves are worth comes from
outside. Boards are shared out among threads in blocks, as `spot` does it.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from overbet.kernels.jit import lean
from overbet.kernels.regret import RuleStep
from overbet.kernels.vector.buckets import apply_sums, shared_rows
from overbet.kernels.vector.bundles import TURN, Deal, Early, Floats, Index, Ints, Memory, Player, own_update
from overbet.kernels.vector.spot import add_blocks
from overbet.kernels.vector.street import close_street, collect_turn, open_street
from overbet.kernels.vector.threads import NEXT, Shared, fetch_add, wait_for_all


class LateBoards(NamedTuple):
    """The memory of all boards of the last street, where it is not the first: `Early` with [board, .] each;
    no boards where it is."""

    width: Index
    value: Floats
    own: Floats
    opp: Floats
    back: Floats


class SharedPair(NamedTuple):
    """Both players' `SharedHands`, own first, and a thread's `SharedMemory`."""

    own: Any
    opp: Any
    work: Any


@lean
def _board(late: LateBoards, board: Index) -> Early:
    return Early(late.width, late.value[board], late.own[board], late.opp[board], late.back[board])


@lean
def open_cut(
    own: Player,
    opp: Player,
    first: Index,
    step: RuleStep,
    early: Early,
    late: LateBoards,
    edges: Ints,
    counter: Shared,
    rank: Index,
    threads: Index,
    memory: Memory,
    pair: Any,
) -> None:
    """Carry reach down on all boards, as one of some threads. pair: None, or `SharedPair`."""
    how = own_update(step)
    if rank == 0:
        if pair is None:
            open_street(own, opp, first, 0, how, 1, own.root, opp.root, early, memory, None)
        else:
            one = type(early.back[0])(1.0)
            rows = shared_rows(own, opp, pair.own, pair.opp, first, 0, 0, one, one, pair.work)
            open_street(own, opp, first, 0, how, 1, own.root, opp.root, early, memory, rows)
        counter[NEXT] = 0
    wait_for_all(counter, threads)
    while len(late.value) > 0:
        block = fetch_add(counter, NEXT, 1)
        if block >= len(edges) - 1:
            break
        for board in range(np.int64(edges[block]), np.int64(edges[block + 1])):
            here = _board(late, board)
            if pair is None:
                open_street(own, opp, TURN, board, how, early.width, early.own, early.opp, here, memory, None)
            else:
                one = type(early.back[0])(1.0)
                rows = shared_rows(own, opp, pair.own, pair.opp, TURN, board, block, one, one, pair.work)
                open_street(own, opp, TURN, board, how, early.width, early.own, early.opp, here, memory, rows)
    wait_for_all(counter, threads)
    if rank == 0:
        counter[NEXT] = 0


@lean
def close_cut(
    own: Player,
    opp: Player,
    deal: Deal,
    first: Index,
    step: RuleStep,
    early: Early,
    late: LateBoards,
    edges: Ints,
    totals: Floats,
    counter: Shared,
    rank: Index,
    threads: Index,
    memory: Memory,
    pair: Any,
) -> None:
    """Carry the leaves' values, which `back` holds, up on all boards, as one of some threads."""
    how = own_update(step)
    while len(late.value) > 0:
        block = fetch_add(counter, NEXT, 1)
        if block >= len(totals):
            break
        total = totals[block]
        for k in range(len(total)):
            total[k] = 0.0
        for board in range(np.int64(edges[block]), np.int64(edges[block + 1])):
            here = _board(late, board)
            if pair is None:
                close_street(own, TURN, board, how, here, memory.starts, None)
            else:
                one = type(early.back[0])(1.0)
                rows = shared_rows(own, opp, pair.own, pair.opp, TURN, board, block, one, one, pair.work)
                close_street(own, TURN, board, how, here, memory.starts, rows)
            collect_turn(own, deal, board, early.width, here, total)
    wait_for_all(counter, threads)
    if pair is not None:
        for street in range(first + 1, TURN + 1):
            apply_sums(own, pair.own, street, step, rank, threads)
    if rank == 0:
        if len(late.value) > 0:
            add_blocks(totals, early.back, (0, len(early.back)))
        if pair is None:
            close_street(own, first, 0, how, early, memory.starts, None)
        else:
            one = type(early.back[0])(1.0)
            rows = shared_rows(own, opp, pair.own, pair.opp, first, 0, 0, one, one, pair.work)
            close_street(own, first, 0, how, early, memory.starts, rows)
            apply_sums(own, pair.own, first, step, 0, 1)
