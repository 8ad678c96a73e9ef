"""Average strategies in 8 bits: each row's shares as whole 255ths that add up to 255."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from overbet.kernels.jit import inlined, kernel
from overbet.kernels.sampling.rows import total_of
from overbet.kernels.training.numbers import STRIDE, average_slot
from overbet.kernels.training.record import count_of, head_of, is_end, row_at, street_of

WHOLE = 255


@inlined
def _shared_out(table: Any, row: Any, count: Any, out: Any, at: Any) -> bool:
    """Write a row's average to out[at : at + count]; return whether it was ever reached."""
    total = total_of(table, average_slot(row), STRIDE, count)
    if total <= 0.0:
        for a in range(count):
            out[at + a] = 0
        return False
    left = WHOLE
    for a in range(count):
        share = int(table[average_slot(row + a)] / total * WHOLE)
        out[at + a] = share
        left -= share
    for _ in range(left):
        most, lost = 0, -1.0e9
        for a in range(count):
            short = table[average_slot(row + a)] / total * WHOLE - out[at + a]
            if short > lost:
                most, lost = a, short
        out[at + most] += 1
    return True


@kernel
def quantise(record: npt.NDArray[np.int64], table: Any, buckets: npt.NDArray[np.int64], out: Any) -> int:
    """Write the average of every row to out: [entries] uint8; return how many rows were never reached.

    What rounding down leaves goes to the actions that lost most by it. A row never reached is all zeros.
    """
    missing = 0
    for n in range(len(record)):
        head = head_of(record, n)
        if is_end(head):
            continue
        for bucket in range(buckets[street_of(head)]):
            row = row_at(record, n, bucket)
            missing += not _shared_out(table, row, count_of(head), out, row)
    return missing


@kernel
def quantise_rows(rows: npt.NDArray[np.int64], table: Any, width: int, out: Any) -> int:
    """Do so for the given rows of a keyed table, `width` actions each; out: [rows, width] uint8."""
    missing, flat = 0, out.reshape(out.size)
    for place in range(len(rows)):
        missing += not _shared_out(table, rows[place] * width, width, flat, place * width)
    return missing
