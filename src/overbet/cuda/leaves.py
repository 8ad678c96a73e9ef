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

from overbet.cuda.arrays import Array, Clock, Leaves, Order, PlayerArrays
from overbet.cuda.device import SIMULATED, cuda, gpu_function, gpu_kernel

_FLOP, _TURN, _RIVER = 0, 1, 2
_ZERO = np.float32(0.0)
U = np.uint64
_NONE, _ONE, _TWO, _THREE, _FOUR, _FIVE = (U(k) for k in range(6))
_HALF, _LOW = U(16), U(0xFFFF)
_CODE, _FIRST = U(0x7FFF), U(0x8000)
_WIDE = 2 if SIMULATED else 5  # loads a thread has under way


class Row(NamedTuple):
    """A row of the opponent's reach in shared memory: hands, and size with padding."""

    hands: Any
    size: Any


class Sums(NamedTuple):
    """Where a leaf's sums are in shared memory: by hand, by card; and the sum of all."""

    slot: Any
    card: Any
    total: Any


class Places(NamedTuple):
    """What `arrays.Order` says of one own hand."""

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
def put_root(shared: Array, root: Any, m: Any, seat: PlayerArrays, row: Any, at: Any) -> None:
    """Put the reaches of a line's first node at shared[root ...], `_WIDE` loads under way at a time."""
    thread, threads = U(cuda.threadIdx.x), U(cuda.blockDim.x)
    reach = cuda.local.array(_WIDE, float32)
    first = thread
    while first < m:
        j = first
        for k in range(_WIDE):
            reach[k] = reach_above(seat, row, at + j) if j < m else _ZERO
            j += threads
        j = first
        for k in range(_WIDE):
            if j < m:
                shared[root + j] = reach[k]
            j += threads
        first = j


@gpu_function
def multiply(shared: Array, to: Any, source: Any, m: Any, strategy: Array, row: Any) -> None:
    """shared[to + j] = shared[source + j] * strategy[row + j] for j < m, with `_WIDE` loads under way."""
    thread, threads = U(cuda.threadIdx.x), U(cuda.blockDim.x)
    share = cuda.local.array(_WIDE, float32)
    first = thread
    while first < m:
        j = first
        for k in range(_WIDE):
            share[k] = strategy[row + j] if j < m else _ZERO
            j += threads
        j = first
        for k in range(_WIDE):
            if j < m:
                shared[to + j] = shared[source + j] * share[k]
            j += threads
        first = j


@gpu_function
def put_reach(
    shared: Array, to: Any, root: Any, leaves: Leaves, leaf: Any, strategy: Array, table: Any, row: Row
) -> None:
    """Put the opponent's reach of a leaf at shared[to ...], zeros after it; root: reach of the line."""
    thread, threads = U(cuda.threadIdx.x), U(cuda.blockDim.x)
    j = row.hands + thread
    while j < row.size:
        shared[to + j] = _ZERO
        j += threads
    first, last = U(leaves.chain_start[leaf]), U(leaves.chain_start[leaf + _ONE])
    if first == last:
        j = thread
        while j < row.hands:
            shared[to + j] = shared[root + j]
            j += threads
    source = root
    c = first
    while c < last:
        multiply(shared, to, source, row.hands, strategy, table + U(np.uint32(leaves.chain[c])))
        source = to
        c += _ONE


def _scan_by_shuffles(shared: Array, at: Any, mine: Any) -> Any:
    """The scan of `scan_block` with exchanges between the lanes of a warp; then the warps in turn."""
    thread, threads = np.uint32(cuda.threadIdx.x), np.uint32(cuda.blockDim.x)
    lane, warp = thread & np.uint32(31), thread >> np.uint32(5)
    total, distance = mine, np.uint32(1)
    for _ in range(5):
        before = cuda.shfl_up_sync(0xFFFFFFFF, total, distance)
        if lane >= distance:
            total += before
        distance = np.uint32(distance + distance)
    if threads > np.uint32(32):
        if lane == np.uint32(31):
            shared[at + U(warp)] = total
        cuda.syncthreads()
        for k in range(U(warp)):
            total += shared[at + k]
    if thread == threads - np.uint32(1):
        shared[at + U(thread)] = total
    return total


def _scan_by_barriers(shared: Array, at: Any, mine: Any) -> Any:
    """The same for the simulator, which knows no exchange between lanes."""
    thread, threads = U(cuda.threadIdx.x), U(cuda.blockDim.x)
    total = mine
    shared[at + thread] = total
    cuda.syncthreads()
    distance = _ONE
    while distance < threads:
        before = shared[at + thread - distance] if thread >= distance else _ZERO
        cuda.syncthreads()
        total += before
        shared[at + thread] = total
        cuda.syncthreads()
        distance += distance
    return total


# the sum of `mine` over this thread and all before it; shared: a float a thread from `at`, the last one is
# left with the sum of all
scan_block = gpu_function(_scan_by_barriers if SIMULATED else _scan_by_shuffles)


@gpu_function
def sum_hands(shared: Array, slot: Any, sums: Any, stretch: Any, ordered: Any) -> None:
    """Replace the reaches after `slot` by running sums if `ordered`; leave the total in the last of sums."""
    start = slot + _ONE + U(cuda.threadIdx.x) * stretch
    part, at, last = _ZERO, start, start + stretch
    while at < last:
        part += shared[at]
        at += _ONE
    before = scan_block(shared, sums, part) - part
    if ordered:
        at = start
        while at < last:
            before += shared[at]
            shared[at] = before
            at += _ONE


