"""What the opponent of the searching player is worth where subgames begin, and what it gave away on the way.

All values are **per visit**: the opponent's counterfactual value of an information set divided by the chance
that the searcher and the cards lead there. That form is what makes information sets comparable.

A gift is what the opponent lost by an action before the subgame: the best action's value less the value of
the action taken. A searcher may let the opponent have that much more below the action and still be no worse
off. Per visit, an increase in a subgame reaches the decision above it multiplied by the chance that searcher
and cards lead from one to the other. These chances add up to at most 1 over all subgames below one action, so
each subgame may get the whole per-visit gift: that *is* its share of the gift as a counterfactual value.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Literal, get_args

import numpy as np

from overbet.errors import ConfigError, unknown
from overbet.search.tabular.subgames import PublicSubgame, owners
from overbet.search.tabular.walks import Floats, Ints, last_slots, node_values, reaches, sums
from overbet.solvers.tabular import best_response
from overbet.tree.flat import FlatGame

Values = Literal["response", "estimates"]
Gifts = Literal["none", "blueprint", "floor"]


def checked_gifts(name: str) -> Gifts:
    """Return `name` if it says how gifts are bounded, else raise `ConfigError`."""
    for known in get_args(Gifts):
        if name == known:
            return known  # type: ignore[no-any-return]
    raise ConfigError(unknown("bound of gifts", name, get_args(Gifts)))


@dataclass(frozen=True, eq=False)
class OpponentView:
    """A whole strategy as the opponent of one searching player meets it.

    strategy: [slot] float64, of both players; searcher: the player whose subgames are solved again
    """

    game: FlatGame
    strategy: Floats
    searcher: int

    @property
    def opponent(self) -> int:
        """The player who does not search."""
        return 1 - self.searcher

    @cached_property
    def reach(self) -> Floats:
        """[3, node] float64: how likely player 0, player 1 and chance each play to a history."""
        return reaches(self.game, self.strategy)

    @cached_property
    def others(self) -> Floats:
        """[node] float64: how likely searcher and cards together lead to a history."""
        return np.asarray(self.reach[self.searcher] * self.reach[2])

    @cached_property
    def last_slots(self) -> Ints:
        """[node] int64: the slot of the opponent's last action before a history; -1 without one."""
        return np.asarray(last_slots(self.game)[self.opponent])

    @cached_property
    def response(self) -> Floats:
        """[slot] float64: the strategy with the opponent's part replaced by a best response."""
        tree = self.game.tree
        own = tree.infoset_player[tree.slot_infoset] == self.opponent
        return np.where(own, best_response(self.game, self.strategy).strategy, self.strategy)

    @cached_property
    def response_values(self) -> Floats:
        """[node] float64: the opponent's value of a history when it responds best from there on."""
        return node_values(self.game, self.response, self.opponent)

    @cached_property
    def estimated_values(self) -> Floats:
        """[node] float64: the opponent's value of a history when both keep to the strategy."""
        return node_values(self.game, self.strategy, self.opponent)

    def values(self, which: Values) -> Floats:
        """Return one of the two, [node] float64."""
        return self.response_values if which == "response" else self.estimated_values

    def floor_values(self, roots: Ints, which: Values) -> Floats:
        """Return a lower bound of the opponent's values whatever the searcher does below `roots`.

        The opponent keeps to its response (or to the strategy), and the searcher, below the roots, sees all
        cards and knows what the opponent will do: no strategy of the real game holds it to less.
        """
        inside = (owners(self.game, roots) >= 0) & (self.game.tree.player == self.searcher)
        played = self.response if which == "response" else self.strategy
        return node_values(self.game, played, self.opponent, inside)

    def at_roots(self, subgame: PublicSubgame, values: Floats) -> tuple[Floats, Floats]:
        """Return per visit values and weights of the opponent's root sets: [set] float64 twice.

        values: [node] float64. A set that the searcher never lets happen has weight 0 and value 0.
        """
        known, roots = subgame.known[self.opponent], subgame.roots
        count = subgame.num_known(self.opponent)
        weight = sums(known, self.others[roots], count)
        worth = sums(known, self.others[roots] * values[roots], count)
        return np.divide(worth, weight, out=np.zeros_like(worth), where=weight > 0.0), weight


def slot_values(view: OpponentView, values: Floats) -> Floats:
    """Return the opponent's value of each of its actions per visit of the set, [slot] float64; else 0."""
    tree, game = view.game.tree, view.game
    own = (tree.slot >= 0) & (
        tree.infoset_player[tree.slot_infoset[np.maximum(tree.slot, 0)]] == view.opponent
    )
    worth = sums(tree.slot[own], (view.others * values)[own], game.num_slots)
    decides = tree.player == view.opponent
    weight = sums(tree.infoset[decides], view.others[decides], game.num_infosets)
    per_slot = weight[tree.slot_infoset]
    return np.divide(worth, per_slot, out=np.zeros_like(worth), where=per_slot > 0.0)


def gifts(view: OpponentView, roots: Ints, which: Values = "response", bound: Gifts = "blueprint") -> Floats:
    """Return what the opponent gave away, per visit, on its way up to and with each of its actions.

    Result: [slot] float64, summed over its decisions so far. bound: how the best action is valued. With
    "blueprint" it has the value it has now: the result is never worse than the blueprint. With "floor" it
    has the least it can have once the subgames are solved again: nothing won there is given away either.
    """
    game, tree = view.game, view.game.tree
    found = np.zeros(game.num_slots)
    if bound == "none":
        return found
    values = view.values(which)
    taken = slot_values(view, values)
    best = taken if bound == "blueprint" else slot_values(view, view.floor_values(roots, which))
    start, end = tree.player_infosets[view.opponent], tree.player_infosets[view.opponent + 1]
    for infoset in range(int(start), int(end)):  # a set comes after those its player passed before
        slots = game.slots(infoset)
        before = int(tree.infoset_parent[infoset])
        given = np.maximum(best[slots].max() - taken[slots], 0.0)
        found[slots] = given + (found[before] if before >= 0 else 0.0)
    return found


def alternatives(
    view: OpponentView, subgame: PublicSubgame, which: Values = "response", given: Floats | None = None
) -> tuple[Floats, Floats]:
    """Return what entering may be worth to the opponent, per visit, and the weights of its root sets.

    Both are [root information set] float64. given: [slot] float64, the gifts to add, as `gifts` returns them.
    """
    worth, weight = view.at_roots(subgame, view.values(which))
    if given is not None:
        before = view.last_slots[subgame.roots]
        slot = np.full(len(worth), -1, dtype=np.int64)
        slot[subgame.known[view.opponent]] = before  # all histories of a set have the same own past
        worth = worth + np.where(slot >= 0, given[np.maximum(slot, 0)], 0.0)
    return worth, weight
