"""What a GPU's solve says about the first street, without its tables being brought to the host.

The tables of a flop spot are gigabytes, and what a person asks for first is the first street: its averages
are a few rows, and its values come from one more look on the GPU.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from overbet.kernels.vector.bundles import FLOP
from overbet.kernels.vector.response import FOLLOW
from overbet.solvers.vector.gpu.layout import value_rows_of
from overbet.solvers.vector.layout import Layout
from overbet.solvers.vector.reader import TreeReader
from overbet.solvers.vector.response import Values
from overbet.solvers.vector.subgame import compatible
from overbet.tree.betting import CHANCE
from overbet.tree.public import PublicTree
from overbet.tree.spot import IP, OOP

Floats = npt.NDArray[np.float32]
Doubles = npt.NDArray[np.float64]


def first_reader(
    tree: PublicTree, layout: Layout, strategies: list[Floats], ends: list[Floats], threads: int
) -> TreeReader:
    """Return a reader of the first street of a spot that begins before the river.

    strategies: each player's table up to the end of that street, strategies without holes. ends: each
    player's values at its terminals and CHANCE nodes, [rows, stride] float32, as the update counts them:
    chips beyond half of the pot.
    """
    first = tree.spot.first_street
    averages: list[Any] = list(strategies)
    plain = TreeReader(tree, layout, averages, None, threads, first)
    known = {}
    for player in (OOP, IP):
        found = _values(plain, player, ends[player])
        flop = found if first == FLOP else None
        known[player, FOLLOW] = Values(found[0], flop, None if first == FLOP else found[None])
    return TreeReader(tree, layout, averages, known, threads, first)


def _values(reader: TreeReader, player: int, ends: Floats) -> Doubles:
    """Return a player's values at all nodes of the first street, in pot shares: [nodes, H] float64."""
    tree, betting = reader.tree, reader.tree.betting
    size = tree.hands[player].size
    nodes, row = betting.street_nodes(tree.spot.first_street), value_rows_of(betting)[0]
    found = np.zeros((len(nodes), size))
    for node in reversed(nodes):
        here = node - nodes.start
        if betting.kind[node] >= CHANCE:
            found[here] = ends[row[node], :size]
            continue
        children = [child - nodes.start for child in betting.children(node)]
        if betting.kind[node] == player:
            found[here] = (reader.strategy(node, 0) * found[children]).sum(0)
        else:
            found[here] = found[children].sum(0)
    reach = reader.reaches(int(betting.line[nodes.start]), 0)[1 - player]
    shares: Doubles = found + tree.spot.pot / 2 * compatible(tree, player, reach)
    return shares
