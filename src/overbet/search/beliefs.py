"""What everybody at the table can believe about both hands: Bayes over the actions taken.

A range is [1326] float64, the largest weight 1. An action multiplies each hand's weight by how often that
hand takes it in the strategy that is followed. A bet the strategy does not have lies between two that it has:
its chance is mixed from theirs as the pseudo-harmonic mapping would choose between them (Ganzfried &
Sandholm 2013). Ranges are never empty: an action that no hand would take tells nothing, and the range stays
as it was.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from overbet.cards.combos import COMBOS, live_combos
from overbet.games.holdem_state import HoldemState
from overbet.kernels.betting.mapping import chance_of_smaller, share_of_pot
from overbet.kernels.holdem.layout import CALL, FOLD
from overbet.solvers.vector.sampling import BoardBuckets

Floats = npt.NDArray[np.float64]
_NOTHING = 1e-9  # a range whose largest weight falls below this has been emptied by an action


class HandShares(NamedTuple):
    """How every hand is played: actions ascending; shares: [1326, action] float64, NaN for dead hands."""

    actions: tuple[int, ...]
    shares: Floats


class Baseline(NamedTuple):
    """The strategy that is played where nothing is searched.

    shares: how every hand plays a decision. name: what that depends on beside the state; what follows from it
    is remembered by that name. values: what every hand of both players can expect at the beginning of a
    street, [2, 1326] float64 in chips from there on, given the ranges, [2, 1326]; None where it cannot say.
    buckets: hands that share rows on later streets, where a search draws boards.
    """

    shares: Callable[[HoldemState], HandShares]
    name: Hashable = None
    values: Callable[[HoldemState, Floats], Floats | None] | None = None
    buckets: BoardBuckets | None = None


def all_hands() -> Floats:
    """Return the ranges before anything happened: [2, 1326] float64."""
    return np.ones((2, COMBOS))


def likelihood(found: HandShares, state: HoldemState, action: int) -> Floats:
    """Return how often each hand takes an action: [1326] float64, 0 where it cannot be held."""
    shares = np.nan_to_num(found.shares)
    if action in found.actions:
        return np.asarray(shares[:, found.actions.index(action)])
    raises = [place for place, known in enumerate(found.actions) if known > CALL]
    if action == FOLD or not raises:
        # a raise where the strategy has none is taken for the strongest thing it does
        return np.asarray(shares[:, -1] if action != FOLD else np.zeros(len(shares)))
    if action == CALL:  # limping where the strategy only raises
        return np.asarray(shares[:, raises[0]])
    vector = state.vector
    sizes = [float(share_of_pot(vector, found.actions[place])) for place in raises]
    asked = float(share_of_pot(vector, action))
    above = next((k for k, size in enumerate(sizes) if size >= asked), len(sizes))
    if above in (0, len(sizes)):
        return np.asarray(shares[:, raises[min(above, len(sizes) - 1)]])
    small = chance_of_smaller(asked, sizes[above - 1], sizes[above])
    mixed: Floats = small * shares[:, raises[above - 1]] + (1.0 - small) * shares[:, raises[above]]
    return mixed


def after_action(weights: Floats, chances: Floats) -> Floats:
    """Return a range after an action that its hands take with `chances`, [1326] each; never empty."""
    found: Floats = weights * chances
    return scaled(found) if found.max() > _NOTHING * weights.max() else weights


def on_board(ranges: Floats, board: tuple[int, ...]) -> Floats:
    """Return ranges without the hands that a board kills; a range of dead hands only becomes all live ones.

    ranges: [2, 1326] float64.
    """
    live = live_combos(board)
    found: Floats = np.where(live, ranges, 0.0)
    for player in range(len(found)):
        if found[player].max() <= 0.0:
            found[player] = live
        found[player] = scaled(found[player])
    return found


def scaled(weights: Floats) -> Floats:
    """Return a range whose largest weight is 1."""
    found: Floats = weights / weights.max()
    return found
