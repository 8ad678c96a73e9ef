"""Best response and expected values of average strategies, by the judge's kernels.

Values are pot shares: chips a player gets back beyond what it still puts in from the spot on, so that the
two players' values add up to the pot less the rake. Counterfactual values (weighted by the opponent's
compatible reach) are [hand] float64; divided by that reach they are expected values.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from overbet.errors import ArtefactError, ConfigError
from overbet.kernels.vector import response as judge
from overbet.kernels.vector.response import BEST, FOLLOW, OBEY, JudgeDeal, Lines, Party
from overbet.solvers.vector.gadget import ChoiceBeforeRoot
from overbet.solvers.vector.layout import Layout
from overbet.solvers.vector.packed import PackedTable
from overbet.solvers.vector.subgame import LeafBatch, Leaves, leaf_places
from overbet.tree.betting import FOLD, SHOWDOWN
from overbet.tree.boards import live_on
from overbet.tree.public import PublicTree
from overbet.tree.spot import IP, OOP

Doubles = npt.NDArray[np.float64]
Floats = npt.NDArray[np.float32]
Mask = npt.NDArray[np.uint8]
_BLOCKS = 16  # rivers of a turn spot are judged in this many parts, whatever the number of threads
FLOP, TURN, RIVER = 0, 1, 2


__all__ = ["BEST", "FOLLOW", "OBEY", "Judge", "Values"]


class Values(NamedTuple):
    """Counterfactual values of one player, dead hands included, of all nodes before the river.

    root: [H] float64. flop: [flop nodes, H] float64, turn: [turn boards, turn nodes, H] float64, or None.
    """

    root: Doubles
    flop: Doubles | None
    turn: Doubles | None


class Judge:
    """Evaluates average tables on a public tree.

    leaves: values at the depth limit of a cut tree. gadget: the choice before the root, where there is one.
    met: for each player [H] float64, the other's root weight that shares no card with a hand.
    """

    def __init__(
        self,
        tree: PublicTree,
        layout: Layout,
        average: Sequence[Floats | PackedTable],
        locked: list[Mask] | None = None,
        leaves: Leaves | None = None,
        gadget: ChoiceBeforeRoot | None = None,
    ) -> None:
        self.tree = tree
        for number, table in enumerate(average):
            if len(table) != layout.table_size[number]:
                raise ArtefactError(
                    f"a table of {len(table):,} numbers does not fit this tree, which has "
                    f"{layout.table_size[number]:,}; solve the spot again"
                )
        self.lines = [_lines(tree, layout, player) for player in (OOP, IP)]
        none = np.zeros(1, np.uint8)
        self.parties = [
            _party(tree, layout, player, average[player], locked[player] if locked else none)
            for player in (OOP, IP)
        ]
        self.deals = [_deal(tree, player) for player in (OOP, IP)]
        self.leaves, self.gadget = leaves, gadget
        self.met = [
            judge.met_by(hands.cards, other.cards, other.weights)
            for hands, other in (tree.hands, tree.hands[::-1])
        ]
        self.pair_weight = float(tree.hands[OOP].weights.astype(float) @ self.met[OOP])

    def kernel_calls(self) -> list[tuple[Any, tuple[Any, ...]]]:
        """Return the kernels that `value` calls, with arguments of their types, to compile them ahead."""
        lines, deal, (own, opp) = self.lines[OOP], self.deals[OOP], self.parties
        first, value = self.tree.spot.first_street, np.zeros((1, 1))
        reach, boards = np.zeros((1, 1), np.float32), np.zeros(1, np.int32)
        if first == RIVER:
            return [(judge.river_lines, (lines, own, opp, 0, (0, 0), reach, value, FOLLOW))]
        rivers: tuple[Any, tuple[Any, ...]]
        rivers = (judge.add_rivers, (lines, own, opp, deal, boards, reach, value, FOLLOW))
        if first == FLOP:
            rivers = (judge.turn_board, (lines, own, opp, deal, 0, reach, value, FOLLOW))
        down = (judge.street_down, (lines, own, opp, first, 0, reach, value))
        return [rivers, down, (judge.street_up, (lines, own, first, 0, value, FOLLOW))]

    def value(self, player: int, mode: int, pool: Executor | None = None) -> Values:
        """Return counterfactual values of `player`; mode BEST, FOLLOW or OBEY; boards spread over a pool.

        Under a gadget the other player's values are those of the subgame, against the hands that enter it;
        the gadget's own player's root values are those before its choice, or of entering with each hand
        where it chooses among its hands.
        """
        if self.tree.is_cut:
            found = self._cut_spot(player, mode)
        else:
            spot = (self._flop_spot, self._turn_spot, self._river_spot)[self.tree.spot.first_street]
            found = spot(player, mode, pool)
        if self.gadget is not None and player == self.gadget.player:
            return found._replace(root=self.gadget.chosen(found.root, mode == FOLLOW))
        return found

    def _entering(self, player: int) -> Floats:
        """Return the reach with which a player's hands enter the game: [H] float32."""
        weights = self.tree.hands[player].weights
        if self.gadget is None or player != self.gadget.player:
            return weights
        return self.gadget.entered().astype(np.float32)

    def _cut_spot(self, player: int, mode: int) -> Values:
        """Values of a tree that ends at a depth limit; what the leaves are worth is asked for once."""
        if self.leaves is None or not self.leaves.linear:
            raise ConfigError(
                "the judge cannot judge these leaves: their values are no linear function of the opponent's "
                "reach, so the cut game has no best response"
            )
        betting, lines, first = self.tree.betting, self.lines[player], self.tree.spot.first_street
        own, opp, places = self.parties[player], self.parties[1 - player], leaf_places(self.tree)
        last = betting.last_street
        value = np.zeros((1, len(betting.street_nodes(first)), own.hands))
        reach = np.zeros((1, value.shape[1], opp.hands), np.float32)
        reach[0, 0] = self._entering(1 - player)
        judge.street_down(lines, own, opp, first, 0, reach[0], value[0])
        late, late_reach = value, reach
        if last > first:
            roots = betting.line_start[betting.street_line[TURN] : betting.street_line[RIVER]]
            above, starts = betting.parent[roots], roots - roots[0]
            late = np.zeros((self.tree.board_count(last), len(betting.street_nodes(last)), own.hands))
            late_reach = np.zeros((len(late), late.shape[1], opp.hands), np.float32)
            for board in range(len(late)):
                late_reach[board, starts] = reach[0, above] * opp.live[board]
                judge.street_down(lines, own, opp, last, board, late_reach[board], late[board])
        cards = self.tree.boards[-1].cards
        batch = LeafBatch(
            player, cards, places.put, places.continuation, late_reach[:, places.above].copy(), None
        )
        late[:, places.above] = self.leaves.values(batch)
        for board in range(len(late)):
            judge.street_up(lines, own, last, board, late[board], mode)
        if last == first:
            return Values(value[0, 0], value[0] if first == FLOP else None, value if first == TURN else None)
        late *= own.live[:, None, :]
        self._add_turns(player, above, late[:, starts], value[0])
        judge.street_up(lines, own, FLOP, 0, value[0], mode)
        return Values(value[0, 0], value[0], late)

    def _add_turns(self, player: int, above: npt.NDArray[np.int32], turn: Doubles, flop: Doubles) -> None:
        """Add the values of all turn cards to the flop's CHANCE nodes. above: [L] int32, those nodes; turn:
        [turn boards, L, H] float64; flop: [flop nodes, H] float64."""
        boards = self.tree.street_boards(TURN)
        assert boards is not None
        for board in range(boards.size):
            for swap in boards.mirrors[boards.mirror_start[board] : boards.mirror_start[board + 1]]:
                image = self.tree.hands[player].swapped[swap]
                flop[np.ix_(above, image)] += turn[board] / self.lines[player].cards_left[TURN]

    def after(self, player: int, street: int, board: int, reach: Floats) -> Doubles:
        """Return what `player` gets from the end of a street on when both follow their averages.

        board: of that street; reach: [lines of the next street, H of the opponent] float32. Returns
        counterfactual values [lines of the next street, H] float64, cards still to come.
        """
        betting, lines, deal = self.tree.betting, self.lines[player], self.deals[player]
        own, opp = self.parties[player], self.parties[1 - player]
        roots = betting.line_start[betting.street_line[street + 1] : betting.street_line[street + 2]]
        above = betting.parent[roots] - betting.street_nodes(street).start
        value = np.zeros((len(betting.street_nodes(street)), own.hands))
        if street == TURN:
            down = np.zeros((len(value), opp.hands), np.float32)
            down[above] = reach
            start = self.tree.boards[-1].child_start
            rivers = np.arange(start[board], start[board + 1], dtype=np.int32)
            judge.add_rivers(lines, own, opp, deal, rivers, down, value, FOLLOW)
            return value[above]
        boards, starts = self.tree.board_count(TURN), roots - roots[0]
        turn = np.zeros((boards, len(betting.street_nodes(TURN)), own.hands))
        for number in range(boards):
            down = np.zeros((turn.shape[1], opp.hands), np.float32)
            down[starts] = reach * opp.live[number]
            judge.turn_board(lines, own, opp, deal, number, down, turn[number], FOLLOW)
            turn[number] *= own.live[number]
        self._add_turns(player, above, turn[:, starts], value)
        return value[above]

    def _river_spot(self, player: int, mode: int, pool: Executor | None) -> Values:
        own = self.parties[player]
        value = self.river_values(player, 0, self._entering(1 - player)[None, :], mode)
        root = np.zeros(own.hands)
        root[own.hand[0, : own.alive[0]]] = value[0, : own.alive[0]]
        return Values(root, None, None)

    def _turn_spot(self, player: int, mode: int, pool: Executor | None) -> Values:
        lines, deal = self.lines[player], self.deals[player]
        own, opp = self.parties[player], self.parties[1 - player]
        nodes = len(self.tree.betting.street_nodes(TURN))
        turn = np.zeros((nodes, own.hands))
        reach = np.zeros((nodes, opp.hands), np.float32)
        reach[0] = self._entering(1 - player)
        judge.street_down(lines, own, opp, TURN, 0, reach, turn)

        def rivers(boards: npt.NDArray[np.int32]) -> Doubles:
            part = np.zeros_like(turn)
            judge.add_rivers(lines, own, opp, deal, boards, reach, part, mode)
            return part

        blocks = np.array_split(np.arange(self.tree.board_count(RIVER), dtype=np.int32), _BLOCKS)
        for part in _spread(pool, rivers, blocks):
            turn += part
        judge.street_up(lines, own, TURN, 0, turn, mode)
        return Values(turn[0], None, turn[None])

    def _flop_spot(self, player: int, mode: int, pool: Executor | None) -> Values:
        lines, deal, betting = self.lines[player], self.deals[player], self.tree.betting
        own, opp = self.parties[player], self.parties[1 - player]
        boards = self.tree.street_boards(TURN)
        assert boards is not None
        flop = np.zeros((len(betting.street_nodes(FLOP)), own.hands))
        flop_reach = np.zeros((len(flop), opp.hands), np.float32)
        flop_reach[0] = self._entering(1 - player)
        judge.street_down(lines, own, opp, FLOP, 0, flop_reach, flop)
        roots = betting.line_start[betting.street_line[TURN] : betting.street_line[RIVER]]
        above, starts = betting.parent[roots], roots - roots[0]
        turn = np.zeros((boards.size, len(betting.street_nodes(TURN)), own.hands))

        def one(board: int) -> None:
            reach = np.zeros((turn.shape[1], opp.hands), np.float32)
            reach[starts] = flop_reach[above] * opp.live[board]
            judge.turn_board(lines, own, opp, deal, board, reach, turn[board], mode)
            turn[board] *= own.live[board]

        list(_spread(pool, one, range(boards.size)))
        self._add_turns(player, above, turn[:, starts], flop)
        judge.street_up(lines, own, FLOP, 0, flop, mode)
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
        count = opp.alive[board]
        roots = betting.line_start[first_line:last_line] - start
        down[roots, :count] = reach[:, opp.hand[board, :count]]
        judge.river_lines(lines, own, opp, board, (first_line, last_line), down, value, mode)
        return value

    def expected(self, player: int, mode: int, pool: Executor | None = None) -> float:
        """Return a player's expected pot share in chips, by best response or by its average strategy."""
        root = self.value(player, mode, pool).root
        if self.gadget is not None:
            return self.gadget.expected(player, root, mode == FOLLOW)
        return float(self.tree.hands[player].weights.astype(float) @ root) / self.pair_weight

    def exploitability(self, pool: Executor | None = None) -> float:
        """Return half of what both players could gain by best responses, in chips.

        Locked strategies are part of the game: a best response keeps to the player's own locks.
        """
        best = sum(self.expected(player, OBEY, pool) for player in (OOP, IP))
        if self.tree.spot.rake.share == 0.0:
            return (best - self.tree.spot.pot) / 2
        return (best - sum(self.expected(player, FOLLOW, pool) for player in (OOP, IP))) / 2


