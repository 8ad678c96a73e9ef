"""Terminal values on a GPU: a block evaluates four leaves of one board at a time, for all hands at once.

The block puts the opponent's reaches at the leaves into shared memory, hands in order of strength, the four
leaves of a hand side by side: what is found out about a hand serves all four, and one wide load reads all
four. It sums them up from the weakest (a scan: each thread a stretch, then the threads), and by card
(`orders`). A hand's value is then a handful of look-ups: with `below`, `upto` and `all` the opponent's reach
that shares no card with it and is weaker, not stronger, any,

    value = factors . (below, upto, all),     below = sum[weaker] - card a[weaker] - card b[weaker], ...

where the hand of the same two cards was taken away twice and is added again in `upto` and `all`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import float32, int32

from overbet.cuda.arrays import Array, Clock, GpuLeaves, LeafOrder, PlayerArrays
from overbet.cuda.device import SIMULATED, cuda, gpu_function, gpu_kernel
from overbet.cuda.vectors import moves
from overbet.kernels.vector.tiles import ROUNDING

_FLOP, _TURN, _RIVER = 0, 1, 2
_ZERO = np.float32(0.0)
_LEAST = np.float32(ROUNDING)
U = np.uint64
_NONE, _ONE, _TWO, _THREE, _FOUR, _FIVE = (U(k) for k in range(6))
_EIGHT, _TWELVE, _HALF = U(8), U(12), U(16)
_CODE, _FIRST = U(0x7FFF), U(0x8000)
BLOCKS = (4,) if SIMULATED else (64, 128, 256)  # threads that evaluate leaves
LEAVES = 4  # evaluated at a time
_TWO_HANDS, _FACTORS = 2 * LEAVES, 4 * LEAVES
_ZEROTH, NOBODY = np.uint32(0), np.uint32(0xFFFF)

(fetch_1, _), (fetch_2, _), (fetch_4, put_4) = moves(1), moves(2), moves(LEAVES)


class LeafBoard(NamedTuple):
    """Where a block is. opp: hands of the opponent on the board; at: its first hand in the seat's lists;
    table: its first row in the opponent's strategies; opened: the street's first line in its reaches.
    """

    opp: Any
    at: Any
    table: Any
    opened: Any


class LeafSums(NamedTuple):
    """Where sums are in shared memory, in places of four floats: by hand, by card; and each leaf's sum of all
    hands."""

    slot: Any
    card: Any
    total: Array


class Places(NamedTuple):
    """What `arrays.LeafOrder` says of one own hand."""

    seen: Any
    below: Any
    upto: Any
    all: Any
    twin: Any


class Payoff(NamedTuple):
    """What `arrays.GpuLeaves` says of four leaves: fold, show: [4] int32; factors: [16] float32."""

    fold: Array
    show: Array
    factors: Array


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
def hand_of(seat: PlayerArrays, here: LeafBoard, place: Any) -> Any:
    """Return which hand of the range is at a place of the board's order, NOBODY where none that counts is."""
    if place < here.opp and seat.start[here.at + place] != _ZERO:
        return np.uint32(seat.hand[here.at + place])
    return NOBODY


@gpu_function
def low(pair: Any) -> Any:
    """Return the first of two numbers of 16 bits."""
    return U(np.uint32(pair) & np.uint32(0xFFFF))


@gpu_function
def high(pair: Any) -> Any:
    """Return the second of two numbers of 16 bits."""
    return U(np.uint32(pair) >> np.uint32(16))


@gpu_function
def add_looked_up(into: Array, shared: Array, place: Any, sign: Any) -> None:
    """into += sign * the four numbers at a place."""
    found = cuda.local.array(LEAVES, float32)
    fetch_4(found, _NONE, shared, _FOUR * place, _ZEROTH)
    for k in range(LEAVES):
        into[k] += sign * found[k]


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


@gpu_function
def compatible(every: Array, twin: Array, shared: Array, sums: LeafSums, places: Places) -> None:
    """Find the opponent's reach that shares no card with one own hand, and its reach with the same hand."""
    slot, card, same = sums.slot, sums.card, U(np.uint32(places.twin))
    fetch_4(twin, _NONE, shared, _FOUR * (slot + same + _ONE), _ZEROTH)
    add_looked_up(twin, shared, slot + same, np.float32(-1.0))
    for k in range(LEAVES):
        every[k] = sums.total[k] + twin[k]
    add_looked_up(every, shared, card + low(places.all), np.float32(-1.0))
    add_looked_up(every, shared, card + high(places.all), np.float32(-1.0))


