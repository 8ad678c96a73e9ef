"""A board of the flop or of the turn: opened before its cards are dealt, closed when their values are back.

Tables hold hands in the range's order, dead ones included: their reach is zero on the way down and their
value is dropped on the way up.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from overbet.kernels.jit import lean
from overbet.kernels.vector.buckets import (
    add_learnt,
    add_played,
    alone,
    gather_chunk,
    gather_own,
    once,
    walk_up_shared,
)
from overbet.kernels.vector.bundles import (
    FLOP,
    TURN,
    Deal,
    Early,
    Floats,
    Index,
    Longs,
    Memory,
    Player,
    Program,
    Span,
    UpdateMode,
    clear,
    rows_on,
    sit,
)
from overbet.kernels.vector.leaves import Ahead, pick_leaves, settle, sweep_leaves
from overbet.kernels.vector.tiles import columns_to_rows, rows_to_columns
from overbet.kernels.vector.walk import BLOCK, symmetrise, walk_best, walk_opponent, walk_own, walk_up


@lean
def _lines_below(program: Program, street: Index) -> tuple[Index, Index]:
    """Return the first line of the next street, and the one after its last; the turn is one chunk."""
    below = program.street_chunk[street] + 1
    last = np.int64(program.chunks[below, 9]) if street == FLOP else np.int64(len(program.lines))
    return np.int64(program.chunks[below, 8]), last


@lean
def open_street(
    own: Player,
    opp: Player,
    street: Index,
    board: Index,
    how: UpdateMode,
    width: Index,
    own_reach: Floats,
    opp_reach: Floats,
    early: Early,
    memory: Memory,
    shared: Any,
) -> None:
    """Flop or turn: reach down and folds settled on one board, and the reach that crosses to the next
    street. shared: None, or `SharedRows`."""
    program, sheets, starts, step = own.program, memory.sheets, memory.starts, how.step
    n, m = own.seat.size, opp.seat.size
    chunk = program.street_chunk[street]
    parts = program.chunks[chunk]
    slots, nodes = np.int64(parts[11]), np.int64(parts[10])
    leaves, moves = (np.int64(parts[6]), np.int64(parts[7])), (np.int64(parts[0]), np.int64(parts[1]))
    replies = (np.int64(parts[2]), np.int64(parts[3]))
    rows, opp_rows = rows_on(own.seat, street, board, n), rows_on(opp.seat, street, board, m)
    room, tables, opp_play = opp_rows.stride, own.tables, opp.tables.play
    if shared is not None and shared.width > 0:
        tables, opp_play, step = alone(own.tables, shared.memory), shared.memory.opp, once(step)
        rows, opp_rows = gather_chunk(own, opp, moves, replies, rows.hands, opp_rows.hands, shared)
    sit(sheets.own, own.seat.cards, own.seat.same, own.seat.same, n, m, False)
    sit(sheets.opp, opp.seat.cards, opp.seat.same, opp.seat.same, m, n, False)
    for slot in range(slots + 1):
        sheets.live[slot] = 0
    for h in range(room):
        memory.opp[slots * room + h] = 0.0
    first, last = np.int64(parts[8]), np.int64(parts[9])
    for line in range(first, last):
        slot = program.lines[line, 1]
        for h in range(room):
            met = type(opp_reach[0])(0.0)
            if h < m and (street != TURN or opp.seat.live[board, h] > 0):
                met = opp_reach[h * width + line - first]
            memory.opp[slot * room + h] = met
            if met != 0:
                sheets.live[slot] = 1
    walk_opponent(
        program.opp, replies, opp_play, opp_rows, memory.opp, room, sheets.live,
        opp.tables.average, how.theirs, how.adds_opp,
    )  # fmt: skip
    columns = pick_leaves(program.leaves, program.pays, leaves, rows.stride, room, nodes, sheets)
    nothing = Ahead(own.tables.play, own.tables.average, 0, 0)
    sweep_leaves(columns, n, m, memory.opp, slots * room, sheets, nothing)
    settle(columns, n, m, 0, rows.stride, 0, early.value, sheets, nothing)
    clear(program.leaves, leaves, sheets.live, early.value, rows.stride, 0, rows.stride)
    begin, end = _lines_below(program, street)
    lines = end - begin
    tiles = (lines + 15) // 16 * 16
    for k in range(tiles):
        starts[k] = (program.lines[begin + k, 4] if k < lines else slots) * room
    for h in range(0, room, 16):
        for c in range(0, tiles, 16):
            rows_to_columns(early.opp, h * early.width + c, early.width, memory.opp, starts, c, h)
    early.back[:] = 0.0
    if not how.adds_own:
        return
    for h in range(0, rows.stride, BLOCK):
        count = min(BLOCK, rows.stride - h)
        for line in range(first, last):
            slot = program.lines[line, 0]
            for i in range(h, h + count):
                met = type(own_reach[0])(0.0)
                if i < n and (street != TURN or own.seat.live[board, i] > 0):
                    met = own_reach[i * width + line - first]
                memory.own[slot * BLOCK + i - h] = met
        walk_own(program.own, moves, tables, rows, h, count, memory.own, BLOCK, 0, step)
        for k in range(tiles):
            starts[k] = (program.lines[begin + k, 3] if k < lines else 0) * BLOCK - h
        for g in range(h, h + count, 16):
            for c in range(0, tiles, 16):
                rows_to_columns(early.own, g * early.width + c, early.width, memory.own, starts, c, g)
    if shared is not None:
        add_played(own, moves, n, rows.hands, shared)


@lean
def close_hands(
    own: Player,
    street: Index,
    board: Index,
    how: UpdateMode,
    early: Early,
    starts: Longs,
    hands: Span,
    shared: Any,
) -> None:
    """Flop or turn: values that came back up to the first nodes on one board, and regrets, of some hands.

    hands: the first, and the one after the last, whole rows of 16. shared: None, or `SharedRows`.
    """
    program, step = own.program, how.step
    chunk = program.street_chunk[street]
    parts = program.chunks[chunk]
    ups = (np.int64(parts[4]), np.int64(parts[5]))
    rows = rows_on(own.seat, street, board, own.seat.size)
    if shared is not None and shared.width > 0:
        rows = gather_own(own, (np.int64(parts[0]), np.int64(parts[1])), rows.hands, shared)
    begin, end = _lines_below(program, street)
    lines = end - begin
    tiles = (lines + 15) // 16 * 16
    for k in range(tiles):
        starts[k] = (program.lines[begin + k, 5] if k < lines else parts[10]) * rows.stride
    for h in range(hands[0], hands[1], 16):
        for c in range(0, tiles, 16):
            columns_to_rows(early.value, starts, c, h, early.back, h * early.width + c, early.width)
    for h in range(hands[0], hands[1], BLOCK):
        count = min(BLOCK, hands[1] - h)
        if how.judged:
            walk_best(program.up, ups, count, early.value, rows.stride, h)
        elif shared is None:
            walk_up(program.up, ups, own.tables, rows, h, count, early.value, rows.stride, h, step)
        else:
            walk_up_shared(own, ups, rows, h, count, early.value, rows.stride, h, step, shared)


@lean
def mirror_hands(own: Player, street: Index, board: Index) -> None:
    """Flop or turn: give hands that mirror each other the same regrets, when all have learnt."""
    parts = own.program.chunks[own.program.street_chunk[street]]
    rows = rows_on(own.seat, street, board, own.seat.size)
    orbit = own.seat.flop_orbit[board] if street == FLOP else own.seat.turn_orbit[board]
    symmetrise(own.program.up, (np.int64(parts[4]), np.int64(parts[5])), own.tables, rows, orbit)


@lean
def close_street(
    own: Player,
    street: Index,
    board: Index,
    how: UpdateMode,
    early: Early,
    starts: Longs,
    shared: Any,
) -> None:
    """Flop or turn: values that came back up to the first nodes on one board, and regrets."""
    rows = rows_on(own.seat, street, board, own.seat.size)
    close_hands(own, street, board, how, early, starts, (0, rows.stride), shared)
    if how.judged:
        return
    if shared is not None and shared.width > 0:
        parts = own.program.chunks[own.program.street_chunk[street]]
        moves = (np.int64(parts[0]), np.int64(parts[1]))
        add_learnt(own, moves, own.seat.size, rows.hands, shared)
        return
    mirror_hands(own, street, board)


@lean
def collect_turn(own: Player, deal: Deal, turn: Index, width: Index, here: Early, total: Floats) -> None:
    """Add a closed turn board's values, and its mirrors', to `total`: [hand, width]."""
    seat, program = own.seat, own.program
    chunk = program.street_chunk[TURN]
    first, last = np.int64(program.chunks[chunk, 8]), np.int64(program.chunks[chunk, 9])
    for mirror in range(deal.turn_mirror_start[turn], deal.turn_mirror_start[turn + 1]):
        image = seat.swapped[deal.turn_mirrors[mirror]]
        for line in range(first, last):
            source = program.lines[line, 2] * seat.stride[TURN]
            for h in range(seat.size):
                if seat.live[turn, h] > 0:
                    total[image[h] * width + line - first] += here.value[source + h]
