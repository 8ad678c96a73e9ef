"""From the tables of a kept board to one node of the real board: hands renamed by suits, values per hand.

Where the tree keeps one board for several, the real board's hand h is the kept board's hand with the suits
swapped; both ranges hold it with the same weight, or the boards would not have been merged.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from overbet.cards.cards import cards_name
from overbet.kernels.vector.response import FOLLOW
from overbet.solvers.vector.lines import PLAYERS, LinePlace, actions_at, renamed
from overbet.solvers.vector.node import Node, Seat
from overbet.solvers.vector.reader import TreeReader
from overbet.tree.betting import CHANCE, FOLD, SHOWDOWN
from overbet.tree.spot import IP, OOP, STREETS

Doubles = npt.NDArray[np.float64]
KINDS = {OOP: "oop", IP: "ip", CHANCE: "card", FOLD: "fold", SHOWDOWN: "showdown"}


class HandValues(NamedTuple):
    """One player at one node of a kept board; all [H] float64 over all hands of the range, dead ones too.

    own: the player's reach. met: the opponent's compatible reach. weight: share of deals, sums to 1. ev: in
    chips from the node on, by the judge's mode; NaN where the opponent cannot be here.
    """

    own: Doubles
    met: Doubles
    weight: Doubles
    ev: Doubles


def hand_values(reader: TreeReader, player: int, mode: int, node: int, board: int) -> HandValues:
    """Return a player's reach, weights and EV at a node, by the judge's mode."""
    betting = reader.tree.betting
    live = reader.live_hands(player, int(betting.street[node]), board).astype(np.float64)
    own = reader.reach(player, node, board).astype(np.float64)
    met = reader.met(player, reader.reach(1 - player, node, board)) * live
    base = own if own.any() else reader.tree.hands[player].weights * live
    weight = base * met if (base * met).any() else base
    value = reader.value(player, mode, node, board)
    ev = np.divide(value, met, out=np.full(len(met), np.nan), where=met > 0) + betting.put[node, player]
    return HandValues(own, met, weight / weight.sum(), ev)


def action_values(reader: TreeReader, player: int, mode: int, node: int, board: int, met: Doubles) -> Doubles:
    """Return the EV of every action of the acting player, in chips from the node on: [H, actions] float64."""
    betting = reader.tree.betting
    values = np.stack([reader.value(player, mode, child, board) for child in betting.children(node)], 1)
    share = np.divide(values, met[:, None], out=np.full(values.shape, np.nan), where=met[:, None] > 0)
    found: Doubles = share + betting.put[node, player]
    if betting.kind[betting.first_child[node]] == FOLD:
        found[met > 0, 0] = 0.0  # folding is worth nothing, free of rounding
    return found


def seat_of(reader: TreeReader, place: LinePlace, player: int) -> Seat:
    """Return one player's hands at a place, on its real board."""
    tree, node, board = reader.tree, place.node, place.board
    street, hands = int(tree.betting.street[node]), tree.hands[player]
    facts = hand_values(reader, player, FOLLOW, node, board)
    equity = reader.equity(player, street, board, reader.reach(1 - player, node, board), facts.met)
    order = renamed(reader.tree, player, place.swaps)
    kept = order[reader.live_hands(player, street, board)[order] > 0]
    strategy = action_ev = None
    if tree.betting.kind[node] == player:
        strategy = reader.strategy(node, board).T[kept]
        action_ev = action_values(reader, player, FOLLOW, node, board, facts.met)[kept]
    return Seat(
        player=PLAYERS[player],
        pot=tree.spot.pot + int(tree.betting.put[node].sum()),
        big_blind=tree.spot.big_blind,
        combos=hands.combos[reader.live_hands(player, street, board)[order] > 0],
        reach=facts.own[kept],
        weight=facts.weight[kept],
        ev_chips=facts.ev[kept],
        equity=equity[kept],
        strategy=strategy,
        action_ev_chips=action_ev,
        played=bool(facts.own.any()),
    )


def node_of(reader: TreeReader, place: LinePlace, exploitability: float, note: str = "") -> Node:
    """Return the node of a place."""
    tree = reader.tree
    betting, spot = tree.betting, tree.spot
    put, kind = betting.put[place.node], int(betting.kind[place.node])
    seats = [seat_of(reader, place, player) for player in (OOP, IP)]
    return Node(
        line=place.line,
        board=cards_name(place.cards),
        street=STREETS[int(betting.street[place.node])],
        kind=KINDS[kind],
        pot=seats[OOP].pot,
        to_call=int(put[1 - kind] - put[kind]) if kind in (OOP, IP) else 0,
        behind=_behind(spot.stacks, (int(put[OOP]), int(put[IP]))),
        big_blind=spot.big_blind,
        actions=tuple(actions_at(betting, spot, place.node)),
        oop=seats[OOP],
        ip=seats[IP],
        exploitability=exploitability,
        note=" ".join(part for part in (note, _remark(seats)) if part),
    )


def _behind(stacks: int | tuple[int, int], put: tuple[int, int]) -> tuple[int, int]:
    oop, ip = (stacks, stacks) if isinstance(stacks, int) else stacks
    return oop - put[OOP], ip - put[IP]


def _remark(seats: list[Seat]) -> str:
    """Say what is missing on a line that is never played."""
    found = []
    for player, seat in enumerate(seats):
        if not seat.played:
            other = PLAYERS[1 - player].upper()
            found.append(
                f"{seat.player.upper()} never plays this line: its averages weigh hands by the starting "
                f"range, and {other} has no range to have EV and equity against."
            )
    return " ".join(found)
