"""What the end of a three-handed hand is worth in prizes, by the independent chip model.

`games.icm` says what the model is and is what this is compared with. With shares s of the chips,

    P(first) = s_me,    P(second) = sum over others o of s_o * s_me / (1 - s_o).

Who has no chips left has the last place; of two, the one with more chips before the hand has the better.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from overbet.kernels.jit import lean_inlined

PLAYERS = 3


@lean_inlined
def prize_share(own: Any, one: Any, two: Any, started: Any, prizes: Any) -> Any:
    """Return the share of the prizes that the stack `own` is worth against the stacks `one` and `two`.

    started: the three stacks before the hand, in this order; prizes: [3] float32, shares of the places.
    """
    if own <= 0.0:
        if one > 0.0 and two > 0.0:
            return prizes[2]
        rival = started[1] if one <= 0.0 else started[2]
        if started[0] == rival:
            return (prizes[1] + prizes[2]) / np.float32(2.0)
        return prizes[1] if started[0] > rival else prizes[2]
    total = own + one + two
    first = own / total
    second = np.float32(0.0)
    if one > 0.0:
        second += one / total * own / (own + two)
    if two > 0.0:
        second += two / total * own / (own + one)
    return first * prizes[0] + second * prizes[1] + (np.float32(1.0) - first - second) * prizes[2]
