"""An Expresso for a person on seat 0: its course from what was done, places and prizes in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from overbet.games.expresso import ExpressoGame, ExpressoState, next_hand
from overbet.games.holdem_state import HoldemState

HERO = 0
_ORDINALS = {1: "1st", 2: "2nd", 3: "3rd"}


def course_of(game: ExpressoGame, seed: int, hands: Sequence[Sequence[int]]) -> list[ExpressoState]:
    """Return the beginning of every hand, given the actions of the finished ones.

    There is one more than there are finished hands: the hand to play, or once the tournament is over the last
    hand again, with everybody's places.
    """
    found = [game.first_hand(seed)]
    for actions in hands:
        found.append(after_hand(found[-1], actions))
    return found


def after_hand(start: ExpressoState, actions: Sequence[int]) -> ExpressoState:
    """Return what follows a hand that was played to its end."""
    return next_hand(replace(start, hand=played(start.hand, actions)))


def played(state: HoldemState, actions: Sequence[int]) -> HoldemState:
    """Return a hand after some actions."""
    for action in actions:
        state = state.apply(action)
    return state


def result_buy_ins(state: ExpressoState, seat: int = HERO) -> float | None:
    """Return the prize of a seat less its buy-in, in buy-ins; None while it plays on."""
    if state.places(seat) is None:
        return None
    return state.prize_ev()[seat] / (state.game.buy_in or 1.0) - 1.0


def place_words(state: ExpressoState, seat: int = HERO) -> str:
    """Return the place of a seat: `1st`, or `2nd and 3rd shared`; nothing while it plays on."""
    places = state.places(seat)
    if places is None:
        return ""
    words = " and ".join(_ORDINALS[place] for place in places)
    return f"{words} shared" if len(places) > 1 else f"{words} place"


def buy_ins_words(amount: float) -> str:
    """Return a result: `+1 buy-in`, `-1 buy-in`, `+1.5 buy-ins`."""
    return f"{amount:+g} buy-in{'' if abs(amount) == 1 else 's'}"


def prize_words(game: ExpressoGame) -> str:
    """Return what the places win: `x2, the winner takes 2 buy-ins`."""
    unit = game.buy_in or 1.0
    paid = [prize / unit for prize in game.prizes if prize]
    if len(paid) == 1:
        return f"x{game.multiplier:g}, the winner takes {paid[0]:g} buy-ins"
    listed = ", ".join(f"{_ORDINALS[place]} {prize:g}" for place, prize in enumerate(paid, 1))
    return f"x{game.multiplier:g}, paid in buy-ins: {listed}"
