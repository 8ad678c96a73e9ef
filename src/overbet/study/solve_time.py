"""How long a solve will take, before it begins: iterations that are usual times a rate that was measured.

The time of an iteration grows with actions x hands of the tree (`estimate`). How many nanoseconds each of
them takes is read off solves that this machine has done (`rate_of`), off a short trial (`trial_rate`), or,
where there is neither, is a figure of another machine. How many iterations an accuracy takes depends on the
spot: `usual_iterations` has what a set of spots took, and the range it spread over is told with it.
"""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

from overbet.solvers.vector.estimate import NANOSECONDS, TreeEstimate
from overbet.solvers.vector.settings import SolveSettings
from overbet.solvers.vector.solution import Solution

Basis = Literal["solves", "trial", "elsewhere"]
# iterations to 1 % of the pot and the power of the accuracy, over nine spots from rivers to flops: see
# docs/performance.md; between the quickest and the slowest lay these factors
_AT_ONE_PERCENT, _POWER = 63.0, 0.5
_QUICK, _SLOW = 0.6, 1.6
_FEWEST_ITERATIONS, _FEWEST_SECONDS = 10, 0.02  # between the first and the last look, for a rate
_LATEST = 5  # solves that a rate is the median of


class SolveRate(NamedTuple):
    """What an action x hand took in an iteration, in nanoseconds, all threads together."""

    nanoseconds: float
    street: str
    precision: str
    threads: int


class ExpectedTime(NamedTuple):
    """About how long a solve takes. low, high: between them most solves end; iterations: as many are usual.

    basis: what the rate was measured on; solves: how many there were. limited: the limit of iterations or of
    seconds ends it before the accuracy is usually reached.
    """

    seconds: float
    low: float
    high: float
    iterations: int
    seconds_per_iteration: float
    basis: Basis
    solves: int
    limited: bool


def rate_of(solution: Solution) -> dict[str, Any] | None:
    """Return the rate of a solve as plain values, None where it was too short to tell.

    From its first look to its last: what was compiled or loaded before does not count.
    """
    from overbet.solvers.vector.estimate import estimate

    looks = solution.history
    if len(looks) < 2:
        return None
    iterations, seconds = looks[-1].iteration - looks[0].iteration, looks[-1].seconds - looks[0].seconds
    if iterations < _FEWEST_ITERATIONS or seconds < _FEWEST_SECONDS:
        return None
    size = estimate(solution.spot, solution.settings)
    nanoseconds = 1e9 * seconds / iterations / size.action_hands
    return SolveRate(nanoseconds, size.streets[0].street, size.precision, size.threads)._asdict()


def usual_iterations(target: float) -> float:
    """Return how many iterations an accuracy in % of the pot usually takes."""
    return max(10.0, _AT_ONE_PERCENT / float(target**_POWER))


def expected_time(
    size: TreeEstimate,
    settings: SolveSettings,
    rates: Sequence[dict[str, Any]] = (),
    trial: dict[str, Any] | None = None,
) -> ExpectedTime:
    """Return about how long a solve takes; rates: of this machine's solves, the latest first."""
    nanoseconds, basis, solves = _rate(size, rates, trial)
    each = 1e-9 * nanoseconds * size.action_hands
    usual = usual_iterations(settings.target) if settings.target > 0 else float("inf")
    most = float(settings.iterations)
    if settings.seconds is not None:
        most = min(most, settings.seconds / each)
    low, middle, high = (min(most, factor * usual) for factor in (_QUICK, 1.0, _SLOW))
    return ExpectedTime(
        middle * each,
        low * each,
        high * each,
        max(1, round(middle)),
        each,
        basis,
        solves,
        usual > most,
    )


def _rate(
    size: TreeEstimate, rates: Sequence[dict[str, Any]], trial: dict[str, Any] | None
) -> tuple[float, Basis, int]:
    """Return nanoseconds an action x hand: of the solves most like this one, else of the trial."""
    kinds: list[tuple[str, ...]] = [("street", "precision", "threads"), ("street", "threads"), ("threads",)]
    own = {"street": size.streets[0].street, "precision": size.precision, "threads": size.threads}
    for kind in kinds:
        alike = [rate for rate in rates if all(rate.get(name) == own[name] for name in kind)][:_LATEST]
        if alike:
            return statistics.median(float(rate["nanoseconds"]) for rate in alike), "solves", len(alike)
    if trial is not None:
        scale = int(trial["threads"]) / size.threads
        return float(trial["nanoseconds"]) * scale, "trial", 0
    return NANOSECONDS / size.threads, "elsewhere", 0


def trial_rate(seconds: float = 1.0) -> dict[str, Any] | None:
    """Return the rate of a small turn, solved here for the purpose so many seconds long."""
    from overbet.solvers.vector.api import solve

    spot = {
        "board": "Qs8h4d2c",
        "pot": 60,
        "stacks": 170,
        "ranges": {"oop": "22+,A2s+,K9s+,QTs+,AJo+", "ip": "22+,A2s+,K9s+,QTs+,ATo+"},
        "bets": {"turn": {"bet": "75%", "raise": "60%"}, "river": {"bet": "75%"}},
        "solve": {"target": 0, "iterations": 100_000, "seconds": seconds, "check_every": 20, "device": "cpu"},
    }
    return rate_of(solve(spot))
