"""Whole hands in a kernel: a deal as a function of (seed, hand), and hands played at random.

The random player picks one of the kinds of action it has (fold, check or call, raise) with equal
probability, and a raise size uniformly from the smallest to all in. Everything is drawn from the
counter-based stream (seed, hand, DEAL or PLAY), so any hand can be played again alone.
"""

from __future__ import annotations

import numpy as np

from overbet.kernels.cards.evaluator import EvaluatorTables
from overbet.kernels.holdem.layout import (
    ACTOR,
    CALL,
    COMING,
    FOLD,
    PLAYERS,
    RAISE_MAX,
    RAISE_MIN,
    SHOWDOWN,
    SIZE,
    STACK,
    TO_CALL,
)
from overbet.kernels.holdem.pots import Vector, settle
from overbet.kernels.holdem.rules import apply
from overbet.kernels.jit import kernel, lean
from overbet.kernels.rng import below, stream_key

_DEAL, _PLAY = 0, 1  # streams of one hand
_DECK = 52


@kernel
def deal_cards(seed: int, hand: int, cards: Vector) -> None:
    """Write the first cards of the shuffled deck of (seed, hand) into cards: [k] int64, k up to 52."""
    key = stream_key(seed, hand, _DEAL)
    deck = np.arange(_DECK)
    for place in range(cards.shape[0]):
        other = place + below(key, place, _DECK - place)
        cards[place] = deck[other]
        deck[other] = deck[place]


@lean
def give_cards(state: Vector, cards: Vector) -> None:
    """Deal all hole cards at once and fix the board. cards: [2 * players + 5] int64 in dealing order."""
    holes = 2 * state[PLAYERS]
    for place in range(5):
        state[COMING + place] = cards[holes + place]
    for place in range(holes):
        apply(state, cards[place])


@lean
def random_action(state: Vector, key: np.uint64, counter: int) -> int:
    """Return an action of the random player; uses the numbers `counter` and `counter + 1`."""
    may_fold, may_raise = state[TO_CALL] > 0, state[RAISE_MAX] > 0
    pick = below(key, counter, 1 + may_fold + may_raise)
    if pick == 0:
        return CALL
    if pick == 1 and may_fold:
        return FOLD
    return int(
        state[RAISE_MIN] + below(key, counter + 1, state[RAISE_MAX] - state[RAISE_MIN] + 1),
    )


@kernel
def play_hand(state: Vector, tables: EvaluatorTables, seed: int, hand: int) -> int:
    """Deal hand (seed, hand) into a state that waits for its first card, play it at random to the end.

    Return the number of decisions.
    """
    cards = np.empty(2 * state[PLAYERS] + 5, np.int64)
    deal_cards(seed, hand, cards)
    give_cards(state, cards)
    key = stream_key(seed, hand, _PLAY)
    decisions = 0
    while state[ACTOR] >= 0:
        apply(state, random_action(state, key, 2 * decisions))
        decisions += 1
    if state[ACTOR] == SHOWDOWN:
        settle(state, tables)
    return decisions


@kernel
def play_hands(root: Vector, tables: EvaluatorTables, seed: int, first: int, stacks: Vector) -> int:
    """Play hands first, first + 1, ... at random from the same start and return the number of decisions.

    root: [SIZE] int64 as `begin` leaves it; stacks: [hands, players] int64, receives the final stacks.
    """
    state = np.empty(SIZE, np.int64)
    decisions = 0
    for hand in range(stacks.shape[0]):
        state[:] = root
        decisions += play_hand(state, tables, seed, first + hand)
        for player in range(stacks.shape[1]):
            stacks[hand, player] = state[STACK + player]
    return decisions
