"""Counter-based randomness: every random number is a function of (seed, iteration, stream, counter).

A checkpoint therefore needs no generator state, and a run split over any number of workers draws the
same numbers. The mixing function is SplitMix64's finaliser (Steele, Lea & Flood 2014), applied once to
each word of the key and once to each draw.
"""

from __future__ import annotations

import numpy as np

from overbet.kernels.jit import lean_inlined

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_MIX1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX2 = np.uint64(0x94D049BB133111EB)
_SHIFT30, _SHIFT27, _SHIFT31 = np.uint64(30), np.uint64(27), np.uint64(31)
_SHIFT11, _SHIFT32 = np.uint64(11), np.uint64(32)
_UNIT = 1.0 / 9007199254740992.0  # 2**-53


@lean_inlined
def mix(x: np.uint64) -> np.uint64:
    """Return a well-mixed 64-bit word."""
    x = (x ^ (x >> _SHIFT30)) * _MIX1
    x = (x ^ (x >> _SHIFT27)) * _MIX2
    return x ^ (x >> _SHIFT31)


@lean_inlined
def stream_key(seed: int, iteration: int, stream: int) -> np.uint64:
    """Return the key of one stream of numbers: a traversal, a deal, a worker's block."""
    key = mix(np.uint64(seed) + _GOLDEN)
    key = mix(key ^ (np.uint64(iteration) + _GOLDEN))
    return mix(key ^ (np.uint64(stream) + _GOLDEN))


@lean_inlined
def draw(key: np.uint64, counter: int) -> np.uint64:
    """Return the `counter`-th 64-bit word of the stream `key`."""
    return mix(key + np.uint64(counter) * _GOLDEN)


@lean_inlined
def uniform(key: np.uint64, counter: int) -> float:
    """Return the `counter`-th number of the stream, uniform in [0, 1)."""
    return float(draw(key, counter) >> _SHIFT11) * _UNIT


@lean_inlined
def below(key: np.uint64, counter: int, n: int) -> np.int64:
    """Return the `counter`-th integer of the stream, uniform in 0..n-1 (bias under n / 2**32)."""
    return np.int64(((draw(key, counter) >> _SHIFT32) * np.uint64(n)) >> _SHIFT32)
