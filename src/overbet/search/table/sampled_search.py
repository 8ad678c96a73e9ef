"""One sampled search: the subgame of a street walked until its budget is spent, and what it says."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import NoReturn

import numpy as np
import numpy.typing as npt

from overbet.cards.combos import COMBOS, combo_table
from overbet.cards.evaluator import evaluate_batch
from overbet.errors import ConfigError
from overbet.games.holdem import MOST_CHIPS
from overbet.kernels.rng import below, stream_key
from overbet.kernels.search.street_game import BoardRows, StreetGame, StreetHands
from overbet.kernels.search.street_search import add_average, begin_from_blueprint, judge_block, search_block
from overbet.kernels.search.street_tree import DECIDES
from overbet.search.street_answer import Cost, StreetAnswer
from overbet.search.street_start import StreetStart
from overbet.search.street_strategy import StreetStrategy, rounded
from overbet.search.table.followed import FollowedBlueprint
from overbet.search.table.settings import TableSettings
from overbet.search.table.street_table import (
    TableQuestion,
    fixed_rows,
    node_after,
    street_hands,
    street_table,
    walk_room,
)
from overbet.solvers.vector.solver import Progress

Floats = npt.NDArray[np.float64]
_BLOCK = 8  # iterations between two looks at the clock; boards are drawn anew and averages added as often
_BOARDS = 12  # of the flop, drawn for a block
_BOARD_STREAM = 1 << 21
_ELSEWHERE = -1  # in place of a player, for nodes beyond the street
_SMALL = 1 << 20
_JUDGED = 400  # walks that say what actions are worth
_TELL = 0.1  # seconds between two words about a search under way
Watch = Callable[[Progress], None]


class SampledSearch(StreetAnswer):
    """A sampled search that was made."""

    def __init__(
        self,
        question: TableQuestion,
        followed: FollowedBlueprint,
        settings: TableSettings,
        seconds: float | None = None,
        begun: float | None = None,
        watch: Watch | None = None,
    ) -> None:
        """Search. seconds: for the whole of it, since `begun` on the clock where that is given; watch: is
        told how many iterations were made, now and then."""
        clock = time.perf_counter() if begun is None else begun
        self.question, self.followed, self.settings = question, followed, settings
        self.table = street_table(question, followed, settings)
        self._boards = _Boards(question.begun.board, self.table.combos, followed)
        hands = street_hands(self.table.combos, question.ranges)
        self._room = walk_room(self.table, question.begun.num_players)
        iterations = self._run(hands, clock, seconds, watch)
        begun_at = question.begun
        start = StreetStart(
            begun_at.game, question.street - 1, begun_at.board, begun_at.pot, MOST_CHIPS, begun_at.line
        )
        average = self._strategy(average=True)
        cost = Cost(iterations, time.perf_counter() - clock, None)
        super().__init__(start, question.ranges, average, cost, _no_solution, opens=False)
        self.played = average if settings.plays == "average" else self._strategy(average=False)

    @property
    def nbytes(self) -> int:
        """About how much memory it holds."""
        tables = self.table.tables
        return tables.regret.nbytes + tables.average.nbytes + 2 * self.strategy.shares.nbytes + _SMALL

    @property
    def values_are_known(self) -> bool:
        return False

    def action_values(self, edges: tuple[int, ...]) -> Floats | None:
        """Nothing is known without the ranges at the decision: see `walked_values`."""
        return None

    def walked_values(self, edges: tuple[int, ...], ranges: Floats, walks: int = _JUDGED) -> Floats:
        """Return what the actions of a decision are worth to every hand, by the average strategy.

        [1326, action] float64, big blinds from the decision on (folding is worth 0), estimated by walks; NaN
        for dead hands. ranges: [P, 1326] float64 at the decision.
        """
        node = node_after(self.table.nodes, edges)
        assert node is not None
        nodes, tables, combos = self.table.nodes, self.table.tables, self.table.combos
        decided = {int(n): self.strategy.at(int(n)) for n in self.table.decisions}
        fixed, fixed_at = fixed_rows(decided, nodes, combos)
        played = tables._replace(fixed=fixed, fixed_at=fixed_at)
        player, count = int(nodes.player[node]), int(nodes.width[node])
        out = np.zeros((1 + count, 2, len(combos)))
        hands = street_hands(combos, ranges)
        for number in range(0, walks, _BLOCK):
            boards = self._boards.of_block(number // _BLOCK)
            game = StreetGame(nodes, hands, boards, played, self.followed.arrays)
            judge_block(game, self._room, node, player, 0, number, _BLOCK, out)
        found = np.full((COMBOS, count), np.nan)
        put_in = self._put_in(edges, player)
        with np.errstate(invalid="ignore"):
            found[combos] = (out[1:, 0] / out[1:, 1]).T + put_in
        return found

    def _put_in(self, edges: tuple[int, ...], player: int) -> float:
        """Return what a player has put in before a decision, in big blinds."""
        now = self.question.begun
        for edge in edges:
            now = now.apply(edge)
        return now.put_in[player] / now.game.big_blind

    def _run(
        self, hands: StreetHands, clock: float, seconds: float | None, watch: Watch | None = None
    ) -> int:
        """Iterate until the budget is spent; return how many iterations were made."""
        table, street = self.table, self.question.street
        most = self.settings.on(street - 1).iterations
        reach = np.empty((int(table.nodes.first[table.decisions].max()) + 32, len(table.combos)), np.float32)
        self._begin(reach)
        done, slowest, told = 0, 0.0, clock
        while True:
            begun = time.perf_counter()
            count = min(_BLOCK, most - done)
            boards = self._boards.of_block(done // _BLOCK)
            game = StreetGame(table.nodes, hands, boards, table.tables, self.followed.arrays)
            search_block(game, self._room, table.players, 0, done + 1, count)
            done += count
            self._add_average(reach, done)
            now = time.perf_counter()
            slowest = max(slowest, now - begun) if done > _BLOCK else 0.0
            if watch is not None and now - told >= _TELL:
                told = now
                watch(Progress(done, float("nan"), now - clock, done / (now - clock), None))
            if done >= most or (seconds is not None and now - clock + slowest >= seconds):
                return done

    def _begin(self, reach: npt.NDArray[np.float32]) -> None:
        """Begin with the blueprint's strategies, where settings trust it."""
        table, begun = self.table, self.question.begun
        trust = round(self.settings.trust * self.settings.on(self.question.street - 1).iterations)
        counts = np.array(self.followed.counts, np.int64)
        if not trust or not counts[self.question.street]:
            return
        bucket = self.followed.of_board(begun.board)[table.combos]
        # regrets of an iteration are of the size of the pot, and its weight is its number
        weight = np.float32(trust**2 / 2 * begun.pot / begun.game.big_blind)
        begin_from_blueprint(table.nodes, table.tables, self.followed.arrays, bucket, counts, weight)
        self._add_average(reach, trust**2 / (2 * _BLOCK))

    def _add_average(self, reach: npt.NDArray[np.float32], weight: float) -> None:
        table = self.table
        for player in table.players:
            add_average(
                table.nodes, table.tables, table.decisions, player, reach, self._room, np.float32(weight)
            )

    def _strategy(self, *, average: bool) -> StreetStrategy:
        """Return the street with its average strategy, or with the last one."""
        nodes, tables, combos = self.table.nodes, self.table.tables, self.table.combos
        decides = nodes.kind == DECIDES
        count = np.where(decides, nodes.width, 0).astype(np.int32)
        row = np.concatenate([[0], np.cumsum(count)])
        shares = np.full((int(row[-1]), COMBOS), np.nan, np.float32)
        for node in self.table.decisions:
            wide = int(count[node])
            shape = (wide, len(combos))
            fixed, size = int(tables.fixed_at[node]), wide * len(combos)
            last = tables.regret[nodes.place[node] : nodes.place[node] + size].reshape(shape)
            found = _normal(np.maximum(last, 0.0).astype(np.float64), np.full(shape, 1.0 / wide))
            if average:
                place = int(nodes.average[node])
                mean = tables.average[place : place + size].reshape(shape).astype(np.float64)
                found = _normal(mean, found)
            if fixed >= 0:
                found = tables.fixed[fixed : fixed + size].reshape(shape).astype(np.float64)
            shares[row[node] : row[node + 1], combos] = rounded(found)
        kind = np.where(decides, nodes.player, _ELSEWHERE).astype(np.int32)
        return StreetStrategy(
            kind, nodes.first.astype(np.int32), count, nodes.action, row[:-1].astype(np.int32), shares
        )


