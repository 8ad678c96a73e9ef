"""Fewer buckets out of many: groups of the buckets of a file, so that a small game needs no file of its own.

Flop and turn buckets are put together by the distributions they stand for: again and again the two groups
whose merging costs least become one, the cost being how far apart their centres lie (earth mover's distance)
times the hands this moves (Ward's rule with that distance). River buckets, which are runs of equities, are
put together in runs. All sums are of whole numbers, so that every machine finds the same groups, whose hash a
blueprint keeps. Half a second for 1,000 buckets.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from overbet.abstraction.buckets import Buckets, Table
from overbet.errors import ConfigError

Counts = tuple[int, int, int]
Labels = npt.NDArray[np.uint16]

_FINER = 256  # parts that a unit of a centre is cut in: means of centres are whole numbers of them


def grouped(buckets: Buckets, counts: Counts) -> Buckets:
    """Return buckets with so many groups on flop, turn and river, numbered from weak to strong."""
    for street, asked, there in zip(("flop", "turn", "river"), counts, buckets.counts[1:]):
        if not 1 <= asked <= there:
            raise ConfigError(f"cards.groups: {asked:,} {street} groups of {there:,} buckets cannot be made")
    if any(buckets.config.classes_of(street) > 1 for street in ("flop", "turn", "river")):
        raise ConfigError(
            "cards.groups: buckets that know classes of boards are not put together; leave it out"
        )
    flop, turn, river = (
        _labels(buckets, street, asked) for street, asked in zip(("flop", "turn", "river"), counts)
    )
    centres = None
    if buckets.centres is not None:
        weights = (
            np.bincount(buckets.flop, minlength=len(flop)),
            np.bincount(buckets.turn, minlength=len(turn)),
        )
        centres = (
            _means(buckets.centres[0], weights[0], flop, counts[0]),
            _means(buckets.centres[1], weights[1], turn, counts[1]),
        )
    return Buckets(
        buckets.config.model_copy(update=dict(zip(("flop", "turn", "river"), counts))),
        flop[buckets.flop],
        turn[buckets.turn],
        river[buckets.river_rule],
        river[buckets.river] if buckets.has_river_table else buckets.river,
        centres,
        buckets.report,
    )


def merged(centres: npt.NDArray[Any], weights: npt.NDArray[np.int64], groups: int) -> Labels:
    """Return the group of every row: [n] uint16, numbered by falling sums of their centres.

    centres: [n, d] whole numbers, cumulative histograms; weights: [n], the hands of each row.
    """
    count = len(centres)
    weight = np.maximum(weights.astype(np.int64), 1)
    sums = centres.astype(np.int64) * weight[:, None]
    means = _FINER * sums // weight[:, None]
    cost = np.full((count, count), np.inf)
    for row in range(count):
        cost[row, :row] = _costs(means, weight, row)[:row]  # only below the diagonal: a pair stands once
    labels = np.arange(count)
    for _ in range(count - groups):
        high, low = divmod(int(cost.argmin()), count)  # high > low
        labels[labels == high] = low
        sums[low] += sums[high]
        weight[low] += weight[high]
        means[low] = _FINER * sums[low] // weight[low]
        cost[high, :] = cost[:, high] = np.inf
        left = np.unique(labels)
        to = _costs(means, weight, low)
        cost[low, left[left < low]] = to[left[left < low]]
        cost[left[left > low], low] = to[left[left > low]]
    left = np.unique(labels)
    order = left[np.argsort(-means[left].sum(1), kind="stable")]
    number = np.zeros(count, np.uint16)
    number[order] = np.arange(groups)
    return number[labels]


def runs(count: int, groups: int) -> Labels:
    """Return groups of neighbours, of as equal a length as can be: [count] uint16."""
    return (np.arange(count) * groups // count).astype(np.uint16)


def _labels(buckets: Buckets, street: str, groups: int) -> Labels:
    count: int = getattr(buckets.config, street)
    if street == "river" or buckets.centres is None:
        return runs(count, groups)
    table: Table = getattr(buckets, street)
    centres = buckets.centres[0 if street == "flop" else 1]
    return merged(centres, np.bincount(table, minlength=count), groups)


def _costs(means: npt.NDArray[np.int64], weight: npt.NDArray[np.int64], row: int) -> npt.NDArray[np.float64]:
    """Return what merging a row with every other one costs: [n] float64."""
    apart = np.abs(means - means[row]).sum(1)
    moved = (weight * weight[row]) / (weight + weight[row]).astype(np.float64)
    costs: npt.NDArray[np.float64] = moved * apart
    return costs


def _means(
    centres: npt.NDArray[Any], weights: npt.NDArray[np.int64], labels: Labels, groups: int
) -> npt.NDArray[Any]:
    """Return the mean centre of every group, of the centres' type."""
    weight = np.maximum(weights, 1)
    total = np.zeros((groups, centres.shape[1]), np.int64)
    held = np.zeros(groups, np.int64)
    np.add.at(total, labels, centres.astype(np.int64) * weight[:, None])
    np.add.at(held, labels, weight)
    means: npt.NDArray[Any] = (total // held[:, None]).astype(centres.dtype)
    return means
