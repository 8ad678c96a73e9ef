"""What is true at the nodes of a solved tree: strategies, reaches, values, equities.

Strategies are read off the average tables. Values before the river come from one pass of the judge over the
whole tree (kept), values on a river from one betting line on one board (cheap, kept for a while). All arrays
here belong to the boards the tree keeps; `node.py` turns them to the real board's suits.

A hand that never gets to a node has nothing in the average there. Its strategy is then the current one, by
regret matching: regrets do not depend on the player's own reach, so it is a fair answer to the opponent.
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import cached_property

import numpy as np
import numpy.typing as npt

from overbet.kernels.vector.equity import Mirrors, ShowdownOrder, add_equity
from overbet.kernels.vector.response import river_line
from overbet.solvers.vector.latest import Latest
from overbet.solvers.vector.layout import Layout, board_rows
from overbet.solvers.vector.response import Judge, Values
from overbet.solvers.vector.tables import Table
from overbet.tree.boards import live_on
from overbet.tree.public import PublicTree
from overbet.tree.spot import IP, OOP

Floats = npt.NDArray[np.float32]
Doubles = npt.NDArray[np.float64]
FLOP, TURN, RIVER = 0, 1, 2
_KEPT_LINES = 4096  # betting lines on one board whose reaches and values are remembered
_NEGLIGIBLE = 1e-9  # of the opponent's reach: what is left of it after blocking is rounding


class TreeReader:
    """Reads a solved tree.

    average: one flat table a player, laid out as `layout` says; a prefix of it when only the streets up
    to `last` are known. known: values of the judge by (player, mode), where they are known without it.
    """

    def __init__(
        self,
        tree: PublicTree,
        layout: Layout,
        average: list[Table],
        known: dict[tuple[int, int], Values] | None = None,
        threads: int = 1,
        last: int = RIVER,
    ) -> None:
        self.tree, self.layout, self.average, self.threads, self.last = tree, layout, average, threads, last
        self._values = dict(known or {})
        self._lines = Latest[tuple[int, int], tuple[Floats, Floats]](_KEPT_LINES)
        self._rivers = Latest[tuple[int, int, int, int], Doubles](_KEPT_LINES)

    def forget(self) -> None:
        """Forget what was worked out from the tables: they have changed."""
        self._values.clear()
        self._lines.clear()
        self._rivers.clear()

    @cached_property
    def judge(self) -> Judge:
        """The judge of the tables, which must hold all streets."""
        return Judge(self.tree, self.layout, self.average)

    @cached_property
    def apart(self) -> Doubles:
        """1 where two hands share no card: [H of OOP, H of IP] float64."""
        own, opp = self.tree.hands
        shares = (own.cards[:, None, :, None] == opp.cards[None, :, None, :]).any((2, 3))
        found: Doubles = (~shares).astype(np.float64)
        return found

    @cached_property
    def live(self) -> list[list[Floats]]:
        """1 where a hand is alive: by street from the first and by player, [boards, H] float32."""
        return [[live_on(boards, hands) for hands in self.tree.hands] for boards in self.tree.boards]

    def live_hands(self, player: int, street: int, board: int) -> Floats:
        """Return 1 where a hand is alive on a board of a street: [H] float32."""
        found: Floats = self.live[street - self.tree.spot.first_street][player][board]
        return found

    def strategy(self, node: int, board: int) -> Doubles:
        """Return the average strategy at a decision: [actions, H] float64, uniform for dead hands."""
        betting = self.tree.betting
        player, street = int(betting.kind[node]), int(betting.street[node])
        side = self.layout.passes[player].own
        actions, (first, stride) = int(betting.num_children[node]), board_rows(side, street, board)
        start = first + int(self.layout.rows[node]) * stride
        rows = self.average[player][start : start + actions * stride].reshape(actions, stride)
        if street == RIVER:
            place = self.tree.showdowns[player].place[board]
            rows = np.where(place >= 0, rows[:, np.maximum(place, 0)], 0)
        else:
            rows = rows[:, : side.size]
        table: Doubles = rows.astype(np.float64)
        total = table.sum(0)
        return np.where(total > 0, table / np.where(total > 0, total, 1.0), 1 / actions)

    def first_rows(self, player: int) -> Doubles:
        """Return a player's summed strategies of the first street: [action row, H] float64, 0 if dead."""
        street, side = self.tree.spot.first_street, self.layout.passes[player].own
        (first, stride), rows = board_rows(side, street, 0), int(side.rows[street])
        table: Doubles | Floats = self.average[player][first : first + rows * stride].reshape(rows, stride)
        if street == RIVER:
            place = self.tree.showdowns[player].place[0]
            table = np.where(place >= 0, table[:, np.maximum(place, 0)], 0)
        found: Doubles = table[:, : side.size].astype(np.float64)
        return found

    def reaches(self, line: int, board: int) -> tuple[Floats, Floats]:
        """Return both players' reach at all nodes of a betting line: [nodes of the line, H] float32 each."""
        return self._lines.get((line, board), lambda: self._reaches(line, board))

    def _reaches(self, line: int, board: int) -> tuple[Floats, Floats]:
        betting = self.tree.betting
        first, last = (int(x) for x in betting.line_start[line : line + 2])
        street, above = int(betting.street[first]), int(betting.parent[first])
        found = [np.zeros((last - first, hands.size), np.float32) for hands in self.tree.hands]
        for player in (OOP, IP):
            if above < 0:
                found[player][0] = self.tree.hands[player].weights
            else:
                boards = self.tree.street_boards(street)
                assert boards is not None
                before = self.reach(player, above, int(boards.parent[board]))
                found[player][0] = before * self.live_hands(player, street, board)
        for node in (
            range(first, last) if street <= self.last else ()
        ):  # else the first node's are all we know
            mover = int(betting.kind[node])
            if mover not in (OOP, IP):
                continue
            strategy = self.strategy(node, board).astype(np.float32)
            for action, child in enumerate(betting.children(node)):
                for player in (OOP, IP):
                    reach = found[player][node - first]
                    found[player][child - first] = reach * strategy[action] if player == mover else reach
        return found[OOP], found[IP]

    def reach(self, player: int, node: int, board: int) -> Floats:
        """Return the reach at a node, starting weight times how often it plays the line: [H] float32."""
        line = int(self.tree.betting.line[node])
        reach: Floats = self.reaches(line, board)[player][node - int(self.tree.betting.line_start[line])]
        return reach

    def value(self, player: int, mode: int, node: int, board: int) -> Doubles:
        """Return a player's counterfactual values at a node, in chips since the root: [H] float64."""
        betting = self.tree.betting
        street, line = int(betting.street[node]), int(betting.line[node])
        if street > self.last:
            return self._run_out_value(player, node, board)
        if street == RIVER:
            values = self.river_values(player, mode, line, board)
            found: Doubles = values[node - int(betting.line_start[line])]
            return found
        early = self.early_values(player, mode)
        if street == FLOP:
            assert early.flop is not None
            found = early.flop[node]
        else:
            assert early.turn is not None
            found = early.turn[board, node - betting.street_nodes(TURN).start]
        return found

    def early_values(self, player: int, mode: int) -> Values:
        """Return the values of all nodes before the river."""
        if (player, mode) not in self._values:
            with self._pool() as pool:
                self._values[player, mode] = self.judge.value(player, mode, pool)
        return self._values[player, mode]

    def river_values(self, player: int, mode: int, line: int, board: int) -> Doubles:
        """Return the values of all nodes of one river line on one board: [nodes of the line, H] float64."""
        key = (player, mode, line, board)
        return self._rivers.get(key, lambda: self._river_values(*key))

    def _river_values(self, player: int, mode: int, line: int, board: int) -> Doubles:
        judge, betting = self.judge, self.tree.betting
        own, opp = judge.parties[player], judge.parties[1 - player]
        size = int(betting.line_start[line + 1] - betting.line_start[line])
        down = np.zeros((size, opp.hand.shape[1]), np.float32)
        value = np.zeros((size, own.hand.shape[1]))
        alive = int(opp.alive[board])
        down[0, :alive] = self.reaches(line, board)[1 - player][0][opp.hand[board, :alive]]
        river_line(judge.lines[player], own, opp, board, line, down, value, mode)
        found = np.zeros_like(value)
        alive = int(own.alive[board])
        found[:, own.hand[board, :alive]] = value[:, :alive]
        return found

    def _run_out_value(self, player: int, node: int, board: int) -> Doubles:
        """Return the values once somebody is all-in: the equity's share of the pot, no strategy needed."""
        betting, spot = self.tree.betting, self.tree.spot
        street, put = int(betting.street[node]), int(betting.put[node, player])
        assert put >= spot.effective_stack, "a street that was not saved has to be solved again"
        reach = self.reach(1 - player, node, board)
        met = self.met(player, reach)
        equity = np.nan_to_num(self.equity(player, street, board, reach, met))
        pot = spot.pot + int(betting.put[node].sum())
        found: Doubles = (equity * (pot - spot.rake.of(pot)) - put) * met
        return found

    def met(self, player: int, reach: Floats) -> Doubles:
        """Return the opponent's reach that shares no card with each hand: [H] float64, 0 where negligible.

        reach: [H of the opponent] float32.
        """
        given = reach.astype(np.float64)
        met: Doubles = self.apart @ given if player == OOP else given @ self.apart
        met[met <= _NEGLIGIBLE * given.sum()] = 0.0
        return met

    def equity(self, player: int, street: int, board: int, reach: Floats, met: Doubles) -> Doubles:
        """Return each hand's equity against a reach of the opponent, all cards to come: [H], NaN if unmet."""
        given = reach.astype(np.float64)
        total = np.zeros(self.tree.hands[player].size)
        if street == FLOP:
            turns = self.tree.street_boards(TURN)
            assert turns is not None
            for turn in range(turns.size):
                part = self._river_equity(player, self._rivers_of(turn), given)
                for swap in turns.mirrors[turns.mirror_start[turn] : turns.mirror_start[turn + 1]]:
                    total[self.tree.hands[player].swapped[swap]] += part
            total /= 45 * 44  # cards left once both hands are known
        elif street == TURN:
            total = self._river_equity(player, self._rivers_of(board), given) / 44
        else:
            # a river board stands for its mirrors in the passes above, here for itself alone
            total = self._river_equity(player, np.array([board], np.int32), given, mirrors=False)
        found: Doubles = np.divide(total, met, out=np.full(len(total), np.nan), where=met > 0)
        return found

    def _rivers_of(self, turn: int) -> npt.NDArray[np.int32]:
        rivers = self.tree.street_boards(RIVER)
        assert rivers is not None
        start, end = (int(x) for x in rivers.child_start[turn : turn + 2])
        return np.arange(start, end, dtype=np.int32)

    def _river_equity(
        self, player: int, boards: npt.NDArray[np.int32], reach: Doubles, *, mirrors: bool = True
    ) -> Doubles:
        rivers, swapped = self.tree.street_boards(RIVER), self.tree.hands[player].swapped
        assert rivers is not None
        start, swaps = rivers.mirror_start, rivers.mirrors
        if not mirrors:
            start, swaps = np.arange(rivers.size + 1, dtype=np.int32), np.zeros(rivers.size, np.int32)
        out = np.zeros(len(swapped[0]))
        own, opp = (self._orders[p] for p in (player, 1 - player))
        add_equity(own, opp, boards, Mirrors(start, swaps, swapped), reach, out)
        return out

    @cached_property
    def _orders(self) -> list[ShowdownOrder]:
        return [ShowdownOrder(s.alive, s.hand, s.strength, s.same, s.cards) for s in self.tree.showdowns]

    @contextmanager
    def _pool(self) -> Iterator[ThreadPoolExecutor | None]:
        if self.threads == 1:
            yield None
            return
        with ThreadPoolExecutor(self.threads) as pool:
            yield pool


