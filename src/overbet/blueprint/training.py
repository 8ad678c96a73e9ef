"""`overbet.train`: a config, however it is given, to a trained blueprint."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from overbet.blueprint.checkpoint import CONFIG_NAME
from overbet.blueprint.config import BlueprintConfig
from overbet.blueprint.query import Blueprint
from overbet.blueprint.run import Progress, Run


def train(
    config: BlueprintConfig | Mapping[str, Any] | str | Path | None,
    folder: str | Path,
    *,
    iterations: int | None = None,
    workers: int | None = None,
    progress: Progress | None = None,
    tell: Callable[[str], None] | None = None,
) -> Blueprint:
    """Train a blueprint in a folder and return it; what the folder holds already is gone on with.

    config: a `BlueprintConfig`, the same as a mapping, or the path of a YAML file; None goes on with the run
    of the folder as it was begun. iterations: in all, instead of the config's. progress: called with the
    iterations done and, now and then, a `Pace`. tell: gets a line where a file cannot be written on the way.
    Ctrl-C leaves a checkpoint; the same call goes on from it.
    """
    chosen: BlueprintConfig | None
    if config is None or isinstance(config, BlueprintConfig):
        chosen = config
    elif isinstance(config, str | Path):
        chosen = BlueprintConfig.load(config)
    else:
        chosen = BlueprintConfig.parse(config, "config")
    if chosen is None or (Path(folder) / CONFIG_NAME).is_file():
        run = Run.resume(folder, chosen)
    else:
        run = Run.start(folder, chosen)
    return Blueprint.load(run.go(iterations, workers, progress, tell))