@gpu_function
def beaten(below: Array, upto: Array, shared: Array, sums: LeafSums, places: Places) -> None:
    """Find the same of weaker hands, and of those not stronger (the hand of the same cards not counted)."""
    slot, card = sums.slot, sums.card
    fetch_4(below, _NONE, shared, _FOUR * (slot + low(places.seen)), _ZEROTH)
    add_looked_up(below, shared, card + low(places.below), np.float32(-1.0))
    add_looked_up(below, shared, card + high(places.below), np.float32(-1.0))
    fetch_4(upto, _NONE, shared, _FOUR * (slot + high(places.seen)), _ZEROTH)
    add_looked_up(upto, shared, card + low(places.upto), np.float32(-1.0))
    add_looked_up(upto, shared, card + high(places.upto), np.float32(-1.0))


@gpu_function
def write_values(
    value: Array, pay: Payoff, out: Any, live: Any, shared: Array, sums: LeafSums, places: Places, shows: Any
) -> None:
    """Write one own hand's values at four leaves; live: if not, zeros, as where nobody can meet it. out: its
    place in value row 0; shows: whether any of the leaves is a showdown."""
    twin, every = cuda.local.array(LEAVES, float32), cuda.local.array(LEAVES, float32)
    below, upto = cuda.local.array(LEAVES, float32), cuda.local.array(LEAVES, float32)
    compatible(every, twin, shared, sums, places)
    factors = pay.factors
    for k in range(LEAVES):
        if pay.fold[k] >= 0:
            met = live and every[k] > _LEAST * sums.total[k]
            value[out + U(np.uint32(pay.fold[k]))] = factors[12 + k] * every[k] if met else _ZERO
    if not shows:
        return
    beaten(below, upto, shared, sums, places)
    for k in range(LEAVES):
        if pay.show[k] >= 0:
            met = live and every[k] > _LEAST * sums.total[k]
            won = factors[k] * below[k] + factors[4 + k] * (upto[k] + twin[k]) + factors[8 + k] * every[k]
            value[out + U(np.uint32(pay.show[k]))] = won if met else _ZERO


def lanes_of(threads: int) -> int:
    """Return how many threads of a block sum up cards."""
    return min(threads, 64 if threads > 128 else 32)


def sum_places(threads: int) -> int:
    """Return how many places of four floats a scan over the threads of a block takes."""
    return threads + 1 if SIMULATED else threads // 32 + 1


