"""The update pass over streets and boards: what is dealt, in which order, and how values come back.

Each street is opened (reach down, folds evaluated), the next street is played for every card, the values
of its boards are collected into the CHANCE nodes, and the street is closed (values up, regrets). Boards are
independent between opening and closing, so callers may spread blocks of them over threads; each block's
values are summed in board order and the blocks in theirs: the result is the same for any number of threads.

Before the river, tables hold hands in the range's order, dead ones included: their reach is zero on the way
down and their value is dropped on the way up. On the river, hands are in order of strength.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from overbet.kernels.jit import fast_kernel
from overbet.kernels.regret import RuleStep, step_at
from overbet.kernels.vector.buckets import Shared, backward_by_bucket, forward_by_bucket
from overbet.kernels.vector.lanes import gather_tile, scatter_tile, take_tile
from overbet.kernels.vector.packing import pack, unpack
from overbet.kernels.vector.showdown_sweep import Payoffs, SweepHands, SweepSheets
from overbet.kernels.vector.update import (
    Bridge,
    Floats,
    Ints,
    NodePlace,
    Scratch,
    TableView,
    UpdateTables,
    backward,
    forward,
    settle,
    symmetrise,
)

Cards = npt.NDArray[np.uint8]
Shorts = npt.NDArray[np.int16]
Places = npt.NDArray[np.uint16]
FLOP, TURN, RIVER = 0, 1, 2
_FEW = 4  # fewer lines than this cross the bridge one by one, not in tiles of 16


class Sharing(NamedTuple):
    """One player's buckets by street. row: [3] int64, length of a street's rows, 0 where no hands share them.

    flop: [1, H], turn: [T, H], river: [R, H] int32, the river's in its boards' order of hands; one element
    where there are none. weight: [1, H], river_weight: [R, H] float32, root weights in the same order.
    turn_copies: [T], river_copies: [R] float64, real boards that each board stands for.
    """

    row: npt.NDArray[np.int64]
    flop: Ints
    turn: Ints
    river: Ints
    weight: Floats
    river_weight: Floats
    turn_copies: npt.NDArray[np.float64]
    river_copies: npt.NDArray[np.float64]


class Side(NamedTuple):
    """One player's hands. H hands, T turn boards, R river boards.

    size: H. cards: [H, 2] uint8. flat: [H] int16 zeros, the strength of every hand before the river.
    live: [T, H] float32. alive: [R] int32, live hands; hand: [R, rows of 16] uint16; strength: [R, H] int16;
    river_cards: [R, H, 2] uint8. flop_orbit: [1, H], turn_orbit: [T, H] uint16, the hand whose regrets a hand
    shares because a symmetry of the board maps one onto the other.
    base, rows, stride: [3] int64, start of each street's table, rows a board, length of its longest row.
    river_start: [R + 1] int64, where each river board's rows begin; river_row: [R] int64, their length.
    shares: which hands share their rows, see `Sharing`.
    """

    size: int
    cards: Cards
    flat: Shorts
    live: Floats
    alive: Ints
    hand: Places
    strength: Shorts
    river_cards: Cards
    flop_orbit: Places
    turn_orbit: Places
    base: npt.NDArray[np.int64]
    rows: npt.NDArray[np.int64]
    stride: npt.NDArray[np.int64]
    river_start: npt.NDArray[np.int64]
    river_row: npt.NDArray[np.int64]
    shares: Sharing


class Pass(NamedTuple):
    """All that an update of one player reads. same: [H] int16; river_same: [R, H] int16; swapped: [7, H]
    uint16. street_chunk: [4] int32, first chunk of each street. child_start: [T + 1] int32, rivers of a turn.
    mirror_start and mirrors: per board of the turn and of the river, as in `overbet.tree.boards`.
    """

    tree: TableView
    payoffs: Payoffs
    own: Side
    opp: Side
    same: Shorts
    river_same: Shorts
    swapped: Places
    street_chunk: Ints
    child_start: Ints
    turn_mirror_start: Ints
    turn_mirrors: Ints
    river_mirror_start: Ints
    river_mirrors: Ints


class StreetWork(NamedTuple):
    """Working memory of one thread. line_value: [hand, bridge width] float32, flat.

    regret, average, opp_regret: one river board's tables unpacked; one element where they are not packed.
    """

    turn: Scratch
    river: Scratch
    sheets: SweepSheets
    line_value: Floats
    regret: Floats
    average: Floats
    opp_regret: Floats


@fast_kernel
def _place(player: Pass, street: int, board: int, own_hands: int, opp_hands: int) -> NodePlace:
    own, opp = player.own, player.opp
    if street == RIVER:
        return NodePlace(
            own.river_start[board],
            own.river_row[board],
            own_hands,
            opp.river_start[board],
            opp.river_row[board],
            opp_hands,
        )
    return NodePlace(
        own.base[street] + board * own.rows[street] * own.stride[street],
        own.stride[street],
        own_hands,
        opp.base[street] + board * opp.rows[street] * opp.stride[street],
        opp.stride[street],
        opp_hands,
    )


@fast_kernel
def _shared(player: Pass, street: int, board: int) -> Shared:
    """Return a board's buckets, on a street that has some."""
    own, opp = player.own.shares, player.opp.shares
    bases = player.own.base[street], player.opp.base[street]
    rows = own.row[street], opp.row[street]
    if street == RIVER:
        copies, one, two = own.river_copies[board], own.river[board], opp.river[board]
        return Shared(one, two, own.river_weight[board], bases[0], rows[0], bases[1], rows[1], copies)
    if street == TURN:
        copies, one, two = own.turn_copies[board], own.turn[board], opp.turn[board]
        return Shared(one, two, own.weight[0], bases[0], rows[0], bases[1], rows[1], copies)
    return Shared(own.flop[0], opp.flop[0], own.weight[0], bases[0], rows[0], bases[1], rows[1], 1.0)


