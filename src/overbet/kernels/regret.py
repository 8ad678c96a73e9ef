"""The regret rules as every engine applies them: what happens to one number, given the scalars of a step.

A variant of CFR is eight scalars an iteration (`RuleStep`); `overbet.solvers.rules` makes them from a rule.
With R the cumulative regret of an action, r its instantaneous counterfactual regret, S the average's sum:

    R <- max(R * (positive if R > 0 else negative) + weight * r, floor)
    strategy plays in proportion to max(R * carry + prediction * r, 0)           (uniform when all are 0)
    S <- S * average_discount + average_weight * own reach * strategy

The functions are generic in the float type: an engine with float32 tables passes `single(step)` so that
all arithmetic stays in float32.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from overbet.kernels.jit import inlined


class RuleStep(NamedTuple):
    """The scalars of one iteration, all of one float type. Row t of `Rule.steps` in this order."""

    positive: float  # factor on R where R > 0, before r is added
    negative: float  # factor on R where R <= 0, before r is added
    weight: float  # factor on r
    floor: float  # R never goes below this: 0 for the "plus" rules, -inf for the others
    carry: float  # factor on R when the next strategy is read off; matters only with a prediction
    prediction: float  # factor on r when the next strategy is read off: r predicts the next one
    average_discount: float  # factor on S before this iteration's share is added
    average_weight: float  # factor on this iteration's share


STEP_FIELDS = len(RuleStep._fields)


def single(step: RuleStep) -> RuleStep:
    """Return the step with float32 scalars, for engines whose tables are float32."""
    return RuleStep(*np.array(step, dtype=np.float32))


@inlined
def step_at(steps: npt.NDArray[np.float64], row: int) -> RuleStep:
    """Return row `row` of `steps: [iteration, 8] float64` as a `RuleStep`."""
    return RuleStep(
        steps[row, 0],
        steps[row, 1],
        steps[row, 2],
        steps[row, 3],
        steps[row, 4],
        steps[row, 5],
        steps[row, 6],
        steps[row, 7],
    )


@inlined
def accumulated(total: float, instant: float, step: RuleStep) -> float:
    """Return the cumulative regret after this iteration: discounted, added to, floored."""
    factor = step.positive if total > 0 else step.negative
    return max(total * factor + step.weight * instant, step.floor)


@inlined
def played(total: float, instant: float, step: RuleStep) -> float:
    """Return the weight (not negative) an action gets in the next strategy; `total` is already updated."""
    weight = total * step.carry + step.prediction * instant
    return max(weight, type(weight)(0))


@inlined
def averaged(total: float, share: float, step: RuleStep) -> float:
    """Return the average's sum after this iteration; `share` is own reach times the strategy played."""
    return total * step.average_discount + step.average_weight * share
