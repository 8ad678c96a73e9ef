"""Search: solving the rest of a hand again, safely.

On small two-player games (`overbet.search.tabular`) every promise of safe re-solving is checked exactly.

    blueprint = TabularPolicy.load("leduc.parquet")
    resolve_all(blueprint, "maxmargin").policy.exploitability()      # never more than the blueprint's
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from overbet.lazy import lazy

if TYPE_CHECKING:
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
