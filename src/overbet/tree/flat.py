"""A small game as flat arrays: every history once, numbered breadth first, built once and read by kernels.

Node 0 is the root. Nodes are ordered by depth, so a loop upwards over the nodes meets every parent before
its children and a loop downwards every child before its parent. The children of a node are consecutive:
action `a` (its position among the legal actions) leads from node `n` to `first_child[n] + a`.

Information sets are ordered by player and, within a player, so that a set comes after the sets the same
player passed on the way to it. All tables (regret, strategy, average) are one flat array with a **slot**
for every action of every information set: the slots of set `i` are
`infoset_offset[i] ... infoset_offset[i + 1] - 1`. A slot is also the player's *sequence* that ends with
that action (von Stengel 1996).

`Tree`, the part kernels read (N nodes, L terminal nodes, P players, I information sets, A slots):

    player:          [N] int8     the player to act, CHANCE (-1) or TERMINAL (-4)
    parent:          [N] int32    the node above; -1 at the root
    first_child:     [N] int32    the first child; 0 at a terminal node
    num_children:    [N] int32    how many children; 0 at a terminal node
    action:          [N] int32    the game's action id on the edge into the node; -1 at the root
    probability:     [N] float64  chance's probability of the edge into the node; 1 where no chance acted
    slot:            [N] int32    the slot of the edge into the node; -1 at the root and after chance
    infoset:         [N] int32    information set of a decision node; -1 elsewhere
    terminal:        [N] int32    row of `returns`; -1 elsewhere
    returns:         [L, P] float64  what each player won
    infoset_player:  [I] int8     whose set it is
    infoset_offset:  [I + 1] int32   first slot of each set; the last entry is A
    infoset_parent:  [I] int32    the slot of the same player's action before this set; -1 when there is none
    slot_infoset:    [A] int32    the set a slot belongs to
    player_infosets: [P + 1] int32   player p owns the sets player_infosets[p] ... player_infosets[p + 1] - 1

All arrays are C-contiguous, so a kernel that takes a `Tree` has one specialisation.
"""

from __future__ import annotations

import math
import random
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from overbet.errors import RulesError, TooLargeError
from overbet.games.protocol import CHANCE, TERMINAL, Game, State

DEFAULT_LIMIT = 3_000_000
_MOST_NODES = 100_000_000  # beyond this no limit is worth raising
_PROBES = 15
_INCONSISTENT = -2  # the parent of a set whose histories disagree about the player's own past


