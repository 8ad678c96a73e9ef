"""Walker's alias tables: drawing one of n outcomes costs the same for 3 of them and for 28,561.

A draw falls on each of n places equally often; it stays there with probability `keep` and else goes to
`alias`. So every outcome gets its probability.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt


def fill_alias_table(
    shares: npt.NDArray[np.float64], start: int, keep: npt.NDArray[np.float64], alias: npt.NDArray[Any]
) -> None:
    """Write the table of n outcomes to the places from `start` on (Vose's construction).

    shares: [n] float64, n times each probability; keep: float64 and alias: ints, which hold 1 and the place
    itself before.
    """
    left = shares.tolist()
    poor = [place for place, share in enumerate(left) if share < 1.0]
    rich = [place for place, share in enumerate(left) if share >= 1.0]
    while poor and rich:
        low, high = poor.pop(), rich[-1]
        keep[start + low], alias[start + low] = left[low], start + high
        left[high] -= 1.0 - left[low]
        if left[high] < 1.0:
            poor.append(rich.pop())
