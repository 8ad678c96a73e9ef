"""What is done with one row of a table in Monte Carlo CFR: match, pick, explore, note, prune, average.

Every table of ours lies flat, but not every one alike: the regrets of a small game's row stand side by side
and its averages in another part, those of a training table take turns. So a row is given as the place of its
first number and the `stride` from one action to the next. A strategy stands in share[at : at + count].
Offsets instead of slices: a slice costs more than the row.

Sums are made in the type of what is written to, action by action: a table of float32 is matched in float32.

A walk that skips an action gives it the value NaN; `expected` and `note_regrets` leave such actions out.
A log is anything with `slot` (places in the table) and `amount`; functions that note return its new length.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from overbet.kernels.jit import lean_inlined


@lean_inlined
def alike(count: Any, out: Any, at: Any) -> None:
    """Write the uniform strategy."""
    number = out.dtype.type
    share = number(1) / number(count)
    for a in range(count):
        out[at + a] = share


@lean_inlined
def matched(numbers: Any, first: Any, stride: int, count: Any, out: Any, at: Any) -> None:
    """Regret matching: write the strategy of the row of regrets that begins at `first`."""
    number = out.dtype.type
    total = number(0)
    for a in range(count):
        weight = max(number(numbers[first + stride * a]), number(0))
        out[at + a] = weight
        total += weight
    if total > number(0):
        scale = number(1) / total
        for a in range(count):
            out[at + a] *= scale
    else:
        alike(count, out, at)


@lean_inlined
def picked(share: Any, at: Any, count: Any, u: float) -> int:
    """Return the action that u, uniform in [0, 1), falls on."""
    a, reached = 0, share[at]
    while a < count - 1 and u >= reached:
        a += 1
        reached += share[at + a]
    return a


@lean_inlined
def explored(share: Any, at: Any, count: Any, u: float, epsilon: float) -> Any:
    """Return an action drawn from epsilon * uniform + (1 - epsilon) * share."""
    if u < epsilon:
        return min(int(u / epsilon * count), count - 1)
    return picked(share, at, count, (u - epsilon) / (1.0 - epsilon))


@lean_inlined
def explored_chance(share: Any, count: Any, epsilon: float) -> Any:
    """Return how often `explored` draws an action that is played with this share."""
    return epsilon / count + (1.0 - epsilon) * share


@lean_inlined
def expected(share: Any, at: Any, value: Any, below: Any, count: Any) -> Any:
    """Return the value of playing `share` where the actions are worth value[below : below + count]."""
    total = value.dtype.type(0)
    for a in range(count):
        if value[below + a] == value[below + a]:  # not skipped
            total += share[at + a] * value[below + a]
    return total


@lean_inlined
def mean_of(share: Any, at: Any, numbers: Any, first: Any, count: Any) -> float:
    """Return the mean of numbers[first : first + count] as `share` weighs them."""
    total = 0.0
    for a in range(count):
        total += share[at + a] * numbers[first + a]
    return total


@lean_inlined
def note_shares(
    log: Any, first: Any, stride: int, share: Any, at: Any, count: Any, weight: Any, inverse: Any, logged: Any
) -> Any:
    """Note a strategy for the row of averages that begins at `first`; inverse: 1/q of what was sampled."""
    for a in range(count):
        log.slot[logged + a] = first + stride * a
        log.amount[logged + a] = weight * share[at + a] * inverse
    return logged + count


@lean_inlined
def note_regrets(
    log: Any,
    first: Any,
    stride: int,
    value: Any,
    below: Any,
    count: Any,
    mean: Any,
    weight: Any,
    logged: Any,
) -> Any:
    """Note value - mean for the row of regrets that begins at `first`."""
    for a in range(count):
        if value[below + a] == value[below + a]:  # not skipped
            log.slot[logged] = first + stride * a
            log.amount[logged] = weight * (value[below + a] - mean)
            logged += 1
    return logged


@lean_inlined
def note_line(
    log: Any,
    first: Any,
    stride: int,
    count: Any,
    taken: Any,
    correction: Any,
    value: Any,
    weight: Any,
    guesses: Any,
    guess: Any,
    logged: Any,
) -> Any:
    """Note what a sampled line tells about its row: the action taken is worth its baseline + `correction`,
    every other its baseline, all of them together `value`.

    guesses, guess: the table and where the row's baselines begin in it; below 0: none.
    """
    for a in range(count):
        gained = correction if a == taken else 0.0
        if guess >= 0:
            gained += guesses[guess + a]
        log.slot[logged + a] = first + stride * a
        log.amount[logged + a] = weight * (gained - value)
    return logged + count


@lean_inlined
def moved_towards(numbers: Any, place: Any, newest: Any, pace: Any) -> None:
    """Move a baseline towards the newest value."""
    numbers[place] += pace * (newest - numbers[place])


@lean_inlined
def prunable(numbers: Any, first: Any, stride: int, a: Any, threshold: Any) -> Any:
    """Return whether an action's regret is under the threshold."""
    return numbers[first + stride * a] < threshold


@lean_inlined
def best_of(numbers: Any, first: Any, stride: int, count: Any) -> Any:
    """Return the first of the actions with the largest regret."""
    best = 0
    for a in range(1, count):
        if numbers[first + stride * a] > numbers[first + stride * best]:
            best = a
    return best


@lean_inlined
def total_of(numbers: Any, first: Any, stride: int, count: Any) -> float:
    """Return the sum of a row of averages; 0 where training never was."""
    total = 0.0
    for a in range(count):
        total += numbers[first + stride * a]
    return total


@lean_inlined
def average_value(numbers: Any, first: Any, stride: int, count: Any, value: Any, below: Any) -> float:
    """Return the value of the average strategy; first below 0, or a row never reached: of all alike."""
    total, found = 0.0, 0.0
    if first >= 0:
        for a in range(count):
            share = np.float64(numbers[first + stride * a])
            total += share
            found += share * value[below + a]
    if total <= 0.0:
        for a in range(count):
            found += value[below + a]
        total = np.float64(count)
    return found / total
