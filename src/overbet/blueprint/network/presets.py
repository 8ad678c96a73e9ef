"""Configs of runs that are known to work, by name."""

from __future__ import annotations

from collections.abc import Iterable
from copy import deepcopy
from pathlib import Path
from typing import Any

from overbet.blueprint.network.self_play import SelfPlayConfig
from overbet.errors import ConfigError, unknown

_MENU = {
    "preflop": {"sizes": ["2.5bb, a", "100%, a", "a"], "raises": 4},
    **{street: {"sizes": ["67%, a", "100%, a", "a"], "raises": 3} for street in ("flop", "turn", "river")},
}
_SMALL = {
    "preflop": {"sizes": ["2.5bb", "100%", "a"], "raises": 3},
    **{street: {"sizes": ["67%, a", "a"], "raises": 2} for street in ("flop", "turn", "river")},
}
_RUNS: dict[str, dict[str, Any]] = {
    # 100 big blinds, 1,136 decisions, for a large GPU
    "heads-up-gpu": {
        "network": {
            "name": "self-play",
            "menu": _MENU,
            "shape": {"width": 256, "blocks": 2, "embedding": 48},
        },
        "iterations": 100_000,
        "boards": 32,
        "samples": 524_288,
        "batch": 16_384,
        "memory": 40_000_000,
        "stored": 524_288,
        "policy_steps": 16,
        "rows": 4_000_000,
        "device": "cuda",
    },
    # 100 big blinds, 528 decisions, for two cores of a CPU
    "heads-up-cpu": {
        "network": {
            "name": "self-play",
            "menu": _SMALL,
            "shape": {"width": 96, "blocks": 2, "embedding": 24},
        },
        "iterations": 100_000,
        "boards": 2,
        "hands": 96,
        "samples": 16_384,
        "batch": 2_048,
        "memory": 1_000_000,
        "stored": 16_384,
        "policy_steps": 6,
        "rows": 60_000,
    },
}


def run_names() -> list[str]:
    """Return the names of the configs."""
    return list(_RUNS)


def self_play_config(run: str, changes: Iterable[str] = ()) -> SelfPlayConfig:
    """Return a config by name or of a YAML file, with overrides such as `boards=4`."""
    path = Path(run)
    if path.suffix.lower() in (".yaml", ".yml") or path.exists():
        return SelfPlayConfig.load(path, changes)
    if run not in _RUNS:
        raise ConfigError(unknown("run", run, _RUNS))
    return SelfPlayConfig.overridden(deepcopy(_RUNS[run]), changes, run)
