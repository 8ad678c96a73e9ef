"""Hands that share their rows on a GPU: each hand notes what it would learn, buckets add it up and learn it.

The tables of every hand stay what the other kernels read. On a street with buckets a hand's regrets and
averages are notes of one pass; the rows that learn are [bucket, action row], as on the CPU, and every hand's
strategy is spread out from them again. Sums are float64, as on the CPU, in a fixed order.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import float32, float64, int32

from overbet.cuda.arrays import Array, Clock, GpuProgram, GpuTables, PlayerArrays
from overbet.cuda.device import cuda, gpu_function, gpu_kernel
from overbet.cuda.leaves import U, opened_row, reach_above, row_start
from overbet.cuda.lines import (
    OP,
    Here,
    LineValues,
    matched_ops,
    reach_of,
    read_op,
    read_value,
    step_now,
    sum_values,
    write_value,
)
from overbet.kernels.regret import accumulated, averaged

_ZERO, _ONE = np.float32(0.0), np.float32(1.0)
_U0, _U1, _U2, _U3 = (U(k) for k in range(4))


class GpuSharedRows(NamedTuple):
    """The shared rows of one player on one street.

    base: where they begin in the player's shared tables; length: buckets; width: numbers of each. bucket:
    [boards * H] int32, in each board's order of hands. weight: [boards * H] float32, a hand's root weight
    times the real boards that the board stands for, 0 where the board kills it; copies: [boards] float32, the
    latter alone. start: [length + 1] int32 into member: [.] int64, where a bucket's hands are in the first
    action row of their boards.
    """

    base: int
    length: int
    width: int
    bucket: Array
    weight: Array
    copies: Array
    start: Array
    member: Array


class SharedTables(NamedTuple):
    """The shared rows of all streets, flat float32: regrets, averages, and what regret matching reads."""

    regret: Array
    average: Array
    play: Array


@gpu_function
def note(
    tables: GpuTables,
    values: LineValues,
    program: GpuProgram,
    ref: Any,
    entry: Any,
    here: Here,
    actions: Any,
    weight: Any,
    copies: Any,
) -> Any:
    """Write down what a hand learns at a decision; return what the decision is worth."""
    reach = reach_of(tables, program, here)
    v = _ZERO
    for a in range(actions):
        v += tables.strategy[entry + a * here.stride] * read_value(values, program.refs[ref + a])
    for a in range(actions):
        at = entry + a * here.stride
        tables.average[at] = copies * reach * tables.strategy[at]
        tables.regret[at] = weight * (read_value(values, program.refs[ref + a]) - v)
    return v


@gpu_kernel
def note_lines(
    street: int,
    width: int,
    program: GpuProgram,
    seat: PlayerArrays,
    rows: GpuSharedRows,
    tables: GpuTables,
    value: Array,
    up: Array,
) -> None:
    """Carry values up the lines of a street and note what every hand learns; as `update_lines` otherwise."""
    shared = cuda.shared.array(0, float32)
    group = U(np.uint32(cuda.threadIdx.x) // np.uint32(width))
    lane, groups = U(cuda.threadIdx.x) - group * U(width), U(np.uint32(cuda.blockDim.x) // np.uint32(width))
    stride = U(seat.stride[street])
    i, number = U(cuda.blockIdx.x) * U(width) + lane, U(cuda.blockIdx.y)
    board = U(program.board_first[street]) + number
    live = i < U(seat.alive[board])
    if groups == _U1 and not live:
        return
    order, table = board * U(seat.hands) + i, row_start(seat, street, number, 0) + i
    at = (
        U(program.value_base[street]) + number * U(program.value_rows[street]) * stride + (i if live else _U0)
    )
    values, words = LineValues(value, shared, at, lane, U(width)), cuda.local.array(OP, int32)
    weight, copies = rows.weight[number * U(seat.hands) + i] if live else _ZERO, rows.copies[number]
    first_line = U(program.street_line[street])
    out = number * (U(program.street_line[street + 1]) - first_line)
    lines = _U2 * (U(program.street_group[street]) + U(cuda.blockIdx.z))
    line, last_line = U(program.group_line[lines]), U(program.group_line[lines + _U1])
    while line < last_line:
        level, last_level = U(program.line_level[line]), U(program.line_level[line + _U1])
        above = reach_above(seat, opened_row(seat, street, board, line), order) if live else _ZERO
        op = U(program.level_op[level]) + group
        while level < last_level:
            level = level + _U1 if groups > _U1 else last_level
            last_op = U(program.level_op[level]) if live else op
            while op < last_op:
                read_op(words, program, op)
                kind, ref = np.uint32(words[0]), U(np.uint32(words[7]))
                actions = U(kind >> np.uint32(1))
                if kind & np.uint32(1) == np.uint32(0):
                    v = sum_values(values, program, words, actions)
                else:
                    here = Here(table, stride, above, np.uint32(words[2]))
                    entry = table + U(np.uint32(words[3]))
                    v = note(tables, values, program, ref, entry, here, actions, weight, copies)
                write_value(values, words[1], v)
                op += groups
            if groups > _U1:
                op = U(program.level_op[level]) + group
                cuda.syncthreads()
        if live and group == _U0:
            worth = read_value(values, program.line_ref[line])
            up[(out + line - first_line) * stride + i] = worth if seat.start[order] != _ZERO else _ZERO
        line += _U1
        if groups > _U1:
            cuda.syncthreads()


@gpu_kernel
def learn_rows(
    street: int,
    width: int,
    seat: PlayerArrays,
    rows: GpuSharedRows,
    tables: GpuTables,
    learnt: SharedTables,
    clock: Clock,
) -> None:
    """Add up what the hands of every bucket have noted, and apply the regret rule to its rows.

    Blocks: (action row, part of the buckets); width threads.
    """
    row, bucket = U(cuda.blockIdx.x), U(cuda.blockIdx.y) * U(width) + U(cuda.threadIdx.x)
    if bucket >= U(rows.length):
        return
    step = step_now(clock, U(np.uint32(clock.now[0])))
    first = U(seat.base[street]) + row * U(seat.stride[street])
    regret, share = float64(0.0), float64(0.0)
    k, last = U(rows.start[bucket]), U(rows.start[bucket + _U1])
    while k < last:
        at = first + U(rows.member[k])
        regret += float64(tables.regret[at])
        share += float64(tables.average[at])
        k += _U1
    to = U(rows.base) + bucket * U(rows.width) + row
    instant: Any = float32(regret)
    played: Any = float32(share)
    total = accumulated(learnt.regret[to], instant, step)
    learnt.regret[to] = total
    learnt.play[to] = total * step.carry + step.prediction * instant
    learnt.average[to] = averaged(learnt.average[to], played, step)


@gpu_kernel
def spread_rows(
    street: int,
    width: int,
    program: GpuProgram,
    seat: PlayerArrays,
    rows: GpuSharedRows,
    strategy: Array,
    play: Array,
) -> None:
    """Read every hand's strategy of a street off the shared rows `play` by regret matching.

    Blocks: (MATCHED operations, board, part of the hands); width threads.
    """
    number, stride = U(cuda.blockIdx.y), U(seat.stride[street])
    i = U(cuda.blockIdx.z) * U(width) + U(cuda.threadIdx.x)
    if i >= U(seat.alive[U(program.board_first[street]) + number]):
        return
    table = row_start(seat, street, number, 0) + i
    first = U(rows.base) + U(rows.bucket[number * U(seat.hands) + i]) * U(rows.width)
    op, last = matched_ops(program, street, U(cuda.blockIdx.x))
    while op < last:
        kind, offset = np.uint32(program.ops[op * U(OP)]), U(np.uint32(program.ops[op * U(OP) + _U3]))
        if kind & np.uint32(1):
            actions, source, total = U(kind >> np.uint32(1)), first + offset // stride, _ZERO
            for a in range(actions):
                total += max(play[source + a], _ZERO)
            for a in range(actions):
                share = max(play[source + a], _ZERO)
                even = _ONE / float32(actions)
                strategy[table + offset + a * stride] = share / total if total > _ZERO else even
        op += _U1
