"""The gadgets at the root, as the engine plays them and the judge sees them."""

from __future__ import annotations

from typing import Protocol

import numpy as np
import numpy.typing as npt

from overbet.errors import ConfigError
from overbet.kernels.regret import RuleStep
from overbet.kernels.vector.gadget import (
    GadgetTables,
    HandChoiceTables,
    choosing,
    entering,
    learn,
    learn_hands,
)
from overbet.solvers.vector.subgame import Gadget, MaxMargin, checked_gadget, compatible
from overbet.tree.public import PublicTree

Doubles = npt.NDArray[np.float64]
_MET = 1e-6  # a hand that meets a smaller share of the other range than this is as good as never held


class ChoiceBeforeRoot(Protocol):
    """What one player decides before a subgame begins.

    The engine asks `reach` before an update and calls `learn` after the player's own; the judge asks for the
    rest. alternatives: [H] float64, the counterfactual values that were promised.
    """

    player: int
    alternatives: Doubles

    def reach(self) -> Doubles:
        """Return the reach with which each hand enters now: [H] float64."""

    def learn(self, values: npt.NDArray[np.floating], step: RuleStep) -> None:
        """Update from the values of entering, [H] in the engine's units, by the share `reach` was made of."""

    def entering(self) -> Doubles:
        """Return the average choice: [H] float64."""

    def entered(self) -> Doubles:
        """Return the reach with which each hand enters by the average choice: [H] float64."""

    def chosen(self, entered: Doubles, follow: bool) -> Doubles:
        """Return the player's root values from those of entering: by the average choice, or by the best."""

    def expected(self, player: int, root: Doubles, follow: bool) -> float:
        """Return what either player expects in chips, choice included, from root values by the judge: [H]."""


def choice_of(tree: PublicTree, gadget: Gadget | MaxMargin) -> ChoiceBeforeRoot:
    """Return the choice that a gadget puts before the root."""
    return HandChoice(tree, gadget) if isinstance(gadget, MaxMargin) else RootChoice(tree, gadget)


class RootChoice:
    """The choice of one player, hand by hand, between entering the subgame and leaving with an alternative.

    choice: regrets and averages, [2, H] float64 each, row 0 leaving, row 1 entering.
    """

    def __init__(self, tree: PublicTree, gadget: Gadget) -> None:
        self.player = gadget.player
        self.alternatives, self._orbit = checked_gadget(tree, gadget)
        size = len(self.alternatives)
        self.pot, self.weights = tree.spot.pot, [hands.weights.astype(np.float64) for hands in tree.hands]
        self.met = compatible(tree, self.player, tree.hands[1 - self.player].weights)
        even = self.met * self.pot / 2  # the engine counts chips beyond half of the pot
        regret, play, average = np.zeros((3, 2, size))
        weights = self.weights[self.player]
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

    def entered(self) -> Doubles:
        """Return the reach with which each hand enters by the average choice: [H] float64."""
        return self.choice.weight * self.entering()

    def chosen(self, entered: Doubles, follow: bool) -> Doubles:
        """Return root values before the choice, from those of entering: by the average, or by the best."""
        if not follow:
            return np.maximum(entered, self.alternatives)
        share = self.entering()
        return share * entered + (1 - share) * self.alternatives

    def expected(self, player: int, root: Doubles, follow: bool) -> float:
        """Return what either player expects in chips; the other one's includes what it gets where nobody
        enters."""
        total = float(self.weights[player] @ root)
        if player != self.player:
            left = self.choice.weight * (1 - self.entering())
            total += float(left @ (self.pot * self.met - self.alternatives))
        return total / float(self.choice.weight @ self.met)


class HandChoice:
    """The choice of one of the player's hands, with which it enters the subgame.

    The game pays the player what the hand gets there beyond what it was promised, both for each unit of the
    other range that the hand meets; so the other player makes the smallest margin as large as it can be.
    hands: regrets and averages, [H] float64 each. met: [H] float64, the other player's root weight that
    shares no card with a hand. can: [H] bool, the hands of a root weight above 0 that meet something.
    """

    def __init__(self, tree: PublicTree, gadget: MaxMargin) -> None:
        self.player = gadget.player
        self.alternatives, self._orbit = checked_gadget(tree, gadget)
        self.pot, other = tree.spot.pot, tree.hands[1 - self.player].weights.astype(np.float64)
        met = compatible(tree, self.player, other)
        self.can = (tree.hands[self.player].weights > 0) & (met > _MET * other.sum())
        if not self.can.any():
            raise ConfigError("no hand of the gadget's player meets a hand of the other range")
        self.met, self._other = np.where(self.can, met, 1.0), other
        regret, play, average = np.zeros((3, len(met)))
        # the engine counts chips beyond half of the pot
        promised = self.alternatives / self.met - self.pot / 2
        self.hands = HandChoiceTables(regret, play, average, self.can.astype(np.float64), self.met, promised)
        self._share = np.zeros(len(met))

    def reach(self) -> Doubles:
        """Return the reach with which each hand enters now: [H] float64."""
        choosing(self.hands, self._share)
        found: Doubles = self._share / self.met
        return found

    def learn(self, values: npt.NDArray[np.floating], step: RuleStep) -> None:
        """Update from the values of entering, [H] in the engine's units, by the share `reach` was made of."""
        learn_hands(self.hands, self._share, values.astype(np.float64)[self._orbit], step)

    def entering(self) -> Doubles:
        """Return how often each hand is chosen by the average: [H] float64, which sum to 1."""
        total = float(self.hands.average.sum())
        found: Doubles = self.hands.average / total if total > 0 else self.can / self.can.sum()
        return found

    def entered(self) -> Doubles:
        """Return the reach with which each hand enters by the average choice: [H] float64."""
        return self.entering() / self.met

    def chosen(self, entered: Doubles, follow: bool) -> Doubles:
        """Return the values of entering as they are: what is chosen is the hand."""
        return entered

    def margins(self, entered: Doubles) -> Doubles:
        """Return what each hand gets less than it was promised, in chips for each unit of range it meets: [H]
        float64, infinite for hands that cannot be chosen.

        entered: [H] float64, `judge.value(player, BEST).root`.
        """
        return np.where(self.can, (self.alternatives - entered) / self.met, np.inf)

    def expected(self, player: int, root: Doubles, follow: bool) -> float:
        """Return what either player expects in chips, both from half of the pot on."""
        even, share = self.pot / 2, self.entering()
        if player == self.player:
            gain = -self.margins(root)[self.can]
            return even + float(share[self.can] @ gain if follow else gain.max())
        paid = self.entered() @ (self.pot * self.met - self.alternatives)
        return even + float(self._other @ root - paid)
