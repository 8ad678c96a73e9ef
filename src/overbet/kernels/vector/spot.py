"""Whole iterations of a spot: streets, boards, threads.

Each street is opened (reach down, folds settled), the next street is played for every card, the values of
its boards are collected into the CHANCE nodes, and the street is closed (values up, regrets). Boards are
independent between opening and closing: threads take the next block of them whenever they are free. Each
block's values are summed in board order and the blocks in theirs, so results are the same for any number of
threads.

Before the river, tables hold hands in the range's order, dead ones included: their reach is zero on the way
down and their value is dropped on the way up. On the river, hands are in order of strength.

What crosses from a street to the next lies with hands outermost, [hand, width], a column for each line of the
next street, so that a board picks its hands as whole rows.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from overbet.kernels.jit import lean
from overbet.kernels.regret import RuleStep, step_at
from overbet.kernels.vector.leaves import Ahead, Sheets, pick_leaves, settle, sweep_leaves
from overbet.kernels.vector.packing import pack, unpack
from overbet.kernels.vector.threads import NEXT, Shared, fetch_add, wait_for_all
from overbet.kernels.vector.tiles import chosen_to_rows, columns_to_rows, rows_to_columns
from overbet.kernels.vector.vectors import load, plus, spread, store
from overbet.kernels.vector.walk import (
    BLOCK,
    Rows,
    Store,
    symmetrise,
    walk_best,
    walk_opponent,
    walk_own,
    walk_up,
)

FLOP, TURN, RIVER = 0, 1, 2
_FEW = 4  # fewer lines than this are moved one by one, not in tiles of 16

Index = Any  # an int: constants, numbers out of arrays and int64 alike
Span = Any  # the first, and the one after the last
Ints = npt.NDArray[np.int32]
Longs = npt.NDArray[np.int64]
Floats = Any


class PlayerHands(NamedTuple):
    """One player's hands. H hands, T turn boards, R river boards.

    cards: [H, 2] uint8. same: [H] int16, the other player's hand of the same cards, or -1. live: [T, H]
    float32.
    alive: [R] int32; hand: [R, rows of 16] uint16; strength, river_same: [R, H] int16; river_cards: [R, H,
    2].
    flop_orbit: [1, H], turn_orbit: [T, H] uint16, the hand whose regrets a hand shares by symmetry.
    base, rows, stride: [3] int64, start of a street's table, rows a board, their length. river_start:
    [R + 1], river_row: [R] int64. swapped: [7, H] uint16.
    """

    size: Index
    cards: npt.NDArray[np.uint8]
    same: npt.NDArray[np.int16]
    live: npt.NDArray[np.float32]
    alive: Ints
    hand: npt.NDArray[np.uint16]
    strength: npt.NDArray[np.int16]
    river_cards: npt.NDArray[np.uint8]
    river_same: npt.NDArray[np.int16]
    flop_orbit: npt.NDArray[np.uint16]
    turn_orbit: npt.NDArray[np.uint16]
    base: Longs
    rows: Longs
    stride: Longs
    river_start: Longs
    river_row: Longs
    swapped: npt.NDArray[np.uint16]


class Program(NamedTuple):
    """The betting tree as one player's moves, see `walk` and `leaves`. K chunks, L lines.

    own, opp: [., 4], up: [., 5], leaves: [., 4] int32; pays: [., 3] floats. lines: [L, 6] int32: slots and
    place of a line's first node, and of the CHANCE node above it, in their chunks. chunks: [K, 13] int32:
    first
    and last of own, opp, up, leaves and lines; nodes; slots of opp and own. street_chunk: [4] int32.
    """

    own: Ints
    opp: Ints
    up: Ints
    leaves: Ints
    pays: Floats
    lines: Ints
    chunks: Ints
    street_chunk: Ints


class Player(NamedTuple):
    """A player: its hands, moves, tables, and [rows of 16] floats, with what weight each hand begins."""

    seat: PlayerHands
    program: Program
    tables: Store
    root: Floats


class Deal(NamedTuple):
    """How boards follow each other: child_start [T + 1], and of each board the swaps it stands for."""

    child_start: Ints
    turn_mirror_start: Ints
    turn_mirrors: Ints
    river_mirror_start: Ints
    river_mirrors: Ints


class Early(NamedTuple):
    """An open street's memory: value [nodes + 2, row]; own, opp, back: [hand, width], reach at each line
    of the
    next street and values coming back. width: a multiple of 16, at least 16 more than there are lines."""

    width: Index
    value: Floats
    own: Floats
    opp: Floats
    back: Floats


class Memory(NamedTuple):
    """Working memory of one thread. own: [slots + 1, BLOCK]; opp: [slots + 1, row]; value: [nodes + 2,
    BLOCK]; cross:
    [BLOCK, 16]; starts: [lines + 16] int64; regret, average, opp_regret: a river board's tables unpacked.
    """

    turn: Early
    sheets: Sheets
    own: Floats
    opp: Floats
    value: Floats
    cross: Floats
    starts: Longs
    regret: Floats
    average: Floats
    opp_regret: Floats


@lean
def _rows(seat: PlayerHands, street: Index, board: Index, alive: Index) -> Rows:
    if street == RIVER:
        return Rows(seat.river_start[board], seat.river_row[board], (alive + 15) // 16 * 16)
    start = seat.base[street] + board * seat.rows[street] * seat.stride[street]
    return Rows(start, seat.stride[street], seat.stride[street])


@lean
def _sit(seats: Ints, cards: Any, same: Any, strength: Any, n: Index, m: Index, ranked: bool) -> None:
    """Fill the hands of one player, m the other's: see `Sheets.own`."""
    nobody = (m + 15) // 16 * 16
    for i in range(n):
        seats[i, 0], seats[i, 1] = cards[i, 0], cards[i, 1]
        seats[i, 2] = same[i] if same[i] >= 0 else nobody
        seats[i, 3] = strength[i] if ranked else 0
    for i in range(n, (n + 15) // 16 * 16):
        seats[i, 0] = seats[i, 1] = seats[i, 3] = 0
        seats[i, 2] = nobody


@lean
def _touched(moves: Ints, span: Span, rows: Rows) -> Span:
    """Return where a chunk's rows begin and end in a table: they are neighbours."""
    if span[0] == span[1]:
        return rows.base, rows.base
    last = moves[span[1] - 1, 0] + moves[span[1] - 1, 1]
    return rows.base + moves[span[0], 0] * rows.stride, rows.base + last * rows.stride


@lean
def _clear(leaves: Ints, span: Span, live: Ints, value: Floats, room: Index, at: Index, count: Index) -> None:
    """The leaves that nobody reaches are worth 0."""
    none = spread(value, 0.0)
    for k in range(span[0], span[1]):
        if live[leaves[k, 0]] == 0:
            for g in range(at, at + count, 16):
                store(value, leaves[k, 1] * room + g, none)
                store(value, leaves[k, 2] * room + g, none)


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
def play_river(
    own: Player,
    opp: Player,
    deal: Deal,
    board: Index,
    step: RuleStep,
    width: Index,
    own_reach: Floats,
    opp_reach: Floats,
    memory: Memory,
    total: Floats,
    judged: bool,
) -> None:
    """Update all lines of one river board.

    own_reach, opp_reach: [hand, width]; total: the same, to which the board's values, and its mirrors', are
    added, or one element where nobody asks for them. judged: nothing is updated, values are those of the best
    response to what the opponent plays by.
    """
    n, m = np.int64(own.seat.alive[board]), np.int64(opp.seat.alive[board])
    rows, opp_rows = _rows(own.seat, RIVER, board, n), _rows(opp.seat, RIVER, board, m)
    tables = own.tables
    if len(tables.packed) == 1:
        _play_board(
            own, opp, deal, board, n, m, rows, opp_rows, tables, opp.tables.play,
            step, width, own_reach, opp_reach, memory, total, judged,
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
    _play_board(
        own, opp, deal, board, n, m,
        Rows(0, rows.stride, rows.hands), Rows(0, opp_rows.stride, opp_rows.hands),
        here, memory.opp_regret, step, width, own_reach, opp_reach, memory, total, judged,
    )  # fmt: skip
    pack(memory.regret, count, tables.packed, tables.scales, start)
    pack(memory.average, count, tables.packed_average, tables.average_scales, start)


@lean
def _play_board(
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
    step: RuleStep,
    width: Index,
    own_reach: Floats,
    opp_reach: Floats,
    memory: Memory,
    total: Floats,
    judged: bool,
) -> None:
    program, sheets, starts = own.program, memory.sheets, memory.starts
    seat, hand, opp_hand = own.seat, own.seat.hand[board], opp.seat.hand[board]
    _sit(sheets.own, seat.river_cards[board], seat.river_same[board], seat.strength[board], n, m, True)
    _sit(
        sheets.opp,
        opp.seat.river_cards[board],
        opp.seat.river_same[board],
        opp.seat.strength[board],
        m,
        n,
        True,
    )
    room, far = opp_rows.hands, len(deal.river_mirrors) > 1 and len(tables.packed) == 1
    for chunk in range(program.street_chunk[RIVER], program.street_chunk[RIVER + 1]):
        parts = program.chunks[chunk]
        slots, nodes = np.int64(parts[11]), np.int64(parts[10])
        leaves, moves = (np.int64(parts[6]), np.int64(parts[7])), (np.int64(parts[0]), np.int64(parts[1]))
        ups, replies = (np.int64(parts[4]), np.int64(parts[5])), (np.int64(parts[2]), np.int64(parts[3]))
        _enter(
            opp_reach, width, program, chunk, 1, opp_hand, m, (0, opp_rows.hands), memory.opp, room, 0, starts
        )
        for slot in range(slots):
            sheets.live[slot] = 0
        for line in range(parts[8], parts[9]):
            slot = program.lines[line, 1]
            for i in range(m):
                if memory.opp[slot * room + i] != 0:
                    sheets.live[slot] = 1
                    break
        for h in range(0, opp_rows.hands, BLOCK):
            count = min(BLOCK, opp_rows.hands - h)
            walk_opponent(
                program.opp, replies, opp_play, opp_rows, h, count, memory.opp, room, h, sheets.live
            )
        none = spread(memory.opp, 0.0)
        for h in range(0, opp_rows.hands, 16):
            store(memory.opp, slots * room + h, none)
        columns = pick_leaves(program.leaves, program.pays, leaves, BLOCK, room, nodes, sheets)
        begin, end = _touched(program.own, moves, rows)
        soon = Ahead(tables.play, tables.average, begin, end if far and not judged else begin)
        sweep_leaves(columns, n, m, memory.opp, slots * room, sheets, soon)
        begin, end = _touched(program.opp, replies, opp_rows)
        for h in range(0, rows.hands, BLOCK):
            count = min(BLOCK, rows.hands - h)
            # the opponent's rows of the next chunk, or of the next board, follow those of this one
            start, stop = (
                end + (end - begin) * h // rows.hands,
                end + (end - begin) * (h + count) // rows.hands,
            )
            later = Ahead(opp_play, opp_play, start // 16 * 16, stop // 16 * 16 if far else start // 16 * 16)
            if not judged:
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
            _clear(program.leaves, leaves, sheets.live, memory.value, BLOCK, 0, count)
            if judged:
                walk_best(program.up, ups, count, memory.value, BLOCK, 0)
            else:
                walk_up(program.up, ups, tables, rows, h, count, memory.value, BLOCK, 0, step)
            if len(total) > 1:
                _collect(seat, program, deal, chunk, board, hand, n, h, count, width, memory, total)


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
                    total[image[hand[i]] * width + column + k] += value[source + i - h]
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
                to = image[hand[i]] * width + column + c
                store(total, to, plus(load(total, to), load(memory.cross, (i - h) * 16)))


@lean
def open_street(
    own: Player,
    opp: Player,
    street: Index,
    board: Index,
    step: RuleStep,
    width: Index,
    own_reach: Floats,
    opp_reach: Floats,
    early: Early,
    memory: Memory,
    judged: bool,
) -> None:
    """Flop or turn: reach down and folds settled on one board, and the reach that crosses to the next
    street."""
    program, sheets, starts = own.program, memory.sheets, memory.starts
    n, m = own.seat.size, opp.seat.size
    chunk = program.street_chunk[street]
    parts = program.chunks[chunk]
    slots, nodes = np.int64(parts[11]), np.int64(parts[10])
    leaves, moves = (np.int64(parts[6]), np.int64(parts[7])), (np.int64(parts[0]), np.int64(parts[1]))
    replies = (np.int64(parts[2]), np.int64(parts[3]))
    rows, opp_rows = _rows(own.seat, street, board, n), _rows(opp.seat, street, board, m)
    room = opp_rows.stride
    _sit(sheets.own, own.seat.cards, own.seat.same, own.seat.same, n, m, False)
    _sit(sheets.opp, opp.seat.cards, opp.seat.same, opp.seat.same, m, n, False)
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
    for h in range(0, room, BLOCK):
        count = min(BLOCK, room - h)
        walk_opponent(
            program.opp, replies, opp.tables.play, opp_rows, h, count, memory.opp, room, h, sheets.live
        )
    columns = pick_leaves(program.leaves, program.pays, leaves, rows.stride, room, nodes, sheets)
    nothing = Ahead(own.tables.play, own.tables.average, 0, 0)
    sweep_leaves(columns, n, m, memory.opp, slots * room, sheets, nothing)
    settle(columns, n, m, 0, rows.stride, 0, early.value, sheets, nothing)
    _clear(program.leaves, leaves, sheets.live, early.value, rows.stride, 0, rows.stride)
    begin, end = np.int64(program.chunks[chunk + 1, 8]), np.int64(len(program.lines))
    if street == FLOP:
        end = np.int64(program.chunks[program.street_chunk[TURN + 1], 8])
    lines = end - begin
    tiles = (lines + 15) // 16 * 16
    for k in range(tiles):
        starts[k] = (program.lines[begin + k, 4] if k < lines else slots) * room
    for h in range(0, room, 16):
        for c in range(0, tiles, 16):
            rows_to_columns(early.opp, h * early.width + c, early.width, memory.opp, starts, c, h)
    early.back[:] = 0.0
    if judged:
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
        walk_own(program.own, moves, own.tables, rows, h, count, memory.own, BLOCK, 0, step)
        for k in range(tiles):
            starts[k] = (program.lines[begin + k, 3] if k < lines else 0) * BLOCK - h
        for g in range(h, h + count, 16):
            for c in range(0, tiles, 16):
                rows_to_columns(early.own, g * early.width + c, early.width, memory.own, starts, c, g)


@lean
def close_street(
    own: Player, street: Index, board: Index, step: RuleStep, early: Early, starts: Longs, judged: bool
) -> None:
    """Flop or turn: values that came back up to the first nodes on one board, and regrets."""
    program = own.program
    chunk = program.street_chunk[street]
    parts = program.chunks[chunk]
    ups = (np.int64(parts[4]), np.int64(parts[5]))
    rows = _rows(own.seat, street, board, own.seat.size)
    begin, end = np.int64(program.chunks[chunk + 1, 8]), np.int64(len(program.lines))
    if street == FLOP:
        end = np.int64(program.chunks[program.street_chunk[TURN + 1], 8])
    lines = end - begin
    tiles = (lines + 15) // 16 * 16
    for k in range(tiles):
        starts[k] = (program.lines[begin + k, 5] if k < lines else parts[10]) * rows.stride
    for h in range(0, rows.stride, 16):
        for c in range(0, tiles, 16):
            columns_to_rows(early.value, starts, c, h, early.back, h * early.width + c, early.width)
    for h in range(0, rows.stride, BLOCK):
        count = min(BLOCK, rows.stride - h)
        if judged:
            walk_best(program.up, ups, count, early.value, rows.stride, h)
        else:
            walk_up(program.up, ups, own.tables, rows, h, count, early.value, rows.stride, h, step)
    if judged:
        return
    orbit = own.seat.flop_orbit[board] if street == FLOP else own.seat.turn_orbit[board]
    symmetrise(program.up, ups, own.tables, rows, orbit)


@lean
def _play_turn(
    own: Player,
    opp: Player,
    deal: Deal,
    turn: Index,
    step: RuleStep,
    above: Early,
    memory: Memory,
    total: Floats,
    judged: bool,
) -> None:
    """Update a turn board and all its rivers; add its values, and its mirrors', to `total`."""
    here, seat, program = memory.turn, own.seat, own.program
    open_street(own, opp, TURN, turn, step, above.width, above.own, above.opp, here, memory, judged)
    for river in range(np.int64(deal.child_start[turn]), np.int64(deal.child_start[turn + 1])):
        play_river(own, opp, deal, river, step, here.width, here.own, here.opp, memory, here.back, judged)
    close_street(own, TURN, turn, step, here, memory.starts, judged)
    chunk = program.street_chunk[TURN]
    first, last = np.int64(program.chunks[chunk, 8]), np.int64(program.chunks[chunk, 9])
    for mirror in range(deal.turn_mirror_start[turn], deal.turn_mirror_start[turn + 1]):
        image = seat.swapped[deal.turn_mirrors[mirror]]
        for line in range(first, last):
            source = program.lines[line, 2] * seat.stride[TURN]
            for h in range(seat.size):
                if seat.live[turn, h] > 0:
                    total[image[h] * above.width + line - first] += here.value[source + h]


@lean
def update(
    own: Player,
    opp: Player,
    deal: Deal,
    first: Index,
    step: RuleStep,
    early: Early,
    edges: Ints,
    totals: Floats,
    shared: Shared,
    rank: Index,
    threads: Index,
    memory: Memory,
    judged: bool,
) -> None:
    """Update one player. edges: [blocks + 1] int32, of boards; totals: [blocks, .]."""
    if first == RIVER:
        play_river(own, opp, deal, 0, step, 1, own.root, opp.root, memory, early.back, judged)
        return
    if rank == 0:
        open_street(own, opp, first, 0, step, 1, own.root, opp.root, early, memory, judged)
        shared[NEXT] = 0
    wait_for_all(shared, threads)
    while True:
        block = fetch_add(shared, NEXT, 1)
        if block >= len(totals):
            break
        total = totals[block]
        for k in range(len(total)):
            total[k] = 0.0
        for board in range(np.int64(edges[block]), np.int64(edges[block + 1])):
            if first == FLOP:
                _play_turn(own, opp, deal, board, step, early, memory, total, judged)
            else:
                play_river(
                    own, opp, deal, board, step, early.width, early.own, early.opp, memory, total, judged
                )
    wait_for_all(shared, threads)
    if rank == 0:
        for block in range(len(totals)):
            for k in range(0, len(early.back), 16):
                store(early.back, k, plus(load(early.back, k), load(totals[block], k)))
        close_street(own, first, 0, step, early, memory.starts, judged)


@lean
def iterate(
    one: Player,
    two: Player,
    order: Ints,
    deal: Deal,
    first: Index,
    steps: Any,
    early: Early,
    edges: Ints,
    totals: Floats,
    shared: Shared,
    rank: Index,
    threads: Index,
    memory: Memory,
    judged: bool,
) -> None:
    """Run iterations, as one of some threads that all call this. judged: see `play_river`. order: players
    to update in each; steps:
    [iterations, 8] floats, see `Rule`."""
    for t in range(len(steps)):
        step = step_at(steps, t)
        for k in range(len(order)):
            if order[k] == 0:
                update(
                    one, two, deal, first, step, early, edges, totals, shared, rank, threads, memory, judged
                )
            else:
                update(
                    two, one, deal, first, step, early, edges, totals, shared, rank, threads, memory, judged
                )
