"""A blueprint as a file: the average strategy in 8 bits, with a manifest.

Of dense tables the tree is not stored: it grows again from the config in well under a second and its hash is
compared. The strategy lies in chunks in the order of the tables, so a query reads what it needs. Of keyed
tables the keys are stored, ascending and as they are, so that they can be mapped into memory and searched.

Head: overbet, tables (dense or keyed), config, game and cards (hashes), manifest. Arrays: of dense tables
`strategy`: [entries] uint8, rows of 255ths, all zeros where a row was never reached; of keyed tables
`keys`: [rows] uint64 and `strategy`: [rows, actions] uint8.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from overbet import artefact
from overbet._version import __version__
from overbet.blueprint.keyed import KeyedTrainer
from overbet.blueprint.loop import Training
from overbet.blueprint.trainer import Trainer
from overbet.errors import ConfigError
from overbet.kernels.training.store import quantise, quantise_rows

if TYPE_CHECKING:
    from overbet.blueprint.query import Blueprint

KIND = artefact.Kind("blueprint", 3, "train it again, or take the shipped one")
SUFFIX = ".h5"
_CHUNK_BYTES = 1 << 16  # what is read for one row
_LEVEL = 9  # of gzip: a blueprint is written once and read often


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
    target = _named(path)
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
    head = {
        "tables": "dense" if keys is None else "keyed",
        "config": trainer.config.model_dump(mode="json"),
        "game": trainer.game_digest,
        "cards": trainer.cards.digest,
        "manifest": manifest,
    }
    arrays: dict[str, npt.NDArray[Any]] = {"strategy": strategy}
    if keys is not None:
        arrays["keys"] = keys
    _write(target, head, arrays)
    return target


def save_strategy(blueprint: Blueprint, path: str | Path) -> Path:
    """Write a blueprint of dense tables that came from elsewhere (JSON), atomically."""
    target = _named(path)
    head = {
        "tables": "dense",
        "config": blueprint.config.model_dump(mode="json"),
        "game": blueprint.tree.digest,
        "cards": blueprint.cards.digest,
        "manifest": blueprint.manifest,
    }
    _write(target, head, {"strategy": blueprint.rows_of_255ths()})
    return target


def _named(path: str | Path) -> Path:
    target = Path(path)
    if target.suffix != SUFFIX:
        raise ConfigError(f"a blueprint's name ends in {SUFFIX}, and {str(path)!r} does not")
    return target


def _write(path: Path, head: Mapping[str, Any], arrays: Mapping[str, npt.NDArray[Any]]) -> None:
    artefact.write(
        path,
        KIND,
        {"overbet": __version__, **head},
        arrays,
        level=_LEVEL,
        chunk_bytes=_CHUNK_BYTES,
        mapped=frozenset({"keys"}),
    )


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
    with open_blueprint(path) as file:
        manifest = dict(file.head["manifest"])
        manifest["measured"] = {**manifest.get("measured", {}), **measured}
        _write(
            Path(path), {**file.head, "manifest": manifest}, {name: file[name].whole() for name in file.names}
        )


def open_blueprint(path: str | Path) -> artefact.Artefact:
    """Return the open file of a blueprint, every byte of it verified; `head` has config and manifest."""
    file = artefact.opened(path, KIND)
    with file.parsing():
        head = file.head
        known = head["tables"] in ("dense", "keyed") and all(
            isinstance(head[part], kind)
            for part, kind in (("config", dict), ("manifest", dict), ("game", str), ("cards", str))
        )
        if not known or file["strategy"].dtype != np.uint8:
            raise file.damaged("its head is not that of a blueprint")
    return file
