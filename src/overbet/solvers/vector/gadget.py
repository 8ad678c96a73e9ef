"""The gadget at the root, as the engine plays it and the judge sees it."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from overbet.kernels.regret import RuleStep
from overbet.kernels.vector.gadget import GadgetTables, entering, learn
from overbet.solvers.vector.subgame import Gadget, checked_gadget, compatible
from overbet.tree.public import PublicTree

Doubles = npt.NDArray[np.float64]


class RootChoice:
    """The choice of one player, hand by hand, between entering the subgame and leaving with an alternative.

    Another gadget (maxmargin, in which the player chooses one of its hands) is another class with the same
    five methods: the engine asks `reach` before an update and calls `learn` after the player's own.
    choice: regrets and averages, [2, H] float64 each, row 0 leaving, row 1 entering.
    """

    def __init__(self, tree: PublicTree, gadget: Gadget) -> None:
        self.player = gadget.player
        self.alternatives, self._orbit = checked_gadget(tree, gadget)
        size = len(self.alternatives)
        # the engine counts chips beyond half of the pot
        even = compatible(tree, self.player, tree.hands[1 - self.player].weights) * tree.spot.pot / 2
        regret, play, average = np.zeros((3, 2, size))
        weights = tree.hands[self.player].weights.astype(np.float64)
        self.choice = GadgetTables(regret, play, average, weights, self.alternatives - even)
        self._share = np.full(size, 0.5)

    def reach(self) -> Doubles:
        """Return the reach with which each hand enters now: [H] float64."""
        entering(self.choice, self._share)
        found: Doubles = self._share * self.choice.weight
        return found

    def learn(self, values: npt.NDArray[np.floating], step: RuleStep) -> None:
        """Update from the values of entering, [H] in the engine's units, by the share `reach` was made of."""
        learn(self.choice, self._share, values.astype(np.float64)[self._orbit], step)

    def entering(self) -> Doubles:
        """Return the average share of entering: [H] float64, 0.5 before the first iteration."""
        leave, enter = self.choice.average
        total = leave + enter
        return np.where(total > 0, enter / np.where(total > 0, total, 1.0), 0.5)

    def chosen(self, entered: Doubles, follow: bool) -> Doubles:
        """Return root values before the choice, from those of entering: by the average, or by the best."""
        if not follow:
            return np.maximum(entered, self.alternatives)
        share = self.entering()
        return share * entered + (1 - share) * self.alternatives
