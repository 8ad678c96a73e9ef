"""A betting tree written out line by line: what a thread does that walks one hand through it.

A *line* is the nodes of one street after one public sequence; an *edge* is an action of a decision of it. The
edges of a line are in the order of a depth-first walk: forwards they carry reaches down, backwards values up,
and a thread needs no more memory than one decision at each depth. Where an edge leaves the line, at the end
of the hand or of the street, it has a *slot*: there both players' reaches are written, and later their
values.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from overbet.kernels.boards.preorder import preorder
from overbet.kernels.training.record import EARLY_SHOWDOWN, FOLDED
from overbet.tree.holdem import HoldemTree

Ints = npt.NDArray[np.int32]
STREETS = 4
FIELDS = 8  # of an edge
DEPTH, ACTOR, ACTION, COUNT, SLOT, STEP, ENTRY = range(7)


class LineProgram(NamedTuple):
    """L lines, E edges, X slots.

    street_line: [5] int32, the first line of each street, and L
    first:       [L + 1] int32, the first edge of each line
    entered:     [L] int32, the slot that leads to a line, -1 for the first
    edges:       [E, 8] int32: the decision's depth in its line, who acts, which of its actions, of how many,
                 the slot (-1: the line goes on), `step` and `entry`: the table's entry of bucket b is entry +
                 step * b
    depth, actions: the deepest decision, and the most actions of one
    ends:        [T] int32, slots of the hand's ends; kinds: [T] int32, how each ends; in the tree's order
    """

    street_line: Ints
    first: Ints
    entered: Ints
    edges: Ints
    depth: int
    actions: int
    slots: int
    ends: Ints
    kinds: Ints

    def of_kind(self, *kinds: int) -> Ints:
        """Return the numbers of the ends of some kinds, ascending."""
        found: Ints = np.flatnonzero(np.isin(self.kinds, kinds)).astype(np.int32)
        return found


def line_program(tree: HoldemTree, record: npt.NDArray[np.int64]) -> LineProgram:
    """Return the program of a tree. record: [N, 4] int64, as `HoldemTree.records` gives it."""
    nodes = tree.nodes
    order = preorder(nodes.player, nodes.first, nodes.num_children)
    child = np.arange(1, len(nodes.player))
    parent = nodes.parent[1:].astype(np.int64)
    decides = nodes.player[1:] >= 0
    stays = decides & (nodes.line[1:] == nodes.line[parent])
    depth = np.zeros(len(nodes.player), np.int32)
    for number in np.flatnonzero(stays) + 1:  # parents come first
        depth[number] = depth[nodes.parent[number]] + 1
    by_line = np.lexsort((order[1:], nodes.line[parent], nodes.street[parent]))
    child, parent, stays = child[by_line], parent[by_line], stays[by_line]
    leaves = np.flatnonzero(~stays)
    slot = np.full(len(child), -1, np.int32)
    slot[leaves] = np.arange(len(leaves), dtype=np.int32)
    if record[:, 2].max(initial=0) + nodes.num_children.max() >= 2**31:
        raise OverflowError("tables of more than 2^31 entries")
    edges = np.zeros((len(child), FIELDS), np.int32)
    action = child - nodes.first[parent]
    for field, values in (
        (DEPTH, depth[parent]),
        (ACTOR, nodes.player[parent]),
        (ACTION, action),
        (COUNT, nodes.num_children[parent]),
        (SLOT, slot),
        (STEP, record[parent, 3]),
        (ENTRY, record[parent, 2] + action),
    ):
        edges[:, field] = values
    begins = np.flatnonzero(np.diff(nodes.line[parent], prepend=-1))
    opens = np.full(len(nodes.player), -1, np.int32)
    opens[child[leaves]] = slot[leaves]
    first_nodes = parent[begins]  # a line's first edge is an action of its first decision
    streets = nodes.street[first_nodes]
    at_end = nodes.player[child] < 0
    ends = np.zeros(len(nodes.won), np.int32)
    kinds = np.zeros(len(nodes.won), np.int32)
    ends[nodes.first[child[at_end]]] = slot[at_end]
    kinds[nodes.first[child[at_end]]] = record[child[at_end], 0]
    return LineProgram(
        np.searchsorted(streets, np.arange(STREETS + 1)).astype(np.int32),
        np.append(begins, len(child)).astype(np.int32),
        opens[first_nodes],
        edges,
        int(depth.max(initial=0)),
        int(nodes.num_children.max()),
        len(leaves),
        ends,
        kinds,
    )


__all__ = ["EARLY_SHOWDOWN", "FIELDS", "FOLDED", "LineProgram", "line_program"]
