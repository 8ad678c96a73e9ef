"""The rules of the games: hold'em for 2 to 10 players, Expresso, push or fold, Kuhn and Leduc."""

from __future__ import annotations

from typing import TYPE_CHECKING

from overbet.lazy import lazy

if TYPE_CHECKING:
    from overbet.games.expresso import ExpressoGame as ExpressoGame
    from overbet.games.expresso import ExpressoState as ExpressoState
    from overbet.games.expresso import expresso_game as expresso_game
    from overbet.games.expresso import next_hand as next_hand
    from overbet.games.holdem import HoldemGame as HoldemGame
    from overbet.games.holdem_state import HoldemState as HoldemState
    from overbet.games.icm import prize_ev as prize_ev
    from overbet.games.kuhn import KuhnGame as KuhnGame
    from overbet.games.leduc import LeducGame as LeducGame
    from overbet.games.legal_actions import LegalActions as LegalActions
    from overbet.games.multipliers import draw_multiplier as draw_multiplier
    from overbet.games.protocol import Game as Game
    from overbet.games.protocol import State as State
    from overbet.games.pushfold import PushFoldGame as PushFoldGame
    from overbet.games.registry import game_names as game_names
    from overbet.games.registry import make_game as make_game
else:
    _TABLE = {
        "overbet.games.expresso": (
            "ExpressoGame",
            "ExpressoState",
            "expresso_game",
            "next_hand",
        ),
        "overbet.games.holdem": ("HoldemGame",),
        "overbet.games.holdem_state": ("HoldemState",),
        "overbet.games.icm": ("prize_ev",),
        "overbet.games.kuhn": ("KuhnGame",),
        "overbet.games.leduc": ("LeducGame",),
        "overbet.games.legal_actions": ("LegalActions",),
        "overbet.games.multipliers": ("draw_multiplier",),
        "overbet.games.protocol": (
            "Game",
            "State",
        ),
        "overbet.games.pushfold": ("PushFoldGame",),
        "overbet.games.registry": (
            "game_names",
            "make_game",
        ),
    }
    __getattr__, __dir__, __all__ = lazy(__name__, _TABLE)
