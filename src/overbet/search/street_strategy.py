"""What a search says about its own street: every decision of it, for all hands. Small enough to keep."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from overbet.cards.combos import COMBOS
from overbet.solvers.vector.reader import TreeReader
from overbet.tree.betting import CONTINUATION, BettingTree
from overbet.tree.spot import IP, OOP

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int32]
WHOLE = 65535  # what one is in the steps of a strategy


class StreetStrategy(NamedTuple):
    """The first street of a solved subgame, N nodes in the order of its betting tree, D rows.

    kind: [N] int32, the player to act, or CHANCE, FOLD, SHOWDOWN. first_child, num_children: [N] int32.
    edge: [N] int32, how a node was reached: -1 fold, 0 check or call, n > 0 chips put in since the street
    began. row: [N] int32, where a decision's rows begin. shares: [D, 1326] float32, how often each hand takes
    each action; NaN for hands that are not in the tree.
    """

    kind: Ints
    first_child: Ints
    num_children: Ints
    edge: Ints
    row: Ints
    shares: npt.NDArray[np.float32]

    def children(self, node: int) -> range:
        """Return the children of a node; a node that ends the street has none."""
        first = int(self.first_child[node])
        return range(first, first + int(self.num_children[node]))

    def node(self, edges: tuple[int, ...]) -> int | None:
        """Return the node after some actions of the street, None where they are not in the tree."""
        return node_after(self, edges)

    def at(self, node: int) -> Floats:
        """Return how often every hand takes each action of a decision: [1326, action] float64."""
        first = int(self.row[node])
        found: Floats = self.shares[first : first + int(self.num_children[node])].T.astype(np.float64)
        return found

    def reach(self, ranges: Floats, edges: tuple[int, ...]) -> Floats:
        """Return both ranges after some actions of the street, which must be in the tree: [2, 1326].

        An action that no hand would take tells nothing: the range stays as it was.
        """
        found, node = ranges.copy(), 0
        for edge in edges:
            place = next(k for k, child in enumerate(self.children(node)) if self.edge[child] == edge)
            after = found[self.kind[node]] * np.nan_to_num(self.shares[self.row[node] + place])
            if after.max() > 0.0:
                found[self.kind[node]] = after
            node = int(self.first_child[node]) + place
        return found


def node_after(tree: StreetStrategy | BettingTree, edges: tuple[int, ...]) -> int | None:
    """Return the node that some edges from the root lead to, None where the tree has no such line."""
    node = 0
    for edge in edges:
        found = [child for child in tree.children(node) if tree.edge[child] == edge]
        if not found:
            return None
        node = found[0]
    return node


def street_strategy(reader: TreeReader) -> StreetStrategy:
    """Return the first street of a solved tree."""
    betting, first = reader.tree.betting, reader.tree.spot.first_street
    nodes = betting.street_nodes(first)
    # a choice among continuations at a depth limit is no action of the street
    decides = [
        betting.kind[node] in (OOP, IP) and betting.edge[betting.first_child[node]] > CONTINUATION
        for node in nodes
    ]
    count = np.where(decides, betting.num_children[: len(nodes)], 0).astype(np.int32)
    row = np.concatenate([[0], np.cumsum(count)]).astype(np.int32)
    shares = np.full((int(row[-1]), COMBOS), np.nan, np.float32)
    for player in (OOP, IP):
        own = [node for node in nodes if betting.kind[node] == player]
        if own:
            found = rounded_groups(reader.first_rows(player), reader.layout.rows[own])
            combos = reader.tree.hands[player].combos
            for node in own:
                at = int(reader.layout.rows[node])
                shares[row[node] : row[node + 1], combos] = found[at : at + int(count[node])]
    return StreetStrategy(
        betting.kind[: len(nodes)].copy(),
        betting.first_child[: len(nodes)].copy(),
        count,
        betting.edge[: len(nodes)].copy(),
        row[:-1].copy(),
        shares,
    )


def rounded_groups(table: Floats, starts: npt.NDArray[np.integer]) -> npt.NDArray[np.float32]:
    """Return the strategies that summed ones stand for, [row, hand], in the steps they are kept in: so they
    are the same whether they were found now or long ago. A group of rows begins at each of `starts`.

    Each step is a 65535th, and the shares of a hand in a group add up to one; a hand without any sum plays
    all actions alike.
    """
    sizes = np.diff([*starts, len(table)])
    group = np.repeat(np.arange(len(starts)), sizes)
    total = np.add.reduceat(table, starts, axis=0)[group]
    even = (1 / sizes)[group, None]
    shares = np.where(total > 0, table / np.where(total > 0, total, 1.0), even)
    whole = np.rint(shares * WHOLE)
    rest = WHOLE - np.add.reduceat(whole, starts, axis=0)  # a step for each action at most
    largest = shares == np.maximum.reduceat(shares, starts, axis=0)[group]
    before = np.cumsum(largest, axis=0) - largest  # the first of the largest takes them
    whole += np.where(largest & (before == before[starts][group]), rest[group], 0)
    found: npt.NDArray[np.float32] = (whole / WHOLE).astype(np.float32)
    return found


def rounded(shares: Floats) -> npt.NDArray[np.float32]:
    """Return one decision's strategy, [action, hand], in the steps it is kept in; see `rounded_groups`."""
    whole = np.rint(shares * WHOLE)
    rest = (WHOLE - whole.sum(0)).astype(np.int64)
    whole[shares.argmax(0), np.arange(shares.shape[1])] += rest
    return (whole / WHOLE).astype(np.float32)
