"""What the passes over streets and boards read and write: hands, moves, tables, working memory."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from overbet.kernels.jit import lean
from overbet.kernels.regret import RuleStep
from overbet.kernels.vector.leaves import BEYOND, Sheets
from overbet.kernels.vector.tiles import NOTHING, TOTAL
from overbet.kernels.vector.vectors import WHOLE, load, spread, store, times
from overbet.kernels.vector.walk import Rows, Store

FLOP, TURN, RIVER = 0, 1, 2

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

    own, opp: [., 4], up: [., 5], leaves: [., 4] int32; pays: [., 3] floats. derived: [., 2] int32, places of
    a row of values and of another one of which it is a multiple, and factors: [.] floats, by how much. lines:
    [L, 6] int32: slots and place of a line's first node, and of the CHANCE node above it, in their chunks.
    chunks: [K, 15] int32: first and last of own, opp, up, leaves and lines; nodes; slots of opp and own;
    first and last of derived. street_chunk: [4] int32.
    """

    own: Ints
    opp: Ints
    up: Ints
    leaves: Ints
    pays: Floats
    derived: Ints
    factors: Floats
    lines: Ints
    chunks: Ints
    street_chunk: Ints


class Player(NamedTuple):
    """A player: its hands, moves, tables, and [rows of 16] floats, with what weight each hand begins."""

    seat: PlayerHands
    program: Program
    tables: Store
    root: Floats


class UpdateMode(NamedTuple):
    """What an update of one player does on its way over the tree.

    step: by which the own player learns. theirs: by which the opponent's average grows. adds_own, adds_opp:
    whose average takes what is played. The own reach serves the own average alone and is carried down for
    nothing else. judged: nothing is learnt, values are those of the best response to what the opponent plays
    by.
    """

    step: RuleStep
    theirs: RuleStep
    adds_own: bool
    adds_opp: bool
    judged: bool


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
def own_update(step: RuleStep) -> UpdateMode:
    """Return the update in which a player learns and adds to its own average."""
    return UpdateMode(step, step, True, False, False)


@lean
def rows_on(seat: PlayerHands, street: Index, board: Index, alive: Index) -> Rows:
    if street == RIVER:
        return Rows(seat.river_start[board], seat.river_row[board], (alive + 15) // 16 * 16)
    start = seat.base[street] + board * seat.rows[street] * seat.stride[street]
    return Rows(start, seat.stride[street], seat.stride[street])


@lean
def sit(seats: Ints, cards: Any, same: Any, strength: Any, n: Index, m: Index, ranked: bool) -> None:
    """Fill the hands of one player, m the other's: see `Sheets.own`."""
    nobody = (m + 15) // 16 * 16
    for i in range(n):
        seats[i, 0], seats[i, 1] = cards[i, 0] * WHOLE, cards[i, 1] * WHOLE
        seats[i, 2] = (same[i] if same[i] >= 0 else nobody) * WHOLE
        seats[i, 3] = strength[i] if ranked else 0
    for i in range(n, (n + 15) // 16 * 16 + 1):
        seats[i, 0], seats[i, 1] = TOTAL * WHOLE, NOTHING * WHOLE
        seats[i, 2], seats[i, 3] = nobody * WHOLE, BEYOND


@lean
def touched(moves: Ints, span: Span, rows: Rows) -> Span:
    """Return where a chunk's rows begin and end in a table: they are neighbours."""
    if span[0] == span[1]:
        return rows.base, rows.base
    last = moves[span[1] - 1, 0] + moves[span[1] - 1, 1]
    return rows.base + moves[span[0], 0] * rows.stride, rows.base + last * rows.stride


@lean
def clear(leaves: Ints, span: Span, live: Ints, value: Floats, room: Index, at: Index, count: Index) -> None:
    """The leaves that nobody reaches are worth 0."""
    none = spread(value, 0.0)
    for k in range(span[0], span[1]):
        if live[leaves[k, 0]] == 0:
            for g in range(at, at + count, 16):
                store(value, leaves[k, 1] * room + g, none)
                store(value, leaves[k, 2] * room + g, none)


@lean
def derive(
    derived: Ints, factors: Floats, span: Span, value: Floats, room: Index, at: Index, count: Index
) -> None:
    """Fill rows of values that are multiples of others: see `Program.derived`."""
    for k in range(span[0], span[1]):
        factor = spread(value, factors[k])
        to, source = derived[k, 0] * room + at, derived[k, 1] * room + at
        for g in range(0, count, 16):
            store(value, to + g, times(factor, load(value, source + g)))
