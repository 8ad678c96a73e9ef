"""The files of a run's folder: `config.yaml`, and the last few of `checkpoint-<iterations>.h5`."""

from __future__ import annotations

import re
from pathlib import Path

CONFIG_NAME = "config.yaml"
_NAME = re.compile(r"^checkpoint-(\d+)\.h5$")


def checkpoints(run: str | Path) -> list[Path]:
    """Return a run's checkpoints, newest first."""
    found = [(int(match[1]), path) for path in Path(run).glob("*.h5") if (match := _NAME.match(path.name))]
    return [path for _, path in sorted(found, reverse=True)]


def checkpoint_path(run: Path, iterations: int) -> Path:
    """Return where the checkpoint after so many iterations stands."""
    return run / f"checkpoint-{iterations:012d}.h5"


def keep_newest(run: Path, count: int) -> None:
    """Remove all checkpoints but the newest; to be called once a new one is complete."""
    for old in checkpoints(run)[count:]:
        old.unlink(missing_ok=True)
