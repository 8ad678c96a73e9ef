"""The order in which a depth-first walk meets the nodes of a betting tree."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from overbet.kernels.jit import kernel


@kernel
def preorder(
    player: npt.NDArray[np.int8], first: npt.NDArray[np.int32], children: npt.NDArray[np.int8]
) -> npt.NDArray[np.int64]:
    """Return the number of each node in that order: [N] int64. Children have larger numbers than parents."""
    size, order = np.ones(len(player), np.int64), np.zeros(len(player), np.int64)
    for n in range(len(player) - 1, -1, -1):
        if player[n] >= 0:
            for child in range(first[n], first[n] + children[n]):
                size[n] += size[child]
    for n in range(len(player)):
        if player[n] >= 0:
            at = order[n] + 1
            for child in range(first[n], first[n] + children[n]):
                order[child] = at
                at += size[child]
    return order