def _no_solution() -> NoReturn:
    raise ConfigError("a sampled search is no solution of two ranges: it cannot be opened")


def _normal(weights: Floats, otherwise: Floats) -> Floats:
    """Return shares, [action, hand]; those of `otherwise` for hands without weights."""
    total = weights.sum(0)
    found: Floats = np.where(total > 0.0, weights / np.where(total > 0.0, total, 1.0), otherwise)
    return found


class _Boards:
    """Full boards for blocks of iterations: the one there is, all rivers, or some drawn for each block."""

    def __init__(
        self, board: tuple[int, ...], combos: npt.NDArray[np.int64], followed: FollowedBlueprint
    ) -> None:
        self._board, self._combos, self._followed = board, combos, followed
        self._rest = [card for card in range(52) if card not in board]
        self._all: BoardRows | None = None

    def of_block(self, block: int) -> BoardRows:
        """Return the boards of a block of iterations: the same for the same number."""
        if len(self._board) == 3:
            return self._rows([self._drawn(block, number) for number in range(_BOARDS)])
        if self._all is None:
            more = [(card,) for card in self._rest] if len(self._board) == 4 else [()]
            self._all = self._rows([(*self._board, *cards) for cards in more])
        return self._all

    def _drawn(self, block: int, number: int) -> tuple[int, ...]:
        key, left = np.uint64(stream_key(0, block * _BOARDS + number, _BOARD_STREAM)), list(self._rest)
        return (*self._board, *(left.pop(int(below(key, place, len(left)))) for place in range(2)))

    def _rows(self, boards: list[tuple[int, ...]]) -> BoardRows:
        combos, known = self._combos, len(self._board)
        rank = np.zeros((len(boards), len(combos)), np.int32)
        bucket = np.full((len(boards), 4, len(combos)), -1, np.int32)
        held = combo_table()[combos]
        for number, cards in enumerate(boards):
            clear = ~np.isin(held, cards[known:]).any(1)
            seven = np.concatenate([held[clear], np.tile(np.array(cards, np.int8), (int(clear.sum()), 1))], 1)
            rank[number, clear] = evaluate_batch(seven)
            for street, count in ((1, 3), (2, 4), (3, 5)):
                if count >= known and self._followed.counts[street]:
                    bucket[number, street] = self._followed.of_board(cards[:count])[combos]
        return BoardRows(np.array(boards, np.int8), known, rank, bucket)
