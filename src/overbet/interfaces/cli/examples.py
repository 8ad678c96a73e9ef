"""The example spots: inside the package once installed, at the project's root in a checkout."""

from __future__ import annotations

from pathlib import Path

from overbet.errors import ConfigError

_PACKAGE = Path(__file__).resolve().parents[2]
_FOLDERS = (_PACKAGE / "examples", _PACKAGE.parents[1] / "examples")


def example(name: str) -> Path:
    """Return the path of an example file such as `river.yaml`."""
    for folder in _FOLDERS:
        if (folder / name).exists():
            return folder / name
    raise ConfigError(f"the example {name} is missing: reinstall overbet")
