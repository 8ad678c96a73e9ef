"""Search before the flop: the betting solved over the 169 classes, to a depth limit where the flop is dealt.

The whole betting of the hand is in the tree, so both ranges begin whole and nothing has to be believed. What
follows the flop is played by continuations of the blueprint, the opponent choosing among them, as on the
flop (`depth_limit`). Discounted CFR with plain arrays: the tree has some dozens of nodes.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from overbet.blueprint.class_values import class_pairs
from overbet.cards.combos import CLASSES, COMBOS, class_of_combos
from overbet.errors import ConfigError
from overbet.games.holdem_state import HoldemState
from overbet.search.class_shares import ClassShares, against, equities, meetings
from overbet.search.preflop_tree import SKIPPED, PreflopTree, preflop_tree
from overbet.search.settings import PreflopSettings
from overbet.search.street_answer import Cost, StreetAnswer
from overbet.search.street_start import StreetStart
from overbet.search.street_strategy import StreetStrategy, node_after, rounded
from overbet.solvers.vector.solution import Solution
from overbet.tree.betting import CHANCE, SHOWDOWN

Doubles = npt.NDArray[np.float64]
Edges = tuple[int, ...]
ClassesAfter = Callable[[HoldemState], ClassShares | None]  # when the flop is dealt; None: checked down
_LOOK = 50


class _End(NamedTuple):
    """Where the betting ends: player 0 wins `scale` times its share of the pot, plus `fixed` chips."""

    scale: float
    fixed: float
    shares: ClassShares | None = None

    def pay(self, player: int, continuation: int, reach: Doubles) -> Doubles:
        """Return what each class of a player wins, by the other's reach: [169]."""
        found = self.fixed * against(meetings(), reach)
        if self.shares is not None:
            found += self.scale * self.shares.weighed(player, continuation, reach)
        return -found if player else found


class _ClassGame:
    """The cut game: both players' strategies, [169, actions] a decision, learnt by DCFR(1.5, 0, 4)."""

    def __init__(
        self, tree: PreflopTree, chooser: int, after: ClassesAfter, frozen: Mapping[int, Doubles]
    ) -> None:
        self.tree, self.chooser, self.frozen = tree, chooser, frozen
        self.ends = {node: self._end(node, after) for node in np.flatnonzero(tree.kind >= CHANCE).tolist()}
        self.sizes = {
            node: len(end.shares)
            for node, end in self.ends.items()
            if end.shares is not None and len(end.shares) > 1
        }
        for node in np.flatnonzero(tree.kind < CHANCE).tolist():
            self.sizes[node] = int(tree.num_children[node])
        self.regret = {node: np.zeros((CLASSES, size)) for node, size in self.sizes.items()}
        self.sums = {node: np.zeros((CLASSES, size)) for node, size in self.sizes.items()}
        self.iteration = 0

    def _end(self, node: int, after: ClassesAfter) -> _End:
        tree, state = self.tree, self.tree.states[node]
        if tree.kind[node] == SKIPPED:
            return _End(0.0, 0.0)
        if tree.folder[node] >= 0:
            return _End(0.0, float(-state.put_in[0] if tree.folder[node] == 0 else state.put_in[1]))
        level = float(min(state.put_in))  # what nobody called goes back
        if tree.kind[node] == SHOWDOWN:
            return _End(2 * level, -level, equities())
        given = after(state)
        return _End(float(state.pot), -level, equities() if given is None else given)

    def run(self, iterations: int) -> None:
        for _ in range(iterations):
            self.iteration += 1
            for player in (0, 1):
                ones = np.ones(CLASSES)
                self._walk(0, player, ones, ones, self._learn)

    def average(self, node: int) -> Doubles:
        """Return the average strategy: [169, actions]."""
        if node in self.frozen:
            return self.frozen[node]
        total = self.sums[node].sum(1, keepdims=True)
        even = np.full_like(self.sums[node], 1.0 / self.sizes[node])
        found: Doubles = np.divide(self.sums[node], total, out=even, where=total > 0)
        return found

    def exploitability(self) -> float:
        """Return half of what both players could gain by best responses to the averages, in chips."""
        gain = 0.0
        weights = class_pairs().sum(1) / class_pairs().sum()
        for player in (0, 1):
            ones = np.ones(CLASSES)
            gain += float(weights @ self._walk(0, player, ones, ones, self._best))
        return gain / 2

    def action_values(self, node: int) -> Doubles:
        """Return what each action is worth to each class from the hand's beginning on: [169, actions]."""
        player = int(self.tree.kind[node])
        reach, here = np.ones(CLASSES), node
        for parent in range(node - 1, -1, -1):  # up to the root
            if here in self.tree.children(parent):
                if self.tree.kind[parent] != player:
                    reach = reach * self.average(parent)[:, here - int(self.tree.first_child[parent])]
                here = parent
        met = against(meetings(), reach)
        ones = np.ones(CLASSES)
        values = [self._walk(child, player, ones, reach, self._follow) for child in self.tree.children(node)]
        met = np.where(met > 1e-12, met, np.nan)
        found: Doubles = np.stack(values, 1) / met[:, None]
        return found

    def _strategy(self, node: int) -> Doubles:
        if node in self.frozen:
            return self.frozen[node]
        positive = np.maximum(self.regret[node], 0.0)
        total = positive.sum(1, keepdims=True)
        even = np.full_like(positive, 1.0 / self.sizes[node])
        found: Doubles = np.divide(positive, total, out=even, where=total > 0)
        return found

    def _walk(
        self, node: int, player: int, own: Doubles, opp: Doubles, act: Callable[..., Doubles]
    ) -> Doubles:
        """Return the player's counterfactual values below a node: [169]."""
        tree = self.tree
        learning = act == self._learn
        if node in self.ends:
            end = self.ends[node]
            if node not in self.sizes:
                return end.pay(player, 0, opp)
            if player == self.chooser:
                values = np.stack([end.pay(player, k, opp) for k in range(self.sizes[node])], 1)
                return act(node, own, values)
            shares = self._strategy(node) if learning else self.average(node)
            found: Doubles = np.sum([end.pay(player, k, opp * share) for k, share in enumerate(shares.T)], 0)
            return found
        mine = tree.kind[node] == player
        shares = self._strategy(node) if learning else self.average(node)
        values = np.stack(
            [
                self._walk(child, player, own * share if mine else own, opp if mine else opp * share, act)
                for child, share in zip(tree.children(node), shares.T)
            ],
            1,
        )
        return act(node, own, values) if mine else values.sum(1)

    def _learn(self, node: int, own: Doubles, values: Doubles) -> Doubles:
        shares, t = self._strategy(node), self.iteration
        here: Doubles = (shares * values).sum(1)
        if node in self.frozen:
            return here
        regret, power = self.regret[node], (t - 1) ** 1.5
        regret *= np.where(regret > 0, power / (power + 1.0), 0.5)
        regret += values - here[:, None]
        self.sums[node] *= ((t - 1) / t) ** 4
        self.sums[node] += own[:, None] * shares
        return here

    def _best(self, node: int, own: Doubles, values: Doubles) -> Doubles:
        if node in self.frozen:
            return self._follow(node, own, values)
        found: Doubles = values.max(1)
        return found

    def _follow(self, node: int, own: Doubles, values: Doubles) -> Doubles:
        found: Doubles = (self.average(node) * values).sum(1)
        return found


