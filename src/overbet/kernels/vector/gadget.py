"""The gadgets at the root of a subgame: one decision of one player before it begins.

Resolve (Burch, Johanson & Bowling 2014): hand by hand, between leaving and entering. Row 0 of each table is
"leave" for the alternative payoff, row 1 "enter" the subgame. Maxmargin (Moravcik et al. 2016): which one of
its hands to enter with. Regrets and averages follow the same rule as all others.
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


class HandChoiceTables(NamedTuple):
    """regret, play, average: [H] float64. can: [H] float64, 1 for hands that can be chosen, else 0.

    met: [H] float64, the other player's root weight that each hand meets, not 0 where it can be chosen;
    alternative: [H] float64, what each hand was promised, for each unit of `met`, in the engine's units.
    """

    regret: Doubles
    play: Doubles
    average: Doubles
    can: Doubles
    met: Doubles
    alternative: Doubles


@kernel
def choosing(hands: HandChoiceTables, share: Doubles) -> None:
    """Fill how often each hand is chosen: [H] float64, which sum to 1."""
    total, count = 0.0, 0.0
    for h in range(len(share)):
        share[h] = max(hands.play[h], 0.0) * hands.can[h]
        total += share[h]
        count += hands.can[h]
    for h in range(len(share)):
        share[h] = share[h] / total if total > 0.0 else hands.can[h] / count


@kernel
def learn_hands(hands: HandChoiceTables, share: Doubles, value: Doubles, step: RuleStep) -> None:
    """Update regrets and average from what entering was worth beyond the promise. share, value: [H]."""
    here = 0.0
    for h in range(len(share)):
        if hands.can[h] > 0.0:
            here += share[h] * (value[h] / hands.met[h] - hands.alternative[h])
    for h in range(len(share)):
        if hands.can[h] > 0.0:
            instant = value[h] / hands.met[h] - hands.alternative[h] - here
            total = accumulated(hands.regret[h], instant, step)
            hands.regret[h] = total
            hands.play[h] = total * step.carry + step.prediction * instant
            hands.average[h] = averaged(hands.average[h], share[h], step)
