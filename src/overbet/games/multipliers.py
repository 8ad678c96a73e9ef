"""How the prize of an Expresso is drawn: multiples of the buy-in and how often each comes.

The table is that of the 1-dollar Spin & Go as PokerStars published it in September 2014; other sites, stakes
and years have others. Of three buy-ins 2.773 come back as prizes; the rest is the site's.
"""

from __future__ import annotations

import numpy as np

from overbet.kernels.rng import stream_key, uniform

OUT_OF = 100_000
# multiplier -> how many of 100,000 tournaments
MULTIPLIERS: tuple[tuple[int, int], ...] = (
    (2, 77_380),
    (4, 13_510),
    (6, 8_000),
    (10, 1_000),
    (25, 80),
    (100, 15),
    (200, 10),
    (1000, 5),
)
DRAWN_WORDS = "drawn as PokerStars published for its 1-dollar Spin & Go of 2014"
_STREAM = 41  # of a tournament's seed: no hand uses it


def draw_multiplier(seed: int) -> int:
    """Return the multiplier of the tournament with this seed."""
    left = float(uniform(np.uint64(stream_key(seed, 0, _STREAM)), 0)) * OUT_OF
    for multiplier, count in MULTIPLIERS:
        left -= count
        if left < 0:
            return multiplier
    return MULTIPLIERS[-1][0]


def mean_multiplier() -> float:
    """Return the mean of the multipliers drawn: what three buy-ins come back as."""
    return sum(multiplier * count for multiplier, count in MULTIPLIERS) / OUT_OF
