"""Groups of hands: optimal cuts of scores, and k-medians of histograms with k-means++ and restarts.

The kernels are `overbet.kernels.abstraction.clustering`. Groups are numbered from the weakest hands to the
strongest. Where rows are many, the restarts run on a sample, the best of them goes on over all rows, and
every row gets its own nearest centre.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from overbet import machine
from overbet.abstraction.features import over_blocks
from overbet.errors import ConfigError
from overbet.kernels.abstraction import clustering as kernels

Rows = npt.NDArray[np.unsignedinteger[Any]]  # uint8 or uint16
Weights = npt.NDArray[np.uint8]
Progress = Callable[[int, int], None]

_FAR = np.iinfo(np.int32).max
_BLOCK = 1 << 15
_POLISH = 3  # passes over all rows after those over the sample
_POLISH_ROWS = 1 << 25  # more rows than these are not worth the memory of it
_SETTLED = 1e-4  # a pass that lowers the error by less than this share is the last
_SEED_STREAM = 1 << 20  # restarts count from here; the sample's draws use stream 0


@dataclass(frozen=True)
class Clusters:
    """Groups of rows, weakest first.

    centres: [k, d] of the rows' type; labels: [n] uint16; distances: [n] int32, of each row to its centre.
    """

    centres: Rows
    labels: npt.NDArray[np.uint16]
    distances: npt.NDArray[np.int32]


@dataclass(frozen=True)
class Search:
    """How hard to look: seed, restarts on `sample` rows, and at most so many passes each."""

    seed: int = 0
    restarts: int = 4
    sample: int = 200_000
    iterations: int = 50


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


def k_medians(
    rows: Rows, weights: Weights, groups: int, search: Search, progress: Progress | None = None
) -> Clusters:
    """Return groups of rows: [n, d] with the least sum of weight * distance that was found.

    rows: cumulative histograms or shares lost: a larger sum is a weaker hand; weights: [n] uint8, above 0.
    """
    total = search.restarts * search.iterations + _POLISH + 1
    sample, sample_weights = rows, weights
    if len(rows) > search.sample:
        picked = kernels.sample_rows(len(rows), search.sample, search.seed)
        sample, sample_weights = rows[picked], weights[picked]
    best: Rows | None = None
    lowest = float("inf")
    for restart in range(search.restarts):
        first = restart * search.iterations

        def step(done: int, first: int = first) -> None:
            if progress is not None:
                progress(first + done, total)

        centres = _seeded(sample, sample_weights, groups, search.seed, restart)
        centres, error = _settle(sample, sample_weights, centres, search.iterations, step)
        if error < lowest:
            best, lowest = centres, error
    assert best is not None

    def polish(done: int) -> None:
        if progress is not None:
            progress(search.restarts * search.iterations + done, total)

    centres = best
    if sample is not rows and len(rows) <= _POLISH_ROWS:
        centres, _ = _settle(rows, weights, best, _POLISH, polish)
    centres, labels, distances = _filled(rows, centres)
    polish(_POLISH + 1)
    return Clusters(np.ascontiguousarray(centres[::-1]), (groups - 1 - labels).astype(np.uint16), distances)


def assign(rows: Rows, centres: Rows) -> tuple[npt.NDArray[np.uint16], npt.NDArray[np.int32]]:
    """Return the nearest centre of every row and its distance; centres in ascending order of their sums."""
    labels, distances = np.empty(len(rows), np.uint16), np.empty(len(rows), np.int32)
    sums = kernels.row_sums(centres)

    def work(part: slice) -> None:
        kernels.nearest(rows[part], centres, sums, labels[part], distances[part])

    over_blocks(work, len(rows), _BLOCK)
    return labels, distances


def _seeded(rows: Rows, weights: Weights, groups: int, seed: int, restart: int) -> Rows:
    """Return the first centres by k-means++: each drawn with chances in proportion to its distance."""
    distances = np.ones(len(rows), np.int32)
    centres = np.empty((groups, rows.shape[1]), rows.dtype)
    for turn in range(groups):
        drawn = kernels.draw_row(distances, weights, seed, _SEED_STREAM + restart, turn)
        if drawn < 0:
            raise ConfigError(
                f"{groups:,} buckets are more than the {turn:,} kinds of hands found; ask for fewer"
            )
        centres[turn] = rows[drawn]
        if turn == 0:
            distances[:] = _FAR
        kernels.lower_distances(rows, centres[turn], distances)
    return _ascending(centres)


def _ascending(centres: Rows) -> Rows:
    return centres[np.argsort(kernels.row_sums(centres), kind="stable")]


def _settle(
    rows: Rows, weights: Weights, centres: Rows, iterations: int, step: Callable[[int], None]
) -> tuple[Rows, float]:
    """Move centres to the medians of their groups until that helps no more; return them and the error."""
    before = float("inf")
    error = 0
    for iteration in range(iterations):
        labels, distances = assign(rows, centres)
        error = int(np.dot(distances.astype(np.int64), weights.astype(np.int64)))
        step(iteration + 1)
        if error >= before * (1.0 - _SETTLED):
            break
        before = error
        centres = _ascending(_moved(rows, weights, centres, labels, distances))
    return centres, error


def _moved(
    rows: Rows,
    weights: Weights,
    centres: Rows,
    labels: npt.NDArray[np.uint16],
    distances: npt.NDArray[np.int32],
) -> Rows:
    """Return the medians of the groups; an empty group starts anew at a row far from its centre."""
    groups = len(centres)
    sizes = np.bincount(labels, minlength=groups)
    starts = np.concatenate(([0], np.cumsum(sizes))).astype(np.int64)
    members = np.argsort(labels, kind="stable")
    moved = centres.copy()
    top = int(rows.max())

    def work(part: slice) -> None:
        kernels.medians(rows, weights, members, starts[part.start : part.stop + 1], top, moved[part])

    over_blocks(work, groups, max(1, groups // (8 * machine.core_count())))
    empty = np.flatnonzero(sizes == 0)
    if len(empty):
        far = np.argsort(-distances, kind="stable")[: len(empty)]
        moved[empty] = rows[far]
    return moved


def _filled(rows: Rows, centres: Rows) -> tuple[Rows, npt.NDArray[np.uint16], npt.NDArray[np.int32]]:
    """Return centres, labels and distances with no group empty."""
    groups = len(centres)
    for _ in range(groups):
        labels, distances = assign(rows, centres)
        empty = np.flatnonzero(np.bincount(labels, minlength=groups) == 0)
        if not len(empty):
            return centres, labels, distances
        moved = centres.copy()
        moved[empty] = rows[np.argsort(-distances, kind="stable")[: len(empty)]]
        centres = _ascending(moved)
    raise ConfigError(f"{groups:,} buckets are more than the kinds of hands found; ask for fewer")
