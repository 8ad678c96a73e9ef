"""Values up a line, regrets, averages and the next strategy: one GPU thread a hand, board and line.

Hands are independent once the terminals are evaluated, so a thread walks the decisions of its line, deepest
first, and does at each own decision all that an iteration does to it:

    v = sum_a strategy[a] v[a]
    average[a] <- averaged(average[a], reach * strategy[a])
    regret[a]  <- accumulated(regret[a], v[a] - v)
    strategy   <- proportional to played(regret[a], v[a] - v)

with the rules of `kernels.regret`. A decision's own reach is the product of the strategy rows above it, which
in this order are still those of the current iteration. Values wait in shared memory for their parent. Where
there are few hands in all, several groups of threads share a line, the decisions of a level of depth dealt
out among them.

Hands that a symmetry of the board maps onto each other read the values of one of them, so that their regrets
stay the same to the last bit: where actions tie, rounding decides what is played, and boards that stand for
their mirrors would no longer do so.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import float32, float64, int32

from overbet.cuda.arrays import Array, Clock, GpuDeal, GpuProgram, GpuTables, PlayerArrays
from overbet.cuda.device import SIMULATED, cuda, gpu_function, gpu_kernel
from overbet.cuda.leaves import U, opened_row, row_start
from overbet.cuda.vectors import moves
from overbet.kernels.regret import RuleStep, accumulated, averaged, played

_ZERO = np.float32(0.0)
_ONE = np.float32(1.0)
_U0, _U1, _U2, _U3, _U4 = (U(k) for k in range(5))
_CARDS = 2 if SIMULATED else 6  # that a thread collects at a time
MATCHED = 2 if SIMULATED else 8  # operations whose strategies a block reads off
OP = 8  # words of an operation
BEST, FOLLOW, FILLED = 0, 1, 2  # FILLED: by the averages, where there are none by the strategy of now

fetch_4, _ = moves(4)


class LineValues(NamedTuple):
    """Where a thread finds values of its hand: in `row` from `at`, or in `shared` from `lane`, `width`
    apart."""

    row: Array
    shared: Array
    at: Any
    lane: Any
    width: Any


class Here(NamedTuple):
    """A thread's place at a decision. table: its entry of row 0, rows `stride` apart; above: the reach of the
    line's first node; chain: see `arrays.GpuProgram`.
    """

    table: Any
    stride: Any
    above: Any
    chain: Any


@gpu_function
def read_value(values: LineValues, ref: Any) -> Any:
    """Return a node's value: from its row, or from the slot it waits in."""
    if ref >= 0:
        return values.row[values.at + U(np.uint32(ref))]
    return values.shared[U(-1 - ref) * values.width + values.lane]


@gpu_function
def write_value(values: LineValues, ref: Any, value: float) -> None:
    """Put a node's value into its row or slot."""
    if ref >= 0:
        values.row[values.at + U(np.uint32(ref))] = value
    else:
        values.shared[U(-1 - ref) * values.width + values.lane] = value


@gpu_function
def read_op(op: Array, program: GpuProgram, number: Any) -> None:
    """Read an operation: [OP] int32."""
    fetch_4(op, _U0, program.ops, U(OP) * number, np.uint32(0))
    fetch_4(op, _U4, program.ops, U(OP) * number, np.uint32(4))


@gpu_function
def reach_of(tables: GpuTables, program: GpuProgram, here: Here) -> Any:
    """Return the own reach of a decision: what it was above the line, times own actions since."""
    reach, c = here.above, U(here.chain >> np.uint32(6))
    last = c + U(here.chain & np.uint32(63))
    while c < last:
        reach *= tables.strategy[here.table + U(np.uint32(program.chain[c]))]
        c += _U1
    return reach


def _decision(actions: int) -> Any:
    """Return the update of a decision with a fixed number of actions, all of it in registers."""

    @gpu_function
    def decide(
        tables: GpuTables,
        values: LineValues,
        program: GpuProgram,
        op: Array,
        entry: Any,
        here: Here,
        step: RuleStep,
    ) -> Any:
        value, share = cuda.local.array(actions, float32), cuda.local.array(actions, float32)
        regret, average = cuda.local.array(actions, float32), cuda.local.array(actions, float32)
        where = cuda.local.array(actions, int32)
        for a in range(actions):  # all is read before anything is used or written: no load waits for another
            at = entry + U(a) * here.stride
            where[a] = op[4 + a] if a < 3 else program.refs[U(np.uint32(op[7])) + U(a)]
            share[a], regret[a], average[a] = tables.strategy[at], tables.regret[at], tables.average[at]
        for a in range(actions):
            value[a] = read_value(values, where[a])
        reach, v = reach_of(tables, program, here), _ZERO
        for a in range(actions):
            v += share[a] * value[a]
            tables.average[entry + U(a) * here.stride] = averaged(average[a], reach * share[a], step)
        if tables.locked.size > 1 and tables.locked[entry] != 0:
            return v
        total = _ZERO
        for a in range(actions):
            gain = value[a] - v
            regret[a] = accumulated(regret[a], gain, step)
            share[a] = played(regret[a], gain, step)
            total += share[a]
        scale = _ONE / total if total > _ZERO else _ZERO
        rest = _ZERO if total > _ZERO else _ONE / float32(actions)
        for a in range(actions):
            at = entry + U(a) * here.stride
            tables.regret[at] = regret[a]
            tables.strategy[at] = share[a] * scale + rest
        return v

    return decide


