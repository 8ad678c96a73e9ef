"""No-limit hold'em for 2 to 10 players: a table with its stacks, blinds, antes and rake fixed.

The rules themselves are the kernel `overbet.kernels.holdem.rules`; this is the readable way in. Players are
counted from the first seat left of the button, so the last player is the button; heads up the button
posts the small blind and player 0 the big blind. docs/rules.md has the rules with examples.
"""

from __future__ import annotations

import operator
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from overbet.errors import RulesError
from overbet.games.holdem_state import HoldemState
from overbet.kernels.holdem import rules
from overbet.kernels.holdem.layout import (
    HOUSE_DEAD_ANTES,
    HOUSE_FULL_BLIND,
    HOUSE_NO_FLOP_NO_DROP,
    MAX_PLAYERS,
    SIZE,
)
from overbet.kernels.holdem.play import deal_cards, give_cards

MOST_CHIPS = 2_000_000_000  # on the whole table: betting trees and AIVAT keep chips in 32 bits
# positions between the big blind and the button, by how many there are
_MIDDLE: tuple[tuple[str, ...], ...] = (
    (),
    ("CO",),
    ("HJ", "CO"),
    ("UTG", "HJ", "CO"),
    ("UTG", "LJ", "HJ", "CO"),
    ("UTG", "UTG+1", "LJ", "HJ", "CO"),
    ("UTG", "UTG+1", "UTG+2", "LJ", "HJ", "CO"),
    ("UTG", "UTG+1", "UTG+2", "UTG+3", "LJ", "HJ", "CO"),
)


@dataclass(frozen=True)
class HoldemGame:
    """A table. `stacks` and `ante` may be one number for everybody.

    blinds: small blind, big blind, and straddles if any; antes as a sequence stand in the same order.
    big_blind_ante: one ante for the table, paid by the big blind into the main pot.
    rake: share of the pot (0.05), rounded down; rake_cap: most chips a hand pays.
    min_bet: smallest bet and raise; the largest blind where it is not given.
    dead_antes: antes belong to the main pot whole instead of being matched player by player; always so when
    they are not the same for all.
    full_blind: a big blind that is all in for less still costs a full blind to call.
    """

    num_players: int = 2
    stacks: int | Sequence[int] = 10_000
    blinds: Sequence[int] = (50, 100)
    ante: int | Sequence[int] = 0
    big_blind_ante: int = 0
    rake: float = 0.0
    rake_cap: int | None = None
    no_flop_no_drop: bool = False
    min_bet: int | None = None
    dead_antes: bool = False
    full_blind: bool = False
    name: str = "holdem"

    def __post_init__(self) -> None:
        players = _whole("the number of players", self.num_players)
        if not 2 <= players <= MAX_PLAYERS:
            raise RulesError(f"hold'em is played by 2 to {MAX_PLAYERS} players, not {players}")
        stacks = _per_player("stacks", self.stacks, players)
        if min(stacks) < 1:
            raise RulesError(
                f"player {stacks.index(min(stacks))} has no chips; every player needs at least 1"
            )
        if sum(stacks) > MOST_CHIPS:
            raise RulesError(
                f"stacks: {sum(stacks):,} chips on the table are more than {MOST_CHIPS:,}; use a larger unit"
            )
        blinds = _blinds(self.blinds, players)
        antes = self._antes(players)
        min_bet = max(*blinds, *antes) if self.min_bet is None else _chips("min_bet", self.min_bet)
        if min_bet < 1:
            raise RulesError("there are no blinds and no antes to play for; set blinds or an ante")
        if not 0 <= self.rake < 1:
            raise RulesError(f"rake is a share of the pot from 0 to below 1, such as 0.05, not {self.rake}")
        cap = None if self.rake_cap is None else _chips("rake_cap", self.rake_cap)
        settled: dict[str, Any] = {
            "num_players": players,
            "stacks": stacks,
            "blinds": blinds,
            "ante": antes,
            "big_blind_ante": 0,
            "rake_cap": cap,
            "min_bet": min_bet,
            "dead_antes": self.dead_antes or len(set(antes)) > 1,
        }
        for key, value in settled.items():
            object.__setattr__(self, key, value)

    def _antes(self, players: int) -> tuple[int, ...]:
        antes = _per_player("ante", self.ante, players)
        of_big_blind = _chips("big_blind_ante", self.big_blind_ante)
        if not of_big_blind:
            return antes
        if any(antes):
            raise RulesError("set either ante or big_blind_ante, not both")
        return (0, of_big_blind, *(0,) * (players - 2))

    @cached_property
    def start(self) -> tuple[int, ...]:
        """The stacks before the hand, by player."""
        return tuple(self.stacks)  # type: ignore[arg-type]  # a tuple once __post_init__ is done

    @cached_property
    def antes(self) -> tuple[int, ...]:
        """The antes, small blind first."""
        return tuple(self.ante)  # type: ignore[arg-type]  # a tuple once __post_init__ is done

    @property
    def least_bet(self) -> int:
        """The smallest bet and raise."""
        return self.min_bet or 0

    @cached_property
    def root(self) -> npt.NDArray[np.int64]:
        """The state vector after antes and blinds, waiting for the first card: [SIZE] int64; read only."""
        vector = np.empty(SIZE, np.int64)
        house = (
            HOUSE_DEAD_ANTES * self.dead_antes
            + HOUSE_NO_FLOP_NO_DROP * self.no_flop_no_drop
            + HOUSE_FULL_BLIND * self.full_blind
        )
        cap = -1 if self.rake_cap is None else self.rake_cap
        table = np.array([self.least_bet, round(self.rake * 1_000_000), cap, house], np.int64)
        stacks = np.array(self.start, np.int64)
        rules.begin(vector, stacks, self._by_player(self.blinds), self._by_player(self.antes), table)
        vector.setflags(write=False)
        return vector

    def _by_player(self, chips: Sequence[int]) -> npt.NDArray[np.int64]:
        """Return blinds or antes, written small blind first, by player: heads up the order turns round."""
        values = np.zeros(self.num_players, np.int64)
        given = np.array(chips, np.int64)
        values[: len(given)] = given
        return values[::-1].copy() if self.num_players == 2 else values

    @property
    def big_blind(self) -> int:
        """The unit of names such as `ev_bb`: the second blind, or the minimum bet where there is none."""
        return self.blinds[1] or self.least_bet

    def position(self, player: int) -> str:
        """Return the name of the player's position: SB, BB, UTG, ..., CO, BTN."""
        if not 0 <= player < self.num_players:
            raise RulesError(f"player {player} is not at this table; players are 0 to {self.num_players - 1}")
        if self.num_players == 2:
            return ("BB", "SB")[player]
        return ("SB", "BB", *_MIDDLE[self.num_players - 3], "BTN")[player]

    def initial_state(self) -> HoldemState:
        """Return the state after antes and blinds, before the first card."""
        return HoldemState(self, self.root)

    def deal(self, seed: int, hand: int = 0) -> HoldemState:
        """Return hand number `hand` of the deck sequence `seed`: hole cards dealt, board cards fixed.

        No chance node follows: the board comes by itself. The same two numbers give the same cards always.
        """
        cards = np.empty(2 * self.num_players + 5, np.int64)
        deal_cards(seed, hand, cards)
        vector = self.root.copy()
        give_cards(vector, cards)
        return HoldemState.settled(self, vector, ())


