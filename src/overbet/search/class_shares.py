"""What classes of hands win from each other, ready for ranges; searches that end alike share it."""

from __future__ import annotations

from functools import cached_property, lru_cache

import numpy as np
import numpy.typing as npt

from overbet.blueprint.class_values import class_pairs
from overbet.cards.preflop import equity_169

Doubles = npt.NDArray[np.float64]


@lru_cache(1)
def meetings() -> Doubles:
    """Return how often a class, by row, meets each other one: [169, 169], rows add up to 1."""
    found: Doubles = class_pairs() / class_pairs().sum(1, keepdims=True)
    return found


class ClassShares:
    """Player 0's share of the pot, by continuation and pair of classes: `values`, [k, 169, 169]."""

    def __init__(self, values: npt.NDArray[np.floating]) -> None:
        self.values = values

    def __len__(self) -> int:
        return len(self.values)

    @cached_property
    def _met(self) -> tuple[Doubles, Doubles]:
        shares = np.asarray(self.values, np.float64)
        return meetings() * shares, meetings() * shares.swapaxes(1, 2)

    def weighed(self, player: int, continuation: int, reach: Doubles) -> Doubles:
        """Return player 0's mean share for each class of a player, by the other's reach: [169]."""
        return against(self._met[player][continuation], reach)


@lru_cache(1)
def equities() -> ClassShares:
    """Return the shares where all cards to come are dealt at once."""
    return ClassShares(equity_169()[None])


def against(table: Doubles, reach: Doubles) -> Doubles:
    """Return the product with a range: [169]."""
    found: Doubles = np.einsum("ij,j->i", table, reach)  # too small for a BLAS that wakes threads
    return found