def filled(tree: PublicTree, layout: Layout, average: list[Table], play: list[Table]) -> list[Table]:
    """Return the averages with what is played now wherever a live hand has none; no copy where all have.

    play: tables that regret matching reads, of the same layout.
    """
    found = list(average)
    for player in (OOP, IP):
        side, hands = layout.passes[player].own, tree.hands[player]
        for street in range(3):
            boards = tree.street_boards(street)
            nodes = [n for n in tree.betting.street_nodes(street) if tree.betting.kind[n] == player]
            if not boards or not nodes:
                continue
            starts = layout.rows[nodes]
            rows, longest = int(side.rows[street]), int(side.stride[street])
            if street == RIVER:
                live = np.arange(longest) < tree.showdowns[player].alive[:, None]
            else:
                live = np.pad(live_on(boards, hands) > 0, ((0, 0), (0, longest - hands.size)))
            for board in range(boards.size):
                start, stride = board_rows(side, street, board)
                here = slice(start, start + rows * stride)
                table = found[player][here].reshape(rows, stride)
                missing = (np.add.reduceat(table, starts, 0) <= 0) & live[board, :stride]
                if missing.any():
                    if found[player] is average[player]:
                        found[player] = np.array(average[player][:], np.float32)
                    now = np.maximum(play[player][here].reshape(rows, stride), 0)
                    everywhere = np.repeat(missing, np.diff([*starts, rows]), 0)
                    whole = found[player]
                    assert isinstance(whole, np.ndarray)
                    whole[here] = np.where(everywhere, now, table).reshape(-1)
    return found
