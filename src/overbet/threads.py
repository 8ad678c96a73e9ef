"""Work on many things of one kind, a part of them on each thread; kernels and NumPy let others run."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

import numpy as np


def in_parts(work: Callable[[slice], None], count: int, threads: int, least: int) -> None:
    """Call work(slice) for parts of `count` things at once, none smaller than `least` but the whole."""
    parts = max(1, min(threads, count // least))
    if parts == 1:
        work(slice(0, count))
        return
    edges = np.linspace(0, count, parts + 1).astype(int).tolist()
    with ThreadPoolExecutor(parts) as pool:
        for done in [pool.submit(work, slice(a, b)) for a, b in pairwise(edges)]:
            done.result()
