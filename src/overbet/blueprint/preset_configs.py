"""Training configs that come with the package, to start from: `overbet train push-fold`.

BlueprintConfig.load(preset_path("push-fold"), ["iterations=100000"])
"""

from __future__ import annotations

from pathlib import Path

from overbet.errors import ConfigError, unknown

PRESETS = Path(__file__).parent / "presets"
_ORDER = ("push-fold", "heads-up-20bb", "expresso")  # the quickest first


def preset_names() -> list[str]:
    """Return the names of the presets, the quickest first."""
    return list(_ORDER)


def preset_path(name: str) -> Path:
    """Return the file of a preset."""
    if name not in _ORDER:
        raise ConfigError(unknown("preset", name, _ORDER))
    return PRESETS / f"{name}.yaml"


def find_config(which: Path) -> Path:
    """Return the file that is named, or the preset of that name where there is no such file."""
    return which if which.exists() or str(which) not in _ORDER else preset_path(str(which))
