"""Information sets by 64-bit keys, and the open-addressing table that finds their rows.

A key is a hash of (street, position, players in the hand, class or bucket, board texture, pot, price, last
raise, raises on the street, number of actions). The way the betting came there is not in it: lines that lead
to the same numbers share a row, which is what makes six to nine players possible. The number of actions
keeps rows of different width apart. Two information sets get the same key by accident once in 2^64 pairs.

The table is cut into segments; a key belongs to one of them by its high half and is looked for from a place
given by its low half, one place after the other. Threads claim an empty place with a compare-and-swap, and
in the deterministic mode each segment is filled by one thread in the order of the log.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic

from overbet.kernels.holdem.layout import (
    ACTIVE,
    ACTOR,
    LAST_RAISE,
    PLAYERS,
    POT,
    STREET,
    TO_CALL,
)
from overbet.kernels.jit import kernel, lean_inlined
from overbet.kernels.rng import mix
from overbet.kernels.training.numbers import STRIDE, ease_row, regret_slot
from overbet.kernels.vector.lanes import data_of

FULL = -1
_MISSING = -2
_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_HALF, _LOW = np.uint64(32), np.uint64(0xFFFFFFFF)
_NONE, _ONE = np.uint64(0), np.uint64(1)


class KeyedTable(NamedTuple):
    """C rows of W actions in S segments of equal length.

    keys:    [C] uint64    0 where a row is free
    numbers: [2 * C * W] float32 or int32   regret and average of an action side by side
    taken:   [S] int64     rows in use by segment
    width:   int           W
    """

    keys: npt.NDArray[np.uint64]
    numbers: Any
    taken: npt.NDArray[np.int64]
    width: int


@intrinsic
def _claim(typingctx: Any, array: Any, index: Any = None, value: Any = None) -> Any:
    """Put `value` where array[index] is 0, in one step among threads; return what was there."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        data = data_of(context, builder, signature.args[0], arguments[0], arguments[1])
        place = builder.gep(data, [arguments[1]])
        nothing = ir.Constant(ir.IntType(64), 0)
        found = builder.cmpxchg(place, nothing, arguments[2], "monotonic", "monotonic")
        return builder.extract_value(found, 0)

    return types.uint64(array, types.intp, types.uint64), generate


