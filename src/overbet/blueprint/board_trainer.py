"""Training by public chance sampling: every iteration deals a board and sweeps the whole tree for all hands.

    trainer = make_trainer(None, BlueprintConfig.load("configs/heads-up.yaml", ["solver.method=boards"]))
    trainer.run(1_000_000)

Tables, checkpoints and the blueprint are those of the sampled deals (`trainer.Trainer`), and so are their
units: what a sweep adds is what a deal adds on average. A board says far more than a deal and counts as
`DEALS` of them. So either trainer can go on with the other's checkpoints.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import numpy.typing as npt

from overbet.ahead import compile_ahead
from overbet.blueprint.board_source import BoardSource
from overbet.blueprint.cards import CardModel
from overbet.blueprint.config import BOARD_DEALS, BlueprintConfig
from overbet.blueprint.loop import Numbers
from overbet.blueprint.trainer import Trainer
from overbet.errors import ConfigError
from overbet.kernels.boards.sweep import SweepWork, SweptGame, sweep_boards, sweep_work
from overbet.kernels.holdem.layout import SHOWDOWN
from overbet.kernels.regret import RuleStep
from overbet.kernels.training.train import progress_of
from overbet.tree.holdem import HoldemTree


class BoardTrainer(Trainer):
    """Dense tables, filled by sweeps of whole boards. Two players."""

    unit = BOARD_DEALS

    def __init__(
        self,
        config: BlueprintConfig,
        cards: CardModel | None = None,
        table: Numbers | None = None,
        memory_limit: int | None = None,
    ) -> None:
        super().__init__(config, cards, table, memory_limit)
        self.source = BoardSource(self.cards, config.solver.seed)
        live = self.source.live
        shares = (self.unit / (live * self.source.against), self.unit / live)
        pays, equities = end_pays(self.tree), of_pairs_apart(self._equities)
        self.swept = SweptGame(self.game.record, pays, equities, shares, config.solver.tremble)
        self._sweeps: list[SweepWork] = []

    def _seat(self, workers: int, iterations: int) -> None:
        if len(self._sweeps) != workers:
            depth, actions = self._bounds[2], self._settings.widest
            self._sweeps = [sweep_work(depth, actions, self.source.live) for _ in range(workers)]

    def _compile(self) -> None:
        none = self.source.hands(self.source.boards(0, 0))
        root = np.zeros((0, 2, self.source.live), np.float32)
        buckets = np.array(self.cards.counts, np.int64)
        compile_ahead(
            (sweep_boards, (self.swept, self.table, none, self._sweeps[0], self._step(0), root)),
            (progress_of, (self.game.record, self.table, buckets, 0, 0)),
        )
        sweep_boards(self.swept, self.table, none, self._sweeps[0], self._step(0), root)

    def _train(self, worker: int, first: int, count: int, step: RuleStep) -> bool:
        for board in range(first // self.unit, (first + count) // self.unit):
            hands = self.source.hands(self.source.boards(board, 1))
            root = np.zeros((1, 2, self.source.live), np.float32)
            sweep_boards(self.swept, self.table, hands, self._sweeps[worker], step, root)
        return True

    def _run_batch(self, pool: ThreadPoolExecutor, workers: int, count: int, step: RuleStep) -> None:
        raise ConfigError("boards have no deterministic mode; one worker makes the same bits again")


def end_pays(tree: HoldemTree) -> npt.NDArray[np.float32]:
    """Return what the two players win at every end by winning, tying and losing: [T, 2, 3] float32, in bb."""
    nodes = tree.nodes
    pays = np.repeat(nodes.won[:, :, None].astype(np.float64), 3, axis=2)
    shown = nodes.first[nodes.player == SHOWDOWN]
    pots = np.repeat(np.arange(len(nodes.won)), np.diff(nodes.pot_first))  # whose pot
    for player in range(2):
        may = nodes.pot_mask >> player & 1 == 1
        alone = may & (nodes.pot_mask == 1 << player)
        for place, share in ((0, 1.0), (1, 0.5), (2, 0.0)):
            part = np.where(alone, 1.0, share) * may * nodes.pot_chips
            won = np.bincount(pots, part, len(nodes.won))
            pays[shown, player, place] += won[shown]
    return (pays / tree.game.big_blind).astype(np.float32)


def of_pairs_apart(equities: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """Return equities of pairs of hands with 0 where they share a card."""
    if not len(equities):
        return equities
    from overbet.cards.combos import combo_table

    cards: npt.NDArray[Any] = combo_table()
    clash = (cards[:, None, :, None] == cards[None, :, None, :]).any((2, 3))
    return np.where(clash, np.float32(0.0), equities)