def _spread(pool: Executor | None, work: Callable[[Any], Any], items: Iterable[Any]) -> Iterator[Any]:
    """Map over a pool's threads, or here; results in the order of the items."""
    return pool.map(work, items) if pool else map(work, items)


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


def _party(
    tree: PublicTree, layout: Layout, player: int, average: Floats | PackedTable, locked: Mask
) -> Party:
    hands, showdowns = tree.hands[player], tree.showdowns[player]
    turns = tree.street_boards(TURN)
    live = live_on(turns, hands) if turns else np.ones((1, hands.size), np.float32)
    side = layout.passes[player].own
    if isinstance(average, PackedTable):
        floats, packed, scales = average.early, average.values, average.scales
    else:
        floats = average.astype(np.float32, copy=False)
        packed, scales = np.zeros(1, np.int16), np.zeros(1, np.float32)
    return Party(
        player,
        hands.size,
        hands.cards,
        floats,
        packed,
        scales,
        locked,
        live,
        showdowns.alive,
        showdowns.hand,
        showdowns.strength,
        side.base,
        side.rows,
        side.stride,
        side.river_start,
        side.river_row,
    )


def _deal(tree: PublicTree, player: int) -> JudgeDeal:
    turn, river = tree.street_boards(TURN), tree.street_boards(RIVER)
    none = np.zeros(1, np.int32)
    return JudgeDeal(
        river.child_start if turn and river else none,
        turn.mirror_start if turn else none,
        turn.mirrors if turn else none,
        river.mirror_start if river else none,
        river.mirrors if river else none,
        tree.hands[player].swapped,
    )
