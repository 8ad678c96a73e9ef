"""Subgames as games of their own: a copy of what follows some histories, under a head that a gadget builds.

The head of a copy is one of three (o is the opponent of the player who searches):

    deal:      chance deals the root histories by their weights
    choice:    chance deals them; then o, at each of its root information sets, follows into the subgame or
               takes an alternative payoff                                  (resolve; Burch et al. 2014)
    pick:      o picks one of its root information sets, chance deals the histories in it, and o's payoffs
               below are reduced by the set's alternative                   (maxmargin; Moravcik et al. 2016)

The result is a `FlatGame`, so every solver of small games takes it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from overbet.games.protocol import CHANCE, TERMINAL
from overbet.search.tabular.walks import Floats, Ints, Mask
from overbet.tree.flat import FlatGame, Tree

_HEAD = -1  # the source of a node that is not a copy
_NO_CLASS = -1


class Beginning(NamedTuple):
    """The histories that are dealt, and what the opponent knows of them.

    opponent: the player who does not search
    nodes:    [R] int64 histories of the whole game
    weights:  [R] float64, positive; they need not sum to 1
    classes:  [R] int64, the opponent's root information set of each, from 0
    """

    opponent: int
    nodes: Ints
    weights: Floats
    classes: Ints


@dataclass(frozen=True, eq=False)
class AugmentedGame:
    """A subgame as a game, and where its slots stand in the whole game.

    slots: [slot of `flat`] int64, the slot of the whole game; -1 for a choice that the gadget added
    """

    flat: FlatGame
    slots: Ints

    def into(self, strategy: Floats, solved: Floats, player: int) -> None:
        """Write `player`'s part of `solved` ([slot of `flat`]) into `strategy` ([slot of the whole game])."""
        tree = self.flat.tree
        own = (self.slots >= 0) & (tree.infoset_player[tree.slot_infoset] == player)
        strategy[self.slots[own]] = solved[own]


def deal(game: FlatGame, start: Beginning, keep: Mask | None = None) -> AugmentedGame:
    """Return the subgame whose histories are dealt by weight.

    keep: [node] bool, the nodes of the whole game that may be copied; chance nodes share out what is left.
    """
    copy = _Copy(game, start, keep)
    copy.add(1, source=start.nodes, parent=0, share=start.weights / start.weights.sum(), classes=_NO_CLASS)
    return copy.finish("subgame of", [], Shift(start.opponent, None))


def choice(game: FlatGame, start: Beginning, alternatives: Floats) -> AugmentedGame:
    """Return the resolve gadget; alternatives: [class] float64, the opponent's payoff if it stays out."""
    copy = _Copy(game, start, None)
    count = len(start.nodes)
    copy.add(1, _HEAD, 0, start.weights / start.weights.sum(), start.classes, start.opponent, start.classes)
    # two children each: follow, then the alternative
    sources = np.stack([start.nodes, np.full(count, _HEAD)], axis=1).ravel()
    parents = np.repeat(1 + np.arange(count), 2)
    copy.add(2, sources, parents, 1.0, np.repeat(start.classes, 2), TERMINAL)
    sets = [_GadgetSet(f"root {c}", ("follow", "alternative"), c, 1) for c in range(len(alternatives))]
    return copy.finish("resolve gadget of", sets, Shift(start.opponent, alternatives, below=False))


def pick(game: FlatGame, start: Beginning, alternatives: Floats) -> AugmentedGame:
    """Return the maxmargin gadget; alternatives: [class] float64, taken off the opponent's payoffs."""
    order = np.argsort(start.classes, kind="stable")
    classes, nodes, weights = start.classes[order], start.nodes[order], start.weights[order]
    total = np.bincount(classes, weights=weights, minlength=len(alternatives))
    copy = _Copy(game, start, None, mover=start.opponent, own_set=0)
    every = np.arange(len(alternatives))
    copy.add(1, _HEAD, 0, 1.0, every, CHANCE)
    copy.add(2, nodes, 1 + classes, weights / total[classes], classes)
    sets = [_GadgetSet("pick", tuple(f"root {c}" for c in every), 0, len(every))]
    return copy.finish("maxmargin gadget of", sets, Shift(start.opponent, alternatives, below=True))


class Shift(NamedTuple):
    """What happens to payoffs. below: alternatives are taken off what follows; else paid in place."""

    opponent: int
    alternatives: Floats | None
    below: bool = False


