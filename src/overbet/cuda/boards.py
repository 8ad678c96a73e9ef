"""Public-chance-sampled CFR on a GPU: a batch of boards, the whole betting tree, all hands of both players.

A thread is one hand on one board. Street by street it walks the lines of the tree (`blueprint.line_program`),
carrying both players' reaches to where a line is left; there four rows at a time are evaluated by a block
(`leaves`), and from the river back to the first decision threads carry the values up. Within a line nothing
but tables is read or written. Reaches and values share one array, `flow`: [2 players, slots, boards, hands
in order of strength, filled up to `stride`] float32: whoever writes a value has read the reaches there.

The strategy of a batch is made of the regrets beforehand, [entries] float32. Regrets and averages are added
by atomic additions: in whatever order, so the last bits differ from run to run.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import float32, int32

from overbet.cuda.arrays import Array, LeafOrder
from overbet.cuda.device import SIMULATED, cuda, gpu_function, gpu_kernel
from overbet.cuda.leaves import (
    LEAVES,
    LeafSums,
    Payoff,
    beaten,
    compatible,
    lanes_of,
    leaf_sums,
    places_of,
    sum_places,
)
from overbet.cuda.vectors import moves

THREADS = 4 if SIMULATED else 128
MOST_DEPTH, MOST_ACTIONS = 16, 8
_DEPTHS, _WORTHS = MOST_DEPTH + 1, MOST_DEPTH * MOST_ACTIONS  # sizes of local arrays have to be names
_FIELDS = 8
_FACTORS = 4 * LEAVES
U = np.uint64
_NONE, _ONE, _TWO, _FOUR, _FIVE, _SIXTEEN = U(0), U(1), U(2), U(4), U(5), U(16)
_ZERO, _UNIT = np.float32(0.0), np.float32(1.0)
_ZEROTH = np.uint32(0)
_POSITIVE, _NEGATIVE, _WEIGHT, _FLOOR, _AVERAGE_DISCOUNT, _AVERAGE_WEIGHT = 0, 1, 2, 3, 6, 7
_REGRET_SHARE, _AVERAGE_SHARE, _TREMBLE = 8, 9, 10
RULE_FIELDS = 11  # `rule`: float32, `kernels.regret.RuleStep`, and `shares` and `tremble` of a swept game
(fetch_4, put_4) = moves(4)


class GpuLines(NamedTuple):
    """See `blueprint.line_program`. first, entered: int32; edges: [E * 8] int32."""

    first: Array
    entered: Array
    edges: Array


class GpuBoards(NamedTuple):
    """The hands of a batch. boards, hands, stride: numbers; bucket: [B * 4 * stride] int32; combo: [B *
    stride] int32; card: [B * stride * 2] int32; slots: of the tree."""

    boards: int
    hands: int
    stride: int
    slots: int
    bucket: Array
    combo: Array
    card: Array


class GpuEnds(NamedTuple):
    """Ends in fours of rows: two ends, each with the reaches of player 0 and 1. Q of them.

    reach: [Q * 4] int32, row of the opponent's reach in `flow`, -1 for none; fold, show: [Q * 4] int32, row
    of the value, -1 for none; factors: [Q * 16] float32, on below, on upto, on all, and on all for a fold.
    """

    reach: Array
    fold: Array
    show: Array
    factors: Array


@gpu_function
def _row(boards: GpuBoards, row: Any, board: Any) -> Any:
    """Return where a row of `flow` begins on a board."""
    return (U(row) * U(boards.boards) + U(board)) * U(boards.stride)


@gpu_function
def _own_place(first_line: int, count: int) -> Any:
    """Return the board, the line and the hand of this thread. Blocks: x has boards times lines, y hands."""
    board = np.uint32(cuda.blockIdx.x) // np.uint32(count)
    line = U(first_line) + U(np.uint32(cuda.blockIdx.x) - board * np.uint32(count))
    return board, line, U(cuda.blockIdx.y) * U(cuda.blockDim.x) + U(cuda.threadIdx.x)


@gpu_kernel
def match_rows(decisions: Array, table: Array, strategy: Array, rule: Array) -> None:
    """Make strategies of regrets, with their tremble, and lift regrets to the floor. A block: some buckets of
    a decision. decisions: [D * 4] int32: first entry, step, actions, and the buckets of the street."""
    floor, tremble = rule[_FLOOR], rule[_TREMBLE]
    at = U(4) * U(cuda.blockIdx.x)
    first, step, count = U(decisions[at]), U(decisions[at + _ONE]), decisions[at + _TWO]
    bucket = U(cuda.blockIdx.y) * U(cuda.blockDim.x) + U(cuda.threadIdx.x)
    if bucket >= U(decisions[at + U(3)]):
        return
    entry, total = first + step * bucket, _ZERO
    for a in range(count):
        regret = table[_TWO * (entry + U(a))]
        if regret < floor:
            regret = floor
            table[_TWO * (entry + U(a))] = regret
        positive = max(regret, _ZERO)
        strategy[entry + U(a)] = positive
        total += positive
    even = _UNIT / np.float32(count)
    for a in range(count):
        if total > _ZERO:
            strategy[entry + U(a)] = (_UNIT - tremble) * (strategy[entry + U(a)] / total) + tremble * even
        else:
            strategy[entry + U(a)] = even


@gpu_kernel
def carry_down(
    lines: GpuLines,
    boards: GpuBoards,
    strategy: Array,
    table: Array,
    flow: Array,
    rule: Array,
    street: int,
    first_line: int,
    count: int,
) -> None:
    """Carry both reaches through the lines first_line .. + count - 1 of a street, and add to the averages."""
    board, line, j = _own_place(first_line, count)
    if j >= U(boards.hands):
        return
    bucket = U(boards.bucket[(U(4) * U(board) + U(street)) * U(boards.stride) + j])
    tremble = rule[_TREMBLE]
    weight = rule[_AVERAGE_WEIGHT] * rule[_AVERAGE_SHARE] / (_UNIT - tremble)
    one, two = cuda.local.array(_DEPTHS, float32), cuda.local.array(_DEPTHS, float32)
    slots, entered = U(boards.slots), lines.entered[line]
    one[0], two[0] = _UNIT, _UNIT
    if entered >= 0:
        one[0] = flow[_row(boards, U(entered), board) + j]
        two[0] = flow[_row(boards, slots + U(entered), board) + j]
    at, last = U(lines.first[line]) * U(_FIELDS), U(lines.first[line + _ONE]) * U(_FIELDS)
    edges = lines.edges
    while at < last:
        depth, actor, slot = edges[at], edges[at + _ONE], edges[at + _FOUR]
        entry = U(edges[at + U(6)]) + U(edges[at + _FIVE]) * bucket
        share, here_one, here_two = strategy[entry], one[depth], two[depth]
        # the average is of the strategy without its tremble
        steady = share - tremble / np.float32(edges[at + U(3)])
        own = (here_one if actor == 0 else here_two) * steady
        if own > _ZERO:
            cuda.atomic.add(table, _TWO * entry + _ONE, own * weight)
        if actor == 0:
            here_one *= share
        else:
            here_two *= share
        if slot >= 0:
            flow[_row(boards, U(slot), board) + j] = here_one
            flow[_row(boards, slots + U(slot), board) + j] = here_two
        else:
            one[depth + 1], two[depth + 1] = here_one, here_two
        at += U(_FIELDS)


@gpu_kernel
def carry_up(
    lines: GpuLines,
    boards: GpuBoards,
    strategy: Array,
    table: Array,
    flow: Array,
    rule: Array,
    street: int,
    first_line: int,
    count: int,
) -> None:
    """Carry values back through the lines of a street, and add to the regrets."""
    board, line, j = _own_place(first_line, count)
    if j >= U(boards.hands):
        return
    bucket = U(boards.bucket[(U(4) * U(board) + U(street)) * U(boards.stride) + j])
    weight, tremble = rule[_WEIGHT] * rule[_REGRET_SHARE], rule[_TREMBLE]
    mean, other = cuda.local.array(MOST_DEPTH, float32), cuda.local.array(MOST_DEPTH, float32)
    worth = cuda.local.array(_WORTHS, float32)
    slots, edges = U(boards.slots), lines.edges
    first, at = U(lines.first[line]) * U(_FIELDS), U(lines.first[line + _ONE]) * U(_FIELDS)
    one, two = _ZERO, _ZERO  # values of the decision that was finished last
    while at > first:
        at -= U(_FIELDS)
        depth, actor, action, actions = edges[at], edges[at + _ONE], edges[at + _TWO], edges[at + U(3)]
        slot = edges[at + _FOUR]
        entry = U(edges[at + U(6)]) + U(edges[at + _FIVE]) * bucket
        if slot >= 0:
            one = flow[_row(boards, U(slot), board) + j]
            two = flow[_row(boards, slots + U(slot), board) + j]
        mine, theirs = (one, two) if actor == 0 else (two, one)
        if action == actions - 1:
            mean[depth], other[depth] = _ZERO, _ZERO
        mean[depth] += strategy[entry] * mine
        other[depth] += theirs
        worth[depth * MOST_ACTIONS + action] = mine
        if action == 0:
            steady = mean[depth]  # what the decision is worth without its tremble
            if tremble > _ZERO:
                every = _ZERO
                for a in range(actions):
                    every += worth[depth * MOST_ACTIONS + a]
                steady = (steady - tremble * every / np.float32(actions)) / (_UNIT - tremble)
            for a in range(actions):
                gain = (worth[depth * MOST_ACTIONS + a] - steady) * weight
                if gain != _ZERO:
                    cuda.atomic.add(table, _TWO * (entry + U(a)), gain)
            if actor == 0:
                one, two = mean[depth], other[depth]
            else:
                one, two = other[depth], mean[depth]
    entered = lines.entered[line]
    if entered >= 0:
        flow[_row(boards, U(entered), board) + j] = one
        flow[_row(boards, slots + U(entered), board) + j] = two


@gpu_kernel
def all_in_before_flop(boards: GpuBoards, ends: Array, pays: Array, equity: Array, flow: Array) -> None:
    """Evaluate hands all in before the flop over all boards. A block: an end on a board, for both players.

    ends: [n] int32, slots; pays: [n * 4] float32, lose and win - lose of both players; equity: [1326 * 1326]
    float32, 0 for hands that share a card. Both rows of reaches are read into shared memory first.
    """
    shared = cuda.shared.array(0, float32)
    number, board, hands = U(cuda.blockIdx.x), cuda.blockIdx.y, U(boards.hands)
    slot = U(ends[number])
    rows = (_row(boards, slot, board), _row(boards, U(boards.slots) + slot, board))
    base = U(board) * U(boards.stride)
    j = U(cuda.threadIdx.x)
    while j < hands:
        shared[j], shared[hands + j] = flow[rows[0] + j], flow[rows[1] + j]
        j += U(cuda.blockDim.x)
    cuda.syncthreads()
    j = U(cuda.threadIdx.x)
    while j < hands:
        own = boards.combo[base + j]
        first, second = boards.card[_TWO * (base + j)], boards.card[_TWO * (base + j) + _ONE]
        left_one, left_two, won_one, won_two = _ZERO, _ZERO, _ZERO, _ZERO
        k = _NONE
        while k < hands:
            low, high = boards.card[_TWO * (base + k)], boards.card[_TWO * (base + k) + _ONE]
            if low != first and low != second and high != first and high != second:
                share = equity[U(own) * U(1326) + U(boards.combo[base + k])]
                left_one += shared[hands + k]
                won_one += shared[hands + k] * share
                left_two += shared[k]
                won_two += shared[k] * share
            k += _ONE
        flow[rows[0] + j] = pays[_FOUR * number] * left_one + pays[_FOUR * number + _ONE] * won_one
        flow[rows[1] + j] = pays[_FOUR * number + _TWO] * left_two + pays[_FOUR * number + U(3)] * won_two
        j += U(cuda.blockDim.x)


@gpu_function
def _write(
    flow: Array, pay: Payoff, length: Any, at: Any, shared: Array, sums: LeafSums, places: Any, shows: Any
) -> None:
    """Write a hand's values at four rows; length: of a row of `flow` over all boards."""
    twin, every = cuda.local.array(LEAVES, float32), cuda.local.array(LEAVES, float32)
    below, upto = cuda.local.array(LEAVES, float32), cuda.local.array(LEAVES, float32)
    compatible(every, twin, shared, sums, places)
    factors = pay.factors
    for k in range(LEAVES):
        if pay.fold[k] >= 0:
            flow[U(pay.fold[k]) * length + at] = factors[12 + k] * every[k]
    if not shows:
        return
    beaten(below, upto, shared, sums, places)
    for k in range(LEAVES):
        if pay.show[k] >= 0:
            won = factors[k] * below[k] + factors[4 + k] * (upto[k] + twin[k]) + factors[8 + k] * every[k]
            flow[U(pay.show[k]) * length + at] = won


