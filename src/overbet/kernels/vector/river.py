"""One river board: all its lines, chunk by chunk.

Hands are in order of strength. What crosses from the street before lies with hands outermost, [hand, width],
a column for each line, so that a board picks its hands as whole rows.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from overbet.kernels.jit import lean
from overbet.kernels.vector.buckets import add_chunk, alone, gather_chunk, once, scale, walk_up_shared
from overbet.kernels.vector.bundles import (
    RIVER,
    Deal,
    Floats,
    Index,
    Longs,
    Memory,
    Player,
    PlayerHands,
    Program,
    Span,
    UpdateMode,
    clear,
    derive,
    rows_on,
    sit,
    touched,
)
from overbet.kernels.vector.leaves import Ahead, pick_leaves, settle, sweep_leaves
from overbet.kernels.vector.packing import pack, unpack
from overbet.kernels.vector.tiles import chosen_to_rows, rows_to_columns
from overbet.kernels.vector.vectors import any_of, load, plus, spread, store, whole
from overbet.kernels.vector.walk import BLOCK, Rows, Store, walk_best, walk_opponent, walk_own, walk_up

_FEW = 4  # fewer lines than this are moved one by one, not in tiles of 16


@lean
def _enter(
    source: Floats,
    width: Index,
    program: Program,
    chunk: Index,
    column: Index,
    hand: Any,
    n: Index,
    span: Span,
    out: Floats,
    room: Index,
    shift: Index,
    starts: Longs,
) -> None:
    """Bring reach into the first nodes of a river chunk's lines: hands span[0] .. span[1] - 1, whole tiles.

    column: 0 own slots, 1 the opponent's. out[slot * room + shift + i] = source[hand[i], line].
    """
    first, last = program.chunks[chunk, 8], program.chunks[chunk, 9]
    before = program.chunks[program.street_chunk[RIVER], 8]
    lines = last - first
    for k in range(lines):
        starts[k] = program.lines[first + k, column] * room + shift
    if lines < _FEW:
        for k in range(lines):
            for i in range(span[0], min(n, span[1])):
                out[starts[k] + i] = source[hand[i] * width + first - before + k]
    else:
        for k in range(lines, (lines + 15) // 16 * 16):
            starts[k] = program.chunks[chunk, 12 - column] * room + shift  # the slot after the last
        for c in range(0, lines, 16):
            for h in range(span[0], span[1], 16):
                chosen_to_rows(out, starts, c, h, source, hand, width, first - before + c)
    for k in range(lines):
        for i in range(max(n, span[0]), span[1]):
            out[starts[k] + i] = 0.0


@lean
def _next_replies(opp: Player, program: Program, board: Index, chunk: Index, rows: Rows) -> Span:
    """Return where the opponent's rows of the next chunk lie, or of the next board's first chunk."""
    after = chunk + 1
    if after == program.street_chunk[RIVER + 1]:
        after = program.street_chunk[RIVER]
        follower = min(board + 1, len(opp.seat.river_row) - 1)
        rows = rows_on(opp.seat, RIVER, follower, np.int64(opp.seat.alive[follower]))
    parts = program.chunks[after]
    return touched(program.opp, (np.int64(parts[2]), np.int64(parts[3])), rows)


@lean
def play_river(
    own: Player,
    opp: Player,
    deal: Deal,
    board: Index,
    how: UpdateMode,
    width: Index,
    own_reach: Floats,
    opp_reach: Floats,
    memory: Memory,
    total: Floats,
) -> None:
    """Update all lines of one river board.

    own_reach, opp_reach: [hand, width]; total: the same, to which the board's values, and its mirrors', are
    added, or one element where nobody asks for them.
    """
    n, m = np.int64(own.seat.alive[board]), np.int64(opp.seat.alive[board])
    rows, opp_rows = rows_on(own.seat, RIVER, board, n), rows_on(opp.seat, RIVER, board, m)
    tables = own.tables
    if len(tables.packed) == 1:
        play_board(
            own, opp, deal, board, n, m, rows, opp_rows, tables, opp.tables.play,
            how, width, own_reach, opp_reach, memory, total, None,
        )  # fmt: skip
        return
    start, opp_start = rows.base - own.seat.base[RIVER], opp_rows.base - opp.seat.base[RIVER]
    count, opp_count = rows.stride * own.seat.rows[RIVER], opp_rows.stride * opp.seat.rows[RIVER]
    unpack(tables.packed, tables.scales, start, count, memory.regret)
    unpack(tables.packed_average, tables.average_scales, start, count, memory.average)
    unpack(opp.tables.packed, opp.tables.scales, opp_start, opp_count, memory.opp_regret)
    here = Store(
        memory.regret, memory.regret, memory.average, tables.locked,
        tables.packed, tables.scales, tables.packed_average, tables.average_scales,
    )  # fmt: skip
    play_board(
        own, opp, deal, board, n, m,
        Rows(0, rows.stride, rows.hands), Rows(0, opp_rows.stride, opp_rows.hands),
        here, memory.opp_regret, how, width, own_reach, opp_reach, memory, total, None,
    )  # fmt: skip
    pack(memory.regret, count, tables.packed, tables.scales, start)
    pack(memory.average, count, tables.packed_average, tables.average_scales, start)


@lean
def play_board(
    own: Player,
    opp: Player,
    deal: Deal,
    board: Index,
    n: Index,
    m: Index,
    rows: Rows,
    opp_rows: Rows,
    tables: Store,
    opp_play: Floats,
    how: UpdateMode,
    width: Index,
    own_reach: Floats,
    opp_reach: Floats,
    memory: Memory,
    total: Floats,
    shared: Any,
) -> None:
    """Update one river board whose rows lie at `rows` of `tables`. shared: None, or `SharedRows`."""
    program, sheets, starts, step = own.program, memory.sheets, memory.starts, how.step
    seat, hand, opp_hand = own.seat, own.seat.hand[board], opp.seat.hand[board]
    sit(sheets.own, seat.river_cards[board], seat.river_same[board], seat.strength[board], n, m, True)
    sit(
        sheets.opp,
        opp.seat.river_cards[board],
        opp.seat.river_same[board],
        opp.seat.strength[board],
        m,
        n,
        True,
    )
    room, far = opp_rows.hands, len(deal.river_mirrors) > 1 and len(tables.packed) == 1
    if shared is not None:
        far = False
        if shared.width > 0:
            tables, opp_play, step = alone(own.tables, shared.memory), shared.memory.opp, once(step)
    for chunk in range(program.street_chunk[RIVER], program.street_chunk[RIVER + 1]):
        parts = program.chunks[chunk]
        slots, nodes = np.int64(parts[11]), np.int64(parts[10])
        leaves, moves = (np.int64(parts[6]), np.int64(parts[7])), (np.int64(parts[0]), np.int64(parts[1]))
        ups, replies = (np.int64(parts[4]), np.int64(parts[5])), (np.int64(parts[2]), np.int64(parts[3]))
        derived = (np.int64(parts[13]), np.int64(parts[14]))
        if shared is not None and shared.width > 0:
            rows, opp_rows = gather_chunk(own, opp, moves, replies, rows.hands, opp_rows.hands, shared)
        _enter(
            opp_reach, width, program, chunk, 1, opp_hand, m, (0, opp_rows.hands), memory.opp, room, 0, starts
        )
        for slot in range(slots):
            sheets.live[slot] = 0
        for line in range(parts[8], parts[9]):
            entry = np.int64(program.lines[line, 1])
            for h in range(0, opp_rows.hands, 16):
                if any_of(load(memory.opp, entry * room + h)):
                    sheets.live[entry] = 1
                    break
        walk_opponent(
            program.opp, replies, opp_play, opp_rows, memory.opp, room, sheets.live,
            opp.tables.average, how.theirs, how.adds_opp,
        )  # fmt: skip
        none = spread(memory.opp, 0.0)
        for h in range(0, opp_rows.hands, 16):
            store(memory.opp, slots * room + h, none)
        columns = pick_leaves(program.leaves, program.pays, leaves, BLOCK, room, nodes, sheets)
        begin, end = touched(program.own, moves, rows)
        also = tables.average if how.adds_own else tables.play
        soon = Ahead(tables.play, also, begin, end if far and not how.judged else begin)
        sweep_leaves(columns, n, m, memory.opp, slots * room, sheets, soon)
        begin, end = _next_replies(opp, program, board, chunk, opp_rows) if far else (0, 0)
        for h in range(0, rows.hands, BLOCK):
            count = min(BLOCK, rows.hands - h)
            start = begin + (end - begin) * h // rows.hands // 16 * 16
            stop = begin + (end - begin) * (h + count) // rows.hands // 16 * 16
            later = Ahead(opp_play, opp.tables.average if how.adds_opp else opp_play, start, stop)
            if how.adds_own:
                _enter(
                    own_reach,
                    width,
                    program,
                    chunk,
                    0,
                    hand,
                    n,
                    (h, h + count),
                    memory.own,
                    BLOCK,
                    -h,
                    starts,
                )
                walk_own(program.own, moves, tables, rows, h, count, memory.own, BLOCK, 0, step)
            settle(columns, n, m, h, count, 0, memory.value, sheets, later)
            clear(program.leaves, leaves, sheets.live, memory.value, BLOCK, 0, count)
            derive(program.derived, program.factors, derived, memory.value, BLOCK, 0, count)
            if how.judged:
                walk_best(program.up, ups, count, memory.value, BLOCK, 0)
            elif shared is None:
                walk_up(program.up, ups, tables, rows, h, count, memory.value, BLOCK, 0, step)
            else:
                walk_up_shared(own, ups, rows, h, count, memory.value, BLOCK, 0, step, shared)
                for line in range(parts[8], parts[9]):
                    scale(memory.value, program.lines[line, 2] * BLOCK, count, shared.factor)
            if len(total) > 1:
                _collect(seat, program, deal, chunk, board, hand, n, h, count, width, memory, total)
        if shared is not None:
            add_chunk(own, moves, n, rows.hands, shared)


@lean
def _collect(
    seat: PlayerHands,
    program: Program,
    deal: Deal,
    chunk: Index,
    board: Index,
    hand: Any,
    n: Index,
    h: Index,
    count: Index,
    width: Index,
    memory: Memory,
    total: Floats,
) -> None:
    """Add a block's values at the first nodes of a river chunk's lines, and the mirrors', to `total`."""
    first, last = program.chunks[chunk, 8], program.chunks[chunk, 9]
    column = first - program.chunks[program.street_chunk[RIVER], 8]
    lines, starts, value = last - first, memory.starts, memory.value
    begin, end = deal.river_mirror_start[board], deal.river_mirror_start[board + 1]
    if lines < _FEW:
        for mirror in range(begin, end):
            image = seat.swapped[deal.river_mirrors[mirror]]
            for k in range(lines):
                source = program.lines[first + k, 2] * BLOCK
                for i in range(h, min(n, h + count)):
                    total[whole(image, whole(hand, i)) * width + column + k] += value[source + i - h]
        return
    zeros = (program.chunks[chunk, 10] + 1) * BLOCK
    none = spread(value, 0.0)
    for g in range(0, BLOCK, 16):
        store(value, zeros + g, none)
    for c in range(0, lines, 16):
        for k in range(16):
            starts[k] = program.lines[first + c + k, 2] * BLOCK if c + k < lines else zeros
        for g in range(0, count, 16):
            rows_to_columns(memory.cross, g * 16, 16, value, starts, 0, g)
        for mirror in range(begin, end):
            image = seat.swapped[deal.river_mirrors[mirror]]
            for i in range(h, min(n, h + count)):
                to = whole(image, whole(hand, i)) * width + column + c
                store(total, to, plus(load(total, to), load(memory.cross, (i - h) * 16)))