@fast_kernel
def play_river(
    player: Pass,
    board: int,
    tables: UpdateTables,
    step: RuleStep,
    up: Bridge,
    work: StreetWork,
    total: Floats,
) -> None:
    """Update all lines of one river board. up: from the street before, or the ranges in a river spot.

    total: [hand, up.width] float32, flat; the board's values, and its mirrors', are added to it. One element
    in a river spot, where nobody asks for them.
    """
    place = _place(player, RIVER, board, player.own.alive[board], player.opp.alive[board])
    packed = tables.packed
    if len(packed.regret) == 1:
        _play_river_at(player, board, place, tables, step, up, work)
    else:
        count, opp_count = (
            place.own_stride * player.own.rows[RIVER],
            place.opp_stride * player.opp.rows[RIVER],
        )
        start, opp_start = place.own_base - player.own.base[RIVER], place.opp_base - player.opp.base[RIVER]
        unpack(packed.regret, packed.regret_scales, start, count, work.regret)
        unpack(packed.average, packed.average_scales, start, count, work.average)
        unpack(packed.opp_regret, packed.opp_scales, opp_start, opp_count, work.opp_regret)
        here = UpdateTables(
            work.regret, work.regret, work.average, work.opp_regret, tables.locked, packed, tables.sums
        )
        at_zero = NodePlace(0, place.own_stride, place.own_hands, 0, place.opp_stride, place.opp_hands)
        _play_river_at(player, board, at_zero, here, step, up, work)
        pack(work.regret, count, packed.regret, packed.regret_scales, start)
        pack(work.average, count, packed.average, packed.average_scales, start)
    if len(total) > 1:
        _collect_river(player, board, up.width, work.line_value, total)


@fast_kernel
def _play_river_at(
    player: Pass,
    board: int,
    place: NodePlace,
    tables: UpdateTables,
    step: RuleStep,
    up: Bridge,
    work: StreetWork,
) -> None:
    """Update one river board whose rows lie at `place` of the tables; line values go to `work.line_value`."""
    view, own, opp, scratch, starts = player.tree, player.own, player.opp, work.river, work.sheets.starts
    n, m = own.alive[board], opp.alive[board]
    seats = SweepHands(
        n,
        m,
        own.river_cards[board],
        own.strength[board],
        player.river_same[board],
        opp.river_cards[board],
        opp.strength[board],
    )
    first_line = view.chunk_line[player.street_chunk[RIVER]]
    bucketed = own.shares.row[RIVER] > 0
    for chunk in range(player.street_chunk[RIVER], player.street_chunk[RIVER + 1]):
        begin, end = view.chunk_line[chunk], view.chunk_line[chunk + 1]
        column = begin - first_line
        _starts(view.own_slot, view.line_start, begin, end, place.own_stride, len(scratch.own), starts)
        _enter(up.own, up.width, column, own.hand[board], n, end - begin, scratch.own, starts)
        _starts(view.opp_slot, view.line_start, begin, end, place.opp_stride, len(scratch.opp), starts)
        _enter(up.opp, up.width, column, opp.hand[board], m, end - begin, scratch.opp, starts)
        if bucketed:
            shared = _shared(player, RIVER, board)
            forward_by_bucket(view, chunk, place, tables, tables.sums, shared, scratch)
            settle(view, chunk, place, seats, player.payoffs, scratch, work.sheets)
            backward_by_bucket(view, chunk, place, tables.sums, shared, scratch)
        else:
            forward(view, chunk, place, tables, step, scratch)
            settle(view, chunk, place, seats, player.payoffs, scratch, work.sheets)
            backward(view, chunk, place, tables, step, scratch)
        if len(up.value) == 1:
            continue
        for k in range(begin, end + 16):
            at = view.line_start[k] - view.line_start[begin] if k < end else 0
            starts[k - begin] = np.uint64(at * place.own_stride)
        tile, none, width = np.uint64(16), np.uint64(0), np.uint64(up.width)
        for h in range(none, np.uint64(n), tile):
            for c in range(none, np.uint64(end - begin), tile):
                at = h * width + np.uint64(column) + c
                gather_tile(work.line_value, at, width, scratch.value, starts, c, h)


