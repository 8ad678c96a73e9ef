"""Rows that hands of a bucket share: gathered for the hands of a board, and what the hands learn summed up.

The tables of a street with buckets are [bucket, width], a column for each action row, so that sixteen rows of
sixteen hands are moved as one tile. A bucket is the same on all boards of its street, so nothing is updated
before all boards have been seen: boards add to the sums of their block, in board order, and `apply_sums` adds
up the blocks in theirs and applies the regret rule once at the end of the pass.

A hand's regret counts with the hand's root weight (0 where the board kills it), and a board's with the number
of real boards it stands for: both are chance.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from overbet.kernels.jit import lean
from overbet.kernels.regret import RuleStep
from overbet.kernels.vector.bundles import FLOP, RIVER, TURN, Floats, Index, Ints, Longs, Player, Span
from overbet.kernels.vector.tiles import chosen_to_rows, rows_to_columns
from overbet.kernels.vector.vectors import larger, load, plus, spread, store, times, where_positive
from overbet.kernels.vector.walk import Rows, Store, walk_up, walk_up_apart


class SharedHands(NamedTuple):
    """One player's buckets. width: [3] int64, the length of a bucket's row by street, whole tiles of 16, 0
    where no hands share rows. at: [3] int64, where a street begins in the sums. flop: [1, .], turn: [T, .],
    river: [R, .] int32, the bucket of each hand, up to whole rows of 16, the river's in its boards' order.
    weight: [rows of 16] floats, root weights. turn_copies: [T], river_copies: [R] floats, real boards that
    each board stands for. regret, average: [blocks, .] floats, the sums. buckets: [3] int64, how many a
    street has; mark_at: [3] int64, where they begin in marks: [blocks, .] uint8, 1 where a block has added to
    a bucket's sums.
    """

    width: Longs
    at: Longs
    flop: Ints
    turn: Ints
    river: Ints
    weight: Floats
    turn_copies: Floats
    river_copies: Floats
    regret: Floats
    average: Floats
    buckets: Longs
    mark_at: Longs
    marks: npt.NDArray[np.uint8]


class SharedMemory(NamedTuple):
    """Working memory of one thread: rows of a chunk in the board's order of hands, [rows + 1, hand], the last
    row zeros. weight: [hand]. cross: [16, 16]. starts: [16] int64."""

    play: Floats
    opp: Floats
    share: Floats
    instant: Floats
    weight: Floats
    cross: Floats
    starts: Longs


class SharedRows(NamedTuple):
    """One board's buckets: of each hand, own and opp; where its street's rows begin in the tables and how
    long they are (0: no hands share rows here); `at`: where they begin in the sums, regret and average, of
    its block. copies: real boards it stands for; factor: on its values, beside its mirrors.
    """

    own: Ints
    opp: Ints
    base: Index
    width: Index
    opp_base: Index
    opp_width: Index
    at: Index
    regret: Floats
    average: Floats
    copies: Floats
    factor: Floats
    memory: SharedMemory


@lean
def shared_rows(
    own: Player,
    opp: Player,
    mine: SharedHands,
    theirs: SharedHands,
    street: Index,
    board: Index,
    block: Index,
    factor: Floats,
    above: Floats,
    memory: SharedMemory,
) -> SharedRows:
    """Return a board's buckets and fill the weights of its hands.

    factor: on the board's values; above: on those of the board before, beside the mirrors of both.
    """
    shares, at = mine.width[street] > 0, mine.mark_at[street]
    place = board if shares else np.int64(0)  # a street without buckets has one row of none
    if street == RIVER:
        one, two = mine.river[place], theirs.river[place]
        count = above * factor * mine.river_copies[board]
    elif street == TURN:
        one, two = mine.turn[place], theirs.turn[place]
        count = above * factor * mine.turn_copies[board]
    else:
        one, two = mine.flop[place], theirs.flop[place]
        count = above * factor
    seat = own.seat
    if street == RIVER:
        hand = seat.hand[board]
        for i in range(seat.alive[board]):
            memory.weight[i] = count * mine.weight[hand[i]]
            if shares:
                mine.marks[block, at + one[i]] = 1
    else:
        for i in range(seat.size):
            if shares:
                mine.marks[block, at + one[i]] = 1
            here = street == FLOP or seat.live[board, i] > 0
            memory.weight[i] = count * mine.weight[i] if here else type(count)(0.0)
    return SharedRows(
        one, two, seat.base[street], mine.width[street], opp.seat.base[street], theirs.width[street],
        mine.at[street], mine.regret[block], mine.average[block], count, factor, memory,
    )  # fmt: skip


@lean
def _spanned(moves: Ints, span: Span) -> Span:
    """Return the first action row of a chunk's moves, and the one after the last."""
    if span[0] == span[1]:
        return np.int64(0), np.int64(0)
    return np.int64(moves[span[0], 0]), np.int64(moves[span[1] - 1, 0] + moves[span[1] - 1, 1])


