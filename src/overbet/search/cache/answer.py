"""What a search found, as the cache keeps it: the strategy of all hands on the first street, and its values.

Shares of actions are kept in steps of 1/65535 and divided by their sum when they are read, so that they sum
to one again. A hand that has no strategy (it holds a card of the board) has zeros, and keeps them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from overbet.cards.combos import COMBOS
from overbet.errors import ArtefactError, short
from overbet.search.cache.record import HAND, CachedArray, CacheRecord

_FULL = 65535
Shares = npt.NDArray[np.float32]


class CachedNode(NamedTuple):
    """A decision on the first street of the subgame.

    line: tokens from the root of the subgame, without cards; player: who decides; actions: their tokens.
    """

    line: str
    player: int
    actions: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class CachedAnswer:
    """The answer of a search.

    nodes: the decisions on the first street. strategy: for each node the share of every action, [action,
    1326]. values: counterfactual values at the root, [player, 1326]. exploitability: as the search measures
    it. notes: anything else that JSON can write and that says nothing about suits, such as iterations.
    """

    nodes: tuple[CachedNode, ...]
    strategy: tuple[Shares, ...]
    values: Shares
    exploitability: float
    notes: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        shapes = [(len(node.actions), COMBOS) for node in self.nodes]
        if [shares.shape for shares in self.strategy] != shapes:
            raise ValueError("the strategy of a node is [action, 1326], one for each node")
        if self.values.ndim != 2 or self.values.shape[1] != COMBOS:
            raise ValueError(f"values are [player, 1326], not {list(self.values.shape)}")

    def record(self) -> CacheRecord:
        """Return the answer as the cache keeps it."""
        rows = [_steps(shares) for shares in self.strategy]
        table = np.concatenate(rows) if rows else np.zeros((0, COMBOS), np.uint16)
        head = {
            "nodes": [[node.line, int(node.player), list(node.actions)] for node in self.nodes],
            "exploitability": float(self.exploitability),
            "notes": dict(self.notes),
        }
        arrays = {
            "strategy": CachedArray(("row", HAND), table),
            "values": CachedArray(("player", HAND), np.asarray(self.values, np.float32)),
        }
        return CacheRecord(head, arrays)

    @classmethod
    def of(cls, record: CacheRecord) -> CachedAnswer:
        """Return the answer in a record; an `ArtefactError` where the record is of another kind."""
        try:
            nodes = tuple(
                CachedNode(str(line), int(player), tuple(map(str, actions)))
                for line, player, actions in record.head["nodes"]
            )
            table = record["strategy"]
            ends = np.cumsum([len(node.actions) for node in nodes])
            if table.dtype != np.uint16 or table.shape != (int(ends[-1]) if nodes else 0, COMBOS):
                raise ValueError("the strategy does not fit the nodes")
            shares = tuple(_shares(part) for part in np.split(table, ends[:-1])) if nodes else ()
            values = record["values"].astype(np.float32, copy=False)
            exploitability = float(record.head["exploitability"])
            return cls(nodes, shares, values, exploitability, dict(record.head["notes"]))
        except (KeyError, ValueError, TypeError, OverflowError) as error:
            raise ArtefactError(
                f"a record of the cache is not the answer of a search: {short(error)}"
            ) from error


def _steps(shares: npt.NDArray[Any]) -> npt.NDArray[np.uint16]:
    """Return shares in steps: [action, 1326] uint16."""
    found = np.asarray(shares, np.float64)
    if not (np.isfinite(found).all() and (found >= 0.0).all()):
        raise ValueError("a share is negative or not a number")
    total = found.sum(axis=0)
    return np.rint(found / np.where(total > 0.0, total, 1.0) * _FULL).astype(np.uint16)


def _shares(steps: npt.NDArray[np.uint16]) -> Shares:
    """Return shares that sum to one, zeros where there are none: [action, 1326] float32."""
    total = steps.sum(axis=0, dtype=np.float64)
    return (steps / np.where(total > 0.0, total, 1.0)).astype(np.float32)
