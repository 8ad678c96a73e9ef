"""Terminal values on a GPU: a block evaluates leaves of one board, one after another, for all hands at once.

The block puts the opponent's reach at the leaf into shared memory, hands in order of strength; sums it up
from the weakest (a scan: each thread a stretch, then the threads), and by card (`orders`). A hand's value is
then a handful of look-ups: with `below`, `upto` and `all` the opponent's reach that shares no card with it
and is weaker, not stronger, any,

    value = factors . (below, upto, all),     below = sum[weaker] - card a[weaker] - card b[weaker], ...

where the hand of the same two cards was taken away twice and is added again in `upto` and `all`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import float32

from overbet.cuda.arrays import Array, Clock, GpuLeaves, LeafOrder, PlayerArrays
from overbet.cuda.device import SIMULATED, cuda, gpu_function, gpu_kernel

_FLOP, _TURN, _RIVER = 0, 1, 2
_ZERO = np.float32(0.0)
U = np.uint64
_NONE, _ONE, _TWO, _THREE, _FOUR, _FIVE = (U(k) for k in range(6))
_HALF = U(16)
_CODE, _FIRST = U(0x7FFF), U(0x8000)
_WIDE = 2 if SIMULATED else 4  # loads a thread has under way
BLOCKS = (4,) if SIMULATED else (32, 64, 128, 256)  # threads that evaluate a leaf


class LeafRow(NamedTuple):
    """A row of the opponent's reach in shared memory: hands, size with padding, and threads that fill it."""

    hands: Any
    size: Any
    threads: Any


class LeafSums(NamedTuple):
    """Where a leaf's sums are in shared memory: by hand, by card; and the sum of all."""

    slot: Any
    card: Any
    total: Any


class Places(NamedTuple):
    """What `arrays.LeafOrder` says of one own hand."""

    seen: Any
    below: Any
    upto: Any
    all: Any
    twin: Any


@gpu_function
def row_start(seat: PlayerArrays, street: int, board: int, row: int) -> Any:
    """Return where an action row starts in the player's tables; board: its number within the street."""
    row_number = U(board) * U(seat.rows[street]) + U(row)
    return U(seat.base[street]) + row_number * U(seat.stride[street])


@gpu_function
def opened_row(seat: PlayerArrays, street: int, board: Any, line: Any) -> Any:
    """Return where the player's reaches at the beginning of a line lie, hands in the range's order."""
    if street == seat.first:
        return U(seat.opened_base[street])
    lines = U(seat.street_line[street + 1]) - U(seat.street_line[street])
    above = U(seat.above[board * _THREE + U(street) - _ONE])
    local = U(line) - U(seat.street_line[street])
    return U(seat.opened_base[street]) + (above * lines + local) * U(seat.stride[street - 1])


@gpu_function
def reach_above(seat: PlayerArrays, row: Any, at: Any) -> Any:
    """Return the player's reach of a line's first node, 0 for a hand that the board kills. row: of
    `opened_row`; at: board * hands + place of the hand on it."""
    reach = seat.opened[row + U(seat.hand[at])]
    return reach if seat.start[at] != _ZERO else _ZERO


@gpu_function
def put_root(shared: Array, root: Any, row: LeafRow, seat: PlayerArrays, opened: Any, at: Any) -> None:
    """Put the reaches of a line's first node at shared[root ...], zeros after them."""
    thread, threads = U(cuda.threadIdx.x), U(row.threads)
    reach = cuda.local.array(_WIDE, float32)
    first = thread
    while first < row.size:
        j = first
        for k in range(_WIDE):
            reach[k] = reach_above(seat, opened, at + j) if j < row.hands else _ZERO
            j += threads
        j = first
        for k in range(_WIDE):
            if j < row.size:
                shared[root + j] = reach[k]
            j += threads
        first = j


