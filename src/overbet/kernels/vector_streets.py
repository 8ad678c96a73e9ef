"""The update pass over streets and boards: what is dealt, in which order, and how values come back.

Each street is opened (reach down, folds evaluated), the next street is played for every card, the values
of its boards are collected into the CHANCE nodes, and the street is closed (values up, regrets). Boards are
independent between opening and closing, so callers may spread them over threads; `collect` adds them in
board order, which makes the result the same for any number of threads.

Before the river, tables hold hands in the range's order, dead ones included: their reach is zero on the way
down and their value is dropped on the way up. On the river, hands are in order of strength.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from overbet.kernels.jit import fast_kernel
from overbet.kernels.packing import pack, unpack
from overbet.kernels.regret import Step, step_at
from overbet.kernels.showdown_sweep import Payoffs, Seats, Sheets
from overbet.kernels.vector_update import (
    CHANCE,
    OPP,
    Floats,
    Ints,
    Place,
    Scratch,
    Tables,
    View,
    backward,
    forward,
    settle,
)

Cards = npt.NDArray[np.uint8]
Shorts = npt.NDArray[np.int16]
Places = npt.NDArray[np.uint16]
FLOP, TURN, RIVER = 0, 1, 2


class Side(NamedTuple):
    """One player's hands. H hands, T turn boards, R river boards.

    size: H. cards: [H, 2] uint8. flat: [H] int16 zeros, the strength of every hand before the river.
    live: [T, H] float32. alive: [R] int32, live hands; hand: [R, H] uint16; strength: [R, H] int16;
    river_cards: [R, H, 2] uint8.
    base, rows, stride: [3] int64, start of each street's table, rows a board, length of a row.
    """

    size: int
    cards: Cards
    flat: Shorts
    live: Floats
    alive: Ints
    hand: Places
    strength: Shorts
    river_cards: Cards
    base: npt.NDArray[np.int64]
    rows: npt.NDArray[np.int64]
    stride: npt.NDArray[np.int64]


class Pass(NamedTuple):
    """All that an update of one player reads. same: [H] int16; river_same: [R, H] int16; swapped: [7, H]
    uint16. street_chunk: [4] int32, first chunk of each street. child_start: [T + 1] int32, rivers of a turn.
    mirror_start and mirrors: per board of the turn and of the river, as in `overbet.tree.boards`.
    """

    tree: View
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


class Work(NamedTuple):
    """Working memory of one thread. line_value: [river lines, own row] float32.

    regret, average, opp_regret: one river board's tables unpacked; one element where they are not packed.
    """

    turn: Scratch
    river: Scratch
    sheets: Sheets
    line_value: Floats
    regret: Floats
    average: Floats
    opp_regret: Floats


@fast_kernel
def _place(player: Pass, street: int, board: int, own_hands: int, opp_hands: int) -> Place:
    own, opp = player.own, player.opp
    return Place(
        own.base[street] + board * own.rows[street] * own.stride[street],
        own.stride[street],
        own_hands,
        opp.base[street] + board * opp.rows[street] * opp.stride[street],
        opp.stride[street],
        opp_hands,
    )


@fast_kernel
def _take(source: Floats, start: int, hand: Places, n: int, out: Floats, at: int) -> None:
    """out[at + i] = source[start + hand[i]]. Unsigned indices: signed ones would be checked for wrapping."""
    base, to = np.uint64(start), np.uint64(at)
    for i in range(np.uint64(n)):
        out[to + i] = source[base + np.uint64(hand[i])]


@fast_kernel
def play_river(
    player: Pass, board: int, tables: Tables, step: Step, up: Scratch, work: Work, line_value: Floats
) -> None:
    """Update all lines of one river board. up: the street before, or the ranges where the spot starts here.

    line_value: [river lines, own row] float32, the value of each line, hands in the board's order.
    """
    place = _place(player, RIVER, board, player.own.alive[board], player.opp.alive[board])
    packed = tables.packed
    if len(packed.regret) == 1:
        _play_river_at(player, board, place, tables, step, up, work, line_value)
        return
    count, opp_count = place.own_stride * player.own.rows[RIVER], place.opp_stride * player.opp.rows[RIVER]
    start, opp_start = board * count, board * opp_count
    unpack(packed.regret, packed.regret_scales, start, count, work.regret)
    unpack(packed.average, packed.average_scales, start, count, work.average)
    unpack(packed.opp_regret, packed.opp_scales, opp_start, opp_count, work.opp_regret)
    here = Tables(work.regret, work.regret, work.average, work.opp_regret, tables.locked, packed)
    at_zero = Place(0, place.own_stride, place.own_hands, 0, place.opp_stride, place.opp_hands)
    _play_river_at(player, board, at_zero, here, step, up, work, line_value)
    pack(work.regret, count, packed.regret, packed.regret_scales, start)
    pack(work.average, count, packed.average, packed.average_scales, start)


@fast_kernel
def _play_river_at(
    player: Pass,
    board: int,
    place: Place,
    tables: Tables,
    step: Step,
    up: Scratch,
    work: Work,
    line_value: Floats,
) -> None:
    """Update one river board whose rows lie at `place` of the tables."""
    view, own, opp, scratch = player.tree, player.own, player.opp, work.river
    n, m = own.alive[board], opp.alive[board]
    seats = Seats(
        n,
        m,
        own.river_cards[board],
        own.strength[board],
        player.river_same[board],
        opp.river_cards[board],
        opp.strength[board],
    )
    own_hand, opp_hand = own.hand[board], opp.hand[board]
    first_line = view.chunk_line[player.street_chunk[RIVER]]
    for chunk in range(player.street_chunk[RIVER], player.street_chunk[RIVER + 1]):
        for line in range(view.chunk_line[chunk], view.chunk_line[chunk + 1]):
            root = view.line_start[line]
            source, to = view.line_opp[line] * opp.stride[TURN], view.opp_slot[root] * place.opp_stride
            _take(up.opp, source, opp_hand, m, scratch.opp, to)
            if view.role[root] <= OPP:  # an all-in line has nothing to decide: no reach of our own is needed
                source, to = view.line_own[line] * own.stride[TURN], view.own_slot[root] * place.own_stride
                _take(up.own, source, own_hand, n, scratch.own, to)
        forward(view, chunk, place, tables, step, scratch)
        settle(view, chunk, place, seats, player.payoffs, scratch, work.sheets)
        backward(view, chunk, place, tables, step, scratch)
        first = view.line_start[view.chunk_line[chunk]]
        for line in range(view.chunk_line[chunk], view.chunk_line[chunk + 1]):
            source = (view.line_start[line] - first) * place.own_stride
            for i in range(n):
                line_value[line - first_line, i] = scratch.value[source + i]


@fast_kernel
def open_street(
    player: Pass,
    street: int,
    board: int,
    tables: Tables,
    step: Step,
    up: Scratch,
    scratch: Scratch,
    sheets: Sheets,
) -> None:
    """Flop or turn: reach down and fold values on one board; CHANCE nodes' values start at zero."""
    view, own, opp = player.tree, player.own, player.opp
    chunk = player.street_chunk[street]
    place = _place(player, street, board, own.size, opp.size)
    for line in range(view.chunk_line[chunk], view.chunk_line[chunk + 1]):
        root = view.line_start[line]
        source, to = view.line_own[line] * place.own_stride, view.own_slot[root] * place.own_stride
        for h in range(own.size):
            live = own.live[board, h] if street == TURN else np.float32(1.0)
            scratch.own[to + h] = up.own[source + h] * live
        source, to = view.line_opp[line] * place.opp_stride, view.opp_slot[root] * place.opp_stride
        for h in range(opp.size):
            live = opp.live[board, h] if street == TURN else np.float32(1.0)
            scratch.opp[to + h] = up.opp[source + h] * live
    forward(view, chunk, place, tables, step, scratch)
    seats = Seats(own.size, opp.size, own.cards, own.flat, player.same, opp.cards, opp.flat)
    settle(view, chunk, place, seats, player.payoffs, scratch, sheets)
    first = view.line_start[view.chunk_line[chunk]]
    for node in range(first, view.line_start[view.chunk_line[chunk + 1]]):
        if view.role[node] == CHANCE:
            at = (node - first) * place.own_stride
            for h in range(own.size):
                scratch.value[at + h] = 0.0