@intrinsic
def _count_up(typingctx: Any, array: Any, index: Any = None) -> Any:
    """Add 1 to array[index], in one step among threads."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        data = data_of(context, builder, signature.args[0], arguments[0], arguments[1])
        place = builder.gep(data, [arguments[1]])
        builder.atomic_rmw("add", place, ir.Constant(ir.IntType(64), 1), "monotonic")
        return context.get_dummy_value()

    return types.void(array, types.intp), generate


@lean_inlined
def segment_of(table: KeyedTable, key: Any) -> Any:
    """Return the segment a key belongs to."""
    return np.int64(((key >> _HALF) * np.uint64(len(table.taken))) >> _HALF)


@lean_inlined
def find_row(table: KeyedTable, key: Any) -> Any:
    """Return the row of a key, or a negative number where it has none."""
    keys = table.keys
    length = np.int64(len(keys) // len(table.taken))
    first = segment_of(table, key) * length
    at = np.int64(((key & _LOW) * np.uint64(length)) >> _HALF)
    for _ in range(length):
        held = keys[first + at]
        if held == key:
            return first + at
        if held == _NONE:
            return np.int64(_MISSING)
        at += 1
        if at == length:
            at = np.int64(0)
    return np.int64(FULL)


@lean_inlined
def give_row(table: KeyedTable, key: Any) -> Any:
    """Return the row of a key, a free one where it had none, or `FULL`."""
    keys = table.keys
    length = np.int64(len(keys) // len(table.taken))
    segment = segment_of(table, key)
    first = segment * length
    at = np.int64(((key & _LOW) * np.uint64(length)) >> _HALF)
    for _ in range(length):
        held = keys[first + at]
        if held == _NONE:
            held = _claim(keys, first + at, key)
            if held == _NONE:
                _count_up(table.taken, segment)
                return first + at
        if held == key:
            return first + at
        at += 1
        if at == length:
            at = np.int64(0)
    return np.int64(FULL)


@lean_inlined
def first_entry(table: KeyedTable, row: Any) -> Any:
    """Return the first entry of a row; its numbers stand as in a dense table."""
    return row * table.width


@lean_inlined
def _binned(chips: Any, edges: Any) -> Any:
    """Return how many of the ascending edges [n] int64 are not above `chips`; without edges, the chips."""
    if len(edges) == 0:
        return np.uint64(chips)
    low, high = 0, len(edges)
    while low < high:
        middle = (low + high) // 2
        if edges[middle] <= chips:
            low = middle + 1
        else:
            high = middle
    return np.uint64(low)


@lean_inlined
def information_key(state: Any, level: Any, count: Any, bucket: Any, texture: Any, edges: Any) -> Any:
    """Return the key of the player to act; level: raises on the street; count: actions there are."""
    active, standing = state[ACTIVE], 0
    for player in range(state[PLAYERS]):
        standing += active >> player & 1
    word = state[STREET] | state[ACTOR] << 2 | standing << 6 | level << 10 | count << 16 | texture << 24
    key = mix((np.uint64(word) | np.uint64(bucket) << _HALF) + _GOLDEN)
    key = mix(key ^ (_binned(state[POT], edges) + _GOLDEN))
    key = mix(key ^ (_binned(state[TO_CALL], edges) + _GOLDEN))
    key = mix(key ^ (_binned(state[LAST_RAISE], edges) + _GOLDEN))
    return max(key, _ONE)


@kernel
def keys_of_buckets(
    state: npt.NDArray[np.int64], level: int, count: int, texture: int, edges: Any, out: Any
) -> None:
    """Write the keys of buckets 0, 1, ... at a decision to out: [buckets] uint64."""
    for bucket in range(len(out)):
        out[bucket] = information_key(state, level, count, bucket, texture, edges)


@kernel
def board_texture(cards: npt.NDArray[np.int8], first: int, street: int) -> int:
    """Return one of nine kinds of boards: how many of a suit, and whether ranks repeat; 0 before the flop.

    cards: the board from place `first` on. Suits: on the flop and turn 1, 2 or at least 3 of one suit, on the
    river at most 2, 3, or at least 4. Ranks: all different, one pair, or more than that.
    """
    if street == 0:
        return 0
    suits, ranks = np.int64(0), np.int64(0)
    most: Any = np.int64(0)
    repeats: Any = np.int64(0)
    for place in range(first, first + street + 2):
        suit, rank = np.int64(cards[place]) & 3, np.int64(cards[place]) >> 2
        suits += np.int64(1) << 4 * suit
        most = max(most, suits >> 4 * suit & 15)
        repeats += ranks >> rank & 1
        ranks |= np.int64(1) << rank
    suited = min(max(most - (2 if street == 3 else 1), 0), 2)
    return int(suited + 3 * min(repeats, 2))


@kernel
def keyed_progress(table: KeyedTable, low: int, high: int) -> tuple[int, float]:
    """Of rows low .. high-1 return how many are in use, and the sum of their positive regrets."""
    rows, total = 0, 0.0
    for row in range(low, high):
        if table.keys[row] != _NONE:
            rows += 1
            for a in range(table.width):
                total += max(table.numbers[regret_slot(first_entry(table, row) + a)], 0)
    return rows, total


@kernel
def ease_keyed_rows(table: KeyedTable) -> None:
    """Halve the averages of int32 rows that have grown large (see `numbers.ease_row`)."""
    for row in range(len(table.keys)):
        if table.keys[row] != _NONE:
            ease_row(table.numbers, first_entry(table, row), table.width)


@kernel
def move_rows(keys: Any, numbers: Any, table: KeyedTable) -> bool:
    """Put the rows of other arrays into an empty table, in their order; return whether there was room."""
    for row in range(len(keys)):
        if keys[row] != _NONE:
            place = give_row(table, keys[row])
            if place < 0:
                return False
            here, there = regret_slot(first_entry(table, place)), regret_slot(first_entry(table, row))
            for number in range(STRIDE * table.width):
                table.numbers[here + number] = numbers[there + number]
    return True