class _GadgetSet(NamedTuple):
    """An information set that the gadget adds for the opponent.

    first: the class that its first action leads to; leads: how many of its actions enter the subgame.
    """

    name: str
    actions: tuple[str, ...]
    first: int
    leads: int


class _Copy:
    """The nodes of the new game, level by level, so that they come out numbered breadth first."""

    def __init__(
        self, game: FlatGame, start: Beginning, keep: Mask | None, mover: int = CHANCE, own_set: int = -1
    ) -> None:
        self.game, self.opponent, self.keep = game, start.opponent, keep
        self.source: list[npt.NDArray[np.int64]] = []
        self.parent: list[npt.NDArray[np.int64]] = []
        self.share: list[Floats] = []  # probability of the edge into a node, as chance would have it
        self.classes: list[npt.NDArray[np.int64]] = []
        self.player: list[npt.NDArray[np.int64]] = []
        self.own_set: list[npt.NDArray[np.int64]] = []  # the gadget's information set of a node; -1 elsewhere
        self.add(0, np.array([_HEAD]), -1, 1.0, _NO_CLASS, mover, own_set)

    def add(
        self,
        level: int,
        source: npt.ArrayLike,
        parent: npt.ArrayLike,
        share: npt.ArrayLike,
        classes: npt.ArrayLike,
        player: int = CHANCE,
        own_set: npt.ArrayLike = -1,
    ) -> None:
        """Add one level; `player` and `own_set` are those of nodes that are not copies."""
        assert level == len(self.source)
        shape = np.broadcast_shapes(*(np.shape(part) for part in (source, parent, share, classes)))
        full = [np.broadcast_to(np.asarray(part), shape) for part in (source, parent, classes, own_set)]
        sources, parents, numbers, sets = (part.astype(np.int64) for part in full)
        self.source.append(sources)
        self.parent.append(parents)
        self.share.append(np.broadcast_to(np.asarray(share, dtype=np.float64), shape).copy())
        self.classes.append(numbers)
        copied = self.game.tree.player[np.maximum(sources, 0)].astype(np.int64)
        self.player.append(np.where(sources == _HEAD, player, copied))
        self.own_set.append(sets)

    def _grow(self) -> None:
        """Copy what follows the last level, to the end."""
        tree = self.game.tree
        start = sum(map(len, self.source[:-1]))
        while len(self.source[-1]):
            source, classes = self.source[-1], self.classes[-1]
            counts = np.where(source == _HEAD, 0, tree.num_children[np.maximum(source, 0)])
            above = np.repeat(np.arange(len(source)), counts)
            first = np.cumsum(counts) - counts
            children = tree.first_child[source[above]] + np.arange(len(above)) - first[above]
            share = tree.probability[children]
            if self.keep is not None:
                kept = self.keep[children]
                above, children, share = above[kept], children[kept], share[kept]
                of_chance = tree.player[source[above]] == CHANCE
                left = np.bincount(above, weights=share, minlength=len(source))[above]
                share = np.where(of_chance, share / left, 1.0)
            self.add(len(self.source), children, start + above, share, classes[above])
            start += len(source)

    def finish(self, title: str, sets: list[_GadgetSet], shift: Shift) -> AugmentedGame:
        """Copy the rest and return the game."""
        self._grow()
        tree = self.game.tree
        source, parent, classes, player, own_set = (
            np.concatenate(parts)
            for parts in (self.source, self.parent, self.classes, self.player, self.own_set)
        )
        share = np.concatenate(self.share)
        old_set = np.where(source == _HEAD, -1, tree.infoset[np.maximum(source, 0)])
        table = _Sets(self.game, self.opponent, sets, old_set, classes)
        infoset = np.where(own_set >= 0, table.added[np.maximum(own_set, 0)], table.renamed[old_set])
        counts = np.bincount(parent[1:], minlength=len(source))
        first_child = 1 + np.cumsum(counts) - counts
        position = np.arange(len(source)) - first_child[parent]
        above = infoset[np.maximum(parent, 0)]
        decided = (above >= 0) & (parent >= 0)
        slot = np.where(decided, table.offset[np.maximum(above, 0)] + position, -1)
        first_child[counts == 0] = 0
        over = counts == 0
        action = np.where(source == _HEAD, position, tree.action[np.maximum(source, 0)])
        action[0] = -1
        flat = FlatGame(
            name=f"{title} {self.game.name}",
            num_players=2,
            tree=Tree(
                player=player.astype(np.int8),
                parent=parent.astype(np.int32),
                first_child=first_child.astype(np.int32),
                num_children=counts.astype(np.int32),
                action=action.astype(np.int32),
                probability=np.where(decided | (parent < 0), 1.0, share),
                slot=slot.astype(np.int32),
                infoset=infoset.astype(np.int32),
                terminal=np.where(over, np.cumsum(over) - 1, -1).astype(np.int32),
                returns=_returns(self.game, source[over], classes[over], shift),
                infoset_player=table.player.astype(np.int8),
                infoset_offset=table.offset.astype(np.int32),
                infoset_parent=table.parent.astype(np.int32),
                slot_infoset=np.repeat(np.arange(len(table.player)), np.diff(table.offset)).astype(np.int32),
                player_infosets=np.searchsorted(table.player, np.arange(3)).astype(np.int32),
            ),
            infoset_names=table.names,
            slot_actions=table.actions.astype(np.int32),
            slot_names=table.action_names,
            perfect_recall=True,
        )
        return AugmentedGame(flat, table.slots)


