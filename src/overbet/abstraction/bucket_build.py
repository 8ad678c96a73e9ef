"""Building buckets: features, groups, tables, and a report of how well the groups fit."""

from __future__ import annotations

import numpy as np

from overbet.abstraction.bucket_config import BucketsConfig
from overbet.abstraction.buckets import Buckets, Table
from overbet.abstraction.clustering import cut_scores
from overbet.abstraction.features import Progress, score_weights, strengths
from overbet.errors import ConfigError


def build_buckets(
    config: BucketsConfig, progress: Progress | None = None, *, river_table: bool = True
) -> Buckets:
    """Return the buckets a config asks for; `progress(stage, done, total)` is called as it goes.

    The result depends on the config alone, not on the number of threads.
    """
    if config.feature != "strength":
        raise ConfigError("buckets by histogram cannot be built yet; use feature strength")
    river = np.empty(0, np.uint16)
    if river_table:
        river, weights = strengths(5, progress, "river hands")
    else:
        weights = score_weights(5, progress, "river hands")
    rule = cut_scores(weights, config.river)
    river = rule[river]
    flop, turn = _by_strength(config, 3, progress), _by_strength(config, 4, progress)
    return Buckets(config, flop, turn, rule, river)


def _by_strength(config: BucketsConfig, board_cards: int, progress: Progress | None) -> Table:
    """Return the buckets of a street by strength as the board lies."""
    groups = config.flop if board_cards == 3 else config.turn
    table, weights = strengths(board_cards, progress, "flop hands" if board_cards == 3 else "turn hands")
    return cut_scores(weights, groups)[table]
