"""How a dense strategy lies in a file: of every row, what is left of 255 after each action.

A row (51, 204, 0) is stored as (204, 0, 0): the last share is no news, and zeros pack well, so files are a
sixth smaller. A row that was never reached is (255, 255, 255). Bytes are subtracted modulo 256: where what is
left grows, the row adds up to neither 255 nor 0 when it is turned back, and is refused as any such row is.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from overbet.kernels.training.record import decision_at
from overbet.kernels.training.store import WHOLE
from overbet.kernels.training.tree import Nodes

Bytes = npt.NDArray[np.uint8]


def left_over(
    nodes: Nodes, record: npt.NDArray[np.int64], buckets: tuple[int, ...], strategy: Bytes
) -> Bytes:
    """Return what is left after each action: [entries], of rows of 255ths.

    nodes, record: of the tree, `record` for these numbers of buckets.
    """
    left = np.zeros_like(strategy)
    for rows in _actions(nodes, record, buckets):
        before: Bytes = np.full_like(strategy[rows[0]], WHOLE)
        for action in rows:
            before -= strategy[action]
            left[action] = before
    return left


def rows_of_left(nodes: Nodes, record: npt.NDArray[np.int64], buckets: tuple[int, ...], left: Bytes) -> Bytes:
    """Return the rows of 255ths again: [entries]."""
    before = np.empty_like(left)
    before[1:] = left[:-1]
    for rows in _actions(nodes, record, buckets):
        before[rows[0]] = WHOLE
    before -= left
    return before


def row_of_left(left: Bytes) -> Bytes:
    """Return rows of 255ths: [..., action], of what is left after each action."""
    before = np.empty_like(left)
    before[..., 0], before[..., 1:] = WHOLE, left[..., :-1]
    return before - left


def _actions(nodes: Nodes, record: npt.NDArray[np.int64], buckets: tuple[int, ...]) -> Iterator[list[slice]]:
    """Yield for every decision where its actions lie, a slice over all buckets each."""
    for node in np.flatnonzero(nodes.player >= 0).tolist():
        at = decision_at(record, node)
        span = at.step * (buckets[at.street] - 1) + 1
        yield [slice(at.first + a, at.first + a + span, at.step) for a in range(at.actions)]