def _returns(game: FlatGame, source: Ints, classes: Ints, shift: Shift) -> Floats:
    """Return the payoffs of terminal nodes, [terminal, 2] float64."""
    row = game.tree.terminal[np.maximum(source, 0)]
    returns = game.tree.returns[row].copy()
    if shift.alternatives is not None:
        worth = shift.alternatives[classes]
        o, s = shift.opponent, 1 - shift.opponent
        if shift.below:
            returns[:, o] -= worth
            returns[:, s] += worth
        else:
            taken = source == _HEAD
            returns[taken, o], returns[taken, s] = worth[taken], -worth[taken]
    return np.ascontiguousarray(returns)


class _Sets:
    """The information sets of the new game: the gadget's first among the opponent's, then the copied ones.

    renamed: [old set + 1] new number of a copied set; the last entry, which -1 finds, is -1
    added: [gadget's set] new number
    """

    def __init__(
        self, game: FlatGame, opponent: int, sets: list[_GadgetSet], old_set: Ints, classes: Ints
    ) -> None:
        tree = game.tree
        used, first = np.unique(old_set, return_index=True)
        used, first = used[used >= 0], first[used >= 0]
        owner = np.concatenate([np.full(len(sets), opponent), tree.infoset_player[used]]).astype(np.int64)
        order = np.argsort(owner, kind="stable")
        place = np.empty(len(order), dtype=np.int64)
        place[order] = np.arange(len(order))
        self.added = place[: len(sets)] if sets else np.array([-1])
        self.renamed = np.full(game.num_infosets + 1, -1, dtype=np.int64)
        self.renamed[used] = place[len(sets) :]
        self.player = owner[order]

        old_counts = np.diff(tree.infoset_offset)[used]
        counts = np.concatenate([[len(s.actions) for s in sets], old_counts]).astype(np.int64)[order]
        self.offset = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
        entry = {
            s.first + k: int(self.offset[self.added[i]]) + k
            for i, s in enumerate(sets)
            for k in range(s.leads)
        }

        names, slots, actions, action_names, parents = [], [], [], [], []
        for i in order.tolist():
            if i < len(sets):
                names.append(sets[i].name)
                action_names += sets[i].actions
                slots += [-1] * len(sets[i].actions)
                actions += list(range(len(sets[i].actions)))
                parents.append(-1)
                continue
            old, node = int(used[i - len(sets)]), int(first[i - len(sets)])
            span = game.slots(old)
            names.append(game.infoset_names[old])
            action_names += game.slot_names[span]
            slots += list(range(span.start, span.stop))
            actions += game.slot_actions[span].tolist()
            before = int(tree.infoset_parent[old])
            above = int(self.renamed[tree.slot_infoset[before]]) if before >= 0 else -1
            if above >= 0:
                within = before - int(tree.infoset_offset[tree.slot_infoset[before]])
                parents.append(int(self.offset[above]) + within)
            else:
                mine = tree.infoset_player[old] == opponent
                parents.append(entry.get(int(classes[node]), -1) if mine else -1)
        self.names, self.action_names = tuple(names), tuple(action_names)
        self.slots = np.array(slots, dtype=np.int64)
        self.actions = np.array(actions, dtype=np.int64)
        self.parent = np.array(parents, dtype=np.int64)
