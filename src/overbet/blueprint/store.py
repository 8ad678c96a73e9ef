"""A blueprint as a file: the average strategy in 8 bits, compressed HDF5, with a manifest.

Of dense tables the tree is not stored: it grows again from the config in well under a second and its hash is
compared. The strategy lies in chunks in the order of the tables, so a query reads what it needs and opening
reads nothing. Of keyed tables the keys are stored, ascending and as they are, so that they can be mapped into
memory and searched.

Attributes: format, version, overbet, config (JSON), game and cards (hashes), manifest (JSON), checksum of all
that. Version 1, dense tables: dataset `strategy`: [entries] uint8, rows of 255ths, all zeros where a row was
never reached. Version 2, keyed tables: `keys`: [rows] uint64 and `strategy`: [rows, actions] uint8.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from overbet._version import __version__
from overbet.blueprint.keyed import KeyedTrainer
from overbet.blueprint.loop import Training
from overbet.blueprint.trainer import Trainer
from overbet.errors import ArtefactError, ConfigError
from overbet.files import replacing
from overbet.kernels.training_store import quantise, quantise_rows

if TYPE_CHECKING:
    from overbet.blueprint.query import Blueprint

FORMAT, VERSION, KEYED_VERSION = "overbet blueprint", 1, 2
SUFFIX = ".h5"
_CHUNK = 1 << 16


def manifest_of(trainer: Training, measured: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Return how the tables came about: hours, cores, iterations, buckets, what they were measured at."""
    seconds = max(trainer.seconds, 1e-9)
    facts = {
        "name": trainer.config.name,
        "iterations": trainer.iterations,
        "hours": round(trainer.seconds / 3600, 4),
        "cores": round(trainer.core_seconds / seconds, 1),
        "core_hours": round(trainer.core_seconds / 3600, 4),
        "rule": trainer.config.solver.rule.name,
        "method": trainer.config.solver.method,
        "mode": trainer.config.solver.mode,
        "seed": trainer.config.solver.seed,
        "buckets": list(trainer.cards.counts),
        "measured": dict(measured or {}),
    }
    if isinstance(trainer, Trainer):
        facts |= {"decisions": list(trainer.size.decisions), "entries": trainer.entries}
    return facts


