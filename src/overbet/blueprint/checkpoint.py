"""Checkpoints of a training run: each is one file, written beside and renamed, verified when read.

A run's folder holds `config.yaml` (the resolved config), `checkpoint-<iterations>.h5` (the last few) and
`metrics.csv`. Random numbers are functions of (seed, iteration), so the tables and the number of iterations
are all there is to remember: a resumed run goes on to the very bits of one that never stopped.

Head of a checkpoint: overbet, config, game, cards and solver (hashes), iterations, seconds, core_seconds.
Dense tables have one array, `table`: [2 * entries] float32 or int32, or [3 * entries] with the baselines of
outcome sampling; keyed ones have `keys`: [capacity] uint64 and `table`: [2 * capacity * actions].
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import numpy.typing as npt
import yaml

from overbet import artefact
from overbet._version import __version__
from overbet.blueprint.config import BlueprintConfig
from overbet.blueprint.factory import make_trainer
from overbet.blueprint.loop import Training
from overbet.errors import ArtefactError, ConfigError
from overbet.files import write_text
from overbet.runs.folder import CONFIG_NAME, checkpoint_path, checkpoints, keep_newest

__all__ = ["CONFIG_NAME", "checkpoints"]  # besides what is made here

KIND = artefact.Kind("checkpoint", 2, "go on from another checkpoint, or start a new run")
_HASHES = {"game": "game and bets", "cards": "card abstraction", "solver": "solver settings"}


class Resumed(NamedTuple):
    """A run read back, and what is to be told about it."""

    trainer: Training
    notes: tuple[str, ...]  # damaged checkpoints that were passed over, one line each


def start_run(run: str | Path, config: BlueprintConfig) -> None:
    """Make a run's folder; refuse one that has a run in it."""
    folder = Path(run)
    if checkpoints(folder) or (folder / CONFIG_NAME).exists():
        raise ConfigError(
            f"{folder} has a run in it already; continue it with: overbet train --resume "
            f"{folder}, or use --out"
        )
    write_text(folder / CONFIG_NAME, yaml.safe_dump(config.model_dump(mode="json"), sort_keys=False))


def load_config(run: str | Path) -> BlueprintConfig:
    """Return the config of a run."""
    path = Path(run) / CONFIG_NAME
    if not path.is_file():
        raise ArtefactError(f"there is no run in {run}: it has no {CONFIG_NAME}")
    return BlueprintConfig.load(path)


def save_checkpoint(trainer: Training, run: str | Path) -> Path:
    """Write a checkpoint and remove all but the last few; return its path.

    Older ones go only once the new one is complete: a full disk leaves them as they were.
    """
    folder = Path(run)
    path = checkpoint_path(folder, trainer.iterations)
    # as they are: tables hardly shrink, and a run waits while its checkpoint is written
    artefact.write(path, KIND, _head(trainer), trainer.arrays, level=0)
    keep_newest(folder, trainer.config.run.keep)
    return path


def resume(
    run: str | Path, config: BlueprintConfig | None = None, trainer: Training | None = None
) -> Resumed:
    """Return the run as its newest good checkpoint has it; `config` may change how it is run, not what it is.

    trainer: one that was made for this run already, to be filled.
    """
    config = load_config(run) if config is None else config
    ready = make_trainer(None, config) if trainer is None else trainer
    notes: list[str] = []
    for path in checkpoints(run):
        try:
            read = _read(path, ready)
        except ArtefactError as error:
            notes.append(str(error))
            continue
        _fill(path, ready, *read)
        if notes:
            notes.append(f"going on from the previous checkpoint, {path.name}, which is good")
        return Resumed(ready, tuple(notes))
    if notes:
        raise ArtefactError(f"no checkpoint of {run} is good: {'; '.join(notes)}")
    return Resumed(ready, ())


def restore(path: Path, trainer: Training) -> None:
    """Fill a trainer with the tables of one checkpoint."""
    _fill(path, trainer, *_read(path, trainer))


def _fill(path: Path, trainer: Training, head: dict[str, Any], arrays: dict[str, npt.NDArray[Any]]) -> None:
    _check_same(path, head, trainer)
    try:
        trainer.restore(arrays)
    except (KeyError, ValueError) as error:
        raise ArtefactError(f"{path} does not fit this config: {error}") from error
    trainer.iterations = int(head["iterations"])
    trainer.seconds, trainer.core_seconds = float(head["seconds"]), float(head["core_seconds"])


def _head(trainer: Training) -> dict[str, Any]:
    return {
        "overbet": __version__,
        "config": trainer.config.model_dump(mode="json"),
        "game": trainer.game_digest,
        "cards": trainer.cards.digest,
        "solver": trainer.config.solver_digest(),
        "iterations": trainer.iterations,
        "seconds": trainer.seconds,
        "core_seconds": trainer.core_seconds,
    }


def _read(path: Path, trainer: Training) -> tuple[dict[str, Any], dict[str, npt.NDArray[Any]]]:
    with artefact.opened(path, KIND) as file, file.parsing():
        head = file.head
        for key, kind in (("iterations", int), ("seconds", (int, float)), ("core_seconds", (int, float))):
            if not isinstance(head[key], kind):
                raise file.damaged(f"its {key} are missing")
        if any(not isinstance(head[key], str) for key in _HASHES):
            raise file.damaged("its hashes are missing")
        if file.nbytes > 2 * sum(array.nbytes for array in trainer.arrays.values()) + 4096:
            raise ArtefactError(f"{path} does not fit this config: its tables are larger")
        return head, {name: file[name].whole() for name in file.names}


def _check_same(path: Path, head: dict[str, Any], trainer: Training) -> None:
    own = _head(trainer)
    for key, words in _HASHES.items():
        if head[key] != own[key]:
            raise ArtefactError(
                f"{path} was trained with other {words}: its hash is {head[key]}, this config's is "
                f"{own[key]}; resume with the run's own config or start a new run"
            )
