"""Regret iterations of push or fold: one decision a class for each of two players, values by a matrix.

With p the push and c the call frequencies, pushing gains gain + matrix @ c over folding and calling gains
-(p @ matrix); both are counterfactual values, weighted by the probability of the deal. The rule itself is
`kernels.regret`, scalar by scalar. Updates alternate: the big blind answers the new pushes.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from overbet.kernels.jit import fast_inlined, fast_kernel
from overbet.kernels.regret import RuleStep, accumulated, averaged, played, step_at

Floats = npt.NDArray[np.float64]


class PushFoldPayoffs(NamedTuple):
    """The matrix game.

    gain: [169] float64; matrix: [169, 169] float64, a row a small-blind class; transposed: its transpose.
    """

    gain: Floats
    matrix: Floats
    transposed: Floats


class PushFoldTables(NamedTuple):
    """The state of the iterations; action 0 folds, action 1 pushes or calls.

    regret, average: [player, 169, action] float64; frequency: [player, 169] float64, of action 1 next.
    """

    regret: Floats
    average: Floats
    frequency: Floats


@fast_inlined
def _update(player: int, hand: int, advantage: float, step: RuleStep, tables: PushFoldTables) -> None:
    """Update one decision; `advantage` is what action 1 is worth over action 0."""
    often = tables.frequency[player, hand]
    # both averages are of the strategy played in this iteration, before the update
    tables.average[player, hand, 0] = averaged(tables.average[player, hand, 0], 1.0 - often, step)
    tables.average[player, hand, 1] = averaged(tables.average[player, hand, 1], often, step)
    fold, act = -often * advantage, (1.0 - often) * advantage
    tables.regret[player, hand, 0] = accumulated(tables.regret[player, hand, 0], fold, step)
    tables.regret[player, hand, 1] = accumulated(tables.regret[player, hand, 1], act, step)
    folds = played(tables.regret[player, hand, 0], fold, step)
    acts = played(tables.regret[player, hand, 1], act, step)
    total = folds + acts
    tables.frequency[player, hand] = acts / total if total > 0.0 else 0.5


@fast_kernel
def iterate_pushfold(payoffs: PushFoldPayoffs, steps: Floats, tables: PushFoldTables) -> None:
    """Run one iteration for each row of `steps`: [iteration, 8] float64."""
    hands = len(payoffs.gain)
    advantage = np.empty(hands)
    for row in range(len(steps)):
        step = step_at(steps, row)
        for player in range(2):
            for hand in range(hands):
                if player == 0:
                    worth = payoffs.gain[hand]
                    for other in range(hands):
                        worth += payoffs.matrix[hand, other] * tables.frequency[1, other]
                else:
                    worth = 0.0
                    for other in range(hands):
                        worth -= payoffs.transposed[hand, other] * tables.frequency[0, other]
                advantage[hand] = worth
            for hand in range(hands):
                _update(player, hand, advantage[hand], step, tables)
