"""Tables of 16-bit integers with a scale for every 64 entries: half the memory of float32.

A block of 64 neighbouring entries (hands of one row, for the most part) is stored as integers between -32767
and 32767, times the block's largest magnitude / 32767. With one scale a node, as is common, small regrets
vanish beside large ones and the solve stalls; a scale per block loses one part in 65,000 of the block's
largest entry.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from overbet.kernels.jit import fast_kernel

BLOCK = 64
_LARGEST = np.float32(32767.0)

Floats = npt.NDArray[np.float32]
Packed = npt.NDArray[np.int16]


@fast_kernel
def unpack(packed: Packed, scales: Floats, start: int, count: int, out: Floats) -> None:
    """out[:count] = the entries start .. start + count - 1; start a multiple of BLOCK."""
    first, block, done = np.uint64(start), np.uint64(BLOCK), np.uint64(0)
    left = np.uint64(count)
    while done < left:
        scale = scales[(first + done) // block]
        for k in range(min(block, left - done)):
            out[done + k] = np.float32(packed[first + done + k]) * scale
        done += block


@fast_kernel
def pack(values: Floats, count: int, packed: Packed, scales: Floats, start: int) -> None:
    """Store values[:count] as the entries start .. start + count - 1; start a multiple of BLOCK."""
    first, block, done = np.uint64(start), np.uint64(BLOCK), np.uint64(0)
    left = np.uint64(count)
    zero, half = np.float32(0.0), np.float32(0.5)
    while done < left:
        size = min(block, left - done)
        largest = zero
        for k in range(size):
            largest = max(largest, abs(values[done + k]))
        scales[(first + done) // block] = largest / _LARGEST
        factor = _LARGEST / largest if largest > zero else zero
        for k in range(size):
            packed[first + done + k] = np.int16(np.floor(values[done + k] * factor + half))
        done += block
