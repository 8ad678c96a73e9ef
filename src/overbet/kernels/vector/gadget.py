"""The gadget at the root of a subgame: one decision, hand by hand, between leaving and entering.

Row 0 of each table is "leave" for the alternative payoff, row 1 "enter" the subgame (Burch, Johanson &
Bowling 2014). Its regrets and averages follow the same rule as all others.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from overbet.kernels.jit import kernel
from overbet.kernels.regret import RuleStep, accumulated, averaged

Doubles = npt.NDArray[np.float64]


class GadgetTables(NamedTuple):
    """regret, play, average: [2, H] float64; play is what regret matching reads. weight: [H] float64, of the
    hands at the root. alternative: [H] float64, values of leaving, in the engine's units.
    """

    regret: Doubles
    play: Doubles
    average: Doubles
    weight: Doubles
    alternative: Doubles


@kernel
def entering(choice: GadgetTables, share: Doubles) -> None:
    """Fill how often each hand enters: [H] float64."""
    for h in range(len(share)):
        leave, enter = max(choice.play[0, h], 0.0), max(choice.play[1, h], 0.0)
        total = leave + enter
        share[h] = enter / total if total > 0.0 else 0.5


@kernel
def learn(choice: GadgetTables, share: Doubles, value: Doubles, step: RuleStep) -> None:
    """Update regrets and average from what entering was worth. share, value: [H] float64."""
    for h in range(len(share)):
        here = share[h] * value[h] + (1.0 - share[h]) * choice.alternative[h]
        for action in range(2):
            chance = share[h] if action else 1.0 - share[h]
            instant = (value[h] if action else choice.alternative[h]) - here
            total = accumulated(choice.regret[action, h], instant, step)
            choice.regret[action, h] = total
            choice.play[action, h] = total * step.carry + step.prediction * instant
            choice.average[action, h] = averaged(choice.average[action, h], choice.weight[h] * chance, step)
