"""Expresso: a three-handed hyper-turbo sit-and-go for a prize of a random multiple of the buy-in.

Three players start with 25 (or 15) big blinds, the blinds go up every few hands, and play goes on until one
has all the chips. Every hand is a hand of hold'em under the rules of `overbet.kernels.holdem.rules`. The
big blind moves one seat on each hand, past empty seats, so nobody pays it twice running or is spared it;
heads up the other player has the button and the small blind. A low multiplier pays the winner only; high
ones are split.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from overbet.errors import IllegalActionError, RulesError
from overbet.games.holdem import HoldemGame
from overbet.games.holdem_state import HoldemState
from overbet.games.icm import prize_ev
from overbet.games.legal_actions import LegalActions
from overbet.games.protocol import TERMINAL

SEATS = 3
LEVELS = ((10, 20), (15, 30), (20, 40), (30, 60), (40, 80), (50, 100), (60, 120), (80, 160), (100, 200))
# smallest multiplier -> shares of first, second, third; the split PokerStars publishes for Spin & Go
PAYOUTS: tuple[tuple[float, tuple[float, ...]], ...] = (
    (0, (1.0,)),
    (10, (0.8, 0.2)),
    (25, (0.8, 0.12, 0.08)),
    (100, (0.8, 0.1, 0.1)),
)


@dataclass(frozen=True)
class ExpressoGame:
    """The structure. `returns` counts chips won or, with pays="prize", money won less the buy-in.

    levels: (small blind, big blind) or (small blind, big blind, ante), each for `hands_per_level` hands, the
    last one without end. payouts: (smallest multiplier, shares of the places), the row with the largest
    multiplier not above this game's counts.
    """

    stack: int = 500
    levels: Sequence[Sequence[int]] = LEVELS
    hands_per_level: int = 10
    multiplier: float = 2.0
    buy_in: float = 1.0
    payouts: Sequence[tuple[float, Sequence[float]]] = PAYOUTS
    pays: Literal["chips", "prize"] = "chips"
    name: str = "expresso"
    num_players: int = SEATS

    def __post_init__(self) -> None:
        if self.num_players != SEATS:
            raise RulesError(f"an Expresso has {SEATS} players, not {self.num_players}")
        if self.pays not in ("chips", "prize"):
            raise RulesError(f"an Expresso pays 'chips' or 'prize', not {self.pays!r}")
        if not 0 < self.multiplier < math.inf or not 0 <= self.buy_in < math.inf:
            raise RulesError("the multiplier is a number above 0 and the buy-in one that is not negative")
        if not self.levels or self.hands_per_level < 1:
            raise RulesError("an Expresso needs at least one blind level of at least one hand")
        for level in self.levels:
            if not 2 <= len(level) <= 3:
                raise RulesError(f"a blind level is (small, big) or (small, big, ante), not {tuple(level)}")
            self.table(SEATS, (self.stack,) * SEATS, level)
        for _, shares in self.payouts:
            if len(shares) > SEATS or min(shares) < 0 or abs(sum(shares) - 1) > 1e-9:
                raise RulesError(
                    f"payout shares {tuple(shares)} are not one to three shares that add up to 1"
                )
        if not any(least <= self.multiplier for least, _ in self.payouts):
            raise RulesError(f"the payouts have no row for multiplier {self.multiplier:g}")

    @property
    def prizes(self) -> tuple[float, float, float]:
        """The money of first, second and third place."""
        row = max((row for row in self.payouts if row[0] <= self.multiplier), key=lambda row: row[0])
        first, second, third = (*row[1], 0.0, 0.0)[:SEATS]
        pool = self.multiplier * self.buy_in
        return first * pool, second * pool, third * pool

    def level(self, hand: int) -> Sequence[int]:
        """Return the blinds, and ante if any, of hand number `hand`, counted from 0."""
        return self.levels[min(hand // self.hands_per_level, len(self.levels) - 1)]

    def table(self, players: int, stacks: Sequence[int], level: Sequence[int]) -> HoldemGame:
        """Return the table of one hand."""
        ante = level[2] if len(level) > 2 else 0
        return HoldemGame(players, stacks, tuple(level[:2]), ante, full_blind=True)

    def initial_state(self) -> ExpressoState:
        """Return the first hand before its first card; seat 2 has the button."""
        return self._start(None)

    def deal(self, seed: int) -> ExpressoState:
        """Return the tournament whose cards are all fixed by `seed`: no chance nodes."""
        return self._start(seed)

    def first_hand(self, seed: int) -> ExpressoState:
        """Return the first hand as `deal` does, to go on from hand to hand with `next_hand`."""
        return _next_hand(self, (self.stack,) * SEATS, big_blind=1, number=0, out=(), seed=seed)

    def _start(self, seed: int | None) -> ExpressoState:
        first = _next_hand(self, (self.stack,) * SEATS, big_blind=1, number=0, out=(), seed=seed)
        return _to_decision(first)


@dataclass(frozen=True, slots=True)
class ExpressoState:
    """A moment of the tournament: the hand being played and who sits where. Players are seats 0, 1, 2.

    chips: by seat, at the start of this hand; order: the seat of each of the hand's players; out: seats
    eliminated, first out first, those who went together with equal stacks as one group.
    """

    game: ExpressoGame
    hand: HoldemState
    order: tuple[int, ...]
    chips: tuple[int, ...]
    big_blind: int
    number: int
    out: tuple[tuple[int, ...], ...] = ()
    seed: int | None = None

    def current_player(self) -> int:
        player = self.hand.current_player()
        return self.order[player] if player >= 0 else player

    def is_terminal(self) -> bool:
        return self.hand.current_player() == TERMINAL

    def legal_actions(self) -> LegalActions:
        return self.hand.legal_actions()

    def chance_outcomes(self) -> Sequence[tuple[int, float]]:
        return self.hand.chance_outcomes()

    def apply(self, action: int) -> ExpressoState:
        """Return the state after `action`; when that ends the hand, the next hand's beginning."""
        return _to_decision(replace(self, hand=self.hand.apply(action)))

    def returns(self) -> tuple[float, ...]:
        """Return chips won, or money won less the buy-in, by seat."""
        if not self.is_terminal():
            raise IllegalActionError("returns are known only once one player has all the chips")
        if self.game.pays == "chips":
            return tuple(float(chips - self.game.stack) for chips in self.stacks)
        return tuple(prize - self.game.buy_in for prize in self.prize_ev())

    def information_state(self, player: int) -> str:
        """Return what `player` knows of this hand; earlier hands are summed up by the stacks they left."""
        seats = " ".join(str(stack) for stack in self.chips)
        header = f"hand {self.number} bb {self.big_blind} stacks {seats}"
        if player not in self.order:
            return f"{header} | seat {player} out {self.hand.line}"
        return f"{header} | seat {player} {self.hand.information_state(self.order.index(player))}"

    def action_name(self, action: int) -> str:
        return self.hand.action_name(action)

    @property
    def stacks(self) -> tuple[int, ...]:
        """Chips behind, by seat."""
        stacks = [0] * SEATS
        for seat, chips in zip(self.order, self.hand.stacks, strict=True):
            stacks[seat] = chips
        return tuple(stacks)

    @property
    def button(self) -> int:
        """The seat with the button."""
        return self.order[-1]

    @property
    def is_won(self) -> bool:
        """Whether the hand is over and one player has all the chips."""
        return self.hand.is_terminal() and sum(stack > 0 for stack in self.stacks) == 1

    @property
    def is_settled(self) -> bool:
        """Whether the tournament is over and everybody but the winner is in `out`."""
        return self.is_won and sum(map(len, self.out)) == SEATS - 1

    def places(self, seat: int) -> tuple[int, ...] | None:
        """Return the place of a seat, the places it shares with others, or None while it plays on."""
        last = SEATS
        for group in self.out:
            if seat in group:
                return tuple(range(last - len(group) + 1, last + 1))
            last -= len(group)
        return (1,) if self.is_settled else None

    def prize_ev(self) -> tuple[float, ...]:
        """Return each seat's expected prize by the independent chip model.

        During a hand the stacks are those before it; once the tournament is over these are the prizes.
        """
        values, places = [0.0] * SEATS, list(self.game.prizes)
        for group in self.out:
            paid = [places.pop() for _ in group]
            for seat in group:
                values[seat] = sum(paid) / len(group)
        chips = self.stacks if self.is_terminal() else self.chips
        for seat, value in enumerate(prize_ev(chips, places)):
            values[seat] += value if chips[seat] else 0.0
        return tuple(values)

    def __repr__(self) -> str:
        seats = ", ".join(f"player {player} is seat {seat}" for player, seat in enumerate(self.order))
        return f"<expresso hand {self.number} ({seats}): {self.hand!r}>"


