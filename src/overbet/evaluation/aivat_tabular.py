"""AIVAT on small games: every hand's estimate by the formula itself, over the whole tree at once.

AIVAT (Burch, Schmid, Moravcik, Morrill & Bowling, "AIVAT: A New Variance Reduction Technique for Agent
Evaluation in Imperfect Information Games", 2018). Chance and the players whose strategies are **known** make
up Pa. Histories that the unknown players cannot tell apart form a set H: they differ in hidden cards of known
players alone, so the unknown players reach all of them alike. The payoff is averaged over the ends of the
hand that look the same, each weighed by pi_Pa, and every point H that chance or a known player decides adds

    k_H = [sum_a sum_{h in H} pi_Pa(ha) u(ha)] / [sum_{h in H} pi_Pa(h)]
        - [sum_{h in H} pi_Pa(h a_seen) u(h a_seen)] / [sum_{h in H} pi_Pa(h a_seen)]

for a value function u fixed before the hands were played. Each k_H has mean zero whatever u is, so the
estimate is unbiased; the nearer u comes to the true value, the less it varies, and with the true value and
every player known it does not vary at all. Any number of players; each one's winnings are a column of u.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from overbet.errors import ConfigError, RulesError
from overbet.games.protocol import CHANCE, TERMINAL, Game
from overbet.games.registry import make_game
from overbet.tree.flat import FlatGame, flatten

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


class Spread(NamedTuple):
    """Mean and standard deviation of an estimate over all hands, by player: [player] float64 each."""

    mean: Floats
    sd: Floats


@dataclass(frozen=True, eq=False)
class Groups:
    """The sets H: histories that look the same to `viewers`.

    group: [node] int64; parent: [group] int64, -1 at the root; actor: [group] int64, who decides there
    """

    group: Ints
    parent: Ints
    actor: Ints


def true_values(flat: FlatGame, strategy: Floats) -> Floats:
    """Return what each player wins from every history on when all play `strategy`: [node, player] float64."""
    tree = flat.tree
    values = np.zeros((flat.num_nodes, flat.num_players))
    ends = tree.terminal >= 0
    values[ends] = tree.returns[tree.terminal[ends]]
    chances = _edge_probability(flat, strategy)
    for node in range(flat.num_nodes - 1, 0, -1):
        values[tree.parent[node]] += chances[node] * values[node]
    return values


class TabularAivat:
    """AIVAT for the hands of one small game. `estimates`: [terminal, player] float64, one row an end.

    strategy: [slot] float64; only the slots of `known` players are read.
    values: [node, player] float64, the value function u; any numbers.
    viewers: whose view makes the sets H; the unknown players, or everybody where all are known.
    """

    def __init__(
        self,
        game: Game | str,
        strategy: Floats,
        known: Iterable[int],
        values: Floats,
        viewers: Iterable[int] | None = None,
        flat: FlatGame | None = None,
    ) -> None:
        played = make_game(game) if isinstance(game, str) else game
        self.flat = flatten(played) if flat is None else flat
        players = self.flat.num_players
        self.known = frozenset(known)
        if not self.known <= set(range(players)):
            raise ConfigError(f"known players are 0 to {players - 1}, not {sorted(self.known)}")
        shape = (self.flat.num_nodes, players)
        if values.shape != shape or strategy.shape != (self.flat.num_slots,):
            raise ConfigError(f"values {list(shape)} and a strategy [{self.flat.num_slots}] are needed")
        unknown = set(range(players)) - self.known
        watching = set(viewers) if viewers is not None else (unknown or set(range(players)))
        if not unknown <= watching:
            raise ConfigError("a set H must not hold histories that an unknown player tells apart")
        self.groups = _groups(played, self.flat, sorted(watching))
        self._reach = self._reaches(strategy)
        self.estimates = self._estimates(values)

    def of(self, actions: Sequence[int]) -> Floats:
        """Return the estimate of one hand, given by its actions and cards in order: [player] float64."""
        tree, node = self.flat.tree, 0
        for action in actions:
            first = int(tree.first_child[node])
            legal = tree.action[first : first + int(tree.num_children[node])].tolist()
            if action not in legal:
                raise RulesError(f"{action} is not possible after {list(actions)}; there is {legal}")
            node = first + legal.index(action)
        if tree.terminal[node] < 0:
            raise RulesError(f"the hand is not over after {list(actions)}")
        row: Floats = self.estimates[tree.terminal[node]]
        return row

    def spread(self, strategy: Floats) -> Spread:
        """Return mean and deviation of the estimates over every hand of `strategy`: [slot] float64."""
        return spread(self.flat, strategy, self.estimates)

    def _reaches(self, strategy: Floats) -> Floats:
        """Return pi_Pa of every history: [node] float64."""
        tree = self.flat.tree
        edges = np.ones(self.flat.num_nodes)
        edges[1:] = tree.probability[1:]
        owned = np.isin(tree.player[tree.parent], list(self.known)) & (tree.slot >= 0)
        edges[owned] = strategy[tree.slot[owned]]
        return _products(self.flat, edges)

    def _estimates(self, values: Floats) -> Floats:
        groups, reach = self.groups, self._reach
        count = len(groups.parent)
        weight = _sums(groups.group, reach, np.ones((len(reach), 1)), count)[:, 0]
        worth = _sums(groups.group, reach, values, count)
        seen = _shares(worth, weight)  # the second term of k, at the group it leads to
        before = np.zeros_like(worth)  # the first term, at the group that decides
        np.add.at(before, groups.parent[1:], worth[1:])
        before = _shares(before, weight)
        payoff = np.zeros_like(values)
        ends = self.flat.tree.terminal >= 0
        payoff[ends] = self.flat.tree.returns[self.flat.tree.terminal[ends]]
        paid = _shares(_sums(groups.group, reach, payoff, count), weight)
        adjusted = np.zeros_like(worth)
        for group in range(1, count):  # a group comes after its parent
            above = groups.parent[group]
            adjusted[group] = adjusted[above]
            actor = groups.actor[above]
            if actor == CHANCE or actor in self.known:
                adjusted[group] += before[above] - seen[group]
        found = (adjusted + paid)[groups.group[ends]]
        rows = np.empty_like(found)
        rows[self.flat.tree.terminal[ends]] = found
        return rows


def spread(flat: FlatGame, strategy: Floats, estimates: Floats | None = None) -> Spread:
    """Return mean and deviation over every hand of `strategy`; of the raw winnings without `estimates`."""
    tree = flat.tree
    ends = np.flatnonzero(tree.terminal >= 0)
    weight = _products(flat, _edge_probability(flat, strategy))[ends]
    table = tree.returns if estimates is None else estimates
    rows = table[tree.terminal[ends]]
    mean = weight @ rows
    return Spread(mean, np.sqrt(np.maximum(weight @ (rows - mean) ** 2, 0.0)))


def _sums(group: Ints, reach: Floats, values: Floats, count: int) -> Floats:
    """Return the sum of reach * value over each group: [group, player] float64."""
    found = np.zeros((count, values.shape[1]))
    np.add.at(found, group, reach[:, None] * values)
    return found


def _shares(worth: Floats, weight: Floats) -> Floats:
    found: Floats = worth / np.where(weight > 0.0, weight, 1.0)[:, None]
    return found


def _edge_probability(flat: FlatGame, strategy: Floats) -> Floats:
    tree = flat.tree
    found: Floats = np.where(tree.slot >= 0, strategy[np.maximum(tree.slot, 0)], tree.probability)
    return found


def _products(flat: FlatGame, edges: Floats) -> Floats:
    reach = np.ones(flat.num_nodes)
    for node in range(1, flat.num_nodes):
        reach[node] = reach[flat.tree.parent[node]] * edges[node]
    return reach


def _groups(game: Game, flat: FlatGame, viewers: list[int]) -> Groups:
    """Number the sets of histories that look the same to `viewers`, parents first."""
    tree = flat.tree
    states = [game.initial_state()]
    group = np.zeros(flat.num_nodes, np.int64)
    ids: dict[tuple[object, ...], int] = {}
    parent, actor = [-1], [int(tree.player[0])]
    for node in range(1, flat.num_nodes):
        above = int(tree.parent[node])
        state = states[above].apply(int(tree.action[node]))
        states.append(state)
        public = int(tree.action[node]) if tree.player[above] != CHANCE else None
        key = (int(group[above]), public, *(state.information_state(player) for player in viewers))
        found = ids.setdefault(key, len(parent))
        if found == len(parent):
            parent.append(int(group[above]))
            actor.append(int(tree.player[node]))
        elif actor[found] != int(tree.player[node]):
            names = {CHANCE: "chance", TERMINAL: "nobody"}
            who = [names.get(p, f"player {p}") for p in (actor[found], int(tree.player[node]))]
            raise RulesError(f"{flat.name}: {who[0]} or {who[1]} acts in histories that look the same")
        group[node] = found
    return Groups(group, np.array(parent), np.array(actor))
