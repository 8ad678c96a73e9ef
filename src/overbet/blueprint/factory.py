"""The trainer that a config asks for."""

from __future__ import annotations

from pathlib import Path

from overbet.blueprint.cards import CardModel, load_cards
from overbet.blueprint.config import BlueprintConfig
from overbet.blueprint.keyed import KeyedTrainer
from overbet.blueprint.loop import Training
from overbet.blueprint.trainer import Trainer

_KINDS: dict[str, type[Training]] = {kind.tables: kind for kind in (Trainer, KeyedTrainer)}


def make_trainer(folder: Path | None, config: BlueprintConfig, cards: CardModel | None = None) -> Training:
    """Return a trainer, its tables in memory or, with `storage: mapped`, in new files of the run's folder.

    Without a folder they are in memory.
    """
    grouping = load_cards(config.cards) if cards is None else cards
    mapped = config.run.storage == "mapped"
    return _KINDS[config.solver.tables].make(config, grouping, folder if mapped else None)
