"""Strategies in fewer bytes: shares in whole 17ths, say, instead of whole 255ths.

A levels-th is a whole number of 255ths, so a rounded row is stored and read as any other is; only the file is
smaller, as fewer different bytes pack better. Rows that were never reached stay all zeros.
"""

from __future__ import annotations

from typing import get_args

import numpy as np
import numpy.typing as npt

from overbet.blueprint.config import Levels
from overbet.errors import ConfigError, quoted
from overbet.kernels.training.rounding import round_rows
from overbet.kernels.training.store import WHOLE

Bytes = npt.NDArray[np.uint8]
LEVELS: tuple[int, ...] = get_args(Levels)  # the divisors of 255 from 3 on


def check_levels(levels: int) -> None:
    """Refuse shares that are no whole number of 255ths."""
    if levels not in LEVELS:
        known = f"{', '.join(map(str, LEVELS[:-1]))} or {LEVELS[-1]}"
        raise ConfigError(
            f"shares cannot be rounded to {quoted(levels)} levels; use {known} (more are finer)"
        )


def rounded_rows(
    record: npt.NDArray[np.int64], buckets: tuple[int, ...], strategy: Bytes, levels: int
) -> Bytes:
    """Return rows of 255ths in whole `levels`-ths: [entries], a new array of multiples of 255 // levels.

    record: of the tree, for these numbers of buckets; strategy: [entries], rows that add up to 255 or 0.
    """
    check_levels(levels)
    out = np.zeros_like(strategy)
    round_rows(record, np.array(buckets, np.int64), strategy, WHOLE // levels, out)
    return out


def mean_change(before: Bytes, after: Bytes) -> float:
    """Return how far a row moves: half the sum of its shares' changes, the mean over all that were reached.

    before, after: [entries], rows of 255ths. A reached row adds up to 255, so its place need not be known.
    """
    reached = int(before.sum(dtype=np.int64)) / WHOLE
    moved = int((np.maximum(before, after) - np.minimum(before, after)).sum(dtype=np.int64)) / WHOLE
    return moved / 2 / reached if reached else 0.0
