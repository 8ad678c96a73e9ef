"""Reports over the cards that can come: one row a card, with EV, equity and what is played after it.

Every real card has a row. Cards that mirror each other share their numbers, which are computed once; the
column `like` names the card they were computed for. Weighted by `probability`, the EVs average to the EV at
the node before the card.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from overbet.cards.cards import card_name
from overbet.errors import ConfigError
from overbet.solvers.vector.lines import LinePlace, next_cards, read_line
from overbet.solvers.vector.node import Node, with_blinds
from overbet.tree.betting import CHANCE
from overbet.tree.spot import IP, OOP

if TYPE_CHECKING:
    import polars

    from overbet.solvers.vector.solution import Solution


def card_report(
    solution: Solution, line: str, then: str = "", progress: Callable[[int, int], None] | None = None
) -> polars.DataFrame:
    """Return the report over the cards that come at the end of `line`, seen at `then` after each."""
    import polars

    tree = solution.tree
    place = read_line(tree, line)
    if tree.betting.kind[place.node] != CHANCE:
        raise ConfigError(
            f"no card comes after {place.line}; a report needs a line whose street is over, such as r:0:c:c"
        )
    chances = card_probabilities(solution, place)
    rows: list[dict[str, Any]] = []
    numbers: dict[int, tuple[str, dict[str, Any]]] = {}  # kept board -> the card it was computed for, its row
    dealt = next_cards(tree, place)
    after = f":{then.strip(':')}" if then.strip(":") else ""
    for done, (number, next_place) in enumerate(dealt.items()):
        name = card_name(number)
        if next_place.board not in numbers:
            numbers[next_place.board] = name, _numbers(solution.node(next_place.line + after))
        like, found = numbers[next_place.board]
        rows.append({"card": name, "like": like, "probability": chances[number], **found})
        if progress:
            progress(done + 1, len(dealt))
    return with_blinds(polars.DataFrame(rows), tree.spot.big_blind)


def card_probabilities(solution: Solution, place: LinePlace) -> dict[int, float]:
    """Return how often each card comes at a CHANCE node, given both ranges there."""
    reader, tree = solution.reader, solution.tree
    reaches = [reader.reach(p, place.node, place.board).astype(np.float64) for p in (OOP, IP)]
    if not all(reach.any() for reach in reaches):  # never played: as if both had their starting ranges
        reaches = [hands.weights.astype(np.float64) for hands in tree.hands]
    left = 52 - len(place.cards) - 4
    street = int(tree.betting.street[place.node]) + 1
    total = reaches[OOP] @ reader.apart @ reaches[IP]
    found: dict[int, float] = {}
    kept: dict[int, float] = {}
    for number, after in next_cards(tree, place).items():
        if after.board not in kept:
            one, two = (reaches[p] * reader.live_hands(p, street, after.board) for p in (OOP, IP))
            kept[after.board] = float(one @ reader.apart @ two / total / left)
        found[number] = kept[after.board]
    return found


def _numbers(node: Node) -> dict[str, Any]:
    found: dict[str, Any] = {"pot_chips": node.pot, "acts": node.player}
    for seat in (node.oop, node.ip):
        found[f"{seat.player}_ev_chips"] = seat.mean_ev_chips
        found[f"{seat.player}_equity"] = seat.mean_equity
        found[f"{seat.player}_realisation"] = seat.mean_realisation
    if node.player:
        for action, share in zip(node.actions, node.seat().frequencies()):
            found[action.label] = float(share)
    return found
