"""Finishing a two-player zero-sum game of yes-or-no decisions exactly, by support enumeration.

    V(p, c) = sum_i p_i * (gain_i + sum_j matrix_ij * c_j),    0 <= p_i, c_j <= 1

Player one chooses p to maximise, player two c to minimise. A generic equilibrium is pure but for equally
many decisions of each player, and a decision that mixes is indifferent: two small linear systems give the
frequencies. Regret iterations tell which few decisions can mix; every choice among them is tried until one
is found that no best response beats. A decision that a candidate gets wrong joins the undecided ones: near
ties (KTo and QTo do the same work) can hide it from the iterations.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, product

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

_UNDECIDED = 1e-3  # a decision taken between this and 1 less this often may mix
_MOST_UNDECIDED = 8  # decisions of both players together: at most some thousand candidates
_ROUNDS = 4


def finish_exactly(
    gain: Floats, matrix: Floats, p: Floats, c: Floats, tolerance: float
) -> tuple[Floats, Floats] | None:
    """Return an equilibrium near the strategies `p`: [n] and `c`: [m], or None where none was found.

    `gain`: [n] float64, `matrix`: [n, m] float64. The mean gain of the best responses to what is returned
    is at most `tolerance`.
    """
    rows = _undecided(p)
    columns = _undecided(c)
    for _ in range(_ROUNDS):
        if len(rows) + len(columns) > _MOST_UNDECIDED:
            return None
        wrong_rows: set[int] = set()
        wrong_columns: set[int] = set()
        for one, two in _candidates(gain, matrix, (np.round(p), np.round(c)), rows, columns):
            push, call = gain + matrix @ two, -(one @ matrix)  # what 1 is worth over 0 to each player
            lost = np.maximum(push, 0.0) - one * push, np.maximum(call, 0.0) - two * call
            if (lost[0].sum() + lost[1].sum()) / 2.0 <= tolerance:
                return one, two
            outside = [set(np.flatnonzero(lost[0] > tolerance).tolist()) - set(rows)]
            outside.append(set(np.flatnonzero(lost[1] > tolerance).tolist()) - set(columns))
            if len(outside[0]) + len(outside[1]) == 1:  # right but for one decision
                wrong_rows |= outside[0]
                wrong_columns |= outside[1]
        if not wrong_rows and not wrong_columns:
            return None
        rows, columns = sorted({*rows, *wrong_rows}), sorted({*columns, *wrong_columns})
    return None


def _undecided(strategy: Floats) -> list[int]:
    return [int(i) for i in np.flatnonzero(np.abs(strategy - np.round(strategy)) > _UNDECIDED)]


def _candidates(
    gain: Floats, matrix: Floats, pure: tuple[Floats, Floats], rows: list[int], columns: list[int]
) -> Iterator[tuple[Floats, Floats]]:
    """Yield the strategies in which equally many of `rows` and `columns` mix and all else is pure."""
    for size in range(min(len(rows), len(columns)), -1, -1):
        for row, column in product(combinations(rows, size), combinations(columns, size)):
            mixing = list(row), list(column)
            rest = [i for i in rows if i not in row], [j for j in columns if j not in column]
            square = matrix[np.ix_(*mixing)]
            for choice in product((0.0, 1.0), repeat=len(rest[0]) + len(rest[1])):
                one, two = pure[0].copy(), pure[1].copy()
                one[rest[0]], two[rest[1]] = choice[: len(rest[0])], choice[len(rest[0]) :]
                if size:
                    one[mixing[0]] = two[mixing[1]] = 0.0
                    try:
                        one[mixing[0]] = np.linalg.solve(square.T, -(one @ matrix[:, mixing[1]]))
                        two[mixing[1]] = np.linalg.solve(square, -(gain[mixing[0]] + matrix[mixing[0]] @ two))
                    except np.linalg.LinAlgError:
                        continue
                if one.min() >= 0.0 and one.max() <= 1.0 and two.min() >= 0.0 and two.max() <= 1.0:
                    yield one, two
