"""Checkpoints of a training run: each is one HDF5 file, written beside and renamed, checked when read.

A run's folder holds `config.yaml` (the resolved config), `checkpoint-<iterations>.h5` (the last few) and
`metrics.csv`. Random numbers are functions of (seed, iteration), so the tables and the number of iterations
are all there is to remember: a resumed run goes on to the very bits of one that never stopped.

Attributes of a checkpoint: format, version, overbet, config (JSON), game, cards and solver (hashes),
iterations, seconds, core_seconds, checksum. Dense tables have one dataset, `table`: [2 * entries] float32 or
int32, or [3 * entries] with the baselines of outcome sampling; keyed ones have `keys`: [capacity] uint64 and
`table`: [2 * capacity * actions].
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import yaml

from overbet._version import __version__
from overbet.blueprint.config import BlueprintConfig
from overbet.blueprint.keyed import KeyedTrainer
from overbet.blueprint.loop import Training
from overbet.blueprint.trainer import Trainer
from overbet.errors import ArtefactError, ConfigError
from overbet.files import replacing, write_text

FORMAT, VERSION = "overbet checkpoint", 1
CONFIG_NAME = "config.yaml"
_NAME = re.compile(r"^checkpoint-(\d+)\.h5$")
_HASHES = {"game": "game and bets", "cards": "card abstraction", "solver": "solver settings"}


class Resumed(NamedTuple):
    """A run read back, and what is to be told about it."""

    trainer: Training
    notes: tuple[str, ...]  # damaged checkpoints that were passed over, one line each


def checkpoints(run: str | Path) -> list[Path]:
    """Return a run's checkpoints, newest first."""
    found = [(int(match[1]), path) for path in Path(run).glob("*.h5") if (match := _NAME.match(path.name))]
    return [path for _, path in sorted(found, reverse=True)]


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
    import h5py

    folder = Path(run)
    path = folder / f"checkpoint-{trainer.iterations:012d}.h5"
    head = _head(trainer)
    with replacing(path) as beside, h5py.File(beside, "w") as file:
        for key, value in head.items():
            file.attrs[key] = value
        file.attrs["checksum"] = _checksum(trainer.arrays, head)
        for name, array in trainer.arrays.items():
            file.create_dataset(name, data=array)
    for old in checkpoints(folder)[trainer.config.run.keep :]:
        old.unlink(missing_ok=True)
    return path


def resume(
    run: str | Path, config: BlueprintConfig | None = None, trainer: Training | None = None
) -> Resumed:
    """Return the run as its newest good checkpoint has it; `config` may change how it is run, not what it is.

    trainer: one that was made for this run already, to be filled.
    """
    config = load_config(run) if config is None else config
    if trainer is None:
        ready: Training = KeyedTrainer(config) if config.solver.tables == "keyed" else Trainer(config)
    else:
        ready = trainer
    for stale in Path(run).glob(".*.part"):
        stale.unlink(missing_ok=True)  # what a killed process was writing
    notes: list[str] = []
    for path in checkpoints(run):
        try:
            head, arrays = _read(path)
        except ArtefactError as error:
            notes.append(str(error))
            continue
        _check_same(path, head, ready)
        try:
            ready.restore(arrays)
        except (KeyError, ValueError) as error:
            raise ArtefactError(f"{path} does not fit this config: {error}") from error
        ready.iterations = int(head["iterations"])
        ready.seconds, ready.core_seconds = float(head["seconds"]), float(head["core_seconds"])
        if notes:
            notes.append(f"going on from the previous checkpoint, {path.name}, which is good")
        return Resumed(ready, tuple(notes))
    if notes:
        raise ArtefactError(f"no checkpoint of {run} is good: {'; '.join(notes)}; start a new run")
    return Resumed(ready, ())


def _head(trainer: Training) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "version": VERSION,
        "overbet": __version__,
        "config": json.dumps(trainer.config.model_dump(mode="json"), sort_keys=True),
        "game": trainer.game_digest,
        "cards": trainer.cards.digest,
        "solver": trainer.config.solver_digest(),
        "iterations": trainer.iterations,
        "seconds": trainer.seconds,
        "core_seconds": trainer.core_seconds,
    }


def _read(path: Path) -> tuple[dict[str, Any], dict[str, npt.NDArray[Any]]]:
    import h5py

    try:
        with h5py.File(path, "r") as file:
            head = dict(file.attrs)
            arrays = {name: np.asarray(file[name]) for name in sorted(file)}
    except (OSError, RuntimeError, ValueError, TypeError, KeyError) as error:
        raise ArtefactError(f"{path} is damaged: it cannot be read") from error
    if head.get("format") != FORMAT or head.get("version") != VERSION:
        raise ArtefactError(
            f"{path} is {head.get('format')!r} version {head.get('version')}, not {FORMAT!r} "
            f"version {VERSION}"
        )
    checksum = head.pop("checksum", None)
    if checksum != _checksum(arrays, head):
        raise ArtefactError(f"{path} is damaged: its numbers do not match its checksum")
    return head, arrays


def _check_same(path: Path, head: dict[str, Any], trainer: Training) -> None:
    own = _head(trainer)
    for key, words in _HASHES.items():
        if head[key] != own[key]:
            raise ArtefactError(
                f"{path} was trained with other {words}: its hash is {head[key]}, this config's is "
                f"{own[key]}; resume with the run's own config or start a new run"
            )


def _checksum(arrays: Mapping[str, npt.NDArray[Any]], head: dict[str, Any]) -> str:
    facts = json.dumps({key: _plain(value) for key, value in head.items()}, sort_keys=True)
    sha = hashlib.sha256(facts.encode())
    for name in sorted(arrays):
        sha.update(np.ascontiguousarray(arrays[name]).data)
    return sha.hexdigest()


def _plain(value: Any) -> Any:
    return value.item() if isinstance(value, np.generic) else value