@fast_kernel
def _enter(
    source: Floats,
    width: int,
    column: int,
    hand: Places,
    hands: int,
    lines: int,
    out: Floats,
    starts: npt.NDArray[np.uint64],
) -> None:
    """Carry the reach of some lines over the bridge: out[starts[k] + i] = source[hand[i], column + k]."""
    row, first = np.uint64(width), np.uint64(column)
    if lines < _FEW:
        for k in range(np.uint64(lines)):
            for i in range(np.uint64(hands)):
                out[starts[k] + i] = source[np.uint64(hand[i]) * row + first + k]
        return
    tile = np.uint64(16)
    for h in range(np.uint64(0), np.uint64(hands), tile):
        for c in range(np.uint64(0), np.uint64(lines), tile):
            take_tile(out, starts, c, h, source, hand, row, first + c)


@fast_kernel
def _starts(
    slot: Ints, line_start: Ints, begin: int, end: int, stride: int, size: int, starts: npt.NDArray[np.uint64]
) -> None:
    """Fill where the reach of the lines' first nodes lies, lines begin .. end - 1, then the spare row."""
    for line in range(begin, end):
        starts[line - begin] = np.uint64(slot[line_start[line]] * stride)
    for k in range(end - begin, end - begin + 16):
        starts[k] = np.uint64(size - stride)


@fast_kernel
def _collect_river(player: Pass, board: int, width: int, line_value: Floats, total: Floats) -> None:
    """Add a river board's line values ([hand in its order, width]), and its mirrors', to `total`."""
    hand, row = player.own.hand[board], np.uint64(width)
    for mirror in range(player.river_mirror_start[board], player.river_mirror_start[board + 1]):
        image = player.swapped[player.river_mirrors[mirror]]
        for i in range(np.uint64(player.own.alive[board])):
            to, source = np.uint64(image[hand[i]]) * row, i * row
            for c in range(row):
                total[to + c] += line_value[source + c]


@fast_kernel
def open_street(
    player: Pass,
    street: int,
    board: int,
    tables: UpdateTables,
    step: RuleStep,
    up: Bridge,
    scratch: Scratch,
    sheets: SweepSheets,
) -> None:
    """Flop or turn: reach down and fold values on one board, and the reach put on the bridge."""
    view, own, opp, starts = player.tree, player.own, player.opp, sheets.starts
    chunk = player.street_chunk[street]
    place = _place(player, street, board, own.size, opp.size)
    first_line = view.chunk_line[chunk]
    for line in range(first_line, view.chunk_line[chunk + 1]):
        root, column = view.line_start[line], line - first_line
        to = view.own_slot[root] * place.own_stride
        for h in range(own.size):
            live = own.live[board, h] if street == TURN else np.float32(1.0)
            scratch.own[to + h] = up.own[h * up.width + column] * live
        to = view.opp_slot[root] * place.opp_stride
        for h in range(opp.size):
            live = opp.live[board, h] if street == TURN else np.float32(1.0)
            scratch.opp[to + h] = up.opp[h * up.width + column] * live
    if own.shares.row[street] > 0:
        shared = _shared(player, street, board)
        forward_by_bucket(view, chunk, place, tables, tables.sums, shared, scratch)
    else:
        forward(view, chunk, place, tables, step, scratch)
    seats = SweepHands(own.size, opp.size, own.cards, own.flat, player.same, opp.cards, opp.flat)
    settle(view, chunk, place, seats, player.payoffs, scratch, sheets)
    bridge = scratch.bridge
    begin, end = view.chunk_line[chunk + 1], view.chunk_line[player.street_chunk[street + 2]]
    tile, none, width, lines = np.uint64(16), np.uint64(0), np.uint64(bridge.width), np.uint64(end - begin)
    for k in range(begin, end + 16):
        starts[k - begin] = np.uint64(view.line_own[k] * place.own_stride) if k < end else none
    for h in range(none, np.uint64(own.size), tile):
        for c in range(none, lines, tile):
            gather_tile(bridge.own, h * width + c, width, scratch.own, starts, c, h)
    for k in range(begin, end + 16):
        starts[k - begin] = np.uint64(view.line_opp[k] * place.opp_stride) if k < end else none
    for h in range(none, np.uint64(opp.size), tile):
        for c in range(none, lines, tile):
            gather_tile(bridge.opp, h * width + c, width, scratch.opp, starts, c, h)
    bridge.value[:] = 0.0


