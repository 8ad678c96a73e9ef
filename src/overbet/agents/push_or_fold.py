"""Exact push or fold at a real table: where it applies, and what every hand then does.

It applies before the flop when the two blinds are alone, heads up or with everybody else out of the hand, and
the small blind has not acted yet or has put the big blind to a decision for the whole effective stack. The
chart is that of `solvers.pushfold` for the very stack, in big blinds. Chips are what counts there; with two
players left in a tournament a chip is worth the same to both whatever the prizes, so that is exact too.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from overbet.agents.protocol import Floats, PublicState, Strategy
from overbet.cards.combos import CLASSES, COMBOS, class_of_combos
from overbet.games.holdem_state import HoldemState
from overbet.kernels.holdem.layout import CALL, FOLD
from overbet.solvers.pushfold import PushFold, solve_pushfold

_POSTED_BB = 1.0  # with no more than this behind a player is all in by posting


class PushDecision(NamedTuple):
    """A decision of push or fold. pushes: whether the small blind decides; stack_bb: the effective stack."""

    pushes: bool
    stack_bb: float
    ante_bb: float


def push_decision(state: HoldemState) -> PushDecision | None:
    """Return the decision of push or fold that a state is, None where it is none."""
    game = state.game
    players = game.num_players
    blinds = (1, 0) if players == 2 else (0, 1)  # small, big: heads up the small blind has the button
    if state.street != "preflop" or any(state.in_hand[player] for player in range(players) if player > 1):
        return None
    if 2 * game.blinds[0] != game.big_blind or (players > 2 and any(game.antes)) or game.rake:
        return None
    small, big = blinds
    ante = min(game.antes[small], game.antes[big])
    behind = min(game.start[small], game.start[big])  # antes included, as the solver counts
    found = PushDecision(state.current_player() == small, behind / game.big_blind, ante / game.big_blind)
    acted = [player for _, player, action in state.history if action != FOLD]
    if found.pushes:
        return found if not acted else None
    covered = state.current_player() == big and acted == [small]
    return found if covered and state.bets[small] >= behind - ante else None


def push_strategy(public: PublicState, decision: PushDecision) -> Strategy:
    """Return how every hand plays a decision of push or fold."""
    legal = public.legal
    if decision.pushes:
        inside = CALL if legal.raise_max is None else legal.raise_max
    else:
        inside = CALL
    shares: Floats = np.zeros((COMBOS, 2))
    shares[:, 1] = _chart(decision)[class_of_combos()]
    shares[:, 0] = 1.0 - shares[:, 1]
    return Strategy((FOLD, inside), shares)


def _chart(decision: PushDecision) -> Floats:
    """Return how often each class goes in: [169] float64.

    Whoever is all in by posting, or plays against one who is, never folds: there is three to one or better
    for the rest, and every hand wins more often than that against any two cards.
    """
    found = solved(decision)
    if found is None:
        return np.ones(CLASSES)
    return found.push if decision.pushes else found.call


def solved(decision: PushDecision) -> PushFold | None:
    """Return the solution of a decision's game; None where the stack is posted already."""
    if decision.stack_bb <= _POSTED_BB + decision.ante_bb:
        return None
    return _solved(decision.stack_bb, decision.ante_bb)


@lru_cache(maxsize=10_000)
def _solved(stack_bb: float, ante_bb: float) -> PushFold:
    return solve_pushfold(stack_bb, ante_bb)
