"""Bets of a whole game: which sizes each player may use, by street, position and raises made so far.

A menu is a config:

    preflop:
      sizes: ["2.5bb", "3x, a", "a"]   # the first raise, the second, the third and all later ones
      raises: 4                        # bets and raises on the street in all
      limp: false                      # may the blinds be called before anybody has raised
      positions: {BB: ["4bb", "3x, a", "a"]}
    flop: {sizes: ["33%, 75%, a<4"]}

Sizes are those of `betting.sizes` (`33%` of the pot after calling, `2.5x` the bet faced, `20c` chips on
top of it, `e` geometric, `a` all-in) and two more: `3bb` bets or raises *to* three big blinds, and `a<4` is
all-in where the chips behind are at most four pots. An amount below the legal minimum becomes the minimum,
one above the stack becomes all-in.
"""

from __future__ import annotations

import re
from typing import Annotated

import numpy as np
import pydantic

from overbet.betting.sizes import Size, SizeLimitError, check_size, one_size
from overbet.config import Config
from overbet.errors import ConfigError, OverbetError, unknown
from overbet.games.holdem import HoldemGame
from overbet.kernels.training.tree import (
    ALL_IN,
    BIG_BLINDS,
    CHIPS,
    GEOMETRIC,
    MOST_ACTIONS,
    MULTIPLE,
    NO_SIZE,
    POT_SHARE,
    STREETS,
    MenuTable,
)

STREET_NAMES = ("preflop", "flop", "turn", "river")
MOST_RAISES = 20
MOST_SIZES = MOST_ACTIONS - 2  # beside folding and calling
_BLINDS = re.compile(r"^(\d+(?:\.\d+)?)bb$")
_ALL_IN_BELOW = re.compile(r"^a<(\d+(?:\.\d+)?)$")
_KINDS = {"%": POT_SHARE, "x": MULTIPLE, "c": CHIPS, "e": GEOMETRIC, "a": ALL_IN, "bb": BIG_BLINDS}

Sizes = tuple[str, ...]
Share = Annotated[float, pydantic.Field(ge=0.0, le=10.0)]


class StreetMenu(Config):
    """The bets of one street. `sizes` and each of `positions`: a text a raise made, the last one repeats."""

    sizes: Sizes = ()
    raises: Annotated[int, pydantic.Field(ge=0, le=MOST_RAISES)] = 3
    positions: dict[str, Sizes] = pydantic.Field(default_factory=dict)

    @pydantic.field_validator("sizes", mode="before")
    @classmethod
    def _one_text(cls, sizes: object) -> object:
        return (sizes,) if isinstance(sizes, str) else sizes

    @pydantic.field_validator("positions", mode="before")
    @classmethod
    def _one_text_each(cls, positions: object) -> object:
        if not isinstance(positions, dict):
            return positions
        return {name: (sizes,) if isinstance(sizes, str) else sizes for name, sizes in positions.items()}

    @pydantic.model_validator(mode="after")
    def _readable(self) -> StreetMenu:
        for texts in (self.sizes, *self.positions.values()):
            for text in texts:
                try:
                    parsed = menu_sizes(text)
                except OverbetError as error:
                    raise ValueError(str(error)) from error
                if len(parsed) > MOST_SIZES:
                    raise ValueError(f"{text!r} has {len(parsed)} sizes; at most {MOST_SIZES} are possible")
        return self


class PreflopMenu(StreetMenu):
    """The bets before the flop; `limp`: whether the blinds may be called before anybody has raised."""

    limp: bool = True


class Menu(Config):
    """The bets of the whole game. `force_all_in` and `merge` are shares as in `betting.sizes`; 0: off."""

    preflop: PreflopMenu = PreflopMenu()
    flop: StreetMenu = StreetMenu()
    turn: StreetMenu = StreetMenu()
    river: StreetMenu = StreetMenu()
    force_all_in: Share = 0.0
    merge: Share = 0.0

    @pydantic.model_validator(mode="after")
    def _bets_to_multiply(self) -> Menu:
        for name, street in zip(STREET_NAMES[1:], self.streets[1:]):
            for texts in (street.sizes, *street.positions.values()):
                if texts and any(size.kind == "x" for size in menu_sizes(texts[0])):
                    raise ValueError(f"{name}: {texts[0]!r} is a first bet and has no bet to multiply; use %")
        return self

    @property
    def streets(self) -> tuple[StreetMenu, ...]:
        """The four streets in order."""
        return self.preflop, self.flop, self.turn, self.river

    def table(self, game: HoldemGame) -> MenuTable:
        """Return the menu as arrays for the players of `game`."""
        players = game.num_players
        names = [game.position(player) for player in range(players)]
        rows: list[list[list[tuple[Size, ...]]]] = []
        for street_name, street in zip(STREET_NAMES, self.streets):
            for name in street.positions:
                if name not in names:
                    raise ConfigError(f"menu.{street_name}: {unknown('position', name, names)}")
            texts = [street.positions.get(name, street.sizes) for name in names]
            rows.append([[menu_sizes(text) for text in of_player] for of_player in texts])
        levels = max(len(of_player) for row in rows for of_player in row)
        most = max((len(sizes) for row in rows for of_player in row for sizes in of_player), default=0)
        if not most or not any(street.raises for street in self.streets):
            raise ConfigError(
                "the menu makes no tree: it has no bet on any street; give menu.preflop.sizes some"
            )
        kind = np.full((STREETS, players, levels, most), NO_SIZE, np.int64)
        value = np.zeros((STREETS, players, levels, most))
        for street_number, row in enumerate(rows):
            for player, of_player in enumerate(row):
                for level in range(levels if of_player else 0):
                    for place, size in enumerate(of_player[min(level, len(of_player) - 1)]):
                        kind[street_number, player, level, place] = _KINDS[size.kind]
                        value[street_number, player, level, place] = size.value
        return MenuTable(
            kind=kind,
            value=value,
            raises=np.array([street.raises for street in self.streets], np.int64),
            limp=int(self.preflop.limp),
            force=self.force_all_in,
            merge=self.merge,
        )


def push_or_fold() -> Menu:
    """Return the menu whose only bet is all-in before the flop."""
    return Menu(preflop=PreflopMenu(sizes=("a",), raises=1, limp=False))


def menu_sizes(text: str) -> tuple[Size, ...]:
    """Return the sizes of a text such as `2.5bb, 3x, a<4`. All-in carries its largest stack-to-pot ratio."""
    sizes: list[Size] = []
    for part in (piece.strip() for piece in text.split(",")):
        if not part:
            continue
        if blinds := _BLINDS.match(part):
            sizes.append(Size("bb", float(blinds[1])))
            check_size(sizes[-1])
        elif below := _ALL_IN_BELOW.match(part):
            sizes.append(Size("a", float(below[1])))
        else:
            try:
                size = one_size(part, text, raising=True)
            except SizeLimitError:
                raise
            except ConfigError as error:
                raise ConfigError(
                    f"bet size {part!r} in {text!r} is not one of 33%, 2.5x, 3bb, 20c, e, 2e, a, a<4"
                ) from error
            sizes.append(Size("a", float("inf")) if size.kind == "a" else size)
        if sizes[-1].value <= 0 and sizes[-1].kind != "e":
            raise ConfigError(f"bet size {part!r} in {text!r} must be positive")
    return tuple(sizes)