class Tree(NamedTuple):
    """The arrays of a flat game; shapes and dtypes in the module's docstring."""

    player: npt.NDArray[np.int8]
    parent: npt.NDArray[np.int32]
    first_child: npt.NDArray[np.int32]
    num_children: npt.NDArray[np.int32]
    action: npt.NDArray[np.int32]
    probability: npt.NDArray[np.float64]
    slot: npt.NDArray[np.int32]
    infoset: npt.NDArray[np.int32]
    terminal: npt.NDArray[np.int32]
    returns: npt.NDArray[np.float64]
    infoset_player: npt.NDArray[np.int8]
    infoset_offset: npt.NDArray[np.int32]
    infoset_parent: npt.NDArray[np.int32]
    slot_infoset: npt.NDArray[np.int32]
    player_infosets: npt.NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class FlatGame:
    """A whole game as arrays, with the names that make them readable."""

    name: str
    num_players: int
    tree: Tree
    infoset_names: tuple[str, ...]  # [infoset] what the player knows
    slot_actions: npt.NDArray[np.int32]  # [slot] the game's action id
    slot_names: tuple[str, ...]  # [slot] the action in words
    perfect_recall: bool  # every set remembers all of its player's own actions

    @property
    def num_nodes(self) -> int:
        return len(self.tree.player)

    @property
    def num_terminals(self) -> int:
        return len(self.tree.returns)

    @property
    def num_infosets(self) -> int:
        return len(self.infoset_names)

    @property
    def num_slots(self) -> int:
        return len(self.slot_names)

    def slots(self, infoset: int) -> slice:
        """Return the slots of one information set."""
        return slice(int(self.tree.infoset_offset[infoset]), int(self.tree.infoset_offset[infoset + 1]))

    @cached_property
    def infoset_ids(self) -> dict[tuple[int, str], int]:
        """Return the id of each information set by (player, name)."""
        players = self.tree.infoset_player.tolist()
        return {key: i for i, key in enumerate(zip(players, self.infoset_names))}

    def uniform(self) -> npt.NDArray[np.float64]:
        """Return the uniform strategy, [slot] float64."""
        counts = np.diff(self.tree.infoset_offset)
        return 1.0 / np.repeat(counts, counts).astype(np.float64)

    def normalise(self, weights: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        """Return `weights` ([slot] float64, none negative) scaled to 1 in each set; uniform where all 0."""
        starts = self.tree.infoset_offset[:-1]
        totals = np.add.reduceat(weights, starts) if self.num_infosets else np.zeros(0)
        total = totals[self.tree.slot_infoset]
        return np.where(total > 0.0, weights / np.where(total > 0.0, total, 1.0), self.uniform())


def flatten(game: Game, limit: int = DEFAULT_LIMIT) -> FlatGame:
    """Walk every history of `game` and return it as arrays.

    More than `limit` nodes raise `TooLargeError`, at once where a few random walks already show it.
    """
    _refuse_if_hopeless(game, limit)
    return _Walk(game, limit).flat()


def estimated_nodes(game: Game, probes: int = _PROBES) -> int:
    """Return the median of Knuth's (1975) random-walk estimates of the number of histories."""
    draw = random.Random(0)
    estimates = []
    for _ in range(probes):
        state, width, nodes = game.initial_state(), 1, 1  # whole numbers: Go has more than a float can hold
        while actions := state.legal_actions():
            width *= len(actions)
            nodes += width
            state = state.apply(draw.choice(actions))
        estimates.append(nodes)
    return sorted(estimates)[probes // 2]


def _refuse_if_hopeless(game: Game, limit: int) -> None:
    # An estimate is unbiased and positive, so at most a tenth of them exceed ten times the truth: a median
    # over ten times the limit means the game is too large, without walking millions of nodes to see it.
    nodes = estimated_nodes(game)
    if nodes > 10.0 * limit:
        raise TooLargeError(_too_large(game, f"about 10^{math.log10(nodes):.0f}", nodes, limit))


def _too_large(game: Game, size: str, nodes: int, limit: int) -> str:
    way = "raise the limit (about 300 bytes a history) or " if nodes < _MOST_NODES else ""
    other = getattr(game, "smaller", "use a solver that samples, or one that works on ranges")
    return f"{game.name} has {size} histories and at most {limit:,} are flattened; {way}{other}"


class _Walk:
    """One depth-first walk over all histories (little memory), renumbered breadth first at the end."""

    def __init__(self, game: Game, limit: int) -> None:
        self.game, self.limit = game, limit
        self.player: list[int] = []
        self.parent: list[int] = []
        self.depth: list[int] = []
        self.action: list[int] = []
        self.probability: list[float] = []
        self.children: list[int] = []
        self.infoset: list[int] = []
        self.returns: list[tuple[float, ...]] = []
        self.ids: dict[tuple[int, str], int] = {}
        self.set_actions: list[tuple[int, ...]] = []
        self.set_names: list[tuple[str, ...]] = []
        self.set_parent: list[tuple[int, int]] = []  # the player's last (set, position), or (-1, 0)
        self.perfect_recall = True
        self._walk()

    def _walk(self) -> None:
        start = ((-1, 0),) * self.game.num_players
        stack: list[tuple[State, int, int, int, float, tuple[tuple[int, int], ...]]] = [
            (self.game.initial_state(), -1, 0, -1, 1.0, start)
        ]
        while stack:
            state, parent, depth, action, probability, last = stack.pop()
            node = len(self.player)
            if node >= self.limit:
                size = f"more than {self.limit:,}"
                raise TooLargeError(_too_large(self.game, size, self.limit, self.limit))
            player = state.current_player()
            self.player.append(player)
            self.parent.append(parent)
            self.depth.append(depth)
            self.action.append(action)
            self.probability.append(probability)
            infoset, actions, chances = -1, [], []
            if player == TERMINAL:
                self.returns.append(self._checked_returns(state))
            elif player == CHANCE:
                outcomes = state.chance_outcomes()
                actions = [a for a, _ in outcomes]
                chances = [p for _, p in outcomes]
                if not math.isclose(sum(chances), 1.0, abs_tol=1e-9) or min(chances) < 0.0:
                    raise RulesError(f"{self.game.name}: chance probabilities {chances} do not sum to 1")
            else:
                actions = list(state.legal_actions())
                infoset = self._infoset(state, player, tuple(actions), last[player])
            self.children.append(len(actions))
            self.infoset.append(infoset)
            for position in range(len(actions) - 1, -1, -1):
                after = last
                if infoset >= 0:
                    after = (*last[:player], (infoset, position), *last[player + 1 :])
                chance = chances[position] if chances else 1.0
                child = state.apply(actions[position])
                stack.append((child, node, depth + 1, actions[position], chance, after))

    def _infoset(self, state: State, player: int, actions: tuple[int, ...], last: tuple[int, int]) -> int:
        key = (player, state.information_state(player))
        infoset = self.ids.setdefault(key, len(self.ids))
        if infoset == len(self.set_actions):
            if not actions:
                raise RulesError(f"{self.game.name}: player {player} has no legal action at {key[1]!r}")
            self.set_actions.append(actions)
            self.set_names.append(tuple(state.action_name(a) for a in actions))
            self.set_parent.append(last)
        elif self.set_actions[infoset] != actions:
            raise RulesError(
                f"{self.game.name}: histories that player {player} sees as {key[1]!r} differ in actions"
            )
        elif self.set_parent[infoset] != last:
            self.perfect_recall = False
            self.set_parent[infoset] = (_INCONSISTENT, 0)
        return infoset

    def _checked_returns(self, state: State) -> tuple[float, ...]:
        values = state.returns()
        if len(values) != self.game.num_players or not all(map(math.isfinite, values)):
            raise RulesError(
                f"{self.game.name}: {values} are not the returns of {self.game.num_players} players"
            )
        return values

    def flat(self) -> FlatGame:
        """Renumber nodes breadth first and sets by player, and return the arrays."""
        depth = np.array(self.depth, dtype=np.int32)
        order = np.argsort(depth, kind="stable")  # new -> old; keeps siblings together and in order
        new_node = np.empty(len(order), dtype=np.int32)
        new_node[order] = np.arange(len(order), dtype=np.int32)
        player = np.array(self.player, dtype=np.int8)[order]
        num_children = np.array(self.children, dtype=np.int32)[order]
        old_parent = np.array(self.parent, dtype=np.int32)[order]
        parent = np.where(old_parent < 0, -1, new_node[old_parent]).astype(np.int32)
        first_child = (1 + np.cumsum(num_children) - num_children).astype(np.int32)
        first_child[num_children == 0] = 0

        is_terminal = player == TERMINAL
        terminal = np.where(is_terminal, np.cumsum(is_terminal) - 1, -1).astype(np.int32)
        old_terminal = np.cumsum(np.array(self.player) == TERMINAL) - 1
        returns = np.array(self.returns, dtype=np.float64).reshape(-1, self.game.num_players)
        returns = np.ascontiguousarray(returns[old_terminal[order[is_terminal]]])

        old_infoset = np.array(self.infoset, dtype=np.int32)[order]
        set_order = self._set_order(old_infoset)  # new -> old
        new_set = np.empty(len(set_order), dtype=np.int32)
        new_set[set_order] = np.arange(len(set_order), dtype=np.int32)
        infoset = np.full(len(order), -1, dtype=np.int32)
        decides = old_infoset >= 0
        infoset[decides] = new_set[old_infoset[decides]]

        keys = list(self.ids)
        set_player = np.array([keys[s][0] for s in set_order], dtype=np.int8)
        counts = np.array([len(self.set_actions[s]) for s in set_order], dtype=np.int32)
        offset = np.concatenate([[0], np.cumsum(counts)]).astype(np.int32)
        above = infoset[np.maximum(parent, 0)]
        slot = offset[above] + np.arange(len(order)) - first_child[parent]
        slot[(above < 0) | (parent < 0)] = -1
        set_parent = np.full(len(set_order), -1, dtype=np.int32)
        for new, old in enumerate(set_order.tolist()):
            last_set, position = self.set_parent[old]
            if last_set >= 0:
                set_parent[new] = offset[new_set[last_set]] + position
            elif last_set == _INCONSISTENT:
                set_parent[new] = _INCONSISTENT
        bounds = np.searchsorted(set_player, np.arange(self.game.num_players + 1))
        tree = Tree(
            player=player,
            parent=parent,
            first_child=first_child,
            num_children=num_children,
            action=np.array(self.action, dtype=np.int32)[order],
            probability=np.array(self.probability, dtype=np.float64)[order],
            slot=slot.astype(np.int32),
            infoset=infoset,
            terminal=terminal,
            returns=returns,
            infoset_player=set_player,
            infoset_offset=offset,
            infoset_parent=set_parent,
            slot_infoset=np.repeat(np.arange(len(counts)), counts).astype(np.int32),
            player_infosets=bounds.astype(np.int32),
        )
        return FlatGame(
            name=self.game.name,
            num_players=self.game.num_players,
            tree=tree,
            infoset_names=tuple(keys[s][1] for s in set_order),
            slot_actions=np.array([a for s in set_order for a in self.set_actions[s]], dtype=np.int32),
            slot_names=tuple(name for s in set_order for name in self.set_names[s]),
            perfect_recall=self.perfect_recall,
        )

    def _set_order(self, old_infoset: npt.NDArray[np.int32]) -> npt.NDArray[np.int64]:
        """Return the sets by player, then by first appearance breadth first: ancestors come first."""
        sets, first = np.unique(old_infoset, return_index=True)
        first = first[sets >= 0]
        owner = np.array([player for player, _ in self.ids], dtype=np.int64)
        return np.lexsort((first, owner))
