"""A postflop spot as a user describes it: board, pot, stacks, two ranges, bet menus, rake.

Read from YAML or built in Python; frozen, strict about unknown keys, hashed. A menu may be given once for
all (`bets.every`), per street, and per player within a street; the closest one given wins.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache, lru_cache
from typing import Annotated, Any, Literal

import pydantic

from overbet.betting.sizes import Size, Thresholds, parse_sizes
from overbet.cards.cards import board, cards_name
from overbet.cards.range import Range
from overbet.config import Config, digest_of
from overbet.tree.amounts import whole_chips
from overbet.tree.bet_lines import MOST_LINES, check_bet_line, read_bet_line

OOP, IP = 0, 1
MOST_CHIPS = 1_000_000_000  # of a stack or a pot: trees keep chips in 32 bits
MOST_SHARE = 1e9  # of a pot, in thresholds: times any pot it is still a number to round
MOST_PLAYED = 100  # actions of a street
STREETS = ("flop", "turn", "river")
Street = Literal["flop", "turn", "river"]


def _joined(value: Any) -> Any:
    """Let YAML lists stand for comma-separated sizes; a bare number has no unit."""
    if isinstance(value, list | tuple):
        parts = [_joined(part) for part in value]
        if not all(isinstance(part, str) for part in parts):
            raise ValueError("a list of sizes holds texts such as 75%, 2.5x or a")
        return ", ".join(parts)
    if isinstance(value, int | float):
        raise ValueError(
            f"size {value} has no unit; write {value}% (of the pot), {value}c (chips) or {value}x"
        )
    return value


def _few_enough(chips: float) -> float:
    if chips > MOST_CHIPS:
        raise ValueError(f"{chips:,} chips are more than {MOST_CHIPS:,}; count in a larger unit")
    return chips


Chips = Annotated[int, pydantic.AfterValidator(_few_enough)]
PlayedEdge = Annotated[Chips, pydantic.Field(ge=0)]
ShareOfPot = Annotated[float, pydantic.Field(ge=0, le=MOST_SHARE)]
SizeText = Annotated[str, pydantic.BeforeValidator(_joined)]


class MenuConfig(Config):
    """The sizes of one player on one street.

    bet: first bets; donk: out of position into the last street's aggressor (default: as bet);
    raise: raises, either one text for every level or one text a level, the last one kept beyond it.
    """

    bet: SizeText = ""
    raise_: tuple[SizeText, ...] | str = pydantic.Field(default="", alias="raise")
    donk: SizeText | None = None

    model_config = pydantic.ConfigDict(populate_by_name=True)

    @pydantic.model_validator(mode="after")
    def _readable(self) -> MenuConfig:
        parse_sizes(self.bet)
        parse_sizes(self.donk or "")
        for level in self.raise_levels:
            parse_sizes(level, raising=True)
        return self

    @property
    def raise_levels(self) -> tuple[str, ...]:
        """The raise sizes by level: the first raise, the re-raise, ..."""
        return (self.raise_,) if isinstance(self.raise_, str) else self.raise_

    def raises(self, level: int) -> tuple[Size, ...]:
        """Return the sizes of the raise number `level`, counted from 0."""
        levels = self.raise_levels or ("",)
        return parse_sizes(levels[min(level, len(levels) - 1)], raising=True)


class StreetBets(Config):
    """Menus of a street: one for both players (`bet`, `raise`, `donk`), or `oop` and `ip` apart."""

    bet: SizeText | None = None
    raise_: tuple[SizeText, ...] | str | None = pydantic.Field(default=None, alias="raise")
    donk: SizeText | None = None
    oop: MenuConfig | None = None
    ip: MenuConfig | None = None

    model_config = pydantic.ConfigDict(populate_by_name=True)

    @pydantic.model_validator(mode="after")
    def _readable(self) -> StreetBets:
        for text in (self.bet, self.donk):
            parse_sizes(text or "")
        levels = (self.raise_,) if isinstance(self.raise_, str | None) else self.raise_
        for text in levels:
            parse_sizes(text or "", raising=True)
        return self

    def menu(self, player: int) -> MenuConfig:
        """Return the menu of a player on this street."""
        own = self.oop if player == OOP else self.ip
        return own or _menu(self.bet or "", self.raise_ or "", self.donk if player == OOP else None)


@cache
def _menu(bet: str, raise_: str, donk: str | None) -> MenuConfig:
    """Return a menu; kept, because every node of a tree asks for its own."""
    return MenuConfig.model_validate({"bet": bet, "raise": raise_, "donk": donk})


class BetsConfig(Config):
    """Menus of the whole spot; `every` serves the streets that have none of their own."""

    every: StreetBets | None = None
    flop: StreetBets | None = None
    turn: StreetBets | None = None
    river: StreetBets | None = None

    def menu(self, street: int, player: int) -> MenuConfig:
        """Return the menu of a player on street 0 (flop) to 2 (river)."""
        given: StreetBets | None = getattr(self, STREETS[street])
        found = given or self.every
        return found.menu(player) if found else MenuConfig()


class ThresholdsConfig(Config):
    """See `overbet.betting.sizes`; shares of the pot, 0 switches a threshold off."""

    add_all_in: ShareOfPot = 0.0
    force_all_in: ShareOfPot = 0.0
    merge: ShareOfPot = 0.0

    def value(self) -> Thresholds:
        """Return the thresholds as the plain value the menus take."""
        return Thresholds(self.add_all_in, self.force_all_in, self.merge)


class RakeConfig(Config):
    """The house's share of the pot and the most it takes, in chips (0 cap: no limit)."""

    share: float = pydantic.Field(default=0.0, ge=0, lt=1)
    cap: Annotated[float, pydantic.AfterValidator(_few_enough)] = pydantic.Field(default=0.0, ge=0)

    def of(self, pot: float) -> float:
        """Return the rake of a pot."""
        rake = self.share * pot
        return min(rake, self.cap) if self.cap else rake


