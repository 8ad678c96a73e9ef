"""The scripted agents by name: rows of parameters for `overbet.kernels.agents.scripted`."""

from __future__ import annotations

import numpy as np

from overbet.agents.compiled import CompiledAgent
from overbet.agents.protocol import Floats, PublicState, Strategy
from overbet.errors import ConfigError
from overbet.kernels.agents import scripted as at

_TAG = {
    at.SIZE_SHARE: 0.66,
    at.OPEN: 0.6,
    at.NARROWING: 0.75,
    at.LIMP: 0.0,
    at.RERAISE: 0.2,
    at.CONTINUE: 0.9,
    at.OPEN_SIZE: 3.0,
    at.RERAISE_SIZE: 3.0,
    at.VALUE: 0.68,
    at.STRONG: 0.9,
    at.MARGIN: 0.15,
    at.SEMI_BLUFF: 0.5,
    at.BLUFF: 0.08,
}
_LAG = {
    at.SIZE_SHARE: 0.75,
    at.OPEN: 0.85,
    at.NARROWING: 0.55,
    at.LIMP: 0.15,
    at.RERAISE: 0.28,
    at.CONTINUE: 1.0,
    at.OPEN_SIZE: 2.5,
    at.RERAISE_SIZE: 3.0,
    at.VALUE: 0.58,
    at.STRONG: 0.82,
    at.MARGIN: 0.05,
    at.SEMI_BLUFF: 0.8,
    at.BLUFF: 0.3,
}


def _row(kind: int, values: dict[int, float] | None = None) -> Floats:
    row: Floats = np.zeros(at.ROW)
    row[at.KIND] = kind
    for place, value in (values or {}).items():
        row[place] = value
    return row


FALLBACK = _row(at.RULES, _TAG)  # what a blueprint plays where its tree has nothing to say


class RandomChips(CompiledAgent):
    """Folds, calls or raises with the same chance, a raise by any number of chips; has no strategy table."""

    def __init__(self) -> None:
        super().__init__("random-chips", _row(at.RANDOM_CHIPS))

    def strategy_for_all_hands(self, public: PublicState) -> Strategy:
        raise ConfigError(
            "random-chips raises by any number of chips: it has no table of its strategy; use random"
        )


def rules_agent(name: str) -> CompiledAgent:
    """Return `tag` (tight-aggressive) or `lag` (loose-aggressive)."""
    return CompiledAgent(name, _row(at.RULES, _TAG if name == "tag" else _LAG))


def random_agent() -> CompiledAgent:
    """Return the agent that folds, calls and raises with the same chance, by one of five sizes."""
    return CompiledAgent("random", _row(at.RANDOM))


def always_fold() -> CompiledAgent:
    """Return the agent that folds whenever there is something to call."""
    return CompiledAgent("always-fold", _row(at.ALWAYS_FOLD))


def always_call() -> CompiledAgent:
    """Return the agent that checks and calls."""
    return CompiledAgent("always-call", _row(at.ALWAYS_CALL))


def always_raise(share: float = 1.0) -> CompiledAgent:
    """Return the agent that raises by `share` of the pot whenever it may, and else calls."""
    name = "always-raise" if share == 1.0 else f"always-raise:{share:g}"
    return CompiledAgent(name, _row(at.ALWAYS_RAISE, {at.SIZE_SHARE: _positive(name, share)}))


def equity_agent(raise_from: float = 0.6) -> CompiledAgent:
    """Return the agent that calls at the right price against random hands and raises from an equity on."""
    name = f"equity:{raise_from:g}"
    if not 0.0 < raise_from <= 1.0:
        raise ConfigError(f"{name}: the equity to raise from is between 0 and 1, such as equity:0.6")
    return CompiledAgent(name, _row(at.BY_EQUITY, {at.SIZE_SHARE: 0.75, at.RAISE_FROM: raise_from}))


def _positive(name: str, share: float) -> float:
    if not 0.0 <= share < 1e6:
        raise ConfigError(f"{name}: a raise is a share of the pot, such as always-raise:0.5")
    return share
