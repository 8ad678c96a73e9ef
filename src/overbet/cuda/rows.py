"""The update of `lines` for several neighbouring hands a thread, on the river of spots with many boards.

What has to be found out about a decision serves all hands of a thread, and each load brings them all. On a
river hands are in the order of their board, and none reads another's values. Threads are dealt out over
boards and hands without a gap; a thread works through some lines, alone.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import float32, int32, uint32

from overbet.cuda.arrays import Array, Clock, GpuProgram, GpuTables, PlayerArrays
from overbet.cuda.device import SIMULATED, cuda, gpu_function, gpu_kernel
from overbet.cuda.leaves import NOBODY, U, opened_row, row_start
from overbet.cuda.lines import OP, matched_ops, read_op, step_now
from overbet.cuda.vectors import ask, moves
from overbet.kernels.regret import RuleStep, accumulated, averaged, played

_ZERO, _ONE = np.float32(0.0), np.float32(1.0)
_U0, _U1, _U2 = U(0), U(1), U(2)
_I0 = np.uint32(0)
WIDTH = 2 if SIMULATED else 4  # hands of a thread
_REGISTERS = None

fetch, put = moves(WIDTH)


class Thread(NamedTuple):
    """Where a thread's first hand is: table: in action row 0; at: in value row 0; slot: in shared memory, and
    `far`: from there to the next slot. stride: of the tables' rows. above: [WIDTH] float32, reaches of the
    line's first node.
    """

    table: Any
    at: Any
    slot: Any
    far: Any
    stride: Any
    above: Array


def _walker(predicts: bool) -> Any:
    """Return the update. predicts: whether the rule does; if not, what is played can be read off the regrets,
    which saves a load."""

    @gpu_function
    def read(into: Array, first: Any, value: Array, shared: Array, here: Thread, ref: Any) -> None:
        """Read a node's values: from their row, or from the slot they wait in."""
        if ref >= 0:
            fetch(into, first, value, here.at, np.uint32(ref))
        else:
            fetch(into, first, shared, _U0, np.uint32(here.slot + np.uint32(-1 - ref) * here.far))

    @gpu_function
    def write(value: Array, shared: Array, here: Thread, ref: Any, worth: Array) -> None:
        """Put a node's values into their row or slot."""
        if ref >= 0:
            put(value, here.at, np.uint32(ref), worth, _U0)
        else:
            put(shared, _U0, np.uint32(here.slot + np.uint32(-1 - ref) * here.far), worth, _U0)

    @gpu_function
    def reach_of(reach: Array, tables: GpuTables, program: GpuProgram, here: Thread, chain: Any) -> None:
        """Write the own reaches of a decision: what they were above the line, times own actions since."""
        share = cuda.local.array(WIDTH, float32)
        for k in range(WIDTH):
            reach[k] = here.above[k]
        c = U(chain >> np.uint32(6))
        last = c + U(chain & np.uint32(63))
        while c < last:
            fetch(share, _U0, tables.strategy, here.table, np.uint32(program.chain[c]))
            for k in range(WIDTH):
                reach[k] *= share[k]
            c += _U1

    def decision(actions: int) -> Any:
        """Return the update of a decision with a fixed number of actions, all of it in registers."""
        size = actions * WIDTH

        @gpu_function
        def decide(
            worth: Array,
            tables: GpuTables,
            value: Array,
            shared: Array,
            program: GpuProgram,
            op: Array,
            here: Thread,
            step: RuleStep,
        ) -> None:
            values, share = cuda.local.array(size, float32), cuda.local.array(size, float32)
            regret, average = cuda.local.array(size, float32), cuda.local.array(size, float32)
            reach = cuda.local.array(WIDTH, float32)
            for a in range(actions):  # all is read before anything is used or written: no load waits
                entry = np.uint32(np.uint32(op[3]) + np.uint32(a) * here.stride)
                if predicts:
                    fetch(share, U(a * WIDTH), tables.strategy, here.table, entry)
                fetch(regret, U(a * WIDTH), tables.regret, here.table, entry)
                fetch(average, U(a * WIDTH), tables.average, here.table, entry)
                ref = op[4 + a] if a < 3 else program.refs[U(np.uint32(op[7])) + U(a)]
                read(values, U(a * WIDTH), value, shared, here, ref)
            reach_of(reach, tables, program, here, np.uint32(op[2]))
            for k in range(WIDTH):
                if not predicts:
                    total = _ZERO
                    for a in range(actions):
                        share[a * WIDTH + k] = max(regret[a * WIDTH + k], _ZERO)
                        total += share[a * WIDTH + k]
                    scale = _ONE / total if total > _ZERO else _ZERO
                    rest = _ZERO if total > _ZERO else _ONE / np.float32(actions)
                    for a in range(actions):
                        share[a * WIDTH + k] = share[a * WIDTH + k] * scale + rest
                v, total = _ZERO, _ZERO
                for a in range(actions):
                    at = a * WIDTH + k
                    v += share[at] * values[at]
                    average[at] = averaged(average[at], reach[k] * share[at], step)
                worth[k] = v
                free = True
                if tables.locked.size > 1:
                    free = tables.locked[here.table + U(np.uint32(op[3])) + U(k)] == 0
                if free:
                    for a in range(actions):
                        at = a * WIDTH + k
                        gain = values[at] - v
                        regret[at] = accumulated(regret[at], gain, step)
                        share[at] = played(regret[at], gain, step)
                        total += share[at]
                    scale = _ONE / total if total > _ZERO else _ZERO
                    rest = _ZERO if total > _ZERO else _ONE / np.float32(actions)
                    for a in range(actions):
                        share[a * WIDTH + k] = share[a * WIDTH + k] * scale + rest
            for a in range(actions):
                entry = np.uint32(np.uint32(op[3]) + np.uint32(a) * here.stride)
                put(tables.average, here.table, entry, average, U(a * WIDTH))
                put(tables.regret, here.table, entry, regret, U(a * WIDTH))
                put(tables.strategy, here.table, entry, share, U(a * WIDTH))

        return decide

    decide_2, decide_3, decide_4 = decision(2), decision(3), decision(4)

    @gpu_function
    def decide_any(
        worth: Array,
        tables: GpuTables,
        value: Array,
        shared: Array,
        program: GpuProgram,
        op: Array,
        here: Thread,
        step: RuleStep,
        actions: Any,
    ) -> None:
        """Update a decision with any number of actions; the strategy's rows hold weights in between."""
        values, share = cuda.local.array(WIDTH, float32), cuda.local.array(WIDTH, float32)
        regret, average = cuda.local.array(WIDTH, float32), cuda.local.array(WIDTH, float32)
        reach, total = cuda.local.array(WIDTH, float32), cuda.local.array(WIDTH, float32)
        reach_of(reach, tables, program, here, np.uint32(op[2]))
        refs, first = U(np.uint32(op[7])), np.uint32(op[3])
        for k in range(WIDTH):
            worth[k], total[k] = _ZERO, _ZERO
        entry = first
        for a in range(actions):
            fetch(share, _U0, tables.strategy, here.table, entry)
            read(values, _U0, value, shared, here, program.refs[refs + U(a)])
            for k in range(WIDTH):
                worth[k] += share[k] * values[k]
            entry = np.uint32(entry + here.stride)
        entry = first
        for a in range(actions):
            fetch(share, _U0, tables.strategy, here.table, entry)
            fetch(regret, _U0, tables.regret, here.table, entry)
            fetch(average, _U0, tables.average, here.table, entry)
            read(values, _U0, value, shared, here, program.refs[refs + U(a)])
            for k in range(WIDTH):
                average[k] = averaged(average[k], reach[k] * share[k], step)
                free = True
                if tables.locked.size > 1:
                    free = tables.locked[here.table + U(first) + U(k)] == 0
                if free:
                    gain = values[k] - worth[k]
                    regret[k] = accumulated(regret[k], gain, step)
                    share[k] = played(regret[k], gain, step)
                    total[k] += share[k]
            put(tables.average, here.table, entry, average, _U0)
            put(tables.regret, here.table, entry, regret, _U0)
            put(tables.strategy, here.table, entry, share, _U0)
            entry = np.uint32(entry + here.stride)
        entry = first
        for _ in range(actions):
            fetch(share, _U0, tables.strategy, here.table, entry)
            for k in range(WIDTH):
                free = True
                if tables.locked.size > 1:
                    free = tables.locked[here.table + U(first) + U(k)] == 0
                if free:
                    scale = _ONE / total[k] if total[k] > _ZERO else _ZERO
                    rest = _ZERO if total[k] > _ZERO else _ONE / float32(actions)
                    share[k] = share[k] * scale + rest
            put(tables.strategy, here.table, entry, share, _U0)
            entry = np.uint32(entry + here.stride)

    @gpu_function
    def add_up(
        worth: Array, value: Array, shared: Array, program: GpuProgram, op: Array, here: Thread, actions: Any
    ) -> None:
        """Write the sum of the values of a decision's children, the first one's times a factor."""
        one, two = cuda.local.array(WIDTH, float32), cuda.local.array(WIDTH, float32)
        three = cuda.local.array(WIDTH, float32)
        read(one, _U0, value, shared, here, op[4])
        for k in range(WIDTH):
            two[k], three[k] = _ZERO, _ZERO
        if actions > np.uint32(1):
            read(two, _U0, value, shared, here, op[5])
        if actions > np.uint32(2):
            read(three, _U0, value, shared, here, op[6])
        factor = program.factors[U(np.uint32(op[2]))]
        for k in range(WIDTH):
            worth[k] = one[k] * factor + two[k] + three[k]
        refs = U(np.uint32(op[7]))
        a = U(3)
        while a < U(actions):
            read(one, _U0, value, shared, here, program.refs[refs + a])
            for k in range(WIDTH):
                worth[k] += one[k]
            a += _U1

    @gpu_function
    def ask_for(tables: GpuTables, value: Array, op: Array, here: Thread) -> None:
        """Have brought near what an operation will read."""
        kind = np.uint32(op[0])
        actions = np.uint32(kind >> np.uint32(1))
        for a in range(3):
            if np.uint32(a) < actions and op[4 + a] >= 0:
                ask(value, here.at, np.uint32(op[4 + a]))
        if kind & np.uint32(1):
            for a in range(4):
                if np.uint32(a) < actions:
                    entry = np.uint32(np.uint32(op[3]) + np.uint32(a) * here.stride)
                    ask(tables.regret, here.table, entry)
                    ask(tables.average, here.table, entry)
                    if predicts:
                        ask(tables.strategy, here.table, entry)

    def _update_rows(
        street: int,
        parts: int,
        boards: int,
        program: GpuProgram,
        seat: PlayerArrays,
        tables: GpuTables,
        value: Array,
        up: Array,
        clock: Clock,
    ) -> None:
        """Update every line of every board of a street. up: [board, line, hand] float32, flat, the lines'
        values.

        Blocks: (threads of boards x parts, group of lines), parts of WIDTH hands; shared: [slots, threads,
        WIDTH] float32.
        """
        shared = cuda.shared.array(0, float32)
        thread, threads = np.uint32(cuda.threadIdx.x), np.uint32(cuda.blockDim.x)
        place = np.uint32(np.uint32(cuda.blockIdx.x) * threads + thread)
        number = np.uint32(place // np.uint32(parts))
        i = U(np.uint32(place - number * np.uint32(parts))) * U(WIDTH)
        if number >= np.uint32(boards):
            return
        board = U(program.board_first[street]) + U(number)
        alive = U(seat.alive[board])
        if i >= alive:
            return
        now, stride = U(np.uint32(clock.now[0])), U(seat.stride[street])
        hands, above = cuda.local.array(WIDTH, uint32), cuda.local.array(WIDTH, float32)
        order = board * U(seat.hands) + i
        for k in range(WIDTH):
            hands[k] = NOBODY
            if i + U(k) < alive and seat.start[order + U(k)] != _ZERO:
                hands[k] = np.uint32(seat.hand[order + U(k)])
        here = Thread(
            row_start(seat, street, number, 0) + i,
            U(program.value_base[street]) + U(number) * U(program.value_rows[street]) * stride + i,
            np.uint32(thread * np.uint32(WIDTH)),
            np.uint32(threads * np.uint32(WIDTH)),
            np.uint32(stride),
            above,
        )
        op, worth = cuda.local.array(OP, int32), cuda.local.array(WIDTH, float32)
        first_line = U(program.street_line[street])
        lines = _U2 * (U(program.street_group[street]) + U(cuda.blockIdx.y))
        line, last_line = U(program.group_line[lines]), U(program.group_line[lines + _U1])
        count = U(program.street_line[street + 1]) - first_line
        to_up = (U(number) * count + line - first_line) * stride + i
        opened = opened_row(seat, street, board, line)
        further = U(seat.stride[street - 1]) if street > seat.first else _U0
        at_op = U(program.level_op[program.line_level[line]])
        end_op = U(program.level_op[program.line_level[last_line]])
        while line < last_line:
            last_op = U(program.level_op[program.line_level[line + _U1]])
            for k in range(WIDTH):
                above[k] = seat.opened[opened + U(hands[k])] if hands[k] != NOBODY else _ZERO
            while at_op < last_op:
                if at_op + _U1 < end_op:  # the memory is far: the next one's numbers are asked for now
                    read_op(op, program, at_op + _U1)
                    ask_for(tables, value, op, here)
                read_op(op, program, at_op)
                kind = np.uint32(op[0])
                actions = np.uint32(kind >> np.uint32(1))
                if kind & np.uint32(1) == _I0:
                    add_up(worth, value, shared, program, op, here, actions)
                else:
                    step = step_now(clock, now)  # better loaded again than kept
                    if actions == np.uint32(2):
                        decide_2(worth, tables, value, shared, program, op, here, step)
                    elif actions == np.uint32(3):
                        decide_3(worth, tables, value, shared, program, op, here, step)
                    elif actions == np.uint32(4):
                        decide_4(worth, tables, value, shared, program, op, here, step)
                    else:
                        decide_any(worth, tables, value, shared, program, op, here, step, actions)
                write(value, shared, here, op[1], worth)
                at_op += _U1
            read(worth, _U0, value, shared, here, program.line_ref[line])
            for k in range(WIDTH):
                worth[k] = worth[k] if hands[k] != NOBODY else _ZERO
            put(up, to_up, _I0, worth, _U0)
            line += _U1
            opened += further
            to_up += stride

    return _update_rows


@gpu_function
def weights(found: Array, tables: GpuTables, play: Array, base: Any, at: Any) -> None:
    """Write what is positive in `play`, of locked hands in the regrets."""
    fetch(found, _U0, play, base, at)
    for k in range(WIDTH):
        if tables.locked.size > 1:
            place = base + U(at) + U(k)
            if tables.locked[place] != 0:
                found[k] = tables.regret[place]
        found[k] = max(found[k], _ZERO)


@gpu_kernel
def match_rows(
    street: int,
    parts: int,
    boards: int,
    program: GpuProgram,
    seat: PlayerArrays,
    tables: GpuTables,
    play: Array,
    otherwise: Array,
) -> None:
    """Read every own strategy of a street off `play`, or off `otherwise`: see `lines.match`.

    Blocks: (threads of boards x parts, MATCHED operations), parts of WIDTH hands.
    """
    place = np.uint32(np.uint32(cuda.blockIdx.x) * np.uint32(cuda.blockDim.x) + np.uint32(cuda.threadIdx.x))
    number = np.uint32(place // np.uint32(parts))
    if number >= np.uint32(boards):
        return
    table = row_start(seat, street, number, 0)
    table += U(np.uint32(place - number * np.uint32(parts))) * U(WIDTH)
    one, two = cuda.local.array(WIDTH, float32), cuda.local.array(WIDTH, float32)
    total, other = cuda.local.array(WIDTH, float32), cuda.local.array(WIDTH, float32)
    stride = np.uint32(seat.stride[street])
    op, last = matched_ops(program, street, U(cuda.blockIdx.y))
    while op < last:
        kind, first = np.uint32(program.ops[op * U(OP)]), np.uint32(program.ops[op * U(OP) + U(3)])
        actions = np.uint32(kind >> np.uint32(1)) if kind & np.uint32(1) else _I0
        op += _U1
        for k in range(WIDTH):
            total[k], other[k] = _ZERO, _ZERO
        for a in range(actions):
            weights(one, tables, play, table, np.uint32(first + np.uint32(a) * stride))
            fetch(two, _U0, otherwise, table, np.uint32(first + np.uint32(a) * stride))
            for k in range(WIDTH):
                total[k] += one[k]
                other[k] += max(two[k], _ZERO)
        for a in range(actions):
            at = np.uint32(first + np.uint32(a) * stride)
            weights(one, tables, play, table, at)
            fetch(two, _U0, otherwise, table, at)
            for k in range(WIDTH):
                weight, whole = one[k], total[k]
                if whole <= _ZERO:
                    weight, whole = max(two[k], _ZERO), other[k]
                scale = _ONE / whole if whole > _ZERO else _ZERO  # as in an update, to the last bit
                rest = _ZERO if whole > _ZERO else _ONE / float32(actions)
                one[k] = weight * scale + rest
            put(tables.strategy, table, at, one, _U0)


_updates = {predicts: gpu_kernel(_walker(predicts), registers=_REGISTERS) for predicts in (False, True)}


def update_rows(predicts: bool) -> Any:
    """Return the kernel that updates the lines of a river, for rules that predict or do not."""
    return _updates[predicts]
