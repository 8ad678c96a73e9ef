"""Search: solving the rest of a hand again, at the table and on small games.

`overbet.search(state)` searches a decision: the room itself is called (`overbet.agents.searcher.search`). On
small two-player games (`tabular`) every promise of safe re-solving is checked exactly.

    blueprint = TabularPolicy.load("leduc.parquet")
    resolve_all(blueprint, "maxmargin").policy.exploitability()      # never more than the blueprint's
"""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

from overbet.lazy import lazy

if TYPE_CHECKING:
    from overbet.search.beliefs import Baseline as Baseline
    from overbet.search.beliefs import HandShares as HandShares
    from overbet.search.searcher import SearchAnswer as SearchAnswer
    from overbet.search.searcher import Searcher as Searcher
    from overbet.search.settings import SearchSettings as SearchSettings
    from overbet.search.street_search import StreetSearch as StreetSearch
    from overbet.search.tabular.alternatives import OpponentView as OpponentView
    from overbet.search.tabular.alternatives import alternatives as alternatives
    from overbet.search.tabular.alternatives import gifts as gifts
    from overbet.search.tabular.anchored import AnchoredSolver as AnchoredSolver
    from overbet.search.tabular.apart import sampled_solve as sampled_solve
    from overbet.search.tabular.apart import solve_apart as solve_apart
    from overbet.search.tabular.augmented import AugmentedGame as AugmentedGame
    from overbet.search.tabular.coarse import coarse_policy as coarse_policy
    from overbet.search.tabular.locked import best_below as best_below
    from overbet.search.tabular.resolving import GADGETS as GADGETS
    from overbet.search.tabular.resolving import ResolvedPolicy as ResolvedPolicy
    from overbet.search.tabular.resolving import ResolvedSubgame as ResolvedSubgame
    from overbet.search.tabular.resolving import cfr_solve as cfr_solve
    from overbet.search.tabular.resolving import resolve_all as resolve_all
    from overbet.search.tabular.resolving import resolve_subgame as resolve_subgame
    from overbet.search.tabular.subgames import PublicSubgame as PublicSubgame
    from overbet.search.tabular.subgames import after_chance as after_chance
    from overbet.search.tabular.subgames import after_decisions as after_decisions
    from overbet.search.tabular.subgames import find_subgames as find_subgames
else:
    _TABLE = {
        "overbet.search.beliefs": (
            "Baseline",
            "HandShares",
        ),
        "overbet.search.searcher": (
            "SearchAnswer",
            "Searcher",
        ),
        "overbet.search.settings": ("SearchSettings",),
        "overbet.search.street_search": ("StreetSearch",),
        "overbet.search.tabular.alternatives": (
            "OpponentView",
            "alternatives",
            "gifts",
        ),
        "overbet.search.tabular.anchored": ("AnchoredSolver",),
        "overbet.search.tabular.apart": (
            "sampled_solve",
            "solve_apart",
        ),
        "overbet.search.tabular.augmented": ("AugmentedGame",),
        "overbet.search.tabular.coarse": ("coarse_policy",),
        "overbet.search.tabular.locked": ("best_below",),
        "overbet.search.tabular.resolving": (
            "GADGETS",
            "ResolvedPolicy",
            "ResolvedSubgame",
            "cfr_solve",
            "resolve_all",
            "resolve_subgame",
        ),
        "overbet.search.tabular.subgames": (
            "PublicSubgame",
            "after_chance",
            "after_decisions",
            "find_subgames",
        ),
    }
    __getattr__, __dir__, __all__ = lazy(__name__, _TABLE)


class _CallableRoom(ModuleType):
    """The package and the function of the same name: Python keeps one of them under `overbet.search`."""

    def __call__(self, *arguments: Any, **settings: Any) -> Any:
        return import_module("overbet.agents.searcher").search(*arguments, **settings)


sys.modules[__name__].__class__ = _CallableRoom
