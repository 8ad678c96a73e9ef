"""Search at the table: beliefs, the subgame of a street with its real bets, gadgets, what it says.

`overbet.search(state)` searches a decision: the room itself is called (`overbet.agents.searcher.search`).
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
    }
    __getattr__, __dir__, __all__ = lazy(__name__, _TABLE)


class _CallableRoom(ModuleType):
    """The package and the function of the same name: Python keeps one of them under `overbet.search`."""

    def __call__(self, *arguments: Any, **settings: Any) -> Any:
        return import_module("overbet.agents.searcher").search(*arguments, **settings)


sys.modules[__name__].__class__ = _CallableRoom
