"""Following a real hand through a tree that does not have its bets.

Every real action is carried out in the tree too: fold, check and call as they are, a bet or raise as one of
the tree's by the randomised pseudo-harmonic mapping, both measured as shares of their own pots. The random
numbers are functions of (seed, place in the hand), so asking again in the same hand gives the same answer.
Where the tree has no raise left, a raise is followed as a call. When the two hands drift apart (somebody else
is to act, on another street, or the hand is over in the tree) there is an error: nothing is guessed.
"""

from __future__ import annotations

import numpy as np

from overbet.abstraction.translation import translate
from overbet.errors import IllegalActionError
from overbet.games.holdem_state import STREETS, HoldemState
from overbet.kernels.holdem.layout import CALL, FOLD
from overbet.kernels.rng import stream_key, uniform
from overbet.tree.holdem import HoldemTree

_STREAM = 1 << 21


def follow(tree: HoldemTree, state: HoldemState, seed: int = 0) -> int:
    """Return the node of the tree at which the hand of `state` stands."""
    if state.num_players != tree.game.num_players:
        raise IllegalActionError(
            f"{state.num_players} players cannot be followed in a tree of {tree.game.num_players}"
        )
    key = np.uint64(stream_key(seed, 0, _STREAM))
    # cards do not matter to the betting: both hands are played again with any
    real, inner, node = state.game.deal(0), tree.game.deal(0), 0
    for place, (street, player, action) in enumerate(state.history):
        if (tree.nodes.player[node], tree.nodes.street[node]) != (player, street):
            raise IllegalActionError(_drifted(tree, node, state))
        child = _child(tree, node, real, inner, action, uniform(key, place))
        real, inner, node = real.apply(action), inner.apply(int(tree.nodes.action[child])), child
    now = (state.current_player(), STREETS.index(state.street))
    if (tree.nodes.player[node], tree.nodes.street[node]) != now:
        raise IllegalActionError(_drifted(tree, node, state))
    return node


def _child(tree: HoldemTree, node: int, real: HoldemState, inner: HoldemState, action: int, u: float) -> int:
    """Return the child that stands for a real action."""
    choices = {int(tree.nodes.action[child]): child for child in tree.children(node)}
    if action in (FOLD, CALL):
        if action not in choices:  # limping where the tree does not
            raise IllegalActionError(
                f"{'a fold' if action == FOLD else 'a call'} is not in the tree after {tree.line(node)}"
            )
        return choices[action]
    raises = sorted(amount for amount in choices if amount > CALL)
    if not raises:
        return choices[CALL]
    most = inner.legal_actions().raise_max
    if action == real.legal_actions().raise_max and raises[-1] == most:
        return choices[raises[-1]]  # all-in is all-in, where the tree has it
    shares = [share_of_pot(inner, amount) for amount in raises]
    return choices[raises[translate(share_of_pot(real, action), shares, u)]]


def share_of_pot(state: HoldemState, amount: int) -> float:
    """Return a raise as a share of the pot after calling."""
    return max(amount - max(state.bets), 0) / (state.pot + state.to_call)


def _drifted(tree: HoldemTree, node: int, state: HoldemState) -> str:
    return (
        f"{state.line} cannot be followed in the tree beyond {tree.line(node)}: "
        "it is not the same street and player there"
    )
