"""Which boards of later streets an iteration plays, where it does not play all (public chance sampling).

A real board is a number among the mirrors of all boards of its street (`tree.boards`): each board that is
kept stands for some. Real boards are drawn without replacement, all equally likely; what a kept board is
worth is spread over all its mirrors, so a drawn one counts

    factor = how often it was drawn * real boards / (boards drawn * mirrors it stands for)

and the sum over drawn boards has the sum over all boards as its mean. Every number is a function of the seed
and the iteration.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from overbet.kernels.jit import kernel
from overbet.kernels.rng import below, stream_key

Index = Any  # an int: constants, numbers out of arrays and int64 alike
Ints = npt.NDArray[np.int32]


class Draws(NamedTuple):
    """The boards of some iterations, I of them; T turn boards, R river boards on each.

    turn: [I, T] int32; river: [I, T, R] int32. turn_factor: [I, T], river_factor: [I, T, R] float64, 0 where
    a board was drawn before and counts there. A spot that begins on the turn has one turn board of factor 1.
    """

    turn: Ints
    turn_factor: npt.NDArray[np.float64]
    river: Ints
    river_factor: npt.NDArray[np.float64]


@kernel
def _draw(key: Any, mirror_start: Ints, begin: Index, end: Index, pool: Ints, out: Ints, factor: Any) -> None:
    """Draw len(out) real boards of those that the kept boards begin .. end - 1 stand for."""
    first = mirror_start[begin]
    count = int(mirror_start[end] - first)
    used = 0
    for board in range(begin, end):
        for _ in range(mirror_start[board], mirror_start[board + 1]):
            pool[used] = board
            used += 1
    for k in range(len(out)):
        chosen = k + below(key, k, count - k)
        pool[k], pool[chosen] = pool[chosen], pool[k]
        board = pool[k]
        share = count / (len(out) * (mirror_start[board + 1] - mirror_start[board]))
        out[k], factor[k] = board, share
        for earlier in range(k):
            if out[earlier] == board and factor[earlier] > 0:
                factor[earlier] += share
                factor[k] = 0.0
                break


@kernel
def draw_boards(
    seed: Index,
    iteration: Index,
    turn_mirror_start: Ints,
    child_start: Ints,
    river_mirror_start: Ints,
    draws: Draws,
) -> None:
    """Fill the draws of the iterations from `iteration` on. turn_mirror_start: of one element in a spot that
    begins on the turn."""
    pool = np.zeros(52, np.int32)
    for t in range(len(draws.turn)):
        if len(turn_mirror_start) > 1:
            key = stream_key(seed, iteration + t, 0)
            last = len(turn_mirror_start) - 1
            _draw(key, turn_mirror_start, 0, last, pool, draws.turn[t], draws.turn_factor[t])
        else:
            draws.turn[t, 0], draws.turn_factor[t, 0] = 0, 1.0
        for k in range(draws.turn.shape[1]):
            turn = draws.turn[t, k]
            key = stream_key(seed, iteration + t, 1 + k)
            begin, end = child_start[turn], child_start[turn + 1]
            _draw(key, river_mirror_start, begin, end, pool, draws.river[t, k], draws.river_factor[t, k])
