"""Arrays that begin where a cache line begins.

Kernels read and write whole rows of sixteen floats. A row that lies across two lines of the cache takes two
reads, and twice as long; numpy's own arrays begin 16 bytes into a line, so that every row of them would.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt

LINE = 64  # bytes of a cache line


def zeros(shape: int | tuple[int, ...], dtype: npt.DTypeLike) -> npt.NDArray[Any]:
    """Return an array of zeros whose first entry begins a cache line. Its memory is taken when it is used."""
    kind = np.dtype(dtype)
    size = math.prod(shape) if isinstance(shape, tuple) else int(shape)
    raw = np.zeros(size * kind.itemsize + LINE, np.uint8)
    begin = -raw.ctypes.data % LINE
    return raw[begin : begin + size * kind.itemsize].view(kind).reshape(shape)