@lean
def _gather(
    table: Floats, base: Index, width: Index, bucket: Ints, hands: Index, span: Span, out: Floats, starts: Any
) -> Rows:
    """Bring the action rows span[0] .. span[1] - 1 into a board's order of hands; return where they lie."""
    for c in range(0, span[1] - span[0], 16):
        for k in range(16):
            starts[k] = (c + k) * hands
        for h in range(0, hands, 16):
            chosen_to_rows(out, starts, 0, h, table, bucket, width, base + span[0] + c)
    return Rows(-span[0] * hands, hands, hands)


@lean
def gather_chunk(
    own: Player,
    opp: Player,
    moves: Span,
    replies: Span,
    hands: Index,
    opp_hands: Index,
    shared: SharedRows,
) -> tuple[Rows, Rows]:
    """Bring what both players play by in a chunk into the board's order of hands."""
    memory = shared.memory
    theirs = _gather(
        opp.tables.play, shared.opp_base, shared.opp_width, shared.opp, opp_hands,
        _spanned(own.program.opp, replies), memory.opp, memory.starts,
    )  # fmt: skip
    return gather_own(own, moves, hands, shared), theirs


@lean
def gather_own(own: Player, moves: Span, hands: Index, shared: SharedRows) -> Rows:
    """Bring what the own hands play by in a chunk into the board's order of hands."""
    memory = shared.memory
    return _gather(
        own.tables.play, shared.base, shared.width, shared.own, hands,
        _spanned(own.program.own, moves), memory.play, memory.starts,
    )  # fmt: skip


@lean
def walk_up_shared(
    own: Player,
    ups: Span,
    rows: Rows,
    h: Index,
    count: Index,
    value: Floats,
    room: Index,
    at: Index,
    step: RuleStep,
    shared: SharedRows,
) -> None:
    """Carry values up; where hands share rows, regrets wait for `add_chunk`."""
    if shared.width > 0:
        memory = shared.memory
        walk_up_apart(own.program.up, ups, memory.play, rows, h, count, value, room, at, memory.instant)
    else:
        walk_up(own.program.up, ups, own.tables, rows, h, count, value, room, at, step)


@lean
def scale(value: Floats, at: Index, count: Index, factor: Floats) -> None:
    """Multiply some values, whole rows of 16, by a factor."""
    factors = spread(value, factor)
    for g in range(at, at + count, 16):
        store(value, g, times(load(value, g), factors))


@lean
def add_chunk(own: Player, moves: Span, n: Index, hands: Index, shared: SharedRows) -> None:
    """Add what n hands have played and learnt in a chunk to the sums of their buckets."""
    if shared.width > 0:
        add_played(own, moves, n, hands, shared)
        add_learnt(own, moves, n, hands, shared)


