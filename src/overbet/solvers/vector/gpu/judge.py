"""The judge's arrays and launches on a GPU: exploitability of the average tables, without a download."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from overbet.cuda.arrays import Deal, PlayerArrays
from overbet.cuda.device import SIMULATED, Launcher
from overbet.cuda.judge import (
    FOLLOW,
    OBEY,
    Player,
    Ranks,
    Tree,
    judge_cards,
    judge_leaves,
    judge_lines,
    judge_root,
)
from overbet.kernels.jit import kernel
from overbet.kernels.vector.response import Lines
from overbet.kernels.vector.streets import FLOP, RIVER, TURN
from overbet.solvers.vector.gpu.layout import board_first
from overbet.solvers.vector.layout import Layout
from overbet.tree.betting import CHANCE, FOLD, SHOWDOWN
from overbet.tree.public import PublicTree
from overbet.tree.spot import IP, OOP

_WIDTH = 8 if SIMULATED else 128  # hands of a block that carries values up
_FEW = 40_000  # threads; where there are fewer, groups of them share the cards
_GROUPS = 2 if SIMULATED else 8
_RUNS_WANTED = 3000  # terminals are gathered into longer runs only where there are more than this many runs
_LONGEST_RUN = 8


class JudgePlan(NamedTuple):
    """Host arrays of one player's evaluation. units: blocks for the terminals; value_floats: size of the
    value buffer."""

    tree: Tree
    ranks: Ranks
    units: int
    value_floats: int

    def bytes(self) -> int:
        """Return the size of all arrays together."""
        return sum(part.nbytes for part in (*self.tree, *self.ranks) if isinstance(part, np.ndarray))


class GpuJudge:
    """Launches the judge's kernels over uploaded plans. buffers: values, float32; result: [4] float64."""

    def __init__(
        self,
        tree: PublicTree,
        plans: list[JudgePlan],
        deals: list[dict[int, Deal]],
        players: list[Player],
        buffers: tuple[Any, Any],
        launcher: Launcher,
    ) -> None:
        self.tree, self.plans, self.deals, self.players = tree, plans, deals, players
        self.value, self.result = buffers
        self._launch = launcher
        self.raked = tree.spot.rake.share > 0.0

    def launch(self) -> None:
        """Queue all evaluations: best responses of both players and, with rake, their own strategies."""
        for player in (OOP, IP):
            self._evaluate(player, OBEY, player)
            if self.raked:
                self._evaluate(player, FOLLOW, 2 + player)

    def exploitability(self, result: npt.NDArray[np.float64], pair_weight: float) -> float:
        """Return half of what both could gain, in chips, from what the kernels left in `result`."""
        shares = result / pair_weight
        met = shares[2] + shares[3] if self.raked else float(self.tree.spot.pot)
        return float(shares[0] + shares[1] - met) / 2

    def _evaluate(self, player: int, mode: int, index: int) -> None:
        tree, ranks = self.plans[player].tree, self.plans[player].ranks
        own, opp, value = self.players[player], self.players[1 - player], self.value
        first = self.tree.spot.first_street
        threads = min(_WIDTH, 128 if opp.hands > 400 else 64)
        shape: Any = (self.plans[player].units, threads, 8 * (5 * opp.hands + 53 + threads))
        self._launch(judge_leaves, shape, tree, own, opp, ranks, value)
        for street in range(RIVER, first - 1, -1):
            blocks, width, _ = self._shape(street, own.hands, street)
            self._launch(judge_lines, (blocks, width, 0), street, mode, tree, own, value)
            if street > first:
                blocks, width, groups = self._shape(street - 1, own.hands, street)
                shape, deal = (blocks, width * groups, 8 * width * groups), self.deals[player][street]
                self._launch(judge_cards, shape, street, width, tree, own, deal, value)
        self._launch(judge_root, (1, _WIDTH, 8 * _WIDTH), first, tree, own, value, self.result, index)

    def _shape(self, boards_of: int, hands: int, lines_of: int) -> tuple[tuple[int, int, int], int, int]:
        """Return blocks, hands of a block and groups for the lines of a street, on the boards of a street."""
        lines, boards = (
            int(np.diff(self.tree.betting.street_line)[lines_of]),
            self.tree.board_count(boards_of),
        )
        width, groups = _WIDTH, 1
        if boards * lines * hands < _FEW:
            width, groups = min(_WIDTH, 32), _GROUPS
        return (lines, boards, -(-hands // width)), width, groups


def judge_plan(tree: PublicTree, layout: Layout, lines: Lines, own: int) -> JudgePlan:
    """Return the host arrays of one player's evaluation. lines: what the CPU's judge knows of payoffs."""
    betting, side = tree.betting, layout.passes[own].own
    ends = np.flatnonzero((betting.kind == FOLD) | (betting.kind == SHOWDOWN))
    terminal_start = np.searchsorted(betting.street[ends], np.arange(4)).astype(np.int32)
    boards = np.array([tree.board_count(s) for s in range(3)], np.int64)
    decided = np.flatnonzero(betting.kind < CHANCE)
    run = int(np.clip(np.diff(terminal_start) @ boards // _RUNS_WANTED, 1, _LONGEST_RUN))
    counts = -(-np.diff(terminal_start) // run) * boards
    street_unit = np.array([counts[RIVER] + counts[TURN], counts[RIVER], 0], np.int32)
    nodes = np.array([len(betting.street_nodes(s)) for s in range(3)], np.int64)
    node_first = np.array([betting.street_nodes(s).start for s in range(3)], np.int64)
    sizes = boards * nodes * side.stride
    value_base = np.concatenate([[0], np.cumsum(sizes)[:2]]).astype(np.int64)
    plan = Tree(
        betting.kind,
        betting.parent,
        betting.first_child,
        betting.num_children,
        layout.rows,
        betting.line_start,
        np.searchsorted(betting.line[decided], np.arange(len(betting.line_start))).astype(np.int32),
        decided[np.lexsort((-decided, betting.line[decided]))].astype(np.int32),
        betting.street_line,
        run,
        ends.astype(np.int32),
        betting.line[ends],
        terminal_start,
        *_paths(tree, layout, ends, 1 - own),
        street_unit,
        lines.win,
        lines.tie,
        lines.lose,
        lines.cards_left,
        board_first(tree),
        node_first,
        nodes,
        value_base,
    )
    return JudgePlan(plan, _ranks(tree, own), int(counts.sum()), int(sizes.sum()))


def _paths(
    tree: PublicTree, layout: Layout, ends: npt.NDArray[np.int64], player: int
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32], npt.NDArray[np.int32]]:
    """Return where the paths of terminals, and of lines, begin, and (street, first row, actions, action) of
    the player's decisions on them: within the terminal's line, and on the streets before the line."""
    betting = tree.betting
    path: list[int] = []
    roots = betting.line_start[:-1]
    starts = []
    for nodes, whole in ((ends, False), (roots, True)):
        start = [len(path) // 4]
        for node in nodes.tolist():
            while betting.parent[node] >= 0 and (whole or betting.kind[betting.parent[node]] != CHANCE):
                above = int(betting.parent[node])
                if betting.kind[above] == player:
                    action = node - int(betting.first_child[above])
                    actions = int(betting.num_children[above])
                    path += [int(betting.street[above]), int(layout.rows[above]), actions, action]
                node = above
            start.append(len(path) // 4)
        starts.append(np.array(start, np.int32))
    return starts[0], starts[1], np.array(path or [0], np.int32)


def judge_player(seat: PlayerArrays, number: int, average: Any, locked: Any) -> Player:
    """Return a player as the judge sees it, from what the update's seat holds of its hands."""
    return Player(
        number,
        seat.hands,
        seat.alive,
        seat.hand,
        seat.start,
        seat.above,
        seat.base,
        seat.rows,
        seat.stride,
        average,
        locked,
    )


def _ranks(tree: PublicTree, own: int) -> Ranks:
    """Return who is weaker, and the opponent's lists by card, on rivers and then on the early boards."""
    early = tree.board_count(TURN) + tree.board_count(FLOP)
    shown, other, hands = tree.showdowns[own], tree.showdowns[1 - own], tree.hands
    weaker = np.zeros((len(shown.alive) + early, hands[own].size), np.uint16)
    equal = np.full_like(weaker, hands[1 - own].size)
    _fill_weaker(shown.alive, shown.strength, other.alive, other.strength, weaker, equal)
    own_cards, opp_cards = (
        np.concatenate([tree.showdowns[p].cards, np.broadcast_to(hands[p].cards, (early, hands[p].size, 2))])
        for p in (own, 1 - own)
    )
    same = np.concatenate([shown.same, np.broadcast_to(hands[own].same, (early, hands[own].size))])
    alive = np.concatenate([other.alive, np.full(early, hands[1 - own].size)]).astype(np.int32)
    start = np.zeros((len(alive), 53), np.int32)
    lists = np.zeros((len(alive), 2 * hands[1 - own].size), np.uint16)
    _fill_lists(alive, opp_cards, start, lists)
    among = np.zeros((*weaker.shape, 6), np.uint16)
    _fill_among(own_cards, weaker, equal, start, lists, among)
    arrays = (array.ravel() for array in (weaker, equal, same, start, lists, among))
    return Ranks(hands[1 - own].size, *arrays)


@kernel
def _fill_weaker(
    own_alive: npt.NDArray[np.int32],
    own_strength: npt.NDArray[np.int16],
    opp_alive: npt.NDArray[np.int32],
    opp_strength: npt.NDArray[np.int16],
    weaker: npt.NDArray[np.uint16],
    equal: npt.NDArray[np.uint16],
) -> None:
    """Count the opponent's hands that are weaker, and not stronger, than each own one: all are [R, .]."""
    for board in range(len(own_alive)):
        low = high = 0
        for i in range(own_alive[board]):
            while low < opp_alive[board] and opp_strength[board, low] < own_strength[board, i]:
                low += 1
            while high < opp_alive[board] and opp_strength[board, high] <= own_strength[board, i]:
                high += 1
            weaker[board, i], equal[board, i] = low, high


@kernel
def _fill_lists(
    alive: npt.NDArray[np.int32],
    cards: npt.NDArray[np.uint8],
    start: npt.NDArray[np.int32],
    lists: npt.NDArray[np.uint16],
) -> None:
    """List the hands of every board by card. cards: [B, M, 2] uint8; start: [B, 53]; lists: [B, 2 M]."""
    for board in range(len(alive)):
        count = np.zeros(53, np.int32)
        for place in range(alive[board]):
            for k in range(2):
                count[cards[board, place, k] + 1] += 1
        for card in range(52):
            count[card + 1] += count[card]
        start[board] = count
        for place in range(alive[board]):
            for k in range(2):
                card = cards[board, place, k]
                lists[board, count[card]] = place
                count[card] += 1


@kernel
def _fill_among(
    cards: npt.NDArray[np.uint8],
    weaker: npt.NDArray[np.uint16],
    equal: npt.NDArray[np.uint16],
    start: npt.NDArray[np.int32],
    lists: npt.NDArray[np.uint16],
    among: npt.NDArray[np.uint16],
) -> None:
    """Find in the lists of a hand's two cards the first that is as strong, the first stronger, and the end.

    cards: [B, H, 2] uint8; among: [B, H, 6] uint16, counted with one more entry before every card's list.
    """
    for board in range(len(cards)):
        for i in range(cards.shape[1]):
            for k in range(2):
                card = np.int64(cards[board, i, k])
                first, last = start[board, card], start[board, card + 1]
                held = lists[board, first:last]
                among[board, i, 3 * k] = first + card + np.searchsorted(held, weaker[board, i])
                among[board, i, 3 * k + 1] = first + card + np.searchsorted(held, equal[board, i])
                among[board, i, 3 * k + 2] = last + card
