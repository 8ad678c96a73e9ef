"""Average strategies in 8 bits: each row's shares as whole 255ths that add up to 255."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from overbet.kernels.jit import kernel

WHOLE = 255


@kernel
def quantise(record: npt.NDArray[np.int64], table: Any, buckets: npt.NDArray[np.int64], out: Any) -> int:
    """Write the average of every row to out: [entries] uint8; return how many rows were never reached.

    What rounding down leaves goes to the actions that lost most by it. A row never reached is all zeros.
    """
    missing = 0
    for n in range(len(record)):
        head = record[n, 0]
        if head < 0:
            continue
        count = head >> 16
        for bucket in range(buckets[head >> 8 & 255]):
            row = record[n, 2] + record[n, 3] * bucket
            total = 0.0
            for a in range(count):
                total += table[2 * (row + a) + 1]
            if total <= 0.0:
                missing += 1
                for a in range(count):
                    out[row + a] = 0
                continue
            left = WHOLE
            for a in range(count):
                share = int(table[2 * (row + a) + 1] / total * WHOLE)
                out[row + a] = share
                left -= share
            for _ in range(left):
                most, lost = 0, -1.0e9
                for a in range(count):
                    short = table[2 * (row + a) + 1] / total * WHOLE - out[row + a]
                    if short > lost:
                        most, lost = a, short
                out[row + most] += 1
    return missing
