"""The one state protocol every game offers, with the names OpenSpiel made familiar.

A state is immutable: `apply` returns a new one. Actions are ints. Chance is a player whose actions have
probabilities. A game too large to enumerate (hold'em) offers the same names.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, Self, runtime_checkable

CHANCE = -1
TERMINAL = -4


@runtime_checkable
class State(Protocol):
    """One moment of a game."""

    def current_player(self) -> int:
        """Return the player to act, `CHANCE` or `TERMINAL`."""

    def is_terminal(self) -> bool:
        """Return whether the game is over."""

    def legal_actions(self) -> Sequence[int]:
        """Return the actions allowed now, ascending; empty when the game is over."""

    def chance_outcomes(self) -> Sequence[tuple[int, float]]:
        """Return (action, probability) pairs at a chance node; they sum to 1."""

    def apply(self, action: int) -> Self:
        """Return the state after `action`; `IllegalActionError` names what is legal."""

    def returns(self) -> tuple[float, ...]:
        """Return what each player won over the whole game; only once it is over."""

    def information_state(self, player: int) -> str:
        """Return what `player` knows: equal for two states exactly when the player cannot tell them apart."""

    def action_name(self, action: int) -> str:
        """Return the action in words of the trade, such as `bet` or `raise to 6 bb`."""


@runtime_checkable
class Game(Protocol):
    """The rules of one game with its parameters fixed."""

    name: str
    num_players: int

    def initial_state(self) -> State:
        """Return the state before the first deal."""
