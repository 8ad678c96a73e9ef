"""The arithmetic of leaks: how unlikely a count is under a strategy, and correction for looking at many.

A strategy takes an action with probability p_i at decision i, so the count of it has a Poisson binomial
distribution, whose tails are summed exactly for few decisions and found by the saddlepoint for many (Daniels,
"Tail probability approximations", 1987, second continuity correction; the relative error stays small).

The interval of a frequency is of one number: how much the player multiplies the strategy's odds of the
action, the same at all decisions. That is the family in which locks move a strategy too (`locking.shifted`).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import NormalDist
from typing import Literal

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Correction = Literal["by", "holm", "bh"]
_EXACT = 300  # decisions up to which the distribution is summed
_NORMAL = NormalDist()
_STEPS = 60
_FARTHEST = 20.0  # of log odds
_MIDDLE = 1e-3  # of the saddlepoint, below which the normal distribution is as good


def tail(shares: Floats, count: int) -> float:
    """Return P(S >= count), S the number of successes of independent trials of probability shares: [n]."""
    count -= int((shares >= 1.0).sum())
    open_ = shares[(shares > 0.0) & (shares < 1.0)]
    if count <= 0:
        return 1.0
    if count > len(open_):
        return 0.0
    if count == len(open_):
        return float(np.exp(np.log(open_).sum()))
    return _summed(open_, count) if len(open_) <= _EXACT else _saddlepoint(open_, count)


def two_sided(shares: Floats, count: int, tolerance: float = 0.0) -> tuple[float, float]:
    """Return how unlikely so large a count is, and how unlikely so small a one is.

    Where the player's own probabilities may lie within `tolerance` of the strategy's, the most favourable of
    them is taken: a strategy that is rounded, or not quite solved, makes no leak of what is within it.
    """
    high = tail(np.minimum(shares + tolerance, 1.0), count)
    low = tail(1.0 - np.maximum(shares - tolerance, 0.0), len(shares) - count)
    return high, low


def interval(shares: Floats, count: int, level: float, tolerance: float = 0.0) -> tuple[float, float]:
    """Return the interval of the player's frequency at these decisions, by the normal score of the odds."""
    clear = max(tolerance, 1e-6)
    values, times = np.unique(np.clip(shares, clear, 1.0 - clear), return_counts=True)
    logits, z = np.log(values / (1.0 - values)), _NORMAL.inv_cdf(0.5 + level / 2.0)

    def frequency(goal: float, half: float) -> float:
        """Return the mean share at the odds where the count lies `goal` deviations above what is expected."""
        low, high = -_FARTHEST, _FARTHEST
        for _ in range(_STEPS):
            middle = 0.5 * (low + high)
            moved = 1.0 / (1.0 + np.exp(-(logits + middle)))
            score = (count + half - times @ moved) / math.sqrt(times @ (moved * (1.0 - moved)))
            low, high = (middle, high) if score > goal else (low, middle)
        return float(times @ (1.0 / (1.0 + np.exp(-(logits + low)))) / len(shares))

    lower = 0.0 if count == 0 else frequency(z, -0.5)
    upper = 1.0 if count == len(shares) else frequency(-z, 0.5)
    return lower, upper


def adjusted(p_values: Sequence[float], correction: Correction = "by") -> Floats:
    """Return p-values corrected for their number: [n]. by, bh: share of false finds; holm: chance of any.

    by: Benjamini & Yekutieli (2001), whatever the tests have to do with each other; bh: Benjamini & Hochberg
    (1995), for independent tests; holm: Holm (1979), whatever they have to do with each other.
    """
    values = np.asarray(p_values, np.float64)
    count = len(values)
    order = np.argsort(values, kind="stable")
    ranks = np.arange(1, count + 1)
    if correction == "holm":
        steps = np.maximum.accumulate((count - ranks + 1) * values[order])
    else:
        more = float((1.0 / ranks).sum()) if correction == "by" else 1.0
        steps = np.minimum.accumulate((more * count / ranks * values[order])[::-1])[::-1]
    found: Floats = np.empty(count)
    found[order] = np.minimum(steps, 1.0)
    return found


def _summed(shares: Floats, count: int) -> float:
    """Return P(S >= count) by adding one trial after another."""
    chances: Floats = np.zeros(len(shares) + 1)
    chances[0] = 1.0
    for done, share in enumerate(shares.tolist()):
        chances[1 : done + 2] = chances[1 : done + 2] * (1.0 - share) + chances[: done + 1] * share
        chances[0] *= 1.0 - share
    return float(chances[count:].sum())


def _saddlepoint(shares: Floats, count: int) -> float:
    """Return P(S >= count) by Lugannani and Rice's formula for whole numbers, 0 < count < n."""
    values, times = np.unique(shares, return_counts=True)
    goal, point = count - 0.5, 0.0
    low, high = -_FARTHEST * 2, _FARTHEST * 2
    variance = 0.0
    for _ in range(_STEPS):
        moved = 1.0 / (1.0 + (1.0 - values) / values * math.exp(-point))
        mean, variance = float(times @ moved), float(times @ (moved * (1.0 - moved)))
        low, high = (point, high) if mean < goal else (low, point)
        step = point + (goal - mean) / max(variance, 1e-12)
        if abs(step - point) < 1e-12:
            break
        point = step if low < step < high else 0.5 * (low + high)
    if abs(point) < _MIDDLE:
        mean, variance = float(times @ values), float(times @ (values * (1.0 - values)))
        return 1.0 - _NORMAL.cdf((goal - mean) / math.sqrt(variance))
    # log(1 - p + p e^s), without overflow
    heights = np.logaddexp(np.log1p(-values), np.log(values) + point)
    w = math.copysign(math.sqrt(max(2.0 * (point * goal - float(times @ heights)), 0.0)), point)
    u = 2.0 * math.sinh(point / 2.0) * math.sqrt(variance)
    upper = 0.5 * math.erfc(w / math.sqrt(2.0))
    return float(min(max(upper + _NORMAL.pdf(w) * (1.0 / u - 1.0 / w), 0.0), 1.0))
