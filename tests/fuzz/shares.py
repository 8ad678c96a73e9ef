"""How the time is shared among the targets: those with slow inputs get more of it."""

from __future__ import annotations

from collections.abc import Iterable

SECONDS = "OVERBET_FUZZ_SECONDS"
_WEIGHTS = {"spot": 3.0, "commands": 8.0, "processes": 6.0, "web-routes": 6.0, "web-data-folder": 2.0}


def share_of(name: str, names: Iterable[str]) -> float:
    """Return a target's share of the time that all of `names` have."""
    return _WEIGHTS.get(name, 1.0) / sum(_WEIGHTS.get(other, 1.0) for other in names)