class PreflopSearch(StreetAnswer):
    """A search before the flop that was made."""

    def __init__(
        self,
        begun: HoldemState,
        played: Edges,
        me: int,
        frozen: Mapping[Edges, Callable[[HoldemState, list[int]], Doubles]],
        after: ClassesAfter,
        settings: PreflopSettings,
    ) -> None:
        """Solve the betting before the flop.

        begun: the first decision of a hand with any board to come; played: actions that must be in the tree;
        frozen: by the actions before it, how `me` has decided: from a state and the tree's actions there to
        [1326, action]; after: what classes are worth when the flop is dealt.
        """
        clock = time.perf_counter()
        self.tree = tree = preflop_tree(begun, played, settings, {len(edges) for edges in frozen})
        fixed = {}
        for edges, shares in frozen.items():
            node = node_after(tree, edges)  # type: ignore[arg-type]
            assert node is not None
            actions = [int(tree.edge[child]) for child in tree.children(node)]
            fixed[node] = _class_means(shares(tree.states[node], actions))
        self._game = _ClassGame(tree, 1 - me, after, fixed)
        pot, share = begun.pot, float("inf")
        while self._game.iteration < settings.iterations and share > settings.target:
            self._game.run(min(_LOOK, settings.iterations - self._game.iteration))
            share = 100 * self._game.exploitability() / pot
        cost = Cost(self._game.iteration, time.perf_counter() - clock, share)
        stack = min(stack + bet for stack, bet in zip(begun.stacks, begun.bets))
        start = StreetStart(begun.game, -1, (), pot, stack, begun.line)
        super().__init__(start, np.ones((2, COMBOS)), self._street(), cost, self._itself, opens=False)

    def _itself(self) -> StreetAnswer:
        return self

    @property
    def solution(self) -> Solution:
        raise ConfigError("a search before the flop cannot be opened: it knows classes and no boards")

    @property
    def values_are_known(self) -> bool:
        return False

    def action_values(self, edges: Edges) -> Doubles | None:
        """Return what each action is worth, as `StreetSearch.action_values` does."""
        node = self.strategy.node(edges)
        assert node is not None
        put = self.tree.states[node].put_in[int(self.tree.kind[node])]
        found: Doubles = (self._game.action_values(node) + put)[class_of_combos()]
        return found

    def _street(self) -> StreetStrategy:
        tree = self.tree
        count = np.where(tree.kind < CHANCE, tree.num_children, 0).astype(np.int32)
        row = np.concatenate([[0], np.cumsum(count)]).astype(np.int32)
        shares = np.zeros((int(row[-1]), COMBOS), np.float32)
        for node in np.flatnonzero(count):
            shares[row[node] : row[node + 1]] = rounded(self._game.average(int(node)).T)[:, class_of_combos()]
        return StreetStrategy(tree.kind, tree.first_child, count, tree.edge, row[:-1].copy(), shares)


def _class_means(shares: Doubles) -> Doubles:
    """Return the mean strategy of each class: [169, action] from [1326, action]."""
    found = np.zeros((CLASSES, shares.shape[1]))
    np.add.at(found, class_of_combos(), np.nan_to_num(shares))
    whole: Doubles = found / found.sum(1, keepdims=True)
    return whole
