"""The decisions of a recorded hand, numbered as the database numbers them, with the state before each."""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

from overbet.games.holdem_state import STREETS, HoldemState
from overbet.interfaces.hands.features import is_decision
from overbet.interfaces.history.record import HandRecord
from overbet.interfaces.history.replay import states


class PlayedAction(NamedTuple):
    """An action of a hand. number: that of the decision, None where there was no choice.

    street: 0 preflop to 3 river. state: before the action.
    """

    number: int | None
    street: int
    player: int
    state: HoldemState
    action: int


class HandWalk(NamedTuple):
    """All actions of a hand in order, and how it ended."""

    actions: tuple[PlayedAction, ...]
    final: HoldemState

    def on(self, street: int) -> list[PlayedAction]:
        """Return the actions of street 0 (preflop) to 3 (river)."""
        return [one for one in self.actions if one.street == street]

    def players_at(self, street: int) -> tuple[int, ...]:
        """Return who was in the hand when a street began, in the order of acting after the flop."""
        first = self.on(street)[0].state
        return tuple(player for player, there in enumerate(first.in_hand) if there)


def walk_of(record: HandRecord) -> HandWalk:
    """Return the actions of a record."""
    found, number = list[PlayedAction](), 0
    walk = list(states(record))
    for state, after in pairwise(walk):
        player = state.current_player()
        if player < 0:
            continue
        chosen = is_decision(state)
        street, action = STREETS.index(state.street), after.history[-1][2]
        found.append(PlayedAction(number if chosen else None, street, player, state, action))
        number += chosen
    return HandWalk(tuple(found), walk[-1])
