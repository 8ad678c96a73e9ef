"""The trainer that a config asks for."""

from __future__ import annotations

from pathlib import Path

from overbet.blueprint.board_trainer import BoardTrainer
from overbet.blueprint.cards import CardModel, load_cards
from overbet.blueprint.config import BlueprintConfig
from overbet.blueprint.keyed import KeyedTrainer
from overbet.blueprint.loop import Training
from overbet.blueprint.trainer import Trainer
from overbet.errors import ConfigError

_KINDS: dict[str, type[Training]] = {kind.tables: kind for kind in (Trainer, KeyedTrainer)}


def make_trainer(folder: Path | None, config: BlueprintConfig, cards: CardModel | None = None) -> Training:
    """Return a trainer, its tables in memory or, with `storage: mapped`, in new files of the run's folder.

    Without a folder they are in memory.
    """
    check_device(config)
    grouping = load_cards(config.cards) if cards is None else cards
    mapped = config.run.storage == "mapped"
    kind = _board_kind(config) if config.solver.method == "boards" else _KINDS[config.solver.tables]
    return kind.make(config, grouping, folder if mapped else None)


def _board_kind(config: BlueprintConfig) -> type[Training]:
    """Return who sweeps boards: the GPU where it is asked for or, with `auto`, where there is one."""
    if config.run.device == "cpu":
        return BoardTrainer
    from overbet.solvers.vector.devices import has_gpu

    if config.run.device == "auto" and not has_gpu():
        return BoardTrainer
    from overbet.blueprint.gpu_board_trainer import GpuBoardTrainer

    return GpuBoardTrainer


def check_device(config: BlueprintConfig) -> None:
    """Refuse a run on a GPU where there is none, before anything is read or built."""
    if config.run.device == "cuda":
        from overbet.solvers.vector.devices import why_no_gpu

        if why := why_no_gpu():
            raise ConfigError(f"{why}; leave out --device cuda, or use --device cpu")