def save_blueprint(trainer: Training, path: str | Path, measured: Mapping[str, Any] | None = None) -> Path:
    """Write the average strategy of a run, atomically; `measured` goes into the manifest."""
    import h5py

    target = Path(path)
    if target.suffix != SUFFIX:
        raise ConfigError(f"a blueprint's name ends in {SUFFIX}, and {str(path)!r} does not")
    if not trainer.iterations:
        raise ConfigError("the run has not begun: there is no strategy to save")
    manifest = manifest_of(trainer, measured)
    keys, strategy = None, np.zeros(0, np.uint8)
    if isinstance(trainer, Trainer):
        strategy = np.zeros(trainer.entries, np.uint8)
        buckets = np.array(trainer.cards.counts, np.int64)
        missing = int(quantise(trainer.game.record, trainer.table, buckets, strategy))
        manifest["rows"] = sum(trainer.size.rows(trainer.cards.counts))
    elif isinstance(trainer, KeyedTrainer):
        keys, strategy, missing = _keyed_rows(trainer)
        manifest["rows"], manifest["actions"] = len(keys) + missing, trainer.shape.width
    manifest["rows_never_reached"] = missing
    manifest["strategy_sha256"] = hashlib.sha256(np.ascontiguousarray(strategy).data).hexdigest()
    head: dict[str, Any] = {
        "format": FORMAT,
        "version": VERSION if keys is None else KEYED_VERSION,
        "overbet": __version__,
        "config": json.dumps(trainer.config.model_dump(mode="json"), sort_keys=True),
        "game": trainer.game_digest,
        "cards": trainer.cards.digest,
        "manifest": json.dumps(manifest, sort_keys=True),
    }
    with replacing(target) as beside, h5py.File(beside, "w") as file:
        _write_head(file, head)
        _write_strategy(file, strategy, _CHUNK if keys is None else _CHUNK // 8)
        if keys is not None:
            file.create_dataset("keys", data=keys)
    return target


def save_strategy(blueprint: Blueprint, path: str | Path) -> Path:
    """Write a blueprint of dense tables that came from elsewhere (JSON), atomically."""
    import h5py

    target = Path(path)
    if target.suffix != SUFFIX:
        raise ConfigError(f"a blueprint's name ends in {SUFFIX}, and {str(path)!r} does not")
    head: dict[str, Any] = {
        "format": FORMAT,
        "version": VERSION,
        "overbet": __version__,
        "config": json.dumps(blueprint.config.model_dump(mode="json"), sort_keys=True),
        "game": blueprint.tree.digest,
        "cards": blueprint.cards.digest,
        "manifest": json.dumps(blueprint.manifest, sort_keys=True),
    }
    with replacing(target) as beside, h5py.File(beside, "w") as file:
        _write_head(file, head)
        _write_strategy(file, blueprint.rows_of_255ths(), _CHUNK)
    return target


def _write_strategy(file: Any, strategy: npt.NDArray[np.uint8], chunk: int) -> None:
    import hdf5plugin

    chunks = (max(min(chunk, len(strategy)), 1), *strategy.shape[1:])
    file.create_dataset("strategy", data=strategy, chunks=chunks, **hdf5plugin.Zstd(clevel=12))


def _keyed_rows(trainer: KeyedTrainer) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.uint8], int]:
    """Return ascending keys, their strategies, and how many rows never were on a line of the average."""
    used = np.flatnonzero(trainer.rows.keys)
    order = used[np.argsort(trainer.rows.keys[used])]
    width = trainer.shape.width
    strategy: npt.NDArray[np.uint8] = np.zeros((len(order), width), np.uint8)
    missing = int(quantise_rows(order, trainer.rows.numbers, width, strategy))
    reached = strategy.any(1)
    return trainer.rows.keys[order][reached], strategy[reached], missing


def write_measured(path: str | Path, measured: Mapping[str, Any]) -> None:
    """Add measurements to the manifest of a blueprint file, atomically."""
    import shutil

    import h5py

    file, head = open_blueprint(path)
    file.close()
    manifest = json.loads(head["manifest"])
    manifest["measured"] = {**manifest.get("measured", {}), **measured}
    head["manifest"] = json.dumps(manifest, sort_keys=True)
    with replacing(path) as beside:
        shutil.copyfile(path, beside)
        with h5py.File(beside, "r+") as copy:
            _write_head(copy, head)


def _write_head(file: Any, head: Mapping[str, Any]) -> None:
    for key, value in head.items():
        file.attrs[key] = value
    file.attrs["checksum"] = head_checksum(head)


def open_blueprint(path: str | Path) -> tuple[Any, dict[str, Any]]:
    """Return the open file and its checked head."""
    import h5py
    import hdf5plugin  # noqa: F401  # registers the compression

    if not Path(path).is_file():
        raise ArtefactError(f"there is no blueprint {path}")
    try:
        file = h5py.File(path, "r")
        head = {key: _plain(value) for key, value in file.attrs.items()}
        file["strategy"]
    except (OSError, RuntimeError, ValueError, TypeError, KeyError) as error:
        raise ArtefactError(f"{path} is damaged or not a blueprint: it cannot be read") from error
    if head.get("format") != FORMAT:
        raise ArtefactError(f"{path} is not a blueprint of overbet")
    if head.get("version") not in (VERSION, KEYED_VERSION):
        raise ArtefactError(
            f"{path} has version {head.get('version')} and this program reads {VERSION} and {KEYED_VERSION}"
        )
    if head.pop("checksum", None) != head_checksum(head):
        raise ArtefactError(f"{path} is damaged: its head does not match its checksum")
    return file, head


def head_checksum(head: Mapping[str, Any]) -> str:
    """Return the sha256 of a head without its checksum."""
    return hashlib.sha256(json.dumps(dict(head), sort_keys=True).encode()).hexdigest()


def _plain(value: Any) -> Any:
    return value.item() if isinstance(value, np.generic) else value
