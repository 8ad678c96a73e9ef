"""The games by name: one line each, loaded only when asked for."""

from __future__ import annotations

import importlib
from dataclasses import dataclass, field
from typing import cast

from overbet.errors import RulesError, unknown
from overbet.games.protocol import Game


@dataclass(frozen=True, slots=True)
class GameEntry:
    """A game's name, what it is, and where its factory stands: `module:function` and arguments."""

    name: str
    summary: str
    players: str
    factory: str
    arguments: dict[str, int] = field(default_factory=dict)
    enumerable: bool = True  # small enough to flatten and solve exactly

    def make(self) -> Game:
        """Import the factory and return the game."""
        module, _, function = self.factory.partition(":")
        return cast(Game, getattr(importlib.import_module(module), function)(**self.arguments))


_ENTRIES = (
    GameEntry("kuhn", "Kuhn poker, three cards", "2", "overbet.games.kuhn:kuhn_game"),
    GameEntry("kuhn3", "Kuhn poker, four cards", "3", "overbet.games.kuhn:kuhn_game", {"players": 3}),
    GameEntry("leduc", "Leduc hold'em, two raises a round", "2", "overbet.games.leduc:leduc_game"),
    GameEntry(
        "leduc-one-bet",
        "Leduc hold'em, one bet a round and no raise",
        "2",
        "overbet.games.leduc:leduc_game",
        {"max_raises": 1},
    ),
    GameEntry("holdem", "no-limit hold'em", "2-10", "overbet.games.holdem:holdem_game", enumerable=False),
    GameEntry(
        "expresso", "three-handed sit-and-go", "3", "overbet.games.expresso:expresso_game", enumerable=False
    ),
)
_BY_NAME = {entry.name: entry for entry in _ENTRIES}


def entries() -> tuple[GameEntry, ...]:
    """Return every registered game, small ones first."""
    return _ENTRIES


def game_names() -> list[str]:
    """Return the registered names."""
    return list(_BY_NAME)


def make_game(name: str) -> Game:
    """Return the game called `name`; an unknown name raises `RulesError` with the nearest one.

    `openspiel:NAME` or `openspiel:NAME(parameter=value,...)` is a game of OpenSpiel.
    """
    if name.startswith("openspiel:"):
        from overbet.games.openspiel import openspiel_game

        return cast(Game, openspiel_game(name))
    if name not in _BY_NAME:
        raise RulesError(unknown("game", name, _BY_NAME))
    return _BY_NAME[name].make()
