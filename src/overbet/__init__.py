"""Overbet: solve, train, play, measure and study no-limit hold'em.

Names load on first use, so that `import overbet` compiles nothing and stays quick.
"""

from __future__ import annotations

import importlib
from typing import Any

from overbet._version import __version__

# public name -> module that defines it
_PUBLIC = {
    "OverbetError": "overbet.errors",
    "load_buckets": "overbet.abstraction.bucket_files",
    "TabularSolver": "overbet.solvers.tabular",
    "SamplingSolver": "overbet.solvers.sampling",
    "TabularPolicy": "overbet.solvers.policy",
    "make_game": "overbet.games.registry",
    "ExpressoGame": "overbet.games.expresso",
    "Blueprint": "overbet.blueprint.query",
    "make_agent": "overbet.agents.registry",
    "play_match": "overbet.evaluation.matches",
    "HoldemGame": "overbet.games.holdem",
    "Range": "overbet.cards.range",
    "card": "overbet.cards.cards",
    "solve_pushfold": "overbet.solvers.pushfold",
    "equity": "overbet.cards.equity",
    "evaluate": "overbet.cards.evaluator",
    "hand_equities": "overbet.cards.equity",
    "solve": "overbet.solvers.vector.api",
    "load": "overbet.solvers.vector.api",
    "Spot": "overbet.tree.spot",
    "solve_batch": "overbet.solvers.vector.batches.batch",
    "board_set": "overbet.solvers.vector.batches.flops",
}

__all__ = ["__version__", *sorted(_PUBLIC)]


def __getattr__(name: str) -> Any:
    if name not in _PUBLIC:
        raise AttributeError(f"module 'overbet' has no attribute {name!r}")
    value = getattr(importlib.import_module(_PUBLIC[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(set(globals()) | set(__all__))
