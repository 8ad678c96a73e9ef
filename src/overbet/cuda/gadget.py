"""The gadget at the root on a GPU: one thread a hand, after each update of its player.

The rule is that of `kernels.vector.gadget`: the same tables in float64, row 0 leaving and row 1 entering.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import float32, float64

from overbet.cuda.arrays import Array, Clock, PlayerArrays
from overbet.cuda.device import cuda, gpu_kernel
from overbet.cuda.leaves import U
from overbet.cuda.lines import step_now
from overbet.kernels.regret import accumulated, averaged


class GpuGadgetTables(NamedTuple):
    """regret, play, average: [2 * H] float64; share: [H] float64, how often each hand enters now. weight,
    alternative: [H] float64, as on the CPU. source: [H] int32, where the hand's value of entering is among
    the root's values.
    """

    regret: Array
    play: Array
    average: Array
    share: Array
    weight: Array
    alternative: Array
    source: Array


@gpu_kernel
def choose(choice: GpuGadgetTables, seat: PlayerArrays, up: Array, clock: Clock, learns: int) -> None:
    """Learn from the root's values in `up` if told to; put the reach with which hands enter at the root."""
    h = U(cuda.blockIdx.x) * U(cuda.blockDim.x) + U(cuda.threadIdx.x)
    hands = U(seat.hands)
    if h >= hands:
        return
    if learns:
        step = step_now(clock, U(np.uint32(clock.now[0])))
        share, value = choice.share[h], float64(up[U(choice.source[h])])
        here = share * value + (1.0 - share) * choice.alternative[h]
        for action in range(2):
            at = U(action) * hands + h
            chance = share if action else 1.0 - share
            instant = (value if action else choice.alternative[h]) - here
            total = accumulated(choice.regret[at], instant, step)
            choice.regret[at] = total
            choice.play[at] = total * step.carry + step.prediction * instant
            choice.average[at] = averaged(choice.average[at], choice.weight[h] * chance, step)
    leave, enter = max(choice.play[h], 0.0), max(choice.play[hands + h], 0.0)
    share = enter / (leave + enter) if leave + enter > 0.0 else 0.5
    choice.share[h] = share
    seat.opened[U(seat.opened_base[seat.first]) + h] = float32(share * choice.weight[h])