@gpu_function
def multiply(shared: Array, to: Any, source: Any, row: LeafRow, strategy: Array, at: Any) -> None:
    """shared[to + j] = shared[source + j] * strategy[at + j] for all places of a row, `_WIDE` loads under
    way. Places after the last hand hold zeros, whatever they are multiplied with: tables have room for it.
    """
    thread, threads = U(cuda.threadIdx.x), U(row.threads)
    share = cuda.local.array(_WIDE, float32)
    j, wide = thread, U(_WIDE) * threads
    last = thread + row.size
    while j + wide <= last:
        for k in range(_WIDE):
            share[k] = strategy[at + j + U(k) * threads]
        for k in range(_WIDE):
            shared[to + j + U(k) * threads] = shared[source + j + U(k) * threads] * share[k]
        j += wide
    while j < last:
        shared[to + j] = shared[source + j] * strategy[at + j]
        j += threads


@gpu_function
def put_reach(
    shared: Array, to: Any, root: Any, leaves: GpuLeaves, leaf: Any, strategy: Array, table: Any, row: LeafRow
) -> None:
    """Put the opponent's reach of a leaf at shared[to ...], zeros after it; root: reach of the line."""
    first, last = U(leaves.chain_start[leaf]), U(leaves.chain_start[leaf + _ONE])
    if first == last:
        j = U(cuda.threadIdx.x)
        while j < row.size:
            shared[to + j] = shared[root + j]
            j += U(row.threads)
    source, c = root, first
    while c < last:
        multiply(shared, to, source, row, strategy, table + U(np.uint32(leaves.chain[c])))
        source = to
        c += _ONE


def _scan_by_shuffles(shared: Array, at: Any, second: Any, one: Any, two: Any) -> Any:
    """The scan of `scan_block` with exchanges between the lanes of a warp; then the warps in turn."""
    thread, threads = np.uint32(cuda.threadIdx.x), np.uint32(cuda.blockDim.x)
    lane, warp = thread & np.uint32(31), thread >> np.uint32(5)
    distance = np.uint32(1)
    for _ in range(5):
        before, before2 = (
            cuda.shfl_up_sync(0xFFFFFFFF, one, distance),
            cuda.shfl_up_sync(0xFFFFFFFF, two, distance),
        )
        if lane >= distance:
            one += before
            two += before2
        distance = np.uint32(distance + distance)
    if threads > np.uint32(32):
        if lane == np.uint32(31):
            shared[at + U(warp)] = one
            shared[at + second + U(warp)] = two
        cuda.syncthreads()
        k = at
        while k < at + U(warp):
            one += shared[k]
            two += shared[k + second]
            k += _ONE
    if thread == threads - np.uint32(1):
        shared[at + U(thread)] = one
        shared[at + second + U(thread)] = two
    return one, two


def _scan_by_barriers(shared: Array, at: Any, second: Any, one: Any, two: Any) -> Any:
    """The same for the simulator, which knows no exchange between lanes."""
    thread, threads = U(cuda.threadIdx.x), U(cuda.blockDim.x)
    here, distance = at + thread, _ONE
    shared[here], shared[here + second] = one, two
    cuda.syncthreads()
    while distance < threads:
        before = shared[here - distance] if thread >= distance else _ZERO
        before2 = shared[here + second - distance] if thread >= distance else _ZERO
        cuda.syncthreads()
        one, two = one + before, two + before2
        shared[here], shared[here + second] = one, two
        cuda.syncthreads()
        distance += distance
    return one, two


# the sums of `one` and of `two` over this thread and all before it; shared: a float a thread from `at`, and
# `second` further, of which the last is left with the sum of all
scan_block = gpu_function(_scan_by_barriers if SIMULATED else _scan_by_shuffles)


@gpu_function
def sum_hands(shared: Array, slot: Any, second: Any, sums: Any, stretch: Any) -> None:
    """Replace the reaches of two leaves after `slot`, and `second` further, by running sums; leave the totals
    in the last of sums."""
    start = slot + _ONE + U(cuda.threadIdx.x) * stretch
    part, part2, at, last = _ZERO, _ZERO, start, start + stretch
    while at < last:
        part += shared[at]
        part2 += shared[at + second]
        at += _ONE
    before, before2 = scan_block(shared, sums, second, part, part2)
    before, before2, at = before - part, before2 - part2, start
    while at < last:
        before += shared[at]
        before2 += shared[at + second]
        shared[at] = before
        shared[at + second] = before2
        at += _ONE