@gpu_function
def add_card(shared: Array, slot: Any, code: Any, total: float) -> Any:
    """Return a card's sum after one more hand, or the first sum of the next card."""
    reach = shared[slot + (code & _CODE)]
    return reach if code & _FIRST else total + reach


@gpu_function
def sum_cards(shared: Array, slot: Any, card: Any, order: Order, board: Any, lane: Any) -> None:
    """Write the running sums of a lane's cards at a leaf, from shared[card + 1 + lane] on."""
    lanes, steps = U(order.lanes), U(order.steps)
    total, to, at = _ZERO, card + _ONE + lane, board * steps * lanes + lane
    last = at + steps * lanes
    while at < last:
        codes = order.sequence[at]
        for _ in range(4):
            total = add_card(shared, slot, codes, total)
            shared[to] = total
            codes >>= _HALF
            to += lanes
        at += lanes


@gpu_function
def sum_cards_twice(shared: Array, slot: Any, card: Any, second: Any, order: Order, board: Any) -> None:
    """The same for two leaves, `second` apart, by one lane."""
    lanes, steps, lane = U(order.lanes), U(order.steps), U(cuda.threadIdx.x)
    one, two, to, at = _ZERO, _ZERO, card + _ONE + lane, board * steps * lanes + lane
    last = at + steps * lanes
    while at < last:
        codes = order.sequence[at]
        for _ in range(4):
            one = add_card(shared, slot, codes, one)
            two = add_card(shared, slot + second, codes, two)
            shared[to] = one
            shared[to + second] = two
            codes >>= _HALF
            to += lanes
        at += lanes


@gpu_function
def write_values(
    value: Array, leaves: Leaves, leaf: Any, out: Any, shared: Array, sums: Sums, places: Places
) -> None:
    """Write one own hand's values at a leaf. out: its place in value row 0."""
    fold, show = leaves.fold[leaf], leaves.show[leaf]
    slot, card, factor = sums.slot, sums.card, _FOUR * leaf
    twin = shared[slot + places.twin + _ONE]
    if show >= 0:
        twin -= shared[slot + places.twin]
    every = sums.total + twin
    every -= shared[card + (places.all & _LOW)] + shared[card + (places.all >> _HALF)]
    if fold >= 0:
        value[out + U(np.uint32(fold))] = leaves.factors[factor + _THREE] * every
    if show >= 0:
        below = shared[slot + (places.seen & _LOW)]
        below -= shared[card + (places.below & _LOW)] + shared[card + (places.below >> _HALF)]
        upto = shared[slot + (places.seen >> _HALF)] + twin
        upto -= shared[card + (places.upto & _LOW)] + shared[card + (places.upto >> _HALF)]
        result = leaves.factors[factor] * below + leaves.factors[factor + _ONE] * upto
        value[out + U(np.uint32(show))] = result + leaves.factors[factor + _TWO] * every


def _settle(
    seat: PlayerArrays,
    order: Order,
    leaves: Leaves,
    strategy: Array,
    value: Array,
    clock: Clock,
    advance: int,
) -> None:
    """Evaluate all terminals of all streets. seat, strategy: the opponent's; value: flat float32.

    A block has at least order.lanes threads, and takes two leaves at a time: most of the work is finding out
    where to look, and is the same for both. advance: 1 in the first launch of an iteration, which reads no
    clock but sets it.
    """
    shared = cuda.shared.array(0, float32)
    thread, threads = U(cuda.threadIdx.x), U(cuda.blockDim.x)
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
    stretch, lanes, steps = U(leaves.stretch), U(order.lanes), U(order.steps)
    size = threads * stretch
    row = Row(m, size)
    root = _NONE
    slot = root + size
    card = slot + size + _ONE
    sums = card + _FOUR * steps * lanes + _ONE
    second = sums + threads - size  # from a place of the first leaf to that of the second
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
                put_root(shared, root, m, seat, opened_row(seat, street, board, line), board * seat_hands)
                last_line = line
            put_reach(shared, slot + _ONE + k * second, root, leaves, leaf + k, strategy, table, row)
        cuda.syncthreads()
        if threads < _TWO * lanes:
            if thread < lanes:
                sum_cards_twice(shared, slot, card, second, order, board)
        elif thread < lanes:
            sum_cards(shared, slot, card, order, board, thread)
        elif thread < _TWO * lanes and both:
            sum_cards(shared, slot + second, card + second, order, board, thread - lanes)
        cuda.syncthreads()
        sum_hands(shared, slot, sums, stretch, leaves.show[leaf] >= 0)
        if both:
            sum_hands(shared, slot + second, sums + second, stretch, leaves.show[leaf + _ONE] >= 0)
        cuda.syncthreads()
        total = sums + threads - _ONE
        first = Sums(slot, card, shared[total])
        other = Sums(slot + second, card + second, shared[total + second] if both else _ZERO)
        i = thread
        while i < n:
            at = board * _FIVE * hands + i
            places = Places(
                U(order.place[at]),
                U(order.place[at + hands]),
                U(order.place[at + _TWO * hands]),
                U(order.place[at + _THREE * hands]),
                U(order.place[at + _FOUR * hands]),
            )
            write_values(value, leaves, leaf, out + i, shared, first, places)
            if both:
                write_values(value, leaves, leaf + _ONE, out + i, shared, other, places)
            i += threads
        leaf += _TWO
        cuda.syncthreads()


settle = gpu_kernel(_settle, registers=72)
