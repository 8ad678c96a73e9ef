"""How a dense strategy lies in a file: decision by decision, action by action, what is left of 255 after it.

    arrays = packed_rows(tree.nodes, record, counts, strategy)      # by_action, reached
    PackedRows(tree.nodes, record, counts, by_action, reached).whole()

A row (51, 204, 0) is stored as 204 and 0: what is left after an action, and after the last one nothing is.
Buckets of one strength lie side by side, and what they do is alike, so that a file is a fifth smaller than
with whole rows. A bit for each row says whether training ever reached it. Bytes are subtracted modulo 256:
where what is left grows, the row adds up to more than 255 when it is turned back, and is refused.

Older files have the rows themselves (`PlainRows`), or with each row what is left after each of its actions
(`LeftRows`); a row that was never reached is zeros in the one and 255s in the other.
"""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from overbet.errors import ArtefactError
from overbet.kernels.training.record import PackedDecision, decision_at
from overbet.kernels.training.store import WHOLE
from overbet.kernels.training.tree import Nodes

Bytes = npt.NDArray[np.uint8]
Record = npt.NDArray[np.int64]
Counts = tuple[int, int, int, int]
BY_ACTION, REACHED, LEFT, STRATEGY = "by_action", "reached", "left", "strategy"  # arrays of a file


class DenseRows(Protocol):
    """A strategy that can be read in part."""

    entries: int

    def whole(self) -> Bytes:
        """Return all rows of 255ths: [entries]."""

    def of_decision(self, node: int, at: PackedDecision, buckets: int) -> Bytes:
        """Return the rows of a decision: [bucket, action]."""

    def of_bucket(self, node: int, at: PackedDecision, bucket: int) -> Bytes:
        """Return one row, [action], and read no more of the file than that takes."""


class PlainRows:
    """Rows of 255ths, [entries] uint8, an array or an open dataset."""

    def __init__(self, strategy: Any) -> None:
        self._strategy, self.entries = strategy, len(strategy)

    def whole(self) -> Bytes:
        return np.ascontiguousarray(self._strategy[:], np.uint8)

    def of_decision(self, node: int, at: PackedDecision, buckets: int) -> Bytes:
        block = np.asarray(self._strategy[at.first : at.first + at.step * (buckets - 1) + at.actions])
        rows: Bytes = block[at.step * np.arange(buckets)[:, None] + np.arange(at.actions)]
        return rows

    def of_bucket(self, node: int, at: PackedDecision, bucket: int) -> Bytes:
        start = at.first + at.step * bucket
        return np.asarray(self._strategy[start : start + at.actions], np.uint8)


class LeftRows(PlainRows):
    """What is left of 255 after each action of a row: [entries] uint8."""

    def __init__(self, nodes: Nodes, record: Record, buckets: Counts, left: Any) -> None:
        super().__init__(left)
        self._nodes, self._record, self._buckets = nodes, record, buckets

    def whole(self) -> Bytes:
        left = super().whole()
        before = np.empty_like(left)
        before[1:] = left[:-1]
        for node in _decisions(self._nodes):
            at = decision_at(self._record, node)
            before[_column(at, 0, self._buckets[at.street])] = WHOLE
        before -= left
        return before

    def of_decision(self, node: int, at: PackedDecision, buckets: int) -> Bytes:
        return _of_left(super().of_decision(node, at, buckets))

    def of_bucket(self, node: int, at: PackedDecision, bucket: int) -> Bytes:
        return _of_left(super().of_bucket(node, at, bucket))


class PackedRows:
    """What is left after each action but the last, [entries - rows] uint8; reached: a bit a row, in bytes.

    Both are arrays or open datasets.
    """

    def __init__(self, nodes: Nodes, record: Record, buckets: Counts, by_action: Any, reached: Any) -> None:
        self._nodes, self._record, self._buckets = nodes, record, buckets
        self._by_action, self._reached = by_action, reached
        rows = np.where(nodes.player >= 0, np.array(buckets)[nodes.street], 0)
        numbers = rows * np.maximum(nodes.num_children.astype(np.int64) - 1, 0)
        self._first_row, self._first = np.cumsum(rows) - rows, np.cumsum(numbers) - numbers
        self.entries = int(rows.sum() + numbers.sum())
        if len(by_action) != numbers.sum() or len(reached) != -(-rows.sum() // 8):
            raise ArtefactError(
                f"the strategy has {len(by_action):,} numbers and tree and buckets ask for "
                f"{numbers.sum():,}; train it again"
            )

    def whole(self) -> Bytes:
        found = np.empty(self.entries, np.uint8)
        by_action, reached = self._by_action[:], np.unpackbits(self._reached[:]).view(bool)
        for node in _decisions(self._nodes):
            at = decision_at(self._record, node)
            buckets, first, row = self._buckets[at.street], self._first[node], self._first_row[node]
            before: Any = np.uint8(WHOLE)
            never = ~reached[row : row + buckets]
            for action in range(at.actions - 1):
                left = by_action[first + action * buckets : first + (action + 1) * buckets]
                found[_column(at, action, buckets)] = before - left
                before = left
            found[_column(at, at.actions - 1, buckets)] = before
            if never.any():
                for action in range(at.actions):
                    found[_column(at, action, buckets)][never] = 0
        return found

    def of_decision(self, node: int, at: PackedDecision, buckets: int) -> Bytes:
        first, row = int(self._first[node]), int(self._first_row[node])
        left: Bytes = np.zeros((at.actions, buckets), np.uint8)
        block = np.asarray(self._by_action[first : first + (at.actions - 1) * buckets])
        left[:-1] = block.reshape(at.actions - 1, buckets)
        bits = np.unpackbits(np.asarray(self._reached[row >> 3 : (row + buckets + 7) >> 3]))
        rows: Bytes = _of_left(left.T)
        rows[bits[row & 7 :][:buckets] == 0] = 0
        return rows

    def of_bucket(self, node: int, at: PackedDecision, bucket: int) -> Bytes:
        row: Bytes = self.of_decision(node, at, self._buckets[at.street])[bucket]
        return row


def packed_rows(nodes: Nodes, record: Record, buckets: Counts, strategy: Bytes) -> dict[str, Bytes]:
    """Return the arrays of `PackedRows`, of rows of 255ths: [entries]; record: for these buckets."""
    parts, reached = [], []
    for node in _decisions(nodes):
        at = decision_at(record, node)
        count = buckets[at.street]
        left: Bytes = np.full(count, WHOLE, np.uint8)
        for action in range(at.actions):
            left = left - strategy[_column(at, action, count)]
            if action < at.actions - 1:
                parts.append(left)
        reached.append(left == 0)
    none = [np.zeros(0, np.uint8)]
    bits = np.packbits(np.concatenate([*none, *reached]).astype(bool))
    return {BY_ACTION: np.concatenate([*none, *parts]), REACHED: bits}


def _decisions(nodes: Nodes) -> list[int]:
    found: list[int] = np.flatnonzero(nodes.player >= 0).tolist()
    return found


def _column(at: PackedDecision, action: int, buckets: int) -> slice:
    """Return where the shares of an action lie, those of all buckets."""
    start = at.first + action
    return slice(start, start + at.step * (buckets - 1) + 1, at.step)


def _of_left(left: Bytes) -> Bytes:
    """Return rows of 255ths, [..., action], of what is left after each action."""
    before = np.empty_like(left)
    before[..., 0], before[..., 1:] = WHOLE, left[..., :-1]
    return before - left