@fast_kernel
def close_street(
    player: Pass, street: int, board: int, tables: Tables, step: Step, scratch: Scratch, line_value: Floats
) -> None:
    """Flop or turn: values up and regrets on one board. line_value: [lines, own row] float32."""
    view, own = player.tree, player.own
    chunk = player.street_chunk[street]
    place = _place(player, street, board, own.size, player.opp.size)
    backward(view, chunk, place, tables, step, scratch)
    first_line = view.chunk_line[chunk]
    first = view.line_start[first_line]
    for line in range(first_line, view.chunk_line[chunk + 1]):
        source = (view.line_start[line] - first) * place.own_stride
        for h in range(own.size):
            live = own.live[board, h] if street == TURN else np.float32(1.0)
            line_value[line - first_line, h] = scratch.value[source + h] * live


@fast_kernel
def collect(player: Pass, street: int, board: int, line_value: Floats, value: Floats) -> None:
    """Add one board's line values, and its mirrors', to the CHANCE nodes' values of the street before."""
    view, own = player.tree, player.own
    river = street == RIVER
    start = player.river_mirror_start if river else player.turn_mirror_start
    mirrors = player.river_mirrors if river else player.turn_mirrors
    first_line = view.chunk_line[player.street_chunk[street]]
    last_line = view.chunk_line[player.street_chunk[street + 1]]
    n = own.alive[board] if river else own.size
    stride = own.stride[TURN]
    for line in range(first_line, last_line):
        to = np.uint64(view.line_value[line] * stride)
        row = line_value[line - first_line]
        for mirror in range(start[board], start[board + 1]):
            image = player.swapped[mirrors[mirror]]
            if river:
                hand = own.hand[board]
                for i in range(np.uint64(n)):
                    value[to + np.uint64(image[hand[i]])] += row[i]
            else:
                for h in range(np.uint64(n)):
                    value[to + np.uint64(image[h])] += row[h]


