"""A second look at played hands: every action replayed and held against the bounds the rules gave."""

from __future__ import annotations

from typing import Any

import numpy as np

from overbet.kernels.cards.evaluator import EvaluatorTables
from overbet.kernels.holdem.layout import (
    ACTOR,
    FOLD,
    PLAYERS,
    PUT_IN,
    RAISE_MAX,
    RAISE_MIN,
    SHOWDOWN,
    SIZE,
    STACK,
    TERMINAL,
    TO_CALL,
)
from overbet.kernels.holdem.play import deal_cards, give_cards
from overbet.kernels.holdem.pots import settle
from overbet.kernels.holdem.rules import apply
from overbet.kernels.jit import kernel


@kernel
def check_log(
    root: Any, tables: EvaluatorTables, seed: int, first: int, starts: Any, moves: Any, won: Any
) -> int:
    """Replay hands dealt from (seed, first), each in all rotations; return the first bad hand, or -1.

    Bad is: an action that is not legal, a hand that goes on or ends at another place than the log, stacks
    below nothing, chips that appear or vanish, or other winnings than the log's.
    """
    players = root[PLAYERS]
    state, cards = np.empty(SIZE, np.int64), np.empty(2 * players + 5, np.int64)
    chips = 0
    for player in range(players):
        chips += root[STACK + player] + root[PUT_IN + player]
    for hand in range(len(starts) - 1):
        deal_cards(seed, first + hand // players, cards)
        state[:] = root
        give_cards(state, cards)
        for place in range(starts[hand], starts[hand + 1]):
            action = moves[place]
            if state[ACTOR] < 0 or action < FOLD or (action == FOLD and state[TO_CALL] == 0):
                return hand
            if action > 0 and (action < state[RAISE_MIN] or action > state[RAISE_MAX]):
                return hand
            apply(state, action)
        if state[ACTOR] == SHOWDOWN:
            settle(state, tables)
        if state[ACTOR] != TERMINAL:
            return hand
        total = 0
        for player in range(players):
            total += state[STACK + player]
            before = root[STACK + player] + root[PUT_IN + player]
            if state[STACK + player] < 0:
                return hand
            if won[hand, (player + hand % players) % players] != state[STACK + player] - before:
                return hand
        if total != chips:
            return hand
    return -1