@fast_kernel
def close_street(
    player: Pass,
    street: int,
    board: int,
    tables: UpdateTables,
    step: RuleStep,
    scratch: Scratch,
    sheets: SweepSheets,
) -> None:
    """Flop or turn: values from the bridge up to the first nodes on one board, and regrets."""
    view, own, bridge, starts = player.tree, player.own, scratch.bridge, sheets.starts
    chunk = player.street_chunk[street]
    place = _place(player, street, board, own.size, player.opp.size)
    begin, end = view.chunk_line[chunk + 1], view.chunk_line[player.street_chunk[street + 2]]
    nowhere = len(scratch.value) - place.own_stride
    for k in range(begin, end + 16):
        starts[k - begin] = np.uint64(view.line_value[k] * place.own_stride if k < end else nowhere)
    tile, none, width = np.uint64(16), np.uint64(0), np.uint64(bridge.width)
    for h in range(none, np.uint64(own.size), tile):
        for c in range(none, np.uint64(end - begin), tile):
            scatter_tile(scratch.value, starts, c, h, bridge.value, h * width + c, width)
    if own.shares.row[street] > 0:
        backward_by_bucket(view, chunk, place, tables.sums, _shared(player, street, board), scratch)
        return
    backward(view, chunk, place, tables, step, scratch)
    symmetrise(view, chunk, place, tables, own.flop_orbit[board] if street == FLOP else own.turn_orbit[board])


@fast_kernel
def collect_turn(player: Pass, board: int, width: int, value: Floats, total: Floats) -> None:
    """Add a turn board's line values, and its mirrors', to `total`: [hand, width], flat."""
    view, own = player.tree, player.own
    chunk, stride = player.street_chunk[TURN], own.stride[TURN]
    first_line = view.chunk_line[chunk]
    for mirror in range(player.turn_mirror_start[board], player.turn_mirror_start[board + 1]):
        image = player.swapped[player.turn_mirrors[mirror]]
        for line in range(first_line, view.chunk_line[chunk + 1]):
            source = (view.line_start[line] - view.line_start[first_line]) * stride
            for h in range(own.size):
                total[image[h] * width + line - first_line] += value[source + h] * own.live[board, h]


@fast_kernel
def play_turns(
    player: Pass,
    boards: Ints,
    tables: UpdateTables,
    step: RuleStep,
    up: Bridge,
    work: StreetWork,
    totals: Floats,
) -> None:
    """Update turn boards and all their rivers, block by block.

    boards: [k, 3] int32, a block's number, its first board and the one after its last; totals:
    [blocks, hand * up.width] float32, each block's values.
    """
    for part in range(len(boards)):
        total = totals[boards[part, 0]]
        total[:] = 0.0
        for turn in range(boards[part, 1], boards[part, 2]):
            open_street(player, TURN, turn, tables, step, up, work.turn, work.sheets)
            bridge = work.turn.bridge
            for river in range(player.child_start[turn], player.child_start[turn + 1]):
                play_river(player, river, tables, step, bridge, work, bridge.value)
            close_street(player, TURN, turn, tables, step, work.turn, work.sheets)
            collect_turn(player, turn, up.width, work.turn.value, total)


@fast_kernel
def play_rivers(
    player: Pass,
    boards: Ints,
    tables: UpdateTables,
    step: RuleStep,
    up: Bridge,
    work: StreetWork,
    totals: Floats,
) -> None:
    """Update river boards, as `play_turns` does turn boards."""
    for part in range(len(boards)):
        total = totals[boards[part, 0]]
        total[:] = 0.0
        for river in range(boards[part, 1], boards[part, 2]):
            play_river(player, river, tables, step, up, work, total)


class RiverPlayer(NamedTuple):
    """One player at the table of a river spot: its pass, tables, ranges and working memory."""

    player: Pass
    tables: UpdateTables
    root: Bridge
    work: StreetWork


@fast_kernel
def run_river_spot(first: RiverPlayer, second: RiverPlayer, steps: Any) -> None:
    """Run whole iterations of a spot that starts on the river. steps: [iterations, 8] float32, see `Rule`."""
    for t in range(len(steps)):
        step = step_at(steps, t)
        for chair in (first, second):
            play_river(chair.player, 0, chair.tables, step, chair.root, chair.work, chair.root.value)