@fast_kernel
def play_turns(
    player: Pass, boards: Ints, tables: Tables, step: Step, up: Scratch, work: Work, line_values: Floats
) -> None:
    """Update the given turn boards and all their rivers. line_values: [T, turn lines, own row] float32."""
    for turn in boards:
        open_street(player, TURN, turn, tables, step, up, work.turn, work.sheets)
        for river in range(player.child_start[turn], player.child_start[turn + 1]):
            play_river(player, river, tables, step, work.turn, work, work.line_value)
            collect(player, RIVER, river, work.line_value, work.turn.value)
        close_street(player, TURN, turn, tables, step, work.turn, line_values[turn])


@fast_kernel
def play_rivers(
    player: Pass, boards: Ints, tables: Tables, step: Step, up: Scratch, work: Work, line_values: Floats
) -> None:
    """Update the given river boards. line_values: [R, river lines, own row] float32."""
    for river in boards:
        play_river(player, river, tables, step, up, work, line_values[river])


@fast_kernel
def collect_all(player: Pass, street: int, line_values: Floats, value: Floats) -> None:
    """Collect every board of a street, in order. line_values: [boards, lines, own row] float32."""
    for board in range(line_values.shape[0]):
        collect(player, street, board, line_values[board], value)


class Chair(NamedTuple):
    """One player at the table of a river spot: its pass, tables, ranges and working memory."""

    player: Pass
    tables: Tables
    root: Scratch
    work: Work


@fast_kernel
def run_river_spot(first: Chair, second: Chair, steps: Any) -> None:
    """Run whole iterations of a spot that starts on the river. steps: [iterations, 8] float32, see `Rule`."""
    for t in range(len(steps)):
        step = step_at(steps, t)
        for chair in (first, second):
            play_river(chair.player, 0, chair.tables, step, chair.root, chair.work, chair.work.line_value)