@lean
def add_played(own: Player, moves: Span, n: Index, hands: Index, shared: SharedRows) -> None:
    """Add what n hands have played in a chunk to the sums of their buckets."""
    if shared.width > 0:
        span = _spanned(own.program.own, moves)
        _add_up(shared.memory.share, n, hands, span, False, shared, shared.average)


@lean
def add_learnt(own: Player, moves: Span, n: Index, hands: Index, shared: SharedRows) -> None:
    """Add what n hands have learnt in a chunk to the sums of their buckets."""
    span = _spanned(own.program.own, moves)
    _add_up(shared.memory.instant, n, hands, span, True, shared, shared.regret)


@lean
def _add_up(
    source: Floats, n: Index, hands: Index, span: Span, weighted: bool, shared: SharedRows, sums: Floats
) -> None:
    """Add rows of n hands to the sums of their buckets; each hand by its weight, or all by `copies`."""
    memory = shared.memory
    starts, cross, zeros = memory.starts, memory.cross, len(source) - len(memory.weight)
    rows = span[1] - span[0]
    for c in range(0, rows, 16):
        for k in range(16):
            starts[k] = (c + k) * hands if c + k < rows else zeros
        for h in range(0, n, 16):
            rows_to_columns(cross, 0, 16, source, starts, 0, h)
            for i in range(h, min(n, h + 16)):
                weight = spread(cross, memory.weight[i] if weighted else shared.copies)
                to = shared.at + shared.own[i] * shared.width + span[0] + c
                store(sums, to, plus(load(sums, to), times(load(cross, (i - h) * 16), weight)))


@lean
def alone(tables: Store, memory: SharedMemory) -> Store:
    """Return the tables of a board: what it plays by, and where its share of the average goes."""
    return Store(
        memory.play, memory.play, memory.share, tables.locked,
        tables.packed, tables.scales, tables.packed_average, tables.average_scales,
    )  # fmt: skip


@lean
def once(step: RuleStep) -> RuleStep:
    """Return the step by which a walk writes down its share of the average and nothing else."""
    none, one = type(step.weight)(0.0), type(step.weight)(1.0)
    return RuleStep(
        step.positive, step.negative, step.weight, step.floor, step.carry, step.prediction, none, one
    )


@lean
def apply_sums(
    player: Player, shared: SharedHands, street: Index, step: RuleStep, rank: Index, ranks: Index
) -> None:
    """Apply the regret rule to a street's rows and begin its sums anew, as one of some threads."""
    if shared.width[street] == 0:
        return
    tables = player.tables
    regret, play, average = tables.regret, tables.play, tables.average
    size, width, count = len(shared.regret[0]), shared.width[street], shared.buckets[street]
    none = spread(regret, 0.0)
    positive, negative = spread(regret, step.positive), spread(regret, step.negative)
    weight, floor = spread(regret, step.weight), spread(regret, step.floor)
    carry, prediction = spread(regret, step.carry), spread(regret, step.prediction)
    fade, counted = spread(regret, step.average_discount), spread(regret, step.average_weight)
    for bucket in range(count * rank // ranks, count * (rank + 1) // ranks):
        for k in range(bucket * width, (bucket + 1) * width, 16):
            at, place = shared.at[street] + k, player.seat.base[street] + k
            instant, share = none, none
            for block in range(len(shared.marks)):
                if shared.marks[block, shared.mark_at[street] + bucket]:
                    instant = plus(instant, load(shared.regret, block * size + at))
                    share = plus(share, load(shared.average, block * size + at))
                    store(shared.regret, block * size + at, none)
                    store(shared.average, block * size + at, none)
            old = load(regret, place)
            new = plus(times(old, where_positive(old, positive, negative)), times(weight, instant))
            new = larger(new, floor)
            store(regret, place, new)
            if step.prediction != 0:
                store(play, place, plus(times(new, carry), times(prediction, instant)))
            store(average, place, plus(times(load(average, place), fade), times(share, counted)))
        for block in range(len(shared.marks)):
            shared.marks[block, shared.mark_at[street] + bucket] = 0