def _evaluator(size_of_block: int) -> Any:
    """Return the kernel that evaluates ends with blocks of so many threads."""
    threads, last_sum = U(size_of_block), U(sum_places(size_of_block) - 1)
    size_of_lanes = lanes_of(size_of_block)
    sum_cards, sum_hands = leaf_sums(size_of_block)

    def _evaluate(boards: GpuBoards, order: LeafOrder, ends: GpuEnds, flow: Array, stretch: int) -> None:
        """Replace the reaches at ends by values. A block: four rows on a board (x: rows, y: board)."""
        shared = cuda.shared.array(0, float32)
        thread, quad, board = U(cuda.threadIdx.x), U(cuda.blockIdx.x), U(cuda.blockIdx.y)
        hands = U(boards.hands)
        size, slot = threads * U(stretch), _NONE
        card = slot + size + _ONE
        sums = card + _FOUR * U(order.steps) * U(size_of_lanes) + _ONE
        four, factors = cuda.local.array(LEAVES, float32), cuda.local.array(_FACTORS, float32)
        reach, fold = cuda.local.array(LEAVES, int32), cuda.local.array(LEAVES, int32)
        show, total = cuda.local.array(LEAVES, int32), cuda.local.array(LEAVES, float32)
        fetch_4(reach, _NONE, ends.reach, _FOUR * quad, _ZEROTH)
        if thread == _NONE:
            for k in range(LEAVES):
                four[k] = _ZERO
            put_4(shared, _FOUR * slot, _ZEROTH, four, _NONE)
            put_4(shared, _FOUR * card, _ZEROTH, four, _NONE)
        j = thread
        while j < size:
            for k in range(LEAVES):
                four[k] = _ZERO
                if j < hands and reach[k] >= 0:
                    four[k] = flow[_row(boards, U(reach[k]), board) + j]
            put_4(shared, _FOUR * (slot + _ONE + j), _ZEROTH, four, _NONE)
            j += threads
        cuda.syncthreads()
        if thread < U(size_of_lanes):
            sum_cards(shared, slot, card, order, board)
        cuda.syncthreads()
        sum_hands(shared, slot, sums, U(stretch))
        cuda.syncthreads()
        fetch_4(total, _NONE, shared, _FOUR * (sums + last_sum), _ZEROTH)
        fetch_4(fold, _NONE, ends.fold, _FOUR * quad, _ZEROTH)
        fetch_4(show, _NONE, ends.show, _FOUR * quad, _ZEROTH)
        stretch_of_rows = U(boards.boards) * U(boards.stride)
        for k in range(LEAVES):
            fetch_4(factors, _FOUR * U(k), ends.factors, _SIXTEEN * quad + _FOUR * U(k), _ZEROTH)
        shows = (show[0] & show[1] & show[2] & show[3]) >= 0
        found, pay = LeafSums(slot, card, total), Payoff(fold, show, factors)
        j = thread
        while j < hands:
            places = places_of(order, board * _FIVE * hands + j, hands)
            _write(flow, pay, stretch_of_rows, board * U(boards.stride) + j, shared, found, places, shows)
            j += threads

    return _evaluate


evaluate_ends = gpu_kernel(_evaluator(THREADS), registers=80)


@gpu_kernel
def discount_entries(table: Array, rule: Array, entries: int) -> None:
    """Apply a rule's discounts to every entry."""
    entry = U(cuda.blockIdx.x) * U(cuda.blockDim.x) + U(cuda.threadIdx.x)
    if entry >= U(entries):
        return
    regret, average = table[_TWO * entry], table[_TWO * entry + _ONE]
    factor = rule[_POSITIVE] if regret > _ZERO else rule[_NEGATIVE]
    table[_TWO * entry] = max(regret * factor, rule[_FLOOR])
    table[_TWO * entry + _ONE] = average * rule[_AVERAGE_DISCOUNT]
