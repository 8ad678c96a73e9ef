"""What a shard learned: the numbers of a table that changed, packed, and how they are added to another table.

A shard walks from the same tables as all others of its epoch and gives back differences. Dense tables: one
bit for each number that says whether it changed, and the differences of those that did; where nearly all
changed the bits are left out. Keyed tables: the keys of rows that changed and the differences of their
numbers, for a new row may stand elsewhere in another table. Both are far smaller than the table where a shard
met little of it.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from overbet.kernels.training.numbers import FIXED_UNIT, MOST

Numbers = npt.NDArray[Any]  # float32 or int32
_STRETCH = 1 << 20  # numbers looked at together: a multiple of 8 that stays in the second-level cache


class Learned(NamedTuple):
    """mask: packed bits [ceil(numbers / 8)] uint8 or, of keyed tables, keys [rows] uint64; None: all.

    values: [changed] of the table's kind, or [rows, 2 * actions].
    """

    mask: npt.NDArray[Any] | None
    values: Numbers

    @property
    def nbytes(self) -> int:
        """The bytes that travel."""
        return self.values.nbytes + (0 if self.mask is None else self.mask.nbytes)


def differences(table: Numbers, base: Numbers) -> Learned:
    """Return what was added to `base` to make `table`: [n] each."""
    bits, values = [], []
    for first in range(0, len(table), _STRETCH):
        part = slice(first, first + _STRETCH)
        gap = _gap(table[part], base[part])
        changed = gap != 0
        bits.append(np.packbits(changed))
        values.append(gap[changed])
    found = Learned(np.concatenate(bits), np.concatenate(values))
    if found.nbytes < table.nbytes:
        return found
    return Learned(None, _gap(table, base))


def add(table: Numbers, learned: Learned) -> None:
    """Add differences to a table in place."""
    if learned.mask is None:
        for first in range(0, len(table), _STRETCH):
            part = slice(first, first + _STRETCH)
            table[part] = _sum(table[part], learned.values[part])
        return
    used = 0
    for first, changed in _stretches(table, learned.mask):
        here = table[first : first + _STRETCH]
        count = int(np.count_nonzero(changed))
        here[changed] = _sum(here[changed], learned.values[used : used + count])
        used += count


def taken(table: Numbers, mask: npt.NDArray[np.uint8] | None) -> Learned:
    """Return the numbers themselves of a table where a mask says so."""
    if mask is None:
        return Learned(None, table.copy())
    values = [table[first : first + _STRETCH][on] for first, on in _stretches(table, mask)]
    return Learned(mask, np.concatenate(values))


def put(table: Numbers, learned: Learned) -> None:
    """Put numbers of `taken` into another table in place."""
    if learned.mask is None:
        table[:] = learned.values
        return
    used = 0
    for first, changed in _stretches(table, learned.mask):
        count = int(np.count_nonzero(changed))
        table[first : first + _STRETCH][changed] = learned.values[used : used + count]
        used += count


def row_differences(keys: npt.NDArray[np.uint64], table: Numbers, base: Numbers, width: int) -> Learned:
    """Return the rows of `width` actions that changed since `base`, where every row stood in its place."""
    found_keys, values = [], []
    each = max(_STRETCH // (2 * width), 1)
    for first in range(0, len(keys), each):
        rows = slice(first, first + each)
        part = slice(2 * width * first, 2 * width * (first + each))
        gap = _gap(table[part], base[part]).reshape(-1, 2 * width)
        changed = gap.any(1)
        found_keys.append(keys[rows][changed])
        values.append(gap[changed])
    return Learned(np.concatenate(found_keys), np.concatenate(values))


def add_rows(table: Numbers, rows: npt.NDArray[np.int64], values: Numbers) -> None:
    """Add differences [R, 2 * actions] to rows of a keyed table, each of them once in `rows`: [R] int64."""
    held = table.reshape(-1, values.shape[1])
    held[rows] = _sum(held[rows], values)


def keep_above(table: Numbers, entries: int, floor: float) -> None:
    """Raise regrets under the rule's floor to it: shards kept to it each for itself."""
    least = floor * FIXED_UNIT if table.dtype == np.int32 else floor
    if table.dtype == np.int32 and least < -MOST:
        return
    if np.isfinite(least):
        regrets = table[: 2 * entries : 2]
        np.maximum(regrets, table.dtype.type(least), out=regrets)


def _stretches(table: Numbers, mask: npt.NDArray[np.uint8]) -> Any:
    """Yield (first, changed: [stretch] bool) over a table."""
    for first in range(0, len(table), _STRETCH):
        count = min(_STRETCH, len(table) - first)
        bits = mask[first // 8 : (first + count + 7) // 8]
        yield first, np.unpackbits(bits, count=count).view(np.bool_)


def _gap(one: Numbers, other: Numbers) -> Numbers:
    if one.dtype == np.int32:  # the ends of the range are 2^32 apart
        return np.clip(one.astype(np.int64) - other, -MOST, MOST).astype(np.int32)
    found: Numbers = one - other
    return found


def _sum(one: Numbers, other: Numbers) -> Numbers:
    if one.dtype == np.int32:
        return np.clip(one.astype(np.int64) + other, -MOST, MOST).astype(np.int32)
    found: Numbers = one + other
    return found
