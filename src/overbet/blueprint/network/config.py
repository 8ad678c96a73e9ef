"""What a network plays: the table, the bets, the buckets it looks at, and its shape."""

from __future__ import annotations

from typing import Annotated

import pydantic

from overbet.betting.menu import Menu
from overbet.blueprint.config import CardsConfig, GameConfig
from overbet.config import Config


class NetShapeConfig(Config):
    """width: units of a layer; blocks: layers after the first; embedding: numbers that a card becomes."""

    width: Annotated[int, pydantic.Field(ge=8, le=1024)] = 256
    blocks: Annotated[int, pydantic.Field(ge=1, le=8)] = 2
    embedding: Annotated[int, pydantic.Field(ge=4, le=256)] = 48


class HoldemNetworkConfig(Config):
    """A network's game and shape. name: what its agent is called."""

    name: str = "network"
    game: GameConfig = GameConfig()
    menu: Menu = Menu()
    cards: CardsConfig = CardsConfig(kind="buckets", path="play")
    shape: NetShapeConfig = NetShapeConfig()
