"""Reach: what the opponent gave away on its way to a subgame may be promised to it there.

An opponent that came here by an action that is worth less than another one has made a gift (Brown & Sandholm
2017). A subgame may give so much back before that action becomes as good as the other one, so the gift can
be added to what a gadget promises. Where several subgames lie below a gift, each may give back only its
share, by the searcher's and the cards' chance to get there; then the shares never exceed the gift.

Values are counterfactual, [H] float64 over the opponent's hands: in chips, times the weight of the
searcher's range that a hand meets at that place.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from overbet.errors import ConfigError

Doubles = npt.NDArray[np.float64]
_MET = 1e-9  # shares of the largest: less than this is rounding


class PastDecision(NamedTuple):
    """A decision of the opponent on the way to a subgame.

    best: [H] float, the value of its best action there, or a lower bound of it; taken: [H] float, the value
    of the action that was taken, or an upper bound; met: [H] float, the weight of the searcher's range that
    each hand meets there, cards to come left out.
    """

    best: npt.ArrayLike
    taken: npt.ArrayLike
    met: npt.ArrayLike


def gifts(decision: PastDecision) -> Doubles:
    """Return what each hand gave away by the action taken: [H] float64, 0 where that may be the best one."""
    lost = np.asarray(decision.best, np.float64) - np.asarray(decision.taken, np.float64)
    return np.maximum(lost, 0.0)


def reach_alternatives(
    values: npt.ArrayLike, met: npt.ArrayLike, past: Iterable[PastDecision] = ()
) -> Doubles:
    """Return alternatives for a gadget, the gifts on the way included: [H] float64.

    values: [H] float, the opponent's values at the subgame's root: what it can get against the strategy that
    is to be improved (then nothing is risked) or what it is expected to get against the new one (estimates:
    safe up to twice their error). met: [H] float, the weight of the searcher's range that each hand meets at
    the root. past: the opponent's decisions on the way, estimated likewise.

    A gift is the same for each unit of range met, wherever it is given back: of all subgames below it this
    one gets the share met here / met there, times the chance of its cards where values are summed over them.
    """
    found, here = np.array(values, np.float64), np.asarray(met, np.float64)
    if found.shape != here.shape:
        raise ConfigError(f"{found.shape} values do not go with {here.shape} weights met; give one a hand")
    for decision in past:
        there = np.asarray(decision.met, np.float64)
        reached = there > _MET * there.max(initial=0.0)
        found += gifts(decision) * np.divide(here, there, out=np.zeros_like(here), where=reached)
    return found
