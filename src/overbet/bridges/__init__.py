"""Other programs' games and environments: OpenSpiel, PettingZoo, RLCard. Each library is imported on use."""

from __future__ import annotations

from typing import TYPE_CHECKING

from overbet.lazy import lazy

if TYPE_CHECKING:
    from overbet.interfaces.bridges.openspiel_bot import openspiel_bot as openspiel_bot
    from overbet.interfaces.bridges.openspiel_games import (
        register_openspiel_games as register_openspiel_games,
    )
    from overbet.interfaces.bridges.pettingzoo_env import pettingzoo_env as pettingzoo_env
    from overbet.interfaces.bridges.rlcard_agent import RlcardAgent as RlcardAgent
    from overbet.interfaces.bridges.table_numbers import ActionMenu as ActionMenu
    from overbet.interfaces.bridges.table_numbers import table_numbers as table_numbers
    from overbet.interfaces.bridges.universal_poker import UniversalTable as UniversalTable
    from overbet.interfaces.bridges.universal_poker import universal_poker_game as universal_poker_game
else:
    _TABLE = {
        "overbet.interfaces.bridges.openspiel_bot": ("openspiel_bot",),
        "overbet.interfaces.bridges.openspiel_games": ("register_openspiel_games",),
        "overbet.interfaces.bridges.pettingzoo_env": ("pettingzoo_env",),
        "overbet.interfaces.bridges.rlcard_agent": ("RlcardAgent",),
        "overbet.interfaces.bridges.table_numbers": ("ActionMenu", "table_numbers"),
        "overbet.interfaces.bridges.universal_poker": ("UniversalTable", "universal_poker_game"),
    }
    __getattr__, __dir__, __all__ = lazy(__name__, _TABLE)