_decide_2, _decide_3, _decide_4 = _decision(2), _decision(3), _decision(4)


@gpu_function
def decide_any(
    tables: GpuTables,
    values: LineValues,
    program: GpuProgram,
    ref: Any,
    entry: Any,
    here: Here,
    step: RuleStep,
    actions: Any,
) -> Any:
    """Update a decision with any number of actions; the strategy's rows hold weights in between."""
    reach, v, total = reach_of(tables, program, here), _ZERO, _ZERO
    for a in range(actions):
        v += tables.strategy[entry + a * here.stride] * read_value(values, program.refs[ref + a])
    free = tables.locked.size == 1 or tables.locked[entry] == 0
    for a in range(actions):
        at = entry + a * here.stride
        tables.average[at] = averaged(tables.average[at], reach * tables.strategy[at], step)
        if free:
            gain = read_value(values, program.refs[ref + a]) - v
            regret = accumulated(tables.regret[at], gain, step)
            weight = played(regret, gain, step)
            tables.regret[at] = regret
            tables.strategy[at] = weight
            total += weight
    if free:
        scale = _ONE / total if total > _ZERO else _ZERO
        rest = _ZERO if total > _ZERO else _ONE / float32(actions)
        for a in range(actions):
            at = entry + a * here.stride
            tables.strategy[at] = tables.strategy[at] * scale + rest
    return v


@gpu_function
def sum_values(values: LineValues, program: GpuProgram, op: Array, actions: Any) -> Any:
    """Return the sum of the children's values, the first one's times a factor; two loads are under way at a
    time."""
    refs, ref = program.refs, U(np.uint32(op[7]))
    v = read_value(values, refs[ref]) * program.factors[U(np.uint32(op[2]))]
    last = ref + actions
    ref += _U1
    if actions & _U1 == _U0:
        v += read_value(values, refs[ref])
        ref += _U1
    while ref < last:
        one, two = refs[ref], refs[ref + _U1]
        v0, v1 = read_value(values, one), read_value(values, two)
        v += v0 + v1
        ref += _U2
    return v


@gpu_function
def respond(
    tables: GpuTables,
    values: LineValues,
    program: GpuProgram,
    ref: Any,
    entry: Any,
    stride: Any,
    actions: Any,
    mode: int,
) -> Any:
    """Return what an own decision is worth to a hand by its best action, or by its average strategy."""
    held = tables.locked.size > 1 and tables.locked[entry] != 0
    if mode != BEST or held:
        v, total, now, even = _ZERO, _ZERO, _ZERO, _ZERO
        for a in range(actions):
            at, one = entry + a * stride, read_value(values, program.refs[ref + a])
            weight = tables.regret[at] if held else tables.average[at]
            v += weight * one
            total += weight
            now += tables.strategy[at] * one
            even += one
        if total > _ZERO:
            return v / total
        return now if mode == FILLED else even / float32(actions)
    best = read_value(values, program.refs[ref])
    if actions & _U1 == _U0:
        best = max(best, read_value(values, program.refs[ref + _U1]))
    first, last = ref + _U2 - (actions & _U1), ref + actions
    while first < last:  # two loads under way at a time
        one, two = program.refs[first], program.refs[first + _U1]
        v0, v1 = read_value(values, one), read_value(values, two)
        best = max(best, max(v0, v1))
        first += _U2
    return best


@gpu_function
def step_now(clock: Clock, t: Any) -> Any:
    """Return the scalars of the iteration under way, row t."""
    return RuleStep(
        clock.steps[t, 0],
        clock.steps[t, 1],
        clock.steps[t, 2],
        clock.steps[t, 3],
        clock.steps[t, 4],
        clock.steps[t, 5],
        clock.steps[t, 6],
        clock.steps[t, 7],
    )


