"""A blueprint as a file: the average strategy in 8 bits, compressed HDF5, with a manifest.

The tree is not stored: it grows again from the config in well under a second and its hash is compared. The
strategy lies in chunks in the order of the tables, so a query reads what it needs and opening reads nothing.

Attributes: format, version, overbet, config (JSON), game and cards (hashes), manifest (JSON), checksum of all
that; dataset `strategy`: [entries] uint8, rows of 255ths, all zeros where a row was never reached.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from overbet._version import __version__
from overbet.blueprint.trainer import Trainer
from overbet.errors import ArtefactError, ConfigError
from overbet.files import replacing
from overbet.kernels.training_store import quantise

FORMAT, VERSION = "overbet blueprint", 1
SUFFIX = ".h5"
_CHUNK = 1 << 16


def manifest_of(trainer: Trainer, measured: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Return how the tables came about: hours, cores, iterations, buckets, what they were measured at."""
    seconds = max(trainer.seconds, 1e-9)
    return {
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
        "decisions": list(trainer.size.decisions),
        "entries": trainer.entries,
        "measured": dict(measured or {}),
    }


def save_blueprint(trainer: Trainer, path: str | Path, measured: Mapping[str, Any] | None = None) -> Path:
    """Write the average strategy of a run, atomically; `measured` goes into the manifest."""
    import h5py
    import hdf5plugin

    target = Path(path)
    if target.suffix != SUFFIX:
        raise ConfigError(f"a blueprint's name ends in {SUFFIX}, and {str(path)!r} does not")
    if not trainer.iterations:
        raise ConfigError("the run has not begun: there is no strategy to save")
    strategy: npt.NDArray[np.uint8] = np.zeros(trainer.entries, np.uint8)
    buckets = np.array(trainer.cards.counts, np.int64)
    missing = quantise(trainer.game.record, trainer.table, buckets, strategy)
    manifest = manifest_of(trainer, measured)
    rows = sum(trainer.size.rows(trainer.cards.counts))
    manifest["rows"], manifest["rows_never_reached"] = rows, int(missing)
    manifest["strategy_sha256"] = hashlib.sha256(strategy.data).hexdigest()
    head: dict[str, Any] = {
        "format": FORMAT,
        "version": VERSION,
        "overbet": __version__,
        "config": json.dumps(trainer.config.model_dump(mode="json"), sort_keys=True),
        "game": trainer.tree.digest,
        "cards": trainer.cards.digest,
        "manifest": json.dumps(manifest, sort_keys=True),
    }
    with replacing(target) as beside, h5py.File(beside, "w") as file:
        for key, value in head.items():
            file.attrs[key] = value
        file.attrs["checksum"] = head_checksum(head)
        file.create_dataset(
            "strategy", data=strategy, chunks=(min(_CHUNK, len(strategy)),), **hdf5plugin.Zstd(clevel=12)
        )
    return target


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
    if head.get("version") != VERSION:
        raise ArtefactError(f"{path} has version {head.get('version')} and this program reads {VERSION}")
    if head.pop("checksum", None) != head_checksum(head):
        raise ArtefactError(f"{path} is damaged: its head does not match its checksum")
    return file, head


def head_checksum(head: Mapping[str, Any]) -> str:
    """Return the sha256 of a head without its checksum."""
    return hashlib.sha256(json.dumps(dict(head), sort_keys=True).encode()).hexdigest()


def _plain(value: Any) -> Any:
    return value.item() if isinstance(value, np.generic) else value