def _scan_by_shuffles(size_of_block: int) -> Any:
    """Return the scan of `scan_block` with exchanges between the lanes of a warp; then the warps in turn."""
    warps = U(size_of_block // 32)

    @gpu_function
    def scan(shared: Array, at: Any, part: Array) -> None:
        thread = np.uint32(cuda.threadIdx.x)
        lane, warp = thread & np.uint32(31), U(thread >> np.uint32(5))
        before = cuda.local.array(LEAVES, float32)
        distance = np.uint32(1)
        for _ in range(5):
            for k in range(LEAVES):
                before[k] = cuda.shfl_up_sync(0xFFFFFFFF, part[k], distance)
            for k in range(LEAVES):
                part[k] += before[k] if lane >= distance else _ZERO
            distance = np.uint32(distance + distance)
        if warps > _ONE:
            if lane == np.uint32(31):
                put_4(shared, _FOUR * (at + warp), _ZEROTH, part, _NONE)
            cuda.syncthreads()
            k = at
            while k < at + warp:
                add_looked_up(part, shared, k, np.float32(1.0))
                k += _ONE
        if thread == np.uint32(size_of_block - 1):
            put_4(shared, _FOUR * (at + warps), _ZEROTH, part, _NONE)

    return scan


def _scan_by_barriers(size_of_block: int) -> Any:
    """The same for the simulator, which knows no exchange between lanes."""
    threads = U(size_of_block)

    @gpu_function
    def scan(shared: Array, at: Any, part: Array) -> None:
        thread, distance = U(cuda.threadIdx.x), _ONE
        put_4(shared, _FOUR * (at + thread), _ZEROTH, part, _NONE)
        cuda.syncthreads()
        before = cuda.local.array(LEAVES, float32)
        while distance < threads:
            for k in range(LEAVES):
                before[k] = _ZERO
            if thread >= distance:
                fetch_4(before, _NONE, shared, _FOUR * (at + thread - distance), _ZEROTH)
            cuda.syncthreads()
            for k in range(LEAVES):
                part[k] += before[k]
            put_4(shared, _FOUR * (at + thread), _ZEROTH, part, _NONE)
            cuda.syncthreads()
            distance += distance
        if thread == threads - _ONE:
            put_4(shared, _FOUR * (at + threads), _ZEROTH, part, _NONE)

    return scan


def leaf_sums(size_of_block: int) -> tuple[Any, Any]:
    """Return the functions that sum up reaches by card and by hand, for blocks of so many threads."""
    size_of_lanes = lanes_of(size_of_block)
    # part: summed up over this thread and all before it; the sum of all is left in the last place from `at`
    scan_block = (_scan_by_barriers if SIMULATED else _scan_by_shuffles)(size_of_block)

    @gpu_function
    def sum_cards(shared: Array, slot: Any, card: Any, order: LeafOrder, board: Any) -> None:
        """Write the running sums of this lane's cards, from the place card + 1 + lane on."""
        lane, lanes, steps = U(cuda.threadIdx.x), U(size_of_lanes), U(order.steps)
        total, found = cuda.local.array(LEAVES, float32), cuda.local.array(LEAVES, float32)
        for k in range(LEAVES):
            total[k] = _ZERO
        to, at = card + _ONE + lane, board * steps * lanes + lane
        last, following = at + steps * lanes, order.sequence[at]
        while at < last:
            codes, following = following, order.sequence[at + lanes]  # under way while this is summed up
            for _ in range(4):
                fetch_4(found, _NONE, shared, _FOUR * (slot + (codes & _CODE)), _ZEROTH)
                begins = (codes & _FIRST) != _NONE
                for k in range(LEAVES):
                    total[k] = found[k] + (_ZERO if begins else total[k])
                put_4(shared, _FOUR * to, _ZEROTH, total, _NONE)
                codes >>= _HALF
                to += lanes
            at += lanes

    @gpu_function
    def sum_hands(shared: Array, slot: Any, sums: Any, stretch: Any) -> None:
        """Replace the reaches after `slot` by running sums; leave the totals in the last of sums."""
        part, own = cuda.local.array(LEAVES, float32), cuda.local.array(LEAVES, float32)
        start = slot + _ONE + U(cuda.threadIdx.x) * stretch
        for k in range(LEAVES):
            part[k] = _ZERO
        at, last = start, start + stretch
        while at < last:
            add_looked_up(part, shared, at, np.float32(1.0))
            at += _ONE
        for k in range(LEAVES):
            own[k] = part[k]
        scan_block(shared, sums, part)
        for k in range(LEAVES):
            part[k] -= own[k]
        at = start
        while at < last:
            add_looked_up(part, shared, at, np.float32(1.0))
            put_4(shared, _FOUR * at, _ZEROTH, part, _NONE)
            at += _ONE

    return sum_cards, sum_hands


def _settler(size_of_block: int) -> Any:
    """Return the kernel that evaluates terminals with blocks of so many threads."""
    size_of_lanes, threads = lanes_of(size_of_block), U(size_of_block)
    last_sum = U(sum_places(size_of_block) - 1)
    sum_cards, sum_hands = leaf_sums(size_of_block)

    @gpu_function
    def put_reaches(
        shared: Array,
        slot: Any,
        seat: PlayerArrays,
        here: LeafBoard,
        leaves: GpuLeaves,
        quad: Any,
        strategy: Array,
        size: Any,
    ) -> None:
        """Put the opponent's reaches at four leaves after `slot`, zeros up to `size`; two hands a thread."""
        line, row = cuda.local.array(LEAVES, int32), cuda.local.array(LEAVES, int32)
        reach, share = cuda.local.array(_TWO_HANDS, float32), cuda.local.array(_TWO_HANDS, float32)
        fetch_4(line, _NONE, leaves.opened, _FOUR * quad, _ZEROTH)
        first, last = U(leaves.chain_start[quad]), U(leaves.chain_start[quad + _ONE])
        j = _TWO * U(cuda.threadIdx.x)
        while j < size:
            one, two = hand_of(seat, here, j), hand_of(seat, here, j + _ONE)
            for k in range(LEAVES):  # [leaf, hand]
                if k == 0 or line[k] != line[max(k - 1, 0)]:
                    reach[k], reach[LEAVES + k] = _ZERO, _ZERO
                    if one != NOBODY:
                        fetch_1(reach, U(k), seat.opened, here.opened, np.uint32(np.uint32(line[k]) + one))
                    if two != NOBODY:
                        place = np.uint32(np.uint32(line[k]) + two)
                        fetch_1(reach, U(LEAVES + k), seat.opened, here.opened, place)
                else:
                    reach[k], reach[LEAVES + k] = reach[max(k - 1, 0)], reach[LEAVES + max(k - 1, 0)]
            c = first
            while c < last:
                fetch_4(row, _NONE, leaves.chain, _FOUR * c, _ZEROTH)
                for k in range(LEAVES):
                    share[2 * k], share[2 * k + 1] = np.float32(1.0), np.float32(1.0)
                    if row[k] >= 0:  # tables have room for what is read beyond their end
                        place = np.uint32(np.uint32(row[k]) + np.uint32(j))
                        fetch_2(share, U(2 * k), strategy, here.table, place)
                for k in range(LEAVES):
                    reach[k] *= share[2 * k]
                    reach[LEAVES + k] *= share[2 * k + 1]
                c += _ONE
            put_4(shared, _FOUR * (slot + _ONE + j), _ZEROTH, reach, _NONE)
            put_4(shared, _FOUR * (slot + _ONE + j), np.uint32(4), reach, _FOUR)
            j += _TWO * threads

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

        advance: 1 in the first launch of an iteration, which reads no clock but sets it.
        """
        shared = cuda.shared.array(0, float32)
        thread = U(cuda.threadIdx.x)
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
        written = (n + _THREE) & ~_THREE  # zeros after the last hand: they are read four at a time
        stretch, hands = U(leaves.stretch), U(order.hands)
        size, slot = threads * stretch, _NONE
        card = slot + size + _ONE
        sums = card + _FOUR * U(order.steps) * U(size_of_lanes) + _ONE
        total, factors = cuda.local.array(LEAVES, float32), cuda.local.array(_FACTORS, float32)
        fold, show = cuda.local.array(LEAVES, int32), cuda.local.array(LEAVES, int32)
        if thread == _NONE:
            for k in range(LEAVES):
                total[k] = _ZERO
            put_4(shared, _FOUR * slot, _ZEROTH, total, _NONE)
            put_4(shared, _FOUR * card, _ZEROTH, total, _NONE)
        here = LeafBoard(
            m,
            board * U(seat.hands),
            row_start(seat, street, number, 0),
            opened_row(seat, street, board, seat.street_line[street]),
        )
        length = U(leaves.stride[street])
        out = U(leaves.value_base[street]) + U(number) * U(leaves.value_rows[street]) * length
        quad, last_quad = U(leaves.run_start[run]), U(leaves.run_start[run + 1])
        while quad < last_quad:
            put_reaches(shared, slot, seat, here, leaves, quad, strategy, size)
            cuda.syncthreads()
            if thread < U(size_of_lanes):
                sum_cards(shared, slot, card, order, board)
            cuda.syncthreads()
            sum_hands(shared, slot, sums, stretch)
            cuda.syncthreads()
            fetch_4(total, _NONE, shared, _FOUR * (sums + last_sum), _ZEROTH)
            fetch_4(fold, _NONE, leaves.fold, _FOUR * quad, _ZEROTH)
            fetch_4(show, _NONE, leaves.show, _FOUR * quad, _ZEROTH)
            for k in range(LEAVES):
                fetch_4(factors, _FOUR * U(k), leaves.factors, _HALF * quad + _FOUR * U(k), _ZEROTH)
            pay, found = Payoff(fold, show, factors), LeafSums(slot, card, total)
            shows = (show[0] & show[1] & show[2] & show[3]) >= 0
            i, first = thread, board * _FIVE * hands
            while i < written:
                places = places_of(order, first + min(i, n - _ONE), hands)
                write_values(value, pay, out + i, i < n, shared, found, places, shows)
                i += threads
            quad += _ONE
            cuda.syncthreads()

    return _settle


_settlers = {threads: gpu_kernel(_settler(threads), registers=80) for threads in BLOCKS}


def settle(threads: int) -> Any:
    """Return the kernel that evaluates all terminals, for blocks of one of BLOCKS threads."""
    return _settlers[threads]
