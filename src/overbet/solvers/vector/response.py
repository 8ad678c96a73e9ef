"""Best response and expected values of average strategies, by the judge's kernels.

Values are pot shares: chips a player gets back beyond what it still puts in from the spot on, so that the
two players' values add up to the pot less the rake. Counterfactual values (weighted by the opponent's
compatible reach) are [hand] float64; divided by that reach they are expected values.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from overbet.kernels import vector_response as judge
from overbet.kernels.vector_response import BEST, FOLLOW, Deal, Lines, Party
from overbet.solvers.vector.layout import Layout, PublicTree
from overbet.tree.betting import FOLD, SHOWDOWN
from overbet.tree.boards import live_on
from overbet.tree.spot import IP, OOP

Doubles = npt.NDArray[np.float64]
Floats = npt.NDArray[np.float32]
FLOP, TURN, RIVER = 0, 1, 2


class Values(NamedTuple):
    """Counterfactual values of one player, dead hands included, of all nodes before the river.

    root: [H] float64. flop: [flop nodes, H] float64, turn: [turn boards, turn nodes, H] float64, or None.
    """

    root: Doubles
    flop: Doubles | None
    turn: Doubles | None


class Judge:
    """Evaluates average tables on a public tree."""

    def __init__(self, tree: PublicTree, layout: Layout, average: list[Floats]) -> None:
        self.tree = tree
        self.lines = [_lines(tree, layout, player) for player in (OOP, IP)]
        self.parties = [_party(tree, layout, player, average[player]) for player in (OOP, IP)]
        self.deals = [_deal(tree, player) for player in (OOP, IP)]
        own, opp = tree.hands
        shares = (own.cards[:, None, :, None] == opp.cards[None, :, None, :]).any((2, 3))
        self.pair_weight = float(own.weights.astype(float) @ (~shares) @ opp.weights.astype(float))

    def value(self, player: int, mode: int, pool: Executor | None = None) -> Values:
        """Return the counterfactual values of `player`, mode BEST or FOLLOW, boards spread over a pool."""
        lines, own, opp, deal = (
            self.lines[player],
            self.parties[player],
            self.parties[1 - player],
            self.deals[player],
        )
        tree, weights = self.tree, self.tree.hands[1 - player].weights
        first = tree.spot.first_street
        if first == RIVER:
            value = self.river_values(player, 0, weights[None, :], mode)
            root = np.zeros(own.hands)
            count = own.alive[0]
            root[own.hand[0, :count]] = value[0, :count]
            return Values(root, None, None)
        run: Callable[..., object] = pool.map if pool else map
        nodes = len(tree.betting.street_nodes(TURN))
        turn = np.zeros((tree.board_count(TURN), nodes, own.hands))
        if first == TURN:
            reach = np.zeros((nodes, opp.hands), np.float32)
            reach[0] = weights
            judge.turn_board(lines, own, opp, deal, 0, reach, turn[0], mode)
            return Values(turn[0, 0], None, turn)
        flop_nodes = tree.betting.street_nodes(FLOP)
        flop = np.zeros((len(flop_nodes), own.hands))
        flop_reach = np.zeros((len(flop_nodes), opp.hands), np.float32)
        flop_reach[0] = weights
        judge.flop_down(lines, own, opp, flop_reach, flop)
        first_line, last_line = (int(x) for x in tree.betting.street_line[TURN : TURN + 2])
        starts = tree.betting.line_start[first_line:last_line] - tree.betting.line_start[first_line]
        above = tree.betting.parent[tree.betting.line_start[first_line:last_line]]

        def one(board: int) -> None:
            reach = np.zeros((nodes, opp.hands), np.float32)
            reach[starts] = flop_reach[above] * opp.live[board]
            judge.turn_board(lines, own, opp, deal, board, reach, turn[board], mode)
            turn[board] *= own.live[board]

        for _ in run(one, range(tree.board_count(TURN))):  # type: ignore[attr-defined]
            pass
        boards = tree.street_boards(TURN)
        assert boards is not None
        for board in range(boards.size):
            for swap in boards.mirrors[boards.mirror_start[board] : boards.mirror_start[board + 1]]:
                image = tree.hands[player].swapped[swap]
                flop[np.ix_(above, image)] += turn[board][starts] / lines.cards_left[TURN]
        judge.flop_up(lines, own, flop, mode)
        return Values(flop[0], flop, turn)

    def river_values(self, player: int, board: int, reach: Floats, mode: int) -> Doubles:
        """Return values of all river nodes on one board, hands in its order: [river nodes, H] float64.

        reach: [river lines, H of the opponent] float32, the opponent's reach where each line begins.
        """
        lines, own, opp = self.lines[player], self.parties[player], self.parties[1 - player]
        betting = self.tree.betting
        first_line, last_line = (int(x) for x in betting.street_line[RIVER : RIVER + 2])
        start = int(betting.line_start[first_line])
        value = np.zeros((len(betting.street_nodes(RIVER)), own.hand.shape[1]))
        down = np.zeros((len(value), opp.hand.shape[1]), np.float32)
        for line in range(first_line, last_line):
            part = slice(int(betting.line_start[line]) - start, int(betting.line_start[line + 1]) - start)
            count = opp.alive[board]
            down[part.start, :count] = reach[line - first_line][opp.hand[board, :count]]
            judge.river_line(lines, own, opp, board, line, down[part], value[part], mode)
        return value

    def expected(self, player: int, mode: int, pool: Executor | None = None) -> float:
        """Return a player's expected pot share in chips, by best response or by its average strategy."""
        weights = self.tree.hands[player].weights.astype(float)
        return float(weights @ self.value(player, mode, pool).root) / self.pair_weight

    def exploitability(self, pool: Executor | None = None) -> float:
        """Return half of what both players could gain by best responses, in chips; never negative."""
        best = sum(self.expected(player, BEST, pool) for player in (OOP, IP))
        if self.tree.spot.rake.share == 0.0:
            return (best - self.tree.spot.pot) / 2
        return (best - sum(self.expected(player, FOLLOW, pool) for player in (OOP, IP))) / 2


