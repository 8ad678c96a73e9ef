"""A public state as a subgame: where its street began, and what has been done on it since."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from overbet.errors import RulesError
from overbet.games import lines
from overbet.games.holdem import HoldemGame
from overbet.games.holdem_state import STREETS, HoldemState


class StreetStart(NamedTuple):
    """A heads-up hand at the beginning of a street after the flop, seen from the table.

    street: 0 flop to 2 river. board: its cards. pot: chips in the middle. stack: what the shorter stack has
    behind. line: of the hand up to here.
    """

    game: HoldemGame
    street: int
    board: tuple[int, ...]
    pot: int
    stack: int
    line: str


def street_start(state: HoldemState) -> StreetStart:
    """Return where the street of a public state after the flop began."""
    street = STREETS.index(state.street) - 1
    if state.num_players != 2 or street < 0:
        raise RulesError("a subgame begins on the flop or later, between two players")
    behind = [stack + bet for stack, bet in zip(state.stacks, state.bets)]
    begun = before_street(state, street + 1)
    pot = state.pot - sum(state.bets)
    return StreetStart(state.game, street, state.board, pot, min(behind), begun.line)


def edges_on(state: HoldemState, stack: int) -> tuple[int, ...]:
    """Return the actions taken on the street of a state, as edges of its subgame.

    0 is a check or call, n > 0 all that the player has put in since the street began; nobody can put in more
    than `stack`, which is all in.
    """
    street = STREETS.index(state.street)
    return tuple(min(action, stack) for where, _, action in state.history if where == street)


def tokens_of(edges: tuple[int, ...]) -> list[lines.Token]:
    """Return how a line of the subgame writes edges."""
    return [lines.Token(lines.BET, edge) if edge > 0 else lines.Token(lines.CALL) for edge in edges]


def replayed(state: HoldemState) -> Iterator[tuple[HoldemState, int]]:
    """Yield every decision of a hand in order, all hole cards face down, and what was done there."""
    now = _dealt_down(state)
    for _, _, action in state.history:
        yield now, action
        now = now.apply(action)


def before_street(state: HoldemState, street: int) -> HoldemState:
    """Return the hand, all hole cards face down, when street 0 (preflop) to 3 (river) began."""
    now = _dealt_down(state)
    for where, _, action in state.history:
        if where >= street:
            break
        now = now.apply(action)
    return now


def _dealt_down(state: HoldemState) -> HoldemState:
    return state.game.initial_state().with_cards([None] * state.num_players, state.board)
