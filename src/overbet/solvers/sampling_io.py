"""A sampling run as an Arrow file: config, iterations and tables, tied to the game and checked for damage.

Randomness is counter-based, so this is all there is: no generator state. The file (Arrow IPC, also known as
Feather 2) has one column, `table`: [entry] float64 in the layout of `overbet.kernels.sampling_walks`. The
schema's metadata entry `overbet` is a head in JSON: format, version, game, game_digest, config, its digest,
iterations, checksum.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from overbet._version import __version__
from overbet.errors import ArtefactError, ConfigError
from overbet.files import replacing
from overbet.solvers.policy_io import game_digest, game_of
from overbet.tree.flat import FlatGame

if TYPE_CHECKING:
    from overbet.solvers.sampling import SamplingConfig, SamplingSolver

Floats = npt.NDArray[np.float64]
FORMAT, VERSION = "overbet sampling run", 1
SUFFIX = ".arrow"
_HEAD = b"overbet"


def check_name(path: str | Path) -> None:
    """Refuse a name that does not say it is an Arrow file."""
    if Path(path).suffix.lower() != SUFFIX:
        raise ConfigError(f"a saved run ends in {SUFFIX}, and {str(path)!r} does not")


def save_run(solver: SamplingSolver, path: str | Path) -> None:
    """Write the run, atomically."""
    import pyarrow

    check_name(path)
    config = solver.config.model_dump_json()
    head = {
        "format": FORMAT,
        "version": VERSION,
        "overbet": __version__,
        "game": solver.flat.name,
        "game_digest": game_digest(solver.flat),
        "config": config,
        "config_digest": solver.config.digest(),
        "iterations": solver.iterations,
        "checksum": _checksum(solver.table, solver.iterations, config),
    }
    table = pyarrow.table({"table": solver.table}).replace_schema_metadata({_HEAD: json.dumps(head).encode()})
    with replacing(path) as beside, pyarrow.ipc.new_file(str(beside), table.schema) as writer:
        writer.write_table(table)


def load_run(path: str | Path, game: FlatGame | None) -> tuple[FlatGame, SamplingConfig, Floats, int]:
    """Return (game, config, table, iterations) of a saved run, all checked."""
    from overbet.solvers.sampling import SamplingConfig

    if not Path(path).is_file():
        raise ArtefactError(f"there is no saved run {path}")
    head, table = _read(path)
    if head.get("format") != FORMAT:
        raise ArtefactError(f"{path} is not a saved sampling run of overbet")
    if head.get("version") != VERSION:
        raise ArtefactError(
            f"{path} has version {head.get('version')} of the format and this program reads {VERSION}"
        )
    flat = game_of(path, head.get("game"), head.get("game_digest"), game)
    config, iterations = head.get("config"), head.get("iterations")
    if not isinstance(config, str) or not isinstance(iterations, int):
        raise ArtefactError(f"{path} is damaged: its config or its count of iterations is missing")
    if head.get("checksum") != _checksum(table, iterations, config):
        raise ArtefactError(f"{path} is damaged: its numbers do not match its checksum")
    return flat, SamplingConfig.parse(json.loads(config), str(path)), table, iterations


def _read(path: str | Path) -> tuple[dict[str, Any], Floats]:
    import pyarrow

    try:
        with pyarrow.ipc.open_file(str(path)) as file:
            found = file.read_all()
            found.validate(full=True)
            head = json.loads((found.schema.metadata or {}).get(_HEAD, b"{}"))
            column = found.column("table") if "table" in found.column_names else []
            table = np.array(column, dtype=np.float64)
    except (pyarrow.ArrowException, OSError, ValueError, TypeError) as error:
        raise ArtefactError(f"{path} is damaged or not an Arrow file; restore it or start afresh") from error
    return head if isinstance(head, dict) else {}, table


def _checksum(table: Floats, iterations: int, config: str) -> str:
    sha = hashlib.sha256(f"{iterations} {config}".encode())
    sha.update(table.astype("<f8").tobytes())
    return sha.hexdigest()
