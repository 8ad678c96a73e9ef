"""Bets that are not in the tree, and abstract actions on a real table.

An opponent's bet x between the abstract sizes A < B (shares of the pot) is taken for A with probability

    f(x) = (B - x)(1 + A) / ((B - A)(1 + x))

and else for B: the randomised pseudo-harmonic mapping (Ganzfried & Sandholm 2013), which a bettor can exploit
least among the simple mappings. Below the smallest size, or above the largest, the nearest is taken; the
answer to a bet below the smallest folds less often (`fewer_folds`), because that is when a bluff breaks even.

The way back turns an abstract action into a legal one on the real table: whole chips, at least the minimum
raise, at most the stack, and all-in where what would be left is less than a minimum bet.

All of it is done by `kernels.betting.mapping`, which agents play by; here it is asked from Python.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from overbet.errors import ConfigError, IllegalActionError
from overbet.games.holdem_state import HoldemState
from overbet.kernels.betting.mapping import chance_of_smaller, legal_raise, taken_for
from overbet.kernels.holdem.layout import CALL, FOLD, POT, TO_CALL


def probability_of_smaller(bet: float, smaller: float, larger: float) -> float:
    """Return how often a bet is taken for the smaller of two sizes; all three are shares of the pot."""
    if not 0 <= smaller < larger:
        raise ConfigError(f"the sizes {smaller:g} and {larger:g} are not in ascending order")
    if bet <= smaller:
        return 1.0
    if bet >= larger:
        return 0.0
    return float(chance_of_smaller(float(bet), float(smaller), float(larger)))


def fewer_folds(shares: npt.NDArray[np.float64], kept: float) -> npt.NDArray[np.float64]:
    """Return shares where only `kept` of the folds are folds and the others are calls.

    shares: [..., action] float64, folding first and calling second; kept: as `Followed.kept`.
    """
    if kept >= 1.0:
        return shares
    found = shares.copy()
    found[..., 1] += (1.0 - kept) * shares[..., 0]
    found[..., 0] *= kept
    return found


def translate_raise(state: HoldemState, amount: int, amounts: Sequence[int], u: float) -> int:
    """Return the amount among `amounts` (ascending, raises to chips) that a raise to `amount` is taken for.

    `state` is the public state before the raise; shares are of the pot after calling; u is a random number in
    [0, 1).
    """
    if not amounts:
        raise ConfigError("there is no size to take the bet for")
    table = state.vector
    if table[POT] + table[TO_CALL] <= 0:
        raise ConfigError("there is no pot to measure a bet by")
    actions = np.array(amounts, np.int64)
    place, _ = taken_for(actions, 0, len(actions) - 1, table, table, amount, u)
    return amounts[int(place)]


def legal_action(state: HoldemState, action: int | float) -> int:
    """Return the legal action nearest to an abstract one: -1 fold, 0 check or call, n > 0 a raise to n chips.

    A fold where nothing is to be called becomes a check. A raise is rounded to whole chips, raised to the
    minimum, cut to the stack, and becomes all-in where less than a minimum bet would be left behind. Where no
    raise is legal it becomes a call. Anything else that is not legal is an error, never a fold.
    """
    player, legal = state.current_player(), state.legal_actions()
    if player < 0:
        raise IllegalActionError("nobody is to act: the hand is over or a card has to be dealt")
    if action == FOLD:
        return FOLD if legal.fold else CALL
    if action == CALL:
        return CALL
    if not action > 0 or action != action or action == float("inf"):
        raise IllegalActionError(f"{action} is not an action; -1 folds, 0 calls, n > 0 raises to n chips")
    if legal.raise_min is None or legal.raise_max is None:
        return CALL
    return int(legal_raise(state.vector, float(action)))
