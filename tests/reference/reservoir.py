"""Algorithm R, one thing at a time, with the same random numbers as the kernel."""

from __future__ import annotations

from overbet.kernels.rng import below


def kept_by(key: int, things: int, capacity: int) -> list[int]:
    """Return which things (0 .. things-1) lie in each place of the reservoir."""
    import numpy as np

    places: list[int] = []
    for n in range(things):
        if n < capacity:
            places.append(n)
            continue
        place = int(below(np.uint64(key), n, n + 1))
        if place < capacity:
            places[place] = n
    return places
