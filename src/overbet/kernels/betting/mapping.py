"""Bets outside a tree: which of its actions a real one is taken for, and the way back. All use this mapper.

The tree's own hand is played beside the real one. A bet or raise that is what one of the tree's would be on
the real table (`real_action`) is that one; all in is all in; any other is mapped by the randomised
pseudo-harmonic mapping (Ganzfried & Sandholm 2013) between the two nearest of the tree, as shares of the pot
after calling, each of its own pot. A call where the tree has none (limping) is taken for its smallest raise;
a raise where the tree has none left is taken for a call, and the tree waits until the real hand has caught
up with it (`is_turn`).

A bet smaller than the tree's smallest is taken for that one, but the answer to it minds the price: so many
of the folds are kept (`folds_kept`) that a bluff wins no more than by the tree's own bet; the others call.

Where tree and table do not agree on street, player and whether there is something to call (`same_decision`),
the tree has nothing to say.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from overbet.kernels.holdem.layout import (
    ACTIVE,
    ACTOR,
    CALL,
    FOLD,
    MIN_BET,
    POT,
    RAISE_MAX,
    RAISE_MIN,
    STREET,
    TO_CALL,
    TO_MATCH,
)
from overbet.kernels.jit import lean, lean_inlined

TRANSLATION_STREAM = 3  # of (seed, hand): its number `place` maps the hand's action at that place
LOST = -1  # no action of the tree stands for the real one
_SAME_PRICE = 0.97  # from this share of the tree's price on, the difference is one of whole chips


@lean_inlined
def legal_raise(state: Any, amount: float) -> Any:
    """Return the legal raise nearest to `amount`: whole, within the bounds, all in where little is left.

    The caller makes sure that raising is allowed.
    """
    most = state[RAISE_MAX]
    chips = most if amount >= most else max(np.int64(amount + 0.5), state[RAISE_MIN])
    return most if most - chips < state[MIN_BET] else chips


@lean_inlined
def share_of_pot(state: Any, amount: int) -> Any:
    """Return a raise to `amount` as a share of the pot after calling."""
    return max(amount - state[TO_MATCH], 0) / np.float64(state[POT] + state[TO_CALL])


@lean_inlined
def chance_of_smaller(share: float, small: float, large: float) -> float:
    """Return how often a bet between two sizes is taken for the smaller; all are shares of the pot."""
    return (large - share) * (1.0 + small) / ((large - small) * (1.0 + share))


@lean_inlined
def real_action(state: Any, inner: Any, action: int) -> int:
    """Return the legal action that stands for the tree's `action`; inner: [SIZE] int64, the tree's table.

    A fold with nothing to call is a check, a raise where none is allowed a call; all in is all in; any other
    raise has the same share of the pot, whole, within the bounds, all in where less than a bet would be left.
    """
    if action == FOLD:
        return FOLD if state[TO_CALL] > 0 else CALL
    if action == CALL or state[RAISE_MAX] == 0:
        return CALL
    if action >= inner[RAISE_MAX]:
        return int(state[RAISE_MAX])
    share = share_of_pot(inner, action)
    return int(legal_raise(state, state[TO_MATCH] + share * (state[POT] + state[TO_CALL])))


@lean_inlined
def folds_kept(inner: Any, state: Any) -> float:
    """Return the share of its folds that an answer of the tree keeps where the real bet is smaller.

    Who bets b into a pot that becomes p breaks even with a bluff that is folded to b / p of the time. What is
    folded to the tree's bet is therefore folded to the real one in the proportion of the two prices. This is
    the pseudo-harmonic mapping between no bet and the smallest, but that no bet has no folds. Where two have
    to fold for the bluff to win, each of them keeps the square root of that; where three, the cube root.
    """
    real = state[TO_MATCH] / np.float64(state[POT])
    own = inner[TO_MATCH] / np.float64(inner[POT])
    if real >= _SAME_PRICE * own:
        return 1.0
    active, against = state[ACTIVE], -1
    while active:
        against += active & 1
        active >>= 1
    return float((real / own) ** (1.0 / max(against, 1)))


@lean_inlined
def is_turn(player: int, street: int, state: Any) -> bool:
    """Return whether the tree's next decision is the table's; where it is not, the tree waits."""
    return player >= 0 and player == state[ACTOR] and street == state[STREET]


@lean_inlined
def same_decision(player: int, street: int, inner: Any, state: Any) -> bool:
    """Return whether the tree stands where the table does: street, player, something to call or not."""
    return is_turn(player, street, state) and (inner[TO_CALL] > 0) == (state[TO_CALL] > 0)


@lean
def _mapped(actions: Any, first: int, last: int, inner: Any, share: float, u: float) -> int:
    """Return the place in first..last, raises ascending, that a raise of `share` pots is taken for."""
    above = first
    while above <= last and share_of_pot(inner, actions[above]) < share:
        above += 1
    if above == first or above > last:
        return min(above, last)
    small, large = share_of_pot(inner, actions[above - 1]), share_of_pot(inner, actions[above])
    return above - 1 if u < chance_of_smaller(share, small, large) else above


@lean
def taken_for(actions: Any, first: Any, last: Any, inner: Any, state: Any, action: int, u: float) -> Any:
    """Return the place of the action that stands for a real one, or LOST, and whether it had to be mapped.

    actions: [n] ints, of which first..last are the tree's here, raises last and ascending; inner: [SIZE]
    int64, the tree's table; state: the real one before the action; u: a random number in [0, 1).
    """
    raises, call, fold = last + 1, np.int64(LOST), np.int64(LOST)
    for place in range(first, last + 1):
        if actions[place] == FOLD:
            fold = np.int64(place)
        elif actions[place] == CALL:
            call = np.int64(place)
        else:
            raises = min(raises, place)
    if action == FOLD:
        return fold, False
    if action == CALL:
        if call == LOST and raises <= last:
            return raises, True
        return call, False
    if raises > last:
        return call, True
    if action == state[RAISE_MAX] and actions[last] >= inner[RAISE_MAX]:
        return last, False
    for place in range(raises, last + 1):
        if real_action(state, inner, actions[place]) == action:
            return place, False
    return _mapped(actions, raises, last, inner, share_of_pot(state, action), u), True
