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
from overbet.cuda.lines import OP, step_now
from overbet.cuda.vectors import moves
from overbet.kernels.regret import RuleStep, accumulated, averaged, played

_ZERO, _ONE = np.float32(0.0), np.float32(1.0)
_U0, _U1, _U2 = U(0), U(1), U(2)
_I0 = np.uint32(0)
WIDTHS = (2,) if SIMULATED else (2, 4)  # hands of a thread
_REGISTERS = {2: 96, 4: 128}

fetch_4, _ = moves(4)


class Thread(NamedTuple):
    """Where a thread's first hand is: table: in action row 0; at: in value row 0; slot: in shared memory, and
    `far`: from there to the next slot. stride: of the tables' rows. above: [width] float32, reaches of the
    line's first node.
    """

    table: Any
    at: Any
    slot: Any
    far: Any
    stride: Any
    above: Array


def _walker(width: int) -> Any:
    """Return the kernel for so many hands a thread."""
    fetch, put = moves(width)

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
        share = cuda.local.array(width, float32)
        for k in range(width):
            reach[k] = here.above[k]
        c = U(chain >> np.uint32(6))
        last = c + U(chain & np.uint32(63))
        while c < last:
            fetch(share, _U0, tables.strategy, here.table, np.uint32(program.chain[c]))
            for k in range(width):
                reach[k] *= share[k]
            c += _U1

    def decision(actions: int) -> Any:
        """Return the update of a decision with a fixed number of actions, all of it in registers."""
        size = actions * width

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
            reach = cuda.local.array(width, float32)
            for a in range(actions):  # all is read before anything is used or written: no load waits
                entry = np.uint32(np.uint32(op[3]) + np.uint32(a) * here.stride)
                fetch(share, U(a * width), tables.strategy, here.table, entry)
                fetch(regret, U(a * width), tables.regret, here.table, entry)
                fetch(average, U(a * width), tables.average, here.table, entry)
                read(values, U(a * width), value, shared, here, op[4 + a])
            reach_of(reach, tables, program, here, np.uint32(op[2]))
            for k in range(width):
                v, total = _ZERO, _ZERO
                for a in range(actions):
                    at = a * width + k
                    v += share[at] * values[at]
                    average[at] = averaged(average[at], reach[k] * share[at], step)
                worth[k] = v
                free = True
                if tables.locked.size > 1:
                    free = tables.locked[here.table + U(np.uint32(op[3])) + U(k)] == 0
                if free:
                    for a in range(actions):
                        at = a * width + k
                        gain = values[at] - v
                        regret[at] = accumulated(regret[at], gain, step)
                        share[at] = played(regret[at], gain, step)
                        total += share[at]
                    scale = _ONE / total if total > _ZERO else _ZERO
                    rest = _ZERO if total > _ZERO else _ONE / np.float32(actions)
                    for a in range(actions):
                        share[a * width + k] = share[a * width + k] * scale + rest
            for a in range(actions):
                entry = np.uint32(np.uint32(op[3]) + np.uint32(a) * here.stride)
                put(tables.average, here.table, entry, average, U(a * width))
                put(tables.regret, here.table, entry, regret, U(a * width))
                put(tables.strategy, here.table, entry, share, U(a * width))

        return decide

    decide_2, decide_3 = decision(2), decision(3)

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
        values, share = cuda.local.array(width, float32), cuda.local.array(width, float32)
        regret, average = cuda.local.array(width, float32), cuda.local.array(width, float32)
        reach, total = cuda.local.array(width, float32), cuda.local.array(width, float32)
        reach_of(reach, tables, program, here, np.uint32(op[2]))
        refs, first = U(np.uint32(op[7])), np.uint32(op[3])
        for k in range(width):
            worth[k], total[k] = _ZERO, _ZERO
        entry = first
        for a in range(actions):
            fetch(share, _U0, tables.strategy, here.table, entry)
            read(values, _U0, value, shared, here, program.refs[refs + U(a)])
            for k in range(width):
                worth[k] += share[k] * values[k]
            entry = np.uint32(entry + here.stride)
        entry = first
        for a in range(actions):
            fetch(share, _U0, tables.strategy, here.table, entry)
            fetch(regret, _U0, tables.regret, here.table, entry)
            fetch(average, _U0, tables.average, here.table, entry)
            read(values, _U0, value, shared, here, program.refs[refs + U(a)])
            for k in range(width):
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
        for a in range(actions):
            fetch(share, _U0, tables.strategy, here.table, entry)
            for k in range(width):
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
        """Write the sum of the values of a decision's children."""
        one, two = cuda.local.array(width, float32), cuda.local.array(width, float32)
        three = cuda.local.array(width, float32)
        read(one, _U0, value, shared, here, op[4])
        for k in range(width):
            two[k], three[k] = _ZERO, _ZERO
        if actions > np.uint32(1):
            read(two, _U0, value, shared, here, op[5])
        if actions > np.uint32(2):
            read(three, _U0, value, shared, here, op[6])
        for k in range(width):
            worth[k] = one[k] + two[k] + three[k]
        refs = U(np.uint32(op[7]))
        a = U(3)
        while a < U(actions):
            read(one, _U0, value, shared, here, program.refs[refs + a])
            for k in range(width):
                worth[k] += one[k]
            a += _U1

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

        Blocks: (threads of boards x parts, group of lines), parts of `width` hands; shared: [slots, threads,
        width] float32.
        """
        shared = cuda.shared.array(0, float32)
        thread, threads = np.uint32(cuda.threadIdx.x), np.uint32(cuda.blockDim.x)
        place = np.uint32(np.uint32(cuda.blockIdx.x) * threads + thread)
        number = np.uint32(place // np.uint32(parts))
        i = U(np.uint32(place - number * np.uint32(parts))) * U(width)
        if number >= np.uint32(boards):
            return
        board = U(program.board_first[street]) + U(number)
        alive = U(seat.alive[board])
        if i >= alive:
            return
        now, stride = U(np.uint32(clock.now[0])), U(seat.stride[street])
        hands, above = cuda.local.array(width, uint32), cuda.local.array(width, float32)
        order = board * U(seat.hands) + i
        for k in range(width):
            hands[k] = NOBODY
            if i + U(k) < alive:
                if seat.start[order + U(k)] != _ZERO:
                    hands[k] = np.uint32(seat.hand[order + U(k)])
        here = Thread(
            row_start(seat, street, number, 0) + i,
            U(program.value_base[street]) + U(number) * U(program.value_rows[street]) * stride + i,
            np.uint32(thread * np.uint32(width)),
            np.uint32(threads * np.uint32(width)),
            np.uint32(stride),
            above,
        )
        op, worth = cuda.local.array(8, int32), cuda.local.array(width, float32)
        first_line = U(program.street_line[street])
        lines = _U2 * (U(program.street_group[street]) + U(cuda.blockIdx.y))
        line, last_line = U(program.group_line[lines]), U(program.group_line[lines + _U1])
        count = U(program.street_line[street + 1]) - first_line
        to_up = (U(number) * count + line - first_line) * stride + i
        opened = opened_row(seat, street, board, line)
        further = U(seat.stride[street - 1]) if street > seat.first else _U0
        at_op = U(program.level_op[program.line_level[line]])
        while line < last_line:
            last_op = U(program.level_op[program.line_level[line + _U1]])
            for k in range(width):
                above[k] = seat.opened[opened + U(hands[k])] if hands[k] != NOBODY else _ZERO
            while at_op < last_op:
                fetch_4(op, _U0, program.ops, U(OP) * at_op, _I0)
                fetch_4(op, U(4), program.ops, U(OP) * at_op, np.uint32(4))
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
                    else:
                        decide_any(worth, tables, value, shared, program, op, here, step, actions)
                write(value, shared, here, op[1], worth)
                at_op += _U1
            read(worth, _U0, value, shared, here, program.line_ref[line])
            for k in range(width):
                worth[k] = worth[k] if hands[k] != NOBODY else _ZERO
            put(up, to_up, _I0, worth, _U0)
            line += _U1
            opened += further
            to_up += stride

    return _update_rows


_walkers = {width: gpu_kernel(_walker(width), registers=_REGISTERS[width]) for width in WIDTHS}


def update_rows(width: int) -> Any:
    """Return the kernel that updates the lines of a river, for one of WIDTHS hands a thread."""
    return _walkers[width]
