"""A sampling run as a file: config, iterations and tables, tied to the game.

Randomness is counter-based, so this is all there is: no generator state. One array, `table`: [entry] float64
in the layout of `overbet.kernels.sampling.walks`. Head: game, game_digest, config, its digest, iterations.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from overbet import artefact
from overbet._version import __version__
from overbet.errors import ConfigError
from overbet.solvers.policy_io import game_digest, game_of
from overbet.tree.flat import FlatGame

if TYPE_CHECKING:
    from overbet.solvers.sampling import SamplingConfig, SamplingSolver

Floats = npt.NDArray[np.float64]
KIND = artefact.Kind("sampling run", 2, "restore it or start afresh")
SUFFIX = ".h5"
_NUMBERS_A_SLOT = 16  # more than any method keeps


def check_name(path: str | Path) -> None:
    """Refuse a name that does not say it is an HDF5 file."""
    if Path(path).suffix.lower() != SUFFIX:
        raise ConfigError(f"a saved run ends in {SUFFIX}, and {str(path)!r} does not")


def save_run(solver: SamplingSolver, path: str | Path) -> None:
    """Write the run, atomically."""
    check_name(path)
    head = {
        "overbet": __version__,
        "game": solver.flat.name,
        "game_digest": game_digest(solver.flat),
        "config": solver.config.model_dump(mode="json"),
        "config_digest": solver.config.digest(),
        "iterations": solver.iterations,
    }
    artefact.write(path, KIND, head, {"table": solver.table})


def load_run(path: str | Path, game: FlatGame | None) -> tuple[FlatGame, SamplingConfig, Floats, int]:
    """Return (game, config, table, iterations) of a saved run, all checked."""
    from overbet.solvers.sampling import SamplingConfig

    with artefact.opened(path, KIND) as file, file.parsing():
        head = file.head
        flat = game_of(path, head["game"], head["game_digest"], game)
        config, iterations = SamplingConfig.parse(head["config"], str(path)), head["iterations"]
        if not isinstance(iterations, int) or iterations < 0:
            raise file.damaged("its count of iterations is missing")
        if len(file["table"]) > _NUMBERS_A_SLOT * flat.num_slots:
            raise file.damaged("its table is larger than its game")
        return flat, config, file.array("table", np.float64, (None,)), iterations