def expresso_game(big_blinds: int = 25, multiplier: float = 2.0, pays: str = "chips") -> ExpressoGame:
    """Return the usual structure: 10/20 blinds to start with and a stack of 25 or 15 big blinds."""
    if big_blinds < 1:
        raise RulesError(f"a starting stack of {big_blinds} big blinds is too small")
    if pays not in ("chips", "prize"):
        raise RulesError(f"an Expresso pays 'chips' or 'prize', not {pays!r}")
    unit: Literal["chips", "prize"] = "prize" if pays == "prize" else "chips"
    return ExpressoGame(stack=big_blinds * LEVELS[0][1], multiplier=multiplier, pays=unit)


def _next_seat(seat: int, chips: Sequence[int]) -> int:
    """Return the next seat clockwise that has chips."""
    seat = (seat + 1) % SEATS
    while not chips[seat]:
        seat = (seat + 1) % SEATS
    return seat


def _eliminated(before: Sequence[int], after: Sequence[int]) -> list[tuple[int, ...]]:
    """Return who went out in a hand, shorter stack first; equal stacks share their places."""
    gone = [seat for seat in range(SEATS) if before[seat] and not after[seat]]
    sizes = sorted({before[seat] for seat in gone})
    return [tuple(seat for seat in gone if before[seat] == size) for size in sizes]


