"""Streets that a file does not hold, solved again from the ranges with which they are reached.

The subgame after a dealt card is a spot of its own: the board with that card, the pot and the stacks as they
are then, both reaches as ranges, and the same menus. It is solved to the accuracy of the whole solve. (Its
strategies are an equilibrium against those ranges, not the very ones that were not kept.)
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from overbet.cards.cards import cards_name
from overbet.cards.combos import combo_name
from overbet.games import lines
from overbet.games.lines import Token
from overbet.solvers.vector.exploit import BestResponse
from overbet.solvers.vector.latest import Latest
from overbet.solvers.vector.lines import Action, LinePlace, renamed
from overbet.solvers.vector.node import Node, Seat
from overbet.solvers.vector.reader import TreeReader
from overbet.tree.bet_lines import lines_after
from overbet.tree.betting import CHANCE, BettingTree
from overbet.tree.spot import IP, OOP, STREETS, BetsConfig, MenuConfig, Spot, StreetBets

if TYPE_CHECKING:
    from overbet.solvers.vector.solution import Solution

_KEPT = 4  # subgames remembered, the latest ones
_FLOOR = 1e-7  # weight of hands that never get here, so that they have a strategy, too

Floats = npt.NDArray[np.float32]
Solve = Callable[[Spot], "Solution"]


class Subgame(NamedTuple):
    """A subgame and how to read it from outside. put: chips each player had put in before it began.

    reach: each player's true reach, [H] float32 over the hands of the subgame's range. street: its number.
    """

    solution: Solution
    put: int
    reach: tuple[Floats, Floats]
    street: int


class Subgames:
    """Has subgames solved on demand and remembers the latest.

    solve: that of the solution that asks; were it kept here, a solution would refer to itself, and its tables
    would wait for the garbage collector.
    """

    def __init__(self) -> None:
        self._kept = Latest[str, Subgame](_KEPT)

    def node(self, solve: Solve, reader: TreeReader, place: LinePlace, exploitability: float) -> Node:
        """Return the node of a place whose street is not known."""
        root, rest = _split(reader, place)
        subgame = self._subgame(solve, reader, root)
        inner = subgame.solution.node(_inner_line(rest, subgame.put))
        return replace(
            inner,
            line=place.line,
            actions=_outer_actions(inner.actions, subgame.put),
            oop=_true_seat(inner.oop, subgame, OOP),
            ip=_true_seat(inner.ip, subgame, IP),
            exploitability=exploitability,
            note=" ".join(part for part in (self._note(subgame), inner.note) if part),
        )

    def best_response(
        self, solve: Solve, reader: TreeReader, place: LinePlace, player: int, exploitability: float
    ) -> BestResponse:
        """Return the best response of a player at a place whose street is not known."""
        root, rest = _split(reader, place)
        subgame = self._subgame(solve, reader, root)
        inner = subgame.solution.best_response(player, _inner_line(rest, subgame.put))
        return replace(
            inner,
            line=place.line,
            actions=_outer_actions(inner.actions, subgame.put),
            starting_pot=reader.tree.spot.pot,
            exploitability=exploitability,
        )

    def _subgame(self, solve: Solve, reader: TreeReader, root: LinePlace) -> Subgame:
        def made() -> Subgame:
            spot, reach = subgame_spot(reader, root)
            put = int(reader.tree.betting.put[root.node].min())
            return Subgame(solve(spot), put, reach, int(reader.tree.betting.street[root.node]))

        return self._kept.get(root.line, made)

    def _note(self, subgame: Subgame) -> str:
        inner = subgame.solution
        return (
            f"The {STREETS[subgame.street]} was not saved: solved again from the ranges that get here, "
            f"to {inner.exploitability:.3f}% of its pot."
        )


def is_run_out(reader: TreeReader, place: LinePlace) -> bool:
    """Return whether somebody is all-in: nothing is left to solve."""
    return int(reader.tree.betting.put[place.node].min()) >= reader.tree.spot.effective_stack


def subgame_spot(reader: TreeReader, root: LinePlace) -> tuple[Spot, tuple[Floats, Floats]]:
    """Return the spot that begins at the first node of a street, and both players' reach there.

    The reaches are those of the ranges' hands that the new card leaves: [H] float32.
    """
    tree, spot = reader.tree, reader.tree.spot
    street, put = int(tree.betting.street[root.node]), int(tree.betting.put[root.node].min())
    texts, reaches = [], []
    for player in (OOP, IP):
        order = renamed(reader.tree, player, root.swaps)
        live = reader.live_hands(player, street, root.board)[order] > 0
        reach = reader.reach(player, root.node, root.board)[order][live]
        largest = float(reach.max())
        # a range that never gets here at all is taken to be the starting one
        shown = reach / largest if largest > 0 else tree.hands[player].weights[order][live]
        combos = tree.hands[player].combos[live]
        texts.append(",".join(f"{combo_name(int(c))}:{max(w, _FLOOR):.9g}" for c, w in zip(combos, shown)))
        reaches.append(reach)
    stacks = spot.stacks - put if isinstance(spot.stacks, int) else tuple(s - put for s in spot.stacks)
    changes = {
        "board": cards_name(root.cards),
        "pot": spot.pot + 2 * put,
        "stacks": stacks,
        "ranges": {"oop": texts[OOP], "ip": texts[IP]},
        "bets": _menus(reader, root, street).model_dump(by_alias=True),
    }
    if spot.lines:
        changes["lines"] = lines_after(spot.lines, _played(tree.betting, root.node), put)
    values = spot.model_dump(by_alias=True) | changes
    return Spot.parse(values, "subgame"), (reaches[OOP], reaches[IP])


def _menus(reader: TreeReader, root: LinePlace, street: int) -> BetsConfig:
    """Return the spot's menus; where the first bet is a donk bet, with the donk sizes as the first bet."""
    bets, betting = reader.tree.spot.bets, reader.tree.betting
    menu = bets.menu(street, OOP)
    node = int(betting.parent[root.node])
    aggressor = -1
    while aggressor < 0 and node > 0 and betting.street[node] == street - 1:
        above = int(betting.parent[node])
        if betting.edge[node] > 0 and betting.kind[above] != CHANCE:
            aggressor = int(betting.kind[above])
        node = above
    if aggressor != IP or menu.donk is None:
        return bets
    donk = MenuConfig.model_validate({"bet": menu.donk, "raise": menu.raise_})
    return bets.model_copy(update={STREETS[street]: StreetBets(oop=donk, ip=bets.menu(street, IP))})