def _update_lines(
    street: int,
    width: int,
    program: GpuProgram,
    seat: PlayerArrays,
    tables: GpuTables,
    value: Array,
    up: Array,
    clock: Clock,
) -> None:
    """Update every line of every board of a street. up: [board, line, hand] float32, flat, the lines' values.

    Blocks: (part of the hands, board, group of lines); threads: [group, width hands]; shared: [slots, width]
    float32.
    """
    shared = cuda.shared.array(0, float32)
    group = U(np.uint32(cuda.threadIdx.x) // np.uint32(width))
    lane, groups = U(cuda.threadIdx.x) - group * U(width), U(np.uint32(cuda.blockDim.x) // np.uint32(width))
    stride = U(seat.stride[street])
    i, number = U(cuda.blockIdx.x) * U(width) + lane, U(cuda.blockIdx.y)
    board = U(program.board_first[street]) + number
    live = i < U(seat.alive[board])
    if groups == _U1 and not live:
        return
    step = step_now(clock, U(np.uint32(clock.now[0])))
    table = row_start(seat, street, number, 0) + i
    at = U(program.value_base[street]) + number * U(program.value_rows[street]) * stride
    order, hand = board * U(seat.hands) + i, _U0
    if live:
        at, hand = at + U(seat.orbit[order]), U(seat.hand[order])
    values = LineValues(value, shared, at, lane, U(width))
    first_line = U(program.street_line[street])
    out = number * (U(program.street_line[street + 1]) - first_line)
    lines = _U2 * (U(program.street_group[street]) + U(cuda.blockIdx.z))
    line, last_line = U(program.group_line[lines]), U(program.group_line[lines + _U1])
    opened = opened_row(seat, street, board, line)
    further = U(seat.stride[street - 1]) if street > seat.first else _U0
    to_up = (out + line - first_line) * stride + i
    counts = live and seat.start[order] != _ZERO
    op = cuda.local.array(OP, int32)
    level = U(program.line_level[line])
    while line < last_line:
        last_level = U(program.line_level[line + _U1])
        above = seat.opened[opened + hand] if counts and level < last_level else _ZERO
        at_op = U(program.level_op[level]) + group
        while level < last_level:
            level = level + _U1 if groups > _U1 else last_level  # one group need not stop at every level
            last_op = U(program.level_op[level]) if live else at_op
            while at_op < last_op:
                read_op(op, program, at_op)
                kind, ref = np.uint32(op[0]), U(np.uint32(op[7]))
                actions = np.uint32(kind >> np.uint32(1))
                if kind & np.uint32(1) == np.uint32(0):
                    v = sum_values(values, program, op, U(actions))
                else:
                    here = Here(table, stride, above, np.uint32(op[2]))
                    entry = table + U(np.uint32(op[3]))
                    if actions == np.uint32(2):
                        v = _decide_2(tables, values, program, op, entry, here, step)
                    elif actions == np.uint32(3):
                        v = _decide_3(tables, values, program, op, entry, here, step)
                    elif actions == np.uint32(4):
                        v = _decide_4(tables, values, program, op, entry, here, step)
                    else:
                        v = decide_any(tables, values, program, ref, entry, here, step, U(actions))
                write_value(values, op[1], v)
                at_op += groups
            if groups > _U1:
                at_op = U(program.level_op[level]) + group
                cuda.syncthreads()
        if live and group == _U0:
            up[to_up] = read_value(values, program.line_ref[line]) if counts else _ZERO
        line += _U1
        opened += further
        to_up += stride
        if groups > _U1:
            cuda.syncthreads()


update_lines = gpu_kernel(_update_lines, registers=72)


@gpu_kernel
def collect(
    street: int, width: int, program: GpuProgram, seat: PlayerArrays, deal: GpuDeal, up: Array, value: Array
) -> None:
    """Add up the lines of a street over the cards that lead there, into the CHANCE nodes above.

    Blocks: (line, board above, part of the hands); threads: [group, width hands], the groups share the cards;
    shared: [groups, width] float32.
    """
    shared = cuda.shared.array(0, float32)
    group = U(np.uint32(cuda.threadIdx.x) // np.uint32(width))
    lane, groups = U(cuda.threadIdx.x) - group * U(width), U(np.uint32(cuda.blockDim.x) // np.uint32(width))
    above = street - 1
    stride, wide = U(seat.stride[street]), U(seat.stride[above])
    h = U(cuda.blockIdx.z) * U(width) + lane
    number, local, lines = cuda.blockIdx.y, cuda.blockIdx.x, cuda.gridDim.x
    hands = U(seat.hands)
    total = _ZERO
    where, board = cuda.local.array(_CARDS, int32), cuda.local.array(_CARDS, int32)
    part = cuda.local.array(_CARDS, float32)
    if h < hands:
        pair, last = U(deal.pair_start[number]) + group, U(deal.pair_start[number + 1])
        while pair < last:  # several cards at a time: none of the loads waits for another
            for k in range(_CARDS):
                here = min(pair + U(k) * groups, last - _U1)
                where[k] = deal.place[here * hands + h]
                board[k] = deal.board[here]
            for k in range(_CARDS):
                seen = where[k] >= 0 and pair + U(k) * groups < last
                part[k] = up[(U(board[k]) * U(lines) + U(local)) * stride + U(where[k])] if seen else _ZERO
            for k in range(_CARDS):
                total += part[k]
            pair += U(_CARDS) * groups
    if groups > _U1:
        shared[group * U(width) + lane] = total
        cuda.syncthreads()
        for k in range(_U1, groups):
            total += shared[k * U(width) + lane]
    if h < hands and group == _U0:
        row = U(number) * U(program.value_rows[above]) + U(
            program.line_row[program.street_line[street] + local]
        )
        value[U(program.value_base[above]) + row * wide + h] = total


@gpu_function
def matched_ops(program: GpuProgram, street: int, part: Any) -> Any:
    """Return the first operation of those that a block matches, and the last + 1."""
    first = U(program.level_op[program.line_level[program.street_line[street]]])
    last = U(program.level_op[program.line_level[program.street_line[street + 1]]])
    op = first + part * U(MATCHED)
    return op, min(op + U(MATCHED), last)


@gpu_function
def match_one(
    tables: GpuTables, play: Array, otherwise: Array, entry: Any, stride: Any, actions: Any
) -> None:
    """Write one hand's strategy at a decision: see `match`."""
    source = play
    if tables.locked.size > 1 and tables.locked[entry] != 0:
        source = tables.regret
    total = _ZERO
    for a in range(actions):
        total += max(source[entry + U(a) * stride], _ZERO)
    if total <= _ZERO:
        source = otherwise
        for a in range(actions):
            total += max(source[entry + U(a) * stride], _ZERO)
    scale = _ONE / total if total > _ZERO else _ZERO
    rest = _ZERO if total > _ZERO else _ONE / float32(actions)
    for a in range(actions):
        here = entry + U(a) * stride
        tables.strategy[here] = max(source[here], _ZERO) * scale + rest


@gpu_kernel
def match(
    street: int,
    width: int,
    program: GpuProgram,
    seat: PlayerArrays,
    tables: GpuTables,
    play: Array,
    otherwise: Array,
) -> None:
    """Read every own strategy of a street off `play` (locked hands: off the regrets) in proportion to what is
    positive; where nothing is, off `otherwise`, and where nothing is there either, it is uniform.

    Blocks: (MATCHED operations, board, part of the hands); width threads.
    """
    stride = seat.stride[street]
    i = cuda.blockIdx.z * width + cuda.threadIdx.x
    if i >= stride:
        return
    table = row_start(seat, street, cuda.blockIdx.y, 0) + U(i)
    op, last = matched_ops(program, street, U(cuda.blockIdx.x))
    while op < last:
        kind = np.uint32(program.ops[op * U(OP)])
        if kind & np.uint32(1):
            entry = table + U(np.uint32(program.ops[op * U(OP) + _U3]))
            match_one(tables, play, otherwise, entry, U(stride), U(kind >> np.uint32(1)))
        op += _U1


@gpu_kernel
def open_lines(width: int, seat: PlayerArrays, strategy: Array) -> None:
    """Carry the player's reach through the streets to where every later line begins: fill `seat.opened`.

    Blocks: (line after the first street, board above, part of the hands); width threads.
    """
    line = seat.street_line[seat.first + 1] + cuda.blockIdx.x
    street = seat.first + 1
    if line >= seat.street_line[street + 1]:
        street += 1
    h, number = U(cuda.blockIdx.z) * U(width) + U(cuda.threadIdx.x), U(cuda.blockIdx.y)
    boards = U(1)
    if street - 1 > seat.first:  # the only street between: the turn of a flop spot
        boards = U(seat.turns)
    if h >= U(seat.hands) or number >= boards:
        return
    reach = seat.opened[U(seat.opened_base[seat.first]) + h]
    flop, turn = row_start(seat, 0, 0, 0) + h, row_start(seat, 1, number, 0) + h
    length = U(seat.stride[0])
    for k in range(U(seat.up_start[line]), U(seat.up_start[line + 1])):
        code = U(seat.up[k])
        reach *= strategy[(turn if code & _U1 else flop) + (code >> _U1) * length]
    lines = U(seat.street_line[street + 1]) - U(seat.street_line[street])
    local = U(line) - U(seat.street_line[street])
    to = U(seat.opened_base[street]) + (number * lines + local) * U(seat.stride[street - 1])
    seat.opened[to + h] = reach


@gpu_kernel
def put_ends(
    street: int,
    width: int,
    program: GpuProgram,
    seat: PlayerArrays,
    given: Array,
    value: Array,
    clock: Clock,
    advance: int,
) -> None:
    """Put values of the leaves of a depth limit into the CHANCE nodes that end a street. seat: the player's.

    given: [board, leaf, hand] float32. Blocks: (leaf, board, part of the hands); width threads. advance: as
    in `settle`, before which this is launched.
    """
    leaf, number, leaves = cuda.blockIdx.x, cuda.blockIdx.y, cuda.gridDim.x
    h = U(cuda.blockIdx.z) * U(width) + U(cuda.threadIdx.x)
    if leaf == 0 and number == 0 and h == _U0:
        clock.now[0] += advance
    stride = U(seat.stride[street])
    if h < stride:
        row = U(number) * U(program.value_rows[street])
        row += U(program.line_row[program.street_line[street + 1] + leaf])
        at = (U(number) * U(leaves) + U(leaf)) * stride + h
        value[U(program.value_base[street]) + row * stride + h] = given[at]


@gpu_kernel
def respond_lines(
    street: int,
    width: int,
    mode: int,
    program: GpuProgram,
    seat: PlayerArrays,
    tables: GpuTables,
    value: Array,
    up: Array,
) -> None:
    """Carry values up every line of every board of a street: by the best actions, or by the averages.

    mode: BEST (where hands are locked, what they are locked to), FOLLOW or FILLED. Blocks, threads and shared
    memory as in `update_lines`.
    """
    shared = cuda.shared.array(0, float32)
    group = U(np.uint32(cuda.threadIdx.x) // np.uint32(width))
    lane, groups = U(cuda.threadIdx.x) - group * U(width), U(np.uint32(cuda.blockDim.x) // np.uint32(width))
    stride = U(seat.stride[street])
    i, number = U(cuda.blockIdx.x) * U(width) + lane, U(cuda.blockIdx.y)
    board = U(program.board_first[street]) + number
    live = i < U(seat.alive[board])
    if groups == _U1 and not live:
        return
    table = row_start(seat, street, number, 0) + i
    at = (
        U(program.value_base[street]) + number * U(program.value_rows[street]) * stride + (i if live else _U0)
    )
    values, words = LineValues(value, shared, at, lane, U(width)), cuda.local.array(OP, int32)
    first_line = U(program.street_line[street])
    out = number * (U(program.street_line[street + 1]) - first_line)
    lines = _U2 * (U(program.street_group[street]) + U(cuda.blockIdx.z))
    line, last_line = U(program.group_line[lines]), U(program.group_line[lines + _U1])
    while line < last_line:
        level, last_level = U(program.line_level[line]), U(program.line_level[line + _U1])
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
                    entry = table + U(np.uint32(words[3]))
                    v = respond(tables, values, program, ref, entry, stride, actions, mode)
                write_value(values, words[1], v)
                op += groups
            if groups > _U1:
                op = U(program.level_op[level]) + group
                cuda.syncthreads()
        if live and group == _U0:
            worth = read_value(values, program.line_ref[line])
            if seat.start[board * U(seat.hands) + i] == _ZERO:
                worth = _ZERO
            up[(out + line - first_line) * stride + i] = worth
        line += _U1
        if groups > _U1:
            cuda.syncthreads()


@gpu_kernel
def weigh(program: GpuProgram, seat: PlayerArrays, up: Array, result: Array, index: int) -> None:
    """result[index] = the root's values, weighted by the range. One block of a power of two of threads;
    shared: float64 [threads]."""
    shared = cuda.shared.array(0, float64)
    thread, threads = cuda.threadIdx.x, cuda.blockDim.x
    board = program.board_first[seat.first]
    part = 0.0
    for i in range(thread, seat.alive[board], threads):
        part += float64(seat.start[board * seat.hands + i]) * float64(up[i])
    shared[thread] = part
    cuda.syncthreads()
    half = threads // 2
    while half > 0:
        if thread < half:
            shared[thread] += shared[thread + half]
        cuda.syncthreads()
        half //= 2
    if thread == 0:
        result[index] = shared[0]