def next_hand(state: ExpressoState) -> ExpressoState:
    """Return the hand after a finished one, before its first action.

    It may be over already: with everybody all in on the blinds there is nothing to decide. Once one player
    has all the chips, the state comes back with everybody's place in `out`.
    """
    if not state.hand.is_terminal():
        raise IllegalActionError("the hand is not over")
    if state.is_settled:
        return state
    chips = state.stacks
    out = (*state.out, *_eliminated(state.chips, chips))
    if state.is_won:
        return replace(state, out=out)
    seat = _next_seat(state.big_blind, chips)
    return _next_hand(state.game, chips, seat, state.number + 1, out, state.seed)


def _to_decision(state: ExpressoState) -> ExpressoState:
    """Return `state`, or where its hand is over the next one that has something to decide."""
    while state.hand.is_terminal() and not state.is_settled:
        state = next_hand(state)
    return state


def _next_hand(
    game: ExpressoGame,
    chips: tuple[int, ...],
    big_blind: int,
    number: int,
    out: tuple[tuple[int, ...], ...],
    seed: int | None,
) -> ExpressoState:
    """Return the beginning of a hand with the big blind at `big_blind`."""
    following = _next_seat(big_blind, chips)
    last = _next_seat(following, chips)
    # heads up the hand's player 0 is the big blind and 1 the button; three-handed 0 is the small blind
    order = (big_blind, following) if last == big_blind else (last, big_blind, following)
    table = game.table(len(order), tuple(chips[seat] for seat in order), game.level(number))
    hand = table.initial_state() if seed is None else table.deal(seed, number)
    return ExpressoState(game, hand, order, chips, big_blind, number, out, seed)
