"""A blueprint as a file: the average strategy in 8 bits, with a manifest.

Of dense tables the tree is not stored: it grows again from the config in well under a second and its hash is
compared. The strategy lies in chunks in the order of the tables, so a query reads what it needs. Of keyed
tables the keys are stored, ascending; many of them lie as they are, to be mapped into memory and searched.

Head: overbet, tables (dense or keyed), config, game and cards (hashes), manifest (`levels` is there where
shares were rounded to whole levels-ths, `rounding`). Arrays: of dense tables
`by_action` and `reached` (`dense_rows`), or in older files `left` or `strategy`: [entries] uint8; of keyed
tables `keys`: [rows] uint64 and `strategy`: [rows, actions] uint8.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from overbet import artefact
from overbet._version import __version__
from overbet.blueprint.cards import CardModel
from overbet.blueprint.config import BlueprintConfig
from overbet.blueprint.dense_rows import BY_ACTION, LEFT, STRATEGY
from overbet.blueprint.loop import Training
from overbet.errors import ConfigError

KIND = artefact.Kind("blueprint", 3, "train it again, or take the shipped one")
SUFFIX = ".h5"
_CHUNK_BYTES = 1 << 16  # what is read for one row
_READ_BYTES = 16 << 20  # keys that take no more are packed, and read at once
_LEVEL = 9  # of gzip: a blueprint is written once and read often


def manifest_of(trainer: Training, measured: Mapping[str, Any] | None = None) -> dict[str, Any]:
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
        "measured": dict(measured or {}),
        **trainer.facts,
    }


def save_blueprint(trainer: Training, path: str | Path, measured: Mapping[str, Any] | None = None) -> Path:
    """Write the average strategy of a run, atomically; `measured` goes into the manifest."""
    check_name(path)  # before the work
    if not trainer.iterations:
        raise ConfigError("the run has not begun: there is no strategy to save")
    stored = trainer.stored()
    manifest = manifest_of(trainer, measured) | stored.facts
    head = blueprint_head(trainer.tables, trainer.config, trainer.game_digest, trainer.cards, manifest)
    return write_blueprint(path, head, stored.arrays)


def blueprint_head(
    tables: str, config: BlueprintConfig, game: str, cards: CardModel, manifest: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the head of a file: kind of tables, config, hashes of game and buckets, and the manifest."""
    return {
        "tables": tables,
        "config": config.model_dump(mode="json"),
        "game": game,
        "cards": cards.digest,
        "manifest": dict(manifest),
    }


def write_blueprint(
    path: str | Path, head: Mapping[str, Any], arrays: Mapping[str, npt.NDArray[Any]]
) -> Path:
    """Write head and arrays of a blueprint, atomically; return where."""
    target = check_name(path)
    mapped = [name for name in ("keys",) if name in arrays and arrays[name].nbytes > _READ_BYTES]
    artefact.write(
        target,
        KIND,
        {"overbet": __version__, **head},
        arrays,
        level=_LEVEL,
        chunk_bytes=_CHUNK_BYTES,
        mapped=frozenset(mapped),
    )
    return target


def check_name(path: str | Path) -> Path:
    """Return the path of a blueprint that is to be written; refuse another ending."""
    target = Path(path)
    if target.suffix != SUFFIX:
        raise ConfigError(f"a blueprint's name ends in {SUFFIX}, and {str(path)!r} does not")
    return target


def write_measured(path: str | Path, measured: Mapping[str, Any]) -> None:
    """Add measurements to the manifest of a blueprint file, atomically."""
    with open_blueprint(path) as file:
        manifest = dict(file.head["manifest"])
        manifest["measured"] = {**manifest.get("measured", {}), **measured}
        arrays = {name: file[name].whole() for name in file.names}
        write_blueprint(path, {**file.head, "manifest": manifest}, arrays)


def open_blueprint(path: str | Path) -> artefact.Artefact:
    """Return the open file of a blueprint, every byte of it verified; `head` has config and manifest."""
    file = artefact.opened(path, KIND)
    with file.parsing():
        head = file.head
        known = head["tables"] in ("dense", "keyed") and all(
            isinstance(head[part], kind)
            for part, kind in (("config", dict), ("manifest", dict), ("game", str), ("cards", str))
        )
        rows = next((name for name in (BY_ACTION, LEFT) if name in file), STRATEGY)
        if not known or file[rows].dtype != np.uint8:
            raise file.damaged("its head is not that of a blueprint")
    return file
