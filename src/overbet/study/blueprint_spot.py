"""The postflop spot that a line of a blueprint leads to: board, pot, stacks and both ranges, to be solved."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from overbet.blueprint.query import BOARD_CARDS, Blueprint
from overbet.cards.range import Range
from overbet.games.holdem_state import HoldemState
from overbet.study.blueprint_lines import path, reach_of
from overbet.study.errors import NotNowError

_STEPS = 1000  # weights are whole thousandths


@dataclass(frozen=True)
class BlueprintSpot:
    """A spot at the start of a street. Of (out of position, in position): stacks, positions, ranges.

    actions: the betting before it, (position, action); rake: share of the pot and cap, 0 for none. Chips are
    those of the blueprint's game.
    """

    board: tuple[int, ...]
    street: int
    pot: int
    stacks: tuple[int, int]
    big_blind: int
    least_bet: int
    rake: tuple[float, float]
    positions: tuple[str, str]
    ranges: tuple[Range, Range]
    actions: tuple[tuple[str, str], ...]


def blueprint_spot(blueprint: Blueprint, line: str, board: tuple[int, ...] = ()) -> BlueprintSpot:
    """Return the spot of a line: the street it stands on, from that street's first decision.

    A line that ends before the flop is gone on with: those who still have to act fold, the last one calls.
    Ranges are weighted by how often each hand takes its player's actions. board: the cards that lie.
    """
    tree = blueprint.tree
    node = _first_of_street(blueprint, _after_the_flop(blueprint, tree.find(line)))
    state = _state(blueprint, node)
    players = [player for player, there in enumerate(state.in_hand) if there]
    if len(players) != 2:
        raise NotNowError(f"{len(players)} players are still in; a solve takes two", "line")
    street = int(tree.nodes.street[node])
    lying = board if len(board) >= BOARD_CARDS[street] else ()
    oop, ip = players  # the order of acting after the flop
    return BlueprintSpot(
        board=lying[: BOARD_CARDS[street]],
        street=street,
        pot=state.pot,
        stacks=(state.stacks[oop], state.stacks[ip]),
        big_blind=tree.game.big_blind,
        least_bet=tree.game.least_bet,
        rake=(tree.game.rake, float(tree.game.rake_cap or 0)),
        positions=(tree.game.position(oop), tree.game.position(ip)),
        ranges=(_range(blueprint, node, lying, oop), _range(blueprint, node, lying, ip)),
        actions=_actions(blueprint, node),
    )


def _state(blueprint: Blueprint, node: int) -> HoldemState:
    return blueprint.tree.game.deal(0).follow(blueprint.tree.line(node))


def _after_the_flop(blueprint: Blueprint, node: int) -> int:
    """Return a decision after the flop: before it the rest fold, and the last player calls."""
    tree = blueprint.tree
    while tree.nodes.player[node] >= 0 and not tree.nodes.street[node]:
        tokens = tree.tokens(node)
        wanted = "f" if "f" in tokens and sum(_state(blueprint, node).in_hand) > 2 else "c"
        node = tree.children(node)[tokens.index(wanted)]
    if tree.nodes.player[node] < 0:
        raise NotNowError("nobody has a decision left after this: there is nothing to solve", "line")
    return node


def _first_of_street(blueprint: Blueprint, node: int) -> int:
    streets = blueprint.tree.nodes.street
    return next(here for here in path(blueprint.tree, node) if streets[here] == streets[node])


def _range(blueprint: Blueprint, node: int, board: tuple[int, ...], player: int) -> Range:
    if not board and blueprint.tree.nodes.street[node] > 1:
        raise NotNowError("name the cards of the board first", "board")
    found = Range(np.round(reach_of(blueprint, node, board, player) * _STEPS) / _STEPS)
    if not found:
        raise NotNowError(
            f"{blueprint.tree.game.position(player)} never takes this line; choose another", "line"
        )
    return found


def _actions(blueprint: Blueprint, node: int) -> tuple[tuple[str, str], ...]:
    tree = blueprint.tree
    way = path(tree, node)
    return tuple(
        (
            tree.game.position(int(tree.nodes.player[here])),
            tree.action_names(here)[tree.children(here).index(child)],
        )
        for here, child in pairwise(way)
    )
