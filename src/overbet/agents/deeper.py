"""A heads-up hand at short stacks, seen as the same hand at deeper ones.

Followed directly, a tree for 100 big blinds takes an all-in of 15 for one of 100 and folds nearly everything.
Seen at the tree's own stacks it is a bet of 15 with 85 behind, which it knows how to answer. What it answers
is brought back to the real stacks: a raise by which at least half of the effective stack would be in the pot
is all in.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from overbet.agents.protocol import Floats, Strategy
from overbet.errors import OverbetError
from overbet.games.holdem import HoldemGame
from overbet.games.holdem_state import HoldemState
from overbet.kernels.holdem.layout import CALL, FOLD, HIDDEN_CARD

_COMMITTED = 0.5  # of the effective stack


def deep_table(game: HoldemGame, made_for: HoldemGame) -> HoldemGame:
    """Return a table of `made_for`'s stacks, in big blinds, with the blinds of `game`."""
    stacks = tuple(stack * game.big_blind // made_for.big_blind for stack in made_for.start)
    return replace(made_for, stacks=stacks, blinds=game.blinds, min_bet=game.least_bet)


def deeper(state: HoldemState, table: HoldemGame) -> HoldemState | None:
    """Return the hand as it would stand at a deeper table; None where the two do not go together."""
    holes = [None if HIDDEN_CARD in pair else pair for pair in state.hole]
    try:
        deep = table.initial_state().with_cards(holes, state.board)
        for _, player, action in state.history:
            if deep.current_player() != player:
                return None
            deep = deep.apply(in_deep(deep, player, action, effective_stack(state)))
    except OverbetError:
        return None
    same = deep.current_player() == state.current_player() and deep.street == state.street
    return deep if same and bool(deep.to_call) == bool(state.to_call) else None


def brought_back(state: HoldemState, action: int) -> int:
    """Return what an action at the deeper table is at the real one."""
    legal = state.legal_actions()
    if action == FOLD:
        return FOLD if legal.fold else CALL
    if action == CALL or legal.raise_min is None or legal.raise_max is None:
        return CALL
    player = state.current_player()
    in_pot = state.put_in[player] - state.bets[player] + action
    if in_pot >= _COMMITTED * effective_stack(state):
        return legal.raise_max
    return min(max(action, legal.raise_min), legal.raise_max)


def strategy_back(state: HoldemState, found: Strategy) -> Strategy:
    """Return a strategy of the deeper table at the real one, each action once."""
    real = [brought_back(state, action) for action in found.actions]
    actions = tuple(sorted(set(real)))
    shares: Floats = np.zeros((len(found.shares), len(actions)))
    for column, action in enumerate(real):
        shares[:, actions.index(action)] += found.shares[:, column]
    return Strategy(actions, shares)


def effective_stack(state: HoldemState) -> int:
    """Return the smaller stack of the table, in chips."""
    return min(state.game.start)


def in_deep(deep: HoldemState, player: int, action: int, effective: int) -> int:
    """Return a real action at the deeper table: no bet is larger than what the other can call."""
    legal = deep.legal_actions()
    if action <= CALL or legal.raise_min is None or legal.raise_max is None:
        return action if action != FOLD or legal.fold else CALL
    most = effective - (deep.put_in[player] - deep.bets[player])
    amount = min(action, most)
    return min(max(amount, legal.raise_min), legal.raise_max) if amount > max(deep.bets) else CALL