def holdem_game() -> HoldemGame:
    """Return the default table: heads up, 100 big blinds deep."""
    return HoldemGame()


def _whole(name: str, value: object) -> int:
    try:
        if isinstance(value, bool):
            raise TypeError
        return operator.index(value)  # type: ignore[arg-type]  # the error for other types is what we want
    except TypeError:
        raise RulesError(f"{name}: {value!r} is not a whole number") from None


def _chips(name: str, value: object) -> int:
    chips = _whole(name, value)
    if chips < 0:
        raise RulesError(f"{name}: {chips} chips is less than nothing")
    if chips > MOST_CHIPS:
        raise RulesError(f"{name}: {chips} chips is more than {MOST_CHIPS:,}; use a larger unit")
    return chips


def _per_player(name: str, value: int | Iterable[int], players: int) -> tuple[int, ...]:
    if isinstance(value, Iterable) and not isinstance(value, str):
        chips = tuple(_chips(name, one) for one in value)
        if len(chips) != players:
            raise RulesError(f"{name}: {len(chips)} given for {players} players")
        return chips
    return (_chips(name, value),) * players


def _blinds(value: object, players: int) -> tuple[int, ...]:
    if not isinstance(value, Iterable) or isinstance(value, str):
        raise RulesError(f"blinds: write small and big blind, such as (50, 100), not {value!r}")
    blinds = tuple(_chips("blinds", one) for one in value)
    if not 2 <= len(blinds) <= players:
        wanted = "2" if players == 2 else f"2 to {players}"
        raise RulesError(f"blinds: {players} players post {wanted} blinds, not {len(blinds)}")
    if blinds[0] > blinds[1]:
        raise RulesError(f"blinds: the small blind {blinds[0]} is larger than the big blind {blinds[1]}")
    return blinds