def _lines(tree: PublicTree, layout: Layout, own: int) -> Lines:
    betting, spot = tree.betting, tree.spot
    win, tie, lose = np.zeros((3, betting.size))
    for node in np.flatnonzero(betting.kind == FOLD):
        folder = int(betting.kind[betting.parent[node]])
        matched = int(betting.put[node].min())
        pot = spot.pot + 2 * matched
        win[node] = -matched if folder == own else pot - spot.rake.of(pot) - matched
    for node in np.flatnonzero(betting.kind == SHOWDOWN):
        pot = spot.pot + int(betting.put[node].sum())
        paid = pot - spot.rake.of(pot)
        mine = int(betting.put[node, own])
        win[node], tie[node], lose[node] = paid - mine, paid / 2 - mine, -mine
    cards_left = np.array([0.0, 52 - 3 - 4, 52 - 4 - 4])
    return Lines(
        betting.kind,
        betting.parent,
        betting.first_child,
        betting.num_children,
        layout.rows,
        betting.line_start,
        betting.street_line,
        win,
        tie,
        lose,
        cards_left,
    )


def _party(tree: PublicTree, layout: Layout, player: int, average: Floats) -> Party:
    hands, showdowns = tree.hands[player], tree.showdowns[player]
    turns = tree.street_boards(TURN)
    live = live_on(turns, hands) if turns else np.ones((1, hands.size), np.float32)
    side = layout.passes[player].own
    return Party(
        player,
        hands.size,
        hands.cards,
        average,
        live,
        showdowns.alive,
        showdowns.hand,
        showdowns.strength,
        side.base,
        side.rows,
        side.stride,
    )


def _deal(tree: PublicTree, player: int) -> Deal:
    turn, river = tree.street_boards(TURN), tree.street_boards(RIVER)
    assert river is not None
    none = np.zeros(1, np.int32)
    return Deal(
        river.child_start if turn else none,
        turn.mirror_start if turn else none,
        turn.mirrors if turn else none,
        river.mirror_start,
        river.mirrors,
        tree.hands[player].swapped,
    )
