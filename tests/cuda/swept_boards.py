"""Training by boards, on the GPU and on the CPU, with a deck of eleven cards."""

from __future__ import annotations

from typing import Any

import numpy as np

from overbet.blueprint.board_trainer import BoardTrainer, of_pairs_apart
from overbet.blueprint.config import BlueprintConfig
from overbet.blueprint.gpu_board_trainer import GpuBoardTrainer
from overbet.cuda import device
from overbet.errors import TooLargeError

_MENU = {
    "preflop": {"sizes": ["2bb, a", "a"], "raises": 2},
    "flop": {"sizes": ["100%"], "raises": 1},
    "turn": {"raises": 0},
    "river": {"sizes": ["100%, a", "a"], "raises": 2},
}
_BOARD = 1000  # iterations


class FewCards:
    """Hands of eleven cards, in buckets that have nothing to do with what they are worth."""

    counts = (6, 5, 4, 3)
    digest = "few cards"
    deck = np.array([0, 1, 2, 3, 4, 8, 9, 12, 13, 16, 17], np.int8)

    def fill(self, deals: Any, players: int) -> None:
        raise NotImplementedError

    def of_board(self, board: Any) -> Any:
        street = max(len(board) - 2, 0)
        return ((np.arange(1326) + sum(board)) % self.counts[street]).astype(np.int32)


def swept_boards() -> dict[str, Any]:
    """Report how far the tables are apart after three boards at once, and after a run of three.

    With more boards a regret of nothing that is rounded up changes a strategy.
    """
    values = {
        "game": {"players": 2, "stack_bb": 6, "rake": 0.05, "rake_cap": 50},
        "menu": _MENU,
        "solver": {"method": "boards", "rule": "dcfr", "seed": 3, "discount_every": _BOARD, "tremble": 0.1},
    }
    config, cards = BlueprintConfig.parse(values), FewCards()
    plain, ours = BoardTrainer(config, cards), GpuBoardTrainer(config, cards, batch=3)
    random = np.random.default_rng(1)
    start = random.normal(size=len(plain.table)).astype(np.float32)
    start[1::2] = abs(start[1::2])
    step, wanted = plain._step(0), start.astype(np.float64)
    plain._seat(1, 1)
    for board in range(3):  # on the CPU each board learns from the one before: here all read the same tables
        plain.table[:] = start
        plain._train(0, board * _BOARD, _BOARD, step)
        wanted += plain.table - start
    ours.restore({"table": start})
    ours._train(0, 0, 3 * _BOARD, step)
    found = {
        "added": float(abs(wanted - start).max()),
        "apart": _apart(ours.arrays["table"], wanted),
        "run": _runs_apart(config, cards),
    }
    again = GpuBoardTrainer(config, cards, batch=1)
    again.restore(ours.arrays)
    found["restored"] = bool((again.arrays["table"] == ours.arrays["table"]).all())
    found["iterations"] = 3 * _BOARD
    return {**found, "too_large": _too_large(config, cards)}


def _runs_apart(config: BlueprintConfig, cards: FewCards) -> float:
    """Return how far a run of single boards, discounts included, is from the CPU's; all-ins by equity."""
    equity = of_pairs_apart(np.random.default_rng(2).uniform(size=(1326, 1326)).astype(np.float32))
    runs = []
    for kind in (BoardTrainer, GpuBoardTrainer):
        trainer = kind(config, cards)
        trainer.swept = trainer.swept._replace(equity=equity)
        if isinstance(trainer, GpuBoardTrainer):
            trainer.batch = trainer.together = 1
            trainer._upload()
        trainer.run(3 * _BOARD, workers=1)
        assert trainer.iterations == 3 * _BOARD
        runs.append(trainer.arrays["table"].copy())
    return _apart(runs[1], runs[0])


def _apart(found: Any, wanted: Any) -> float:
    return float((abs(found - wanted) / (1.0 + abs(wanted))).max())


def _too_large(config: BlueprintConfig, cards: FewCards) -> str:
    """Return what is said where the GPU has too little memory."""
    free, device.free_bytes = device.free_bytes, lambda: 1000.0
    try:
        GpuBoardTrainer(config, cards)
    except TooLargeError as error:
        return str(error)
    finally:
        device.free_bytes = free
    return ""
