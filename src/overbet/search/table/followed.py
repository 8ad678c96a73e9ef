"""The blueprint as a search follows it: before the street, and below the leaves."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from overbet.blueprint.query import Blueprint
from overbet.games.holdem_state import HoldemState
from overbet.kernels.agents.blueprint import BlueprintArrays

Ints = npt.NDArray[np.int64]
LOST = -1


@dataclass(frozen=True, eq=False)
class FollowedBlueprint:
    """A blueprint of dense tables. of_board: its buckets of a board, [1326] int32, -1 where dead."""

    blueprint: Blueprint
    arrays: BlueprintArrays
    of_board: Callable[[Sequence[int]], npt.NDArray[np.int32]]

    @property
    def counts(self) -> tuple[int, ...]:
        """Buckets by street, preflop to river."""
        return tuple(self.blueprint.cards.counts)

    def at(self, state: HoldemState, seed: int, hand: int) -> tuple[Ints, int]:
        """Return the blueprint's own hand that stands for a real one, [SIZE] int64, and its node.

        seed, hand: of a match, by which bets are taken for the blueprint's. The node is -1 where none does.
        """
        found = self.blueprint.followed(state, seed, hand)
        if found.fault:
            return self.blueprint.game.deal(0).vector, LOST
        return found.state.vector, self.blueprint.tree.after(found.state)
