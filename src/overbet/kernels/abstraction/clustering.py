"""Clustering in integers: optimal cuts of a line, and k-medians under the sum of absolute differences.

Two problems. Hands described by one score: the cuts into k groups with the least weighted squared error are
found exactly by dynamic programming, whose best cut moves one way only, so that halving finds it (Wang &
Song, "Ckmeans.1d.dp", 2011; Wu, "Optimal quantization by matrix searching", 1991).

Hands described by cumulative histograms: the earth mover's distance of two of them is the sum of absolute
differences, whose best centre is the median of each column (k-medians). Rows, centres and distances are
integers: no sum depends on its order, and a result is the same bits on any number of threads. The search
for the nearest centre walks outwards from the row's own sum, because a distance is never less than the
difference of the sums (for histograms: of the means), and stops where no centre can be nearer.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from overbet.kernels.jit import inlined, kernel
from overbet.kernels.rng import below, stream_key, uniform

_SPANS = 64

_Rows = npt.NDArray[np.unsignedinteger[Any]]  # uint8 or uint16


@inlined
def _squared_error(first: Any, last: Any, sums: npt.NDArray[np.float64]) -> Any:
    """Return the weighted squared error of the values first..last around their mean; sums: [3, n + 1]."""
    weight = sums[0, last + 1] - sums[0, first]
    moment = sums[1, last + 1] - sums[1, first]
    return max(sums[2, last + 1] - sums[2, first] - moment * moment / weight, 0.0)


@kernel
def cut_line(
    values: npt.NDArray[np.float64], weights: npt.NDArray[np.float64], groups: int
) -> npt.NDArray[np.int64]:
    """Return where each of the groups of least squared error begins: [groups] int64.

    values: [n] float64, ascending; weights: [n] float64, above 0; groups: 1..n.
    """
    n = len(values)
    sums = np.zeros((3, n + 1))
    centre = values.mean()
    for i in range(n):
        value = values[i] - centre
        sums[0, i + 1] = sums[0, i] + weights[i]
        sums[1, i + 1] = sums[1, i] + weights[i] * value
        sums[2, i + 1] = sums[2, i] + weights[i] * value * value
    before, error = np.empty(n), np.empty(n)
    begins = np.zeros((groups, n), np.int32)
    for last in range(n):
        before[last] = _squared_error(0, last, sums)
    # parts of the line still to do: from, to, and where its cuts may lie; each is half of the one before, so
    # that one for every bit of n is room enough
    spans = np.empty((_SPANS, 4), np.int64)
    for group in range(1, groups):
        error[:] = np.inf
        spans[0] = group, n - 1, group, n - 1
        waiting = 1
        while waiting > 0:
            waiting -= 1
            low, high, left, right = spans[waiting]
            middle = (low + high) // 2
            best, cut = np.inf, max(left, group)
            for first in range(max(left, group), min(right, middle) + 1):
                total = before[first - 1] + _squared_error(first, middle, sums)
                if total < best:
                    best, cut = total, first
            error[middle], begins[group, middle] = best, cut
            if low < middle:
                spans[waiting] = low, middle - 1, left, cut
                waiting += 1
            if middle < high:
                spans[waiting] = middle + 1, high, cut, right
                waiting += 1
        before, error = error, before
    found = np.zeros(groups, np.int64)
    last = n - 1
    for group in range(groups - 1, 0, -1):
        found[group] = begins[group, last]
        last = found[group] - 1
    return found


@inlined
def distance(a: Any, b: Any) -> Any:
    """Return the sum of absolute differences of two rows: [d] uint8 or uint16."""
    total = np.int32(0)
    for i in range(len(a)):  # in this form it becomes vector instructions
        x, y = np.int32(a[i]), np.int32(b[i])
        total = np.int32(total + np.int32(max(x, y) - min(x, y)))
    return total


@kernel
def row_sums(rows: _Rows) -> npt.NDArray[np.int32]:
    """Return the sum of each row: [n] int32."""
    found = np.empty(len(rows), np.int32)
    for i in range(len(rows)):
        total = np.int32(0)
        for value in rows[i]:
            total += np.int32(value)
        found[i] = total
    return found


@kernel
def nearest(
    rows: _Rows,
    centres: _Rows,
    sums: npt.NDArray[np.int32],
    labels: npt.NDArray[np.uint16],
    distances: npt.NDArray[np.int32],
) -> None:
    """Write the nearest centre of each row to labels: [n] uint16 and how far it is to distances: [n] int32.

    centres: [k, d] of the rows' type, ascending in `sums`: [k] int32; of equally near ones the first counts.
    """
    k = len(centres)
    for i in range(len(rows)):
        own = np.int32(0)
        for value in rows[i]:
            own += np.int32(value)
        above = np.searchsorted(sums, own)
        below = above - 1
        best, label = np.int32(2**31 - 1), np.int64(k)
        while True:
            up = sums[above] - own if above < k else np.int32(2**31 - 1)
            down = own - sums[below] if below >= 0 else np.int32(2**31 - 1)
            if min(up, down) > best or (above >= k and below < 0):
                break
            if up < down:
                candidate = above
                above += 1
            else:
                candidate = below
                below -= 1
            away = distance(rows[i], centres[candidate])
            if away < best or (away == best and candidate < label):
                best, label = away, candidate
        labels[i], distances[i] = label, best


@kernel
def medians(
    rows: _Rows,
    weights: npt.NDArray[np.uint8],
    members: npt.NDArray[np.int64],
    starts: npt.NDArray[np.int64],
    top: int,
    centres: _Rows,
) -> None:
    """Write the weighted lower median of each column of each group to centres: [k, d].

    members: [n] int64, row numbers sorted by group; group g is members[starts[g]:starts[g + 1]]; an empty
    group keeps its centre. Values are 0..top.
    """
    width = rows.shape[1]
    counts = np.empty((width, top + 1), np.int64)
    for group in range(len(starts) - 1):
        if starts[group] == starts[group + 1]:
            continue
        counts[:] = 0
        total = np.int64(0)
        for member in members[starts[group] : starts[group + 1]]:
            weight = np.int64(weights[member])
            total += weight
            for column in range(width):
                counts[column, rows[member, column]] += weight
        for column in range(width):
            seen, value = np.int64(0), -1
            while 2 * seen < total:
                value += 1
                seen += counts[column, value]
            centres[group, column] = value


@kernel
def lower_distances(rows: _Rows, centre: _Rows, distances: npt.NDArray[np.int32]) -> None:
    """Lower distances: [n] int32 to those from centre: [d], where it is nearer."""
    for i in range(len(rows)):
        distances[i] = min(distances[i], distance(rows[i], centre))


@kernel
def draw_row(
    distances: npt.NDArray[np.int32], weights: npt.NDArray[np.uint8], seed: int, restart: int, turn: int
) -> int:
    """Return a row drawn with chances in proportion to weight * distance: the step of k-means++.

    Arthur & Vassilvitskii (2007); the distance itself, not its square, is what k-medians sums.
    """
    total = np.int64(0)
    for i in range(len(distances)):
        total += np.int64(distances[i]) * np.int64(weights[i])
    left = np.int64(uniform(stream_key(seed, restart, turn), 0) * float(total))
    for i in range(len(distances)):
        left -= np.int64(distances[i]) * np.int64(weights[i])
        if left < 0:
            return i
    return -1


@kernel
def sample_rows(rows: int, wanted: int, seed: int) -> npt.NDArray[np.int64]:
    """Return a row number at random from each of `wanted` equal stretches of range(rows): [wanted] int64."""
    found = np.empty(wanted, np.int64)
    for i in range(wanted):
        first, after = rows * i // wanted, rows * (i + 1) // wanted
        found[i] = first + below(stream_key(seed, 0, i), 0, after - first)
    return found
