"""Building buckets: features, groups, tables, and a report of how well the groups fit.

The report says, for every street, how far hands are from the middle of their bucket (earth mover's distance
and spread of equity) and how much of all differences in equity the buckets keep; for every bucket its mean
equity, its share of all real hands and the spread of equity inside it.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from overbet.abstraction.board_classes import add_classes, class_of_boards, class_weights, river_table_of
from overbet.abstraction.bucket_config import STREETS, BucketsConfig
from overbet.abstraction.buckets import NEEDS_TABLE, Buckets, Centres, Table
from overbet.abstraction.clustering import Clusters, Rows, Search, cut_scores, k_medians
from overbet.abstraction.features import (
    Progress,
    distance_unit,
    flop_table,
    opponent_shares,
    opponent_table,
    score_weights,
    strengths,
    turn_table,
)
from overbet.cards.isomorphism import hand_isomorphism
from overbet.errors import ConfigError
from overbet.kernels.abstraction.clustering import sample_rows
from overbet.kernels.abstraction.features import LEVELS, RIVER_SCORES

Report = dict[str, Any]
Bytes = npt.NDArray[np.uint8]

_REPORTED = 2_000_000  # river hands that a report of buckets by opponents looks at


def build_buckets(
    config: BucketsConfig,
    progress: Progress | None = None,
    *,
    river_table: bool = True,
    base: Buckets | None = None,
) -> Buckets:
    """Return the buckets a config asks for; `progress(stage, done, total)` is called as it goes.

    The result depends on the config alone, not on the number of threads. Without `river_table` they are in
    the compact form. base: buckets that differ on the river only, whose flop and turn are taken over instead
    of built again.
    """
    if base is not None and not config.same_before_river(base.config):
        raise ConfigError("base: these buckets have another flop or turn; leave it out to build both anew")
    report: Report = {}
    river_class = np.empty(0, np.uint8)
    if config.opponents:
        if not river_table:
            raise ConfigError(NEEDS_TABLE)
        rule = np.empty(0, np.uint16)
        river, report["river"] = _by_opponents(config, progress)
    elif config.river_classes > 1:
        rule, river_class, report["river"] = _by_board(config, progress)
        river = river_table_of(rule, river_class, progress) if river_table else np.empty(0, np.uint16)
    else:
        rule, river, report["river"] = _by_equity(config, progress, river_table)
    centres: tuple[Centres, Centres] | None = None
    if base is not None:
        turn, flop, centres = base.turn, base.flop, base.centres
        report |= {street: base.report[street] for street in ("turn", "flop")}
    elif config.feature == "strength":
        turn, report["turn"] = _by_strength(config, "turn", progress)
        flop, report["flop"] = _by_strength(config, "flop", progress)
    else:
        turn, turn_centres, report["turn"] = _by_histogram(config, "turn", progress)
        flop, flop_centres, report["flop"] = _by_histogram(config, "flop", progress)
        centres = (flop_centres, turn_centres)
    return Buckets(config, flop, turn, rule, river, centres, report, river_class)


def _by_equity(
    config: BucketsConfig, progress: Progress | None, river_table: bool
) -> tuple[Table, Table, Report]:
    """Return the rule and the table (empty where not wanted) of river buckets by equity."""
    scores = np.empty(0, np.uint16)
    if river_table:
        scores, weights = strengths(5, progress, "river hands")
    else:
        weights = score_weights(5, progress, "river hands")
    rule = cut_scores(weights, config.river)
    return rule, rule[scores], _report_of_scores(weights, rule)


def _by_board(config: BucketsConfig, progress: Progress | None) -> tuple[Table, Bytes, Report]:
    """Return the rule of river buckets by class of the board and equity, [class * 1981], and the classes."""
    of_board = class_of_boards(5, config.river_classes, _search(config), progress)
    weights = class_weights(of_board, config.river_classes, progress)
    groups = config.river // config.river_classes
    rules = [cut_scores(own, groups) + np.uint16(k * groups) for k, own in enumerate(weights)]
    equities = np.tile(np.arange(RIVER_SCORES) / (RIVER_SCORES - 1), config.river_classes)
    rule = np.concatenate(rules)
    return rule, of_board, _report(rule, equities, weights.ravel().astype(np.float64), config.river)


def _by_opponents(config: BucketsConfig, progress: Progress | None) -> tuple[Table, Report]:
    """Return river buckets by equities against kinds of opponents; the report is of a sample of the hands."""
    rows, weights = opponent_table(config.opponents, progress)
    found = _grouped(config, rows, weights, "river", progress)
    some = sample_rows(len(rows), _REPORTED, config.seed)
    lost = rows[some].astype(np.float64) @ opponent_shares(config.opponents)
    equities = 1.0 - lost / LEVELS
    report = _report(found.labels[some], equities, weights[some].astype(np.float64), config.river)
    report["mean_emd"] = float(
        np.average(found.distances[some], weights=weights[some]) / LEVELS / rows.shape[1]
    )
    return found.labels, report


def _grouped(
    config: BucketsConfig, rows: Rows, weights: npt.NDArray[np.uint8], street: str, progress: Progress | None
) -> Clusters:
    def advance(done: int, total: int) -> None:
        if progress is not None:
            progress(f"{street} groups", done, total)

    groups = int(getattr(config, street)) // config.classes_of(street)
    return k_medians(rows, weights, groups, _search(config), advance)


def _search(config: BucketsConfig) -> Search:
    return Search(config.seed, config.restarts, config.sample, config.iterations)


def _with_boards(
    config: BucketsConfig, street: str, table: Table, progress: Progress | None
) -> tuple[Table, bool]:
    """Return the table with the classes of the boards in it, and whether there are any."""
    classes, board_cards = config.classes_of(street), STREETS.index(street) + 2
    if classes == 1:
        return table, False
    of_board = class_of_boards(board_cards, classes, _search(config), progress)
    groups = int(getattr(config, street)) // classes
    return add_classes(board_cards, of_board, groups, table), True


def _by_strength(config: BucketsConfig, street: str, progress: Progress | None) -> tuple[Table, Report]:
    """Return the buckets of a street by strength as the board lies."""
    scores, weights = strengths(STREETS.index(street) + 2, progress, f"{street} hands")
    rule = cut_scores(weights, int(getattr(config, street)) // config.classes_of(street))
    table, classed = _with_boards(config, street, rule[scores], progress)
    if not classed:
        return table, _report_of_scores(weights, rule)
    counts = hand_isomorphism(STREETS.index(street) + 2).counts(np.arange(len(table))).astype(np.float64)
    return table, _report(table, scores / (len(weights) - 1), counts, int(getattr(config, street)))


def _by_histogram(
    config: BucketsConfig, street: str, progress: Progress | None
) -> tuple[Table, Centres, Report]:
    """Return the buckets of a street by the cumulative histograms of its hands, and their centres."""
    rows: Rows
    rows, weights = (flop_table if street == "flop" else turn_table)(config.bins, progress)
    found = _grouped(config, rows, weights, street, progress)
    table, _ = _with_boards(config, street, found.labels, progress)
    unit = distance_unit(config.bins, 3 if street == "flop" else 4)
    equities, groups = mean_equities(rows, config.bins), int(getattr(config, street))
    report = _report(table, equities, weights.astype(np.float64), groups)
    report["mean_emd"] = float(np.average(found.distances, weights=weights) / unit)
    return table, found.centres, report


def mean_equities(rows: Rows, bins: int) -> npt.NDArray[np.float64]:
    """Return the mean of each cumulative histogram (of the river's, where there are two): [n] float64.

    It is the hand's equity, exact but for the width of a bin.
    """
    below: npt.NDArray[np.float64] = rows[:, :bins].sum(1, dtype=np.int64) / float(rows[0, bins - 1])
    return (bins - below + 0.5) / bins


def _report_of_scores(weights: npt.NDArray[np.int64], rule: Table) -> Report:
    """Return the report of a street whose buckets are runs of scores."""
    equities = np.arange(len(weights)) / (len(weights) - 1)
    return _report(rule, equities, weights.astype(np.float64), int(rule[-1]) + 1)


def _report(
    labels: Table, equities: npt.NDArray[np.float64], weights: npt.NDArray[np.float64], groups: int
) -> Report:
    """Return sizes and spreads; a hand is a label, an equity and a weight: [n] each."""
    size = np.bincount(labels, weights, groups)
    mean = np.bincount(labels, weights * equities, groups) / np.maximum(size, 1.0)
    inside = np.bincount(labels, weights * (equities - mean[labels]) ** 2, groups)
    total = size.sum()
    centre = float(np.dot(mean, size) / total)
    between = float(np.dot(size, (mean - centre) ** 2) / total)
    within = float(inside.sum() / total)
    return {
        "within_spread": within**0.5,
        "kept_variance": between / (between + within) if between + within else 1.0,
        "mean_equity": mean.round(5).tolist(),
        "share": (size / total).round(7).tolist(),
        "spread": np.sqrt(inside / np.maximum(size, 1.0)).round(5).tolist(),
    }
