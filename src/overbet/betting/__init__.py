"""Bets: sizes as players write them, the menu of a whole game, and bets that are not in the menu."""

from __future__ import annotations

from typing import TYPE_CHECKING

from overbet.lazy import lazy

if TYPE_CHECKING:
    from overbet.betting.following import followed as followed
    from overbet.betting.mapping import fewer_folds as fewer_folds
    from overbet.betting.mapping import legal_action as legal_action
    from overbet.betting.mapping import translate_raise as translate_raise
    from overbet.betting.menu import Menu as Menu
    from overbet.betting.sizes import parse_sizes as parse_sizes
else:
    _TABLE = {
        "overbet.betting.following": ("followed",),
        "overbet.betting.mapping": (
            "fewer_folds",
            "legal_action",
            "translate_raise",
        ),
        "overbet.betting.menu": ("Menu",),
        "overbet.betting.sizes": ("parse_sizes",),
    }
    __getattr__, __dir__, __all__ = lazy(__name__, _TABLE)