@gpu_function
def add_card(shared: Array, slot: Any, code: Any, total: float) -> Any:
    """Return a card's sum after one more hand, or the first sum of the next card."""
    reach = shared[slot + (code & _CODE)]
    return reach if code & _FIRST else total + reach


@gpu_function
def sum_cards(
    shared: Array, slot: Any, card: Any, order: LeafOrder, board: Any, lane: Any, lanes: Any
) -> None:
    """Write the running sums of a lane's cards at a leaf, from shared[card + 1 + lane] on."""
    steps = U(order.steps)
    total, to, at = _ZERO, card + _ONE + lane, board * steps * lanes + lane
    last, following = at + steps * lanes, order.sequence[at]
    while at < last:
        codes, following = following, order.sequence[at + lanes]  # under way while this step is summed up
        for _ in range(4):
            total = add_card(shared, slot, codes, total)
            shared[to] = total
            codes >>= _HALF
            to += lanes
        at += lanes


@gpu_function
def sum_cards_twice(
    shared: Array, slot: Any, card: Any, second: Any, order: LeafOrder, board: Any, lanes: Any
) -> None:
    """The same for two leaves, `second` apart, by one lane."""
    steps, lane = U(order.steps), U(cuda.threadIdx.x)
    one, two, to, at = _ZERO, _ZERO, card + _ONE + lane, board * steps * lanes + lane
    last, following = at + steps * lanes, order.sequence[at]
    while at < last:
        codes, following = following, order.sequence[at + lanes]
        for _ in range(4):
            one = add_card(shared, slot, codes, one)
            two = add_card(shared, slot + second, codes, two)
            shared[to] = one
            shared[to + second] = two
            codes >>= _HALF
            to += lanes
        at += lanes


@gpu_function
def places_of(order: LeafOrder, at: Any, hands: Any) -> Any:
    """Return the places of an own hand."""
    place = order.place
    return Places(
        place[at],
        place[at + hands],
        place[at + _TWO * hands],
        place[at + _THREE * hands],
        place[at + _FOUR * hands],
    )


class Payoff(NamedTuple):
    """What `arrays.GpuLeaves` says of one leaf."""

    fold: Any
    show: Any
    below: Any
    upto: Any
    all: Any
    folded: Any


@gpu_function
def payoff_of(leaves: GpuLeaves, leaf: Any) -> Any:
    """Return a leaf's rows and factors."""
    at = _FOUR * leaf
    factors = leaves.factors
    return Payoff(
        leaves.fold[leaf],
        leaves.show[leaf],
        factors[at],
        factors[at + _ONE],
        factors[at + _TWO],
        factors[at + _THREE],
    )


@gpu_function
def low(pair: Any) -> Any:
    """Return the first of two numbers of 16 bits."""
    return U(np.uint32(pair) & np.uint32(0xFFFF))


@gpu_function
def high(pair: Any) -> Any:
    """Return the second of two numbers of 16 bits."""
    return U(np.uint32(pair) >> np.uint32(16))


@gpu_function
def write_values(value: Array, pay: Payoff, out: Any, shared: Array, sums: LeafSums, places: Places) -> None:
    """Write one own hand's values at a leaf. out: its place in value row 0."""
    slot, card, same = sums.slot, sums.card, U(np.uint32(places.twin))
    twin = shared[slot + same + _ONE] - shared[slot + same]
    every = sums.total + twin
    every -= shared[card + low(places.all)] + shared[card + high(places.all)]
    if pay.fold >= 0:
        value[out + U(np.uint32(pay.fold))] = pay.folded * every
    if pay.show >= 0:
        below = shared[slot + low(places.seen)]
        below -= shared[card + low(places.below)] + shared[card + high(places.below)]
        upto = shared[slot + high(places.seen)] + twin
        upto -= shared[card + low(places.upto)] + shared[card + high(places.upto)]
        result = pay.below * below + pay.upto * upto
        value[out + U(np.uint32(pay.show))] = result + pay.all * every


def lanes_of(threads: int) -> int:
    """Return how many threads of a block sum up cards."""
    return min(threads, 64 if threads > 128 else 32)


