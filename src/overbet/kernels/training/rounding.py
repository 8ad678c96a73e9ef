"""Rounding stored strategies: rows of 255ths to multiples of a unit that still add up to 255."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from overbet.kernels.jit import inlined, kernel
from overbet.kernels.training.record import count_of, head_of, is_end, row_at, street_of


@inlined
def _round_row(strategy: Any, unit: Any, row: Any, count: Any, out: Any) -> None:
    """Write a row's shares in whole units to out[row : row + count]."""
    left = np.int64(0)
    for a in range(row, row + count):
        over = np.int64(strategy[a]) % unit
        out[a] = np.int64(strategy[a]) - over
        left += over
    # a share that got its unit has lost nothing any more: it is not chosen twice
    for _ in range(left // unit):
        most, lost = row, np.int64(0)
        for a in range(row, row + count):
            short = np.int64(strategy[a]) - np.int64(out[a])
            if short > lost:
                most, lost = a, short
        out[most] += unit


@kernel
def round_rows(
    record: npt.NDArray[np.int64], buckets: npt.NDArray[np.int64], strategy: Any, unit: int, out: Any
) -> None:
    """Write every row in multiples of `unit` to out: [entries] uint8.

    record: [node, 4] int64, as `quantise` reads it; buckets: [4] int64; strategy: [entries] uint8, rows that
    add up to 255 or are all zeros; unit: it divides 255. What rounding down leaves goes to the actions that
    lost most by it, so a share moves by less than one unit.
    """
    for n in range(len(record)):
        head = head_of(record, n)
        if is_end(head):
            continue
        for bucket in range(buckets[street_of(head)]):
            _round_row(strategy, unit, row_at(record, n, bucket), count_of(head), out)