def _played(betting: BettingTree, node: int) -> tuple[int, ...]:
    """Return the chips put in after each action that leads to a node, as the lines of a spot have them."""
    found = list[int]()
    while node:
        above = int(betting.parent[node])
        if betting.kind[above] != CHANCE:
            found.append(int(betting.put[node, betting.kind[above]]))
        node = above
    return tuple(reversed(found))


def _split(reader: TreeReader, place: LinePlace) -> tuple[LinePlace, list[Token]]:
    """Return the first place of the first street that is not known, and the tokens of the line after it."""
    tree = reader.tree
    first = reader.last + 1
    dealt = first - tree.spot.first_street  # cards dealt up to the subgame's street
    node, rest = place.node, list[Token]()
    tokens = list(lines.parse(place.line))
    while not (tree.betting.street[node] == first and tree.betting.kind[tree.betting.parent[node]] == CHANCE):
        rest.append(tokens.pop())
        node = int(tree.betting.parent[node])
    board, street = place.board, int(tree.betting.street[place.node])
    while street > first:
        boards = tree.street_boards(street)
        assert boards is not None
        board, street = int(boards.parent[board]), street - 1
    cards, swaps = place.cards[: len(tree.spot.cards) + dealt], place.swaps[:dealt]
    return LinePlace(lines.text(tokens), node, board, cards, swaps), rest[::-1]


def _inner_line(tokens: list[Token], put: int) -> str:
    """Return the line in the subgame, whose root comes after `put` chips of each player."""
    return lines.text(lines.shifted(token, -put) for token in tokens)


def _outer_actions(actions: tuple[Action, ...], put: int) -> tuple[Action, ...]:
    return tuple(
        action._replace(token=str(lines.shifted(lines.parse_token(action.token), put))) for action in actions
    )


def _true_seat(seat: Seat, subgame: Subgame, player: int) -> Seat:
    """Scale the subgame's reaches, which begin at 1 for the likeliest hand, to those of the whole line."""
    start = subgame.reach[player].astype(np.float64)
    hands = subgame.solution.tree.hands[player]
    share = np.zeros(1326)
    weights = hands.weights.astype(np.float64)
    share[hands.combos] = start / weights
    return replace(seat, reach=seat.reach * share[seat.combos], played=bool(start.any()) and seat.played)