class RangesConfig(Config):
    """The two ranges in the range language."""

    oop: str
    ip: str

    @pydantic.field_validator("oop", "ip", mode="before")
    @classmethod
    def _text(cls, value: Any) -> Any:
        return str(value) if isinstance(value, Range) else value

    @pydantic.field_validator("oop", "ip")
    @classmethod
    def _readable(cls, text: str) -> str:
        Range.parse(text)
        return text


_read_board = lru_cache(64)(board)  # a solve asks for its board hundreds of times
_read_range = lru_cache(16)(Range.parse)  # a search asks for the whole range, again and again


class Spot(Config):
    """A postflop spot. Chips are whole; `pot` is what is in the middle, `stacks` what is behind.

    big_blind: how many chips a big blind is, 0 where nobody says. Pot, stacks, min_bet and the rake's cap may
    be written in big blinds, `5.5bb`; a spot that does so and names no big_blind has one of 100 chips.

    stacks: one number for both, or two; the smaller one is the effective stack, as the rest cannot be won.
    played: what was done on the first street already, 0 for a check or call and otherwise all that the player
    has put in on it; such a bet is in the tree where it was made, whatever the menus say. lines: the whole
    tree line by line in the place of `bets` (see `overbet.tree.bet_lines`): `0 20 60` is a check, a bet of
    20, a raise to 60.
    """

    board: str
    pot: Chips = pydantic.Field(gt=0)
    stacks: int | tuple[int, int]
    ranges: RangesConfig
    bets: BetsConfig = BetsConfig()
    thresholds: ThresholdsConfig = ThresholdsConfig()
    rake: RakeConfig = RakeConfig()
    min_bet: Chips = pydantic.Field(default=1, gt=0)
    big_blind: Chips = pydantic.Field(default=0, ge=0)
    isomorphism: bool = True
    played: Annotated[tuple[PlayedEdge, ...], pydantic.Field(max_length=MOST_PLAYED)] = ()
    lines: Annotated[tuple[tuple[int, ...], ...], pydantic.Field(max_length=MOST_LINES)] = ()

    @pydantic.field_validator("lines", mode="before")
    @classmethod
    def _bet_lines(cls, value: Any) -> Any:
        if not isinstance(value, list | tuple):
            raise ValueError("write a list of lines, such as ['0 20 60', '30 90']")
        return tuple(read_bet_line(line) for line in value[: MOST_LINES + 1])

    @pydantic.model_validator(mode="after")
    def _lines_or_bets(self) -> Spot:
        if self.lines and self.bets != BetsConfig():
            raise ValueError("give the tree by `lines` or by `bets`, not by both")
        for line in self.lines:
            check_bet_line(line, self.effective_stack, 3 - self.first_street)
        return self

    @pydantic.model_validator(mode="before")
    @classmethod
    def _in_chips(cls, values: Any) -> Any:
        return whole_chips(values) if isinstance(values, Mapping) else values

    @pydantic.model_validator(mode="after")
    def _known_blind(self) -> Spot:
        if not self.big_blind and re.search(r"\dbb", self.bets.model_dump_json(), re.IGNORECASE):
            raise ValueError(
                "a bet size is in bb and the spot does not say what a big blind is; set big_blind"
            )
        return self

    @pydantic.field_validator("board", mode="before")
    @classmethod
    def _board(cls, value: Any) -> str:
        if not isinstance(value, str | list | tuple):
            raise ValueError(f"write 3, 4 or 5 cards, such as Td9d6h, not {value!r}")
        found = board(value)
        if len(found) < 3:
            raise ValueError("a postflop spot needs a board of 3, 4 or 5 cards")
        return cards_name(found)

    @pydantic.field_validator("stacks")
    @classmethod
    def _stacks(cls, value: int | tuple[int, int]) -> int | tuple[int, int]:
        for stack in (value,) if isinstance(value, int) else value:
            if stack <= 0:
                raise ValueError(f"a stack must be positive, not {stack}")
            _few_enough(stack)
        return value

    def digest(self) -> str:
        """Return the sha256 of the values; spots without `played` and `lines` keep what they always had."""
        values = self.model_dump(mode="json")
        for name in ("played", "lines"):
            if not values[name]:
                del values[name]
        return digest_of(values)

    @property
    def cards(self) -> tuple[int, ...]:
        """The board's cards."""
        return _read_board(self.board)

    @property
    def effective_stack(self) -> int:
        """The smaller stack behind, in chips."""
        return self.stacks if isinstance(self.stacks, int) else min(self.stacks)

    @property
    def first_street(self) -> int:
        """0 flop, 1 turn, 2 river."""
        return len(self.cards) - 3

    def range_of(self, player: int) -> Range:
        """Return the range of `OOP` or `IP`, before card removal by the board."""
        return _read_range(self.ranges.oop if player == OOP else self.ranges.ip)
