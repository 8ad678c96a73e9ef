"""A walk through a blueprint: lines with the board written where it fell, and the hands that follow them.

The betting tree of a blueprint knows no cards, so its own lines name none. Here the cards of each street
stand after the actions before it, `r:0:b200:c:As8d3c:c`, and a range is followed down a line: a hand's weight
is the product of how often it takes each of its player's actions.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from overbet.blueprint.query import BOARD_CARDS, Blueprint
from overbet.cards.cards import cards_name
from overbet.cards.combos import COMBOS, live_combos
from overbet.tree.holdem import HoldemTree

Floats = npt.NDArray[np.float64]


def path(tree: HoldemTree, node: int) -> list[int]:
    """Return the nodes from the root to a node, both included."""
    found = [node]
    while found[-1] > 0:
        found.append(int(tree.nodes.parent[found[-1]]))
    return found[::-1]


def dealt(board: tuple[int, ...], street: int) -> tuple[int, ...]:
    """Return the cards of a street that are known; none where not all of its cards are."""
    found = board[BOARD_CARDS[street - 1] : BOARD_CARDS[street]] if street else ()
    return found if street and len(board) >= BOARD_CARDS[street] else ()


def streets_between(tree: HoldemTree, node: int, child: int) -> Iterator[int]:
    """Yield the streets that begin between a decision and what follows it; none where the hand is over."""
    if tree.nodes.player[child] >= 0:
        yield from range(int(tree.nodes.street[node]) + 1, int(tree.nodes.street[child]) + 1)


def line_with_board(tree: HoldemTree, node: int, board: tuple[int, ...]) -> str:
    """Return the line of a node, the cards of every street in it where all of them are known."""
    found = "r:0"
    for here, child in pairwise(path(tree, node)):
        found += f":{tree.tokens(here)[tree.children(here).index(child)]}"
        for street in streets_between(tree, here, child):
            cards = dealt(board, street)
            found += f":{cards_name(cards)}" if cards else ""
    return found


def reach(blueprint: Blueprint, node: int, board: tuple[int, ...]) -> Floats:
    """Return how much of every hand of the player who decides at a node gets there: [1326] float64, 0 to 1.

    board: all the cards that lie there. A row that training never reached takes no action.
    """
    return reach_of(blueprint, node, board, int(blueprint.tree.nodes.player[node])) * live_combos(board)


def reach_of(blueprint: Blueprint, node: int, board: tuple[int, ...], player: int) -> Floats:
    """Return how much of every hand of any player gets to a node: [1326] float64; the board blocks none."""
    tree = blueprint.tree
    found: Floats = np.ones(COMBOS)
    for here, child in pairwise(path(tree, node)):
        if tree.nodes.player[here] != player:
            continue
        lying = board[: BOARD_CARDS[int(tree.nodes.street[here])]]
        shares = blueprint.strategy_for_all_hands(tree.line(here), lying, allow_missing=True)
        found *= np.nan_to_num(shares[:, tree.children(here).index(child)])
    return found