def _settler(size_of_block: int) -> Any:
    """Return the kernel that evaluates terminals with blocks of so many threads."""
    size_of_lanes = lanes_of(size_of_block)

    def _settle(
        seat: PlayerArrays,
        order: LeafOrder,
        leaves: GpuLeaves,
        strategy: Array,
        value: Array,
        clock: Clock,
        advance: int,
    ) -> None:
        """Evaluate all terminals of all streets. seat, strategy: the opponent's; value: flat float32.

        A block takes two leaves at a time: most of the work is finding out where to look, and is the same for
        both. advance: 1 in the first launch of an iteration, which reads no clock but sets it.
        """
        shared = cuda.shared.array(0, float32)
        thread, threads = U(cuda.threadIdx.x), U(size_of_block)
        unit = cuda.blockIdx.x
        if unit == 0 and thread == _NONE:
            clock.now[0] += advance
        if unit < leaves.street_unit[_TURN]:
            street = _RIVER
        elif unit < leaves.street_unit[_FLOP]:
            street = _TURN
        else:
            street = _FLOP
        unit -= leaves.street_unit[street]
        runs = leaves.street_run[street + 1] - leaves.street_run[street]
        number = np.uint32(unit) // np.uint32(runs)
        run = leaves.street_run[street] + unit - number * runs
        board = U(leaves.board_first[street]) + U(number)
        n, m = U(order.alive[board]), U(seat.alive[board])
        stretch, lanes, steps = U(leaves.stretch), U(size_of_lanes), U(order.steps)
        size = threads * stretch
        row = LeafRow(m, size, threads)
        root = _NONE
        slot = root + size
        card = slot + size + _ONE
        sums = card + _FOUR * steps * lanes + _ONE
        second = sums + threads - size  # from a place of the first leaf to that of the second
        j = slot + second + thread
        while j < sums + second:  # a run may end with one leaf alone
            shared[j] = _ZERO
            j += threads
        if thread == _NONE:
            shared[slot] = _ZERO
            shared[card] = _ZERO
            shared[slot + second] = _ZERO
            shared[card + second] = _ZERO
        table = row_start(seat, street, number, 0)
        hands, seat_hands = U(order.hands), U(seat.hands)
        length = U(leaves.stride[street])
        out = U(leaves.value_base[street]) + U(number) * U(leaves.value_rows[street]) * length
        last_line = -1
        last_leaf = U(leaves.run_start[run + 1])
        leaf = U(leaves.run_start[run])
        while leaf < last_leaf:
            both = leaf + _ONE < last_leaf
            for k in range(_TWO):
                if leaf + k == last_leaf:
                    break
                line = leaves.line[leaf + k]
                if line != last_line:
                    opened = opened_row(seat, street, board, line)
                    put_root(shared, root, row, seat, opened, board * seat_hands)
                    last_line = line
                put_reach(shared, slot + _ONE + k * second, root, leaves, leaf + k, strategy, table, row)
            cuda.syncthreads()
            if threads < _TWO * lanes:
                if thread < lanes:
                    sum_cards_twice(shared, slot, card, second, order, board, lanes)
            elif thread < lanes:
                sum_cards(shared, slot, card, order, board, thread, lanes)
            elif thread < _TWO * lanes and both:
                sum_cards(shared, slot + second, card + second, order, board, thread - lanes, lanes)
            cuda.syncthreads()
            sum_hands(shared, slot, second, sums, stretch)
            cuda.syncthreads()
            total = sums + threads - _ONE
            first = LeafSums(slot, card, shared[total])
            other = LeafSums(slot + second, card + second, shared[total + second] if both else _ZERO)
            pay, pay2 = payoff_of(leaves, leaf), payoff_of(leaves, leaf + _ONE if both else leaf)
            i, at = thread, board * _FIVE * hands + thread
            while i < n:
                places = places_of(order, at, hands)
                write_values(value, pay, out + i, shared, first, places)
                if both:
                    write_values(value, pay2, out + i, shared, other, places)
                i += threads
                at += threads
            leaf += _TWO
            cuda.syncthreads()

    return _settle


_settlers = {threads: gpu_kernel(_settler(threads), registers=80) for threads in BLOCKS}


def settle(threads: int) -> Any:
    """Return the kernel that evaluates all terminals, for blocks of one of BLOCKS threads."""
    return _settlers[threads]
