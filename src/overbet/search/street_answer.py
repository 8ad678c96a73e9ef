"""What a search found about its street, whether it was made now or is remembered."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from overbet.errors import ArtefactError
from overbet.search.cache.record import CachedArray, CacheRecord
from overbet.search.street_start import StreetStart
from overbet.search.street_strategy import WHOLE, StreetStrategy

if TYPE_CHECKING:
    from overbet.search.street_search import StreetSearch
    from overbet.solvers.vector.solution import Solution

Floats = npt.NDArray[np.float64]
_NODE_ARRAYS = ("kind", "first_child", "num_children", "edge", "row")


class Cost(NamedTuple):
    """What a search took. exploitability: of its answer, in % of the pot at the beginning of the street; None
    where nobody judged it."""

    iterations: int
    seconds: float
    exploitability: float | None


class StreetAnswer:
    """The strategies of a street. start: where it began; ranges: [2, 1326] float64, OOP's and IP's there.

    again: makes the search itself, where more is asked for than what is remembered.
    """

    def __init__(
        self,
        start: StreetStart,
        ranges: Floats,
        strategy: StreetStrategy,
        cost: Cost,
        again: Callable[[], StreetSearch],
    ) -> None:
        self.start, self.ranges, self.strategy, self.cost = start, ranges, strategy, cost
        self._again = again

    def reach(self, edges: tuple[int, ...]) -> Floats:
        """Return both players' ranges after some actions of the street: [2, 1326] float64."""
        return self.strategy.reach(self.ranges, edges)

    @property
    def solution(self) -> Solution:
        """The subgame as a solution that can be walked and saved; what is only remembered is solved again."""
        return self._again().solution

    @property
    def values_are_known(self) -> bool:
        """Whether `values_after` can say something: the subgame had all boards of later streets."""
        return self._again().values_are_known

    def values_after(self, player: int, edges: tuple[int, ...], card: int) -> Floats:
        """Return what each hand of a player can get once a card has come: see `StreetSearch.values_after`."""
        return self._again().values_after(player, edges, card)

    def gifts(self, player: int, edges: tuple[int, ...]) -> Floats:
        """Return what each hand of a player gave away on the street: see `StreetSearch.gifts`."""
        return self._again().gifts(player, edges)

    def record(self) -> CacheRecord:
        """Return what the cache keeps."""
        found = {name: CachedArray(("node",), getattr(self.strategy, name)) for name in _NODE_ARRAYS}
        steps = np.rint(np.nan_to_num(self.strategy.shares) * WHOLE).astype(np.uint16)
        found["shares"] = CachedArray(("row", "hand"), steps)
        return CacheRecord({"kind": "street", "cost": list(self.cost)}, found)


def remembered(
    record: CacheRecord, start: StreetStart, ranges: Floats, again: Callable[[], StreetSearch]
) -> StreetAnswer | None:
    """Return the answer of a record of the cache, None where it is none."""
    try:
        if record.head.get("kind") != "street":
            return None
        kind, first, count, edge, row = (np.array(record[name], np.int32) for name in _NODE_ARRAYS)
        steps = record["shares"].astype(np.float64)
        iterations, seconds, share = record.head["cost"]
    except (KeyError, ValueError, ArtefactError):
        return None
    strategy = StreetStrategy(kind, first, count, edge, row, (steps / WHOLE).astype(np.float32))
    for node in np.flatnonzero(strategy.num_children):
        rows = strategy.shares[strategy.row[node] : strategy.row[node] + strategy.num_children[node]]
        rows[:, ~(rows > 0).any(0)] = np.nan  # hands that are not in the tree
    return StreetAnswer(start, ranges, strategy, Cost(int(iterations), float(seconds), share), again)
