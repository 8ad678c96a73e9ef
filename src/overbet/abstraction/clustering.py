"""Groups of hands: optimal cuts of scores, and k-medians of histograms with k-means++ and restarts.

The kernels are `overbet.kernels.clustering`. Groups are numbered from the weakest hands to the strongest.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from overbet.errors import ConfigError
from overbet.kernels import clustering as kernels

Rows = npt.NDArray[np.uint8] | npt.NDArray[np.uint16]
Progress = Callable[[int, int], None]

_FAR = np.iinfo(np.int32).max
_BLOCK = 1 << 15
_POLISH = 3  # passes over all rows after the passes over the sample
_SETTLED = 1e-4  # a pass that lowers the error by less than this share is the last


@dataclass(frozen=True)
class Clusters:
    """Centres [k, d] of the rows' type, weakest first; labels: [n] uint16; the weighted mean distance."""

    centres: Rows
    labels: npt.NDArray[np.uint16]
    distances: npt.NDArray[np.int32]
    mean_distance: float


def cut_scores(weights: npt.NDArray[np.int64], groups: int) -> npt.NDArray[np.uint16]:
    """Return the group of every score: [score] uint16, ascending, of least weighted squared error.

    weights: [score] int64, how many situations have it; scores that none has join the group above.
    """
    seen = np.flatnonzero(weights)
    if groups > len(seen):
        raise ConfigError(
            f"{groups:,} buckets are more than the {len(seen):,} strengths there are; ask for fewer"
        )
    begins = kernels.cut_line(seen.astype(np.float64), weights[seen].astype(np.float64), groups)
    firsts = seen[begins[1:] - 1] + 1  # right after the last score of the group below
    return np.searchsorted(firsts, np.arange(len(weights)), side="right").astype(np.uint16)
