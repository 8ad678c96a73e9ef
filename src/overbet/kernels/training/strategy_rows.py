"""Looking at stored strategies: whether every row of 255ths adds up to 255, or was never reached."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from overbet.kernels.jit import kernel
from overbet.kernels.training.record import count_of, head_of, is_end, row_at, street_of
from overbet.kernels.training.store import WHOLE


@kernel
def first_bad_row(record: npt.NDArray[np.int64], buckets: npt.NDArray[np.int64], strategy: Any) -> int:
    """Return the first node with a row that adds up to neither 0 nor 255; -1 where there is none.

    record: [node, 4] int64, as `quantise` reads it; buckets: [4] int64; strategy: [entries] uint8.
    """
    for n in range(len(record)):
        head = head_of(record, n)
        if is_end(head):
            continue
        for bucket in range(buckets[street_of(head)]):
            row = row_at(record, n, bucket)
            total = np.int64(0)
            for a in range(count_of(head)):
                total += np.int64(strategy[row + a])
            if total not in (0, WHOLE):
                return n
    return -1
