"""Means with their certainty: 95 % intervals over independent groups, and differences of two measurements.

Hands that share a deal are not independent, so what is counted is the **group**: all hands of one deal, one
session, one player. Groups of one size give the usual interval `mean +- t * sd / sqrt(n)`; groups of several
sizes the ratio estimator with its linearised variance (Cochran, "Sampling Techniques", 1977, section 6). The
quantile is Student's, so that few groups give a wide interval and one group an infinite one.

    interval_of([3.0, 5.0, 4.0])             # Estimate(mean=4.0, half=2.48, sd=1.0, groups=3)
    paired([3.0, 5.0], [2.0, 5.0])           # the same deals
    unpaired(interval_of(a), interval_of(b)) # Welch (1947)

Measurements that run on many workers are gathered in blocks of fixed size, numbered by their first hand;
`Blocks` merges them in the order of their numbers (Chan, Golub & LeVeque 1979), so that the result has the
same bits for any number of workers and any order of arrival.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from overbet.errors import ConfigError

Floats = npt.NDArray[np.float64]
LEVEL = 0.95
MBB_PER_BB100 = 10.0  # mbb a hand in one big blind a hundred hands


class Estimate(NamedTuple):
    """A mean with its 95 % interval. `half` is infinite where one group alone was measured."""

    mean: float
    half: float  # half the width of the interval
    sd: float  # of one group; NaN below two groups
    groups: int  # independent groups

    @property
    def low(self) -> float:
        return self.mean - self.half

    @property
    def high(self) -> float:
        return self.mean + self.half

    @property
    def error(self) -> float:
        """The standard error of the mean."""
        return self.sd / math.sqrt(self.groups) if self.groups > 1 else math.inf

    @property
    def significant(self) -> bool:
        """Whether the interval leaves zero out."""
        return self.low > 0.0 or self.high < 0.0

    def negative(self) -> Estimate:
        """Return it as seen from the other side."""
        return self._replace(mean=-self.mean)

    def __str__(self) -> str:
        return f"{self.mean:+,.1f} ± {self.half:,.1f}"

    @property
    def bb100(self) -> str:
        """A result in mbb a hand as big blinds a hundred hands: `+2.9 ± 3.1`."""
        return f"{self.mean / MBB_PER_BB100:+,.1f} ± {self.half / MBB_PER_BB100:,.1f}"


class Difference(NamedTuple):
    """How much larger one mean is than another."""

    estimate: Estimate
    degrees: float
    p_value: float  # two-sided


@dataclass(frozen=True)
class Moments:
    """Count, mean and sum of squared deviations of some numbers; two of them add up to a third."""

    count: int = 0
    mean: float = 0.0
    squares: float = 0.0

    @classmethod
    def of(cls, values: npt.ArrayLike) -> Moments:
        """Return the moments of values: [n] float64."""
        numbers = np.asarray(values, np.float64).ravel()
        if not len(numbers):
            return cls()
        mean = float(numbers.mean())
        return cls(len(numbers), mean, float(((numbers - mean) ** 2).sum()))

    def merged(self, other: Moments) -> Moments:
        """Return the moments of both together."""
        if not other.count:
            return self
        if not self.count:
            return other
        count = self.count + other.count
        step = other.mean - self.mean
        mean = self.mean + step * (other.count / count)
        squares = self.squares + other.squares + step * step * (self.count * other.count / count)
        return Moments(count, mean, squares)

    def estimate(self) -> Estimate:
        """Return the mean with its interval, every number taken as a group of its own."""
        if not self.count:
            raise ConfigError("nothing was measured: there is no mean of no numbers")
        if self.count == 1:
            return Estimate(self.mean, math.inf, math.nan, 1)
        sd = math.sqrt(max(self.squares, 0.0) / (self.count - 1))
        half = t_quantile(self.count - 1) * sd / math.sqrt(self.count)
        return Estimate(self.mean, half, sd, self.count)


class Blocks:
    """Moments gathered by numbered blocks, merged in order whoever delivers them when."""

    def __init__(self) -> None:
        self.moments = Moments()
        self._next = 0
        self._waiting: dict[int, Moments] = {}

    def add(self, block: int, values: npt.ArrayLike | Moments) -> Moments:
        """Take block number `block` (0, 1, ...) and return the moments of all blocks up to the first gap."""
        if block < self._next or block in self._waiting:
            raise ConfigError(f"block {block} was delivered twice")
        self._waiting[block] = values if isinstance(values, Moments) else Moments.of(values)
        while self._next in self._waiting:
            self.moments = self.moments.merged(self._waiting.pop(self._next))
            self._next += 1
        return self.moments


def interval_of(values: npt.ArrayLike) -> Estimate:
    """Return the mean of independent numbers, [n], with its 95 % interval."""
    return Moments.of(values).estimate()


def interval_by_groups(values: npt.ArrayLike, groups: npt.ArrayLike) -> Estimate:
    """Return the mean of values: [n] with the interval over independent groups: [n], any labels.

    The mean is that of all values; `sd` is the deviation of a group's share in it, scaled so that
    `sd / sqrt(groups)` is the standard error of the mean.
    """
    numbers = np.asarray(values, np.float64).ravel()
    _, places = np.unique(np.asarray(groups).ravel(), return_inverse=True)
    if not len(numbers) or len(places) != len(numbers):
        raise ConfigError(f"{len(numbers)} values and {len(places)} group labels: one label each is needed")
    sizes = np.bincount(places).astype(np.float64)
    sums = np.bincount(places, weights=numbers)
    mean, count = float(numbers.mean()), len(sizes)
    if count == 1:
        return Estimate(mean, math.inf, math.nan, 1)
    off = (sums - mean * sizes) / sizes.mean()
    sd = math.sqrt(float((off**2).sum()) / (count - 1))
    return Estimate(mean, t_quantile(count - 1) * sd / math.sqrt(count), sd, count)


def paired(first: npt.ArrayLike, second: npt.ArrayLike) -> Difference:
    """Return first - second of two measurements on the same groups in the same order, [n] each."""
    one, two = np.asarray(first, np.float64).ravel(), np.asarray(second, np.float64).ravel()
    if len(one) != len(two):
        raise ConfigError(f"a paired test needs the same groups: there are {len(one)} and {len(two)}")
    estimate = interval_of(one - two)
    return Difference(estimate, float(max(len(one) - 1, 0)), _p_value(estimate, max(len(one) - 1, 0)))


def unpaired(first: Estimate, second: Estimate) -> Difference:
    """Return first - second of two independent measurements, with Welch's degrees of freedom."""
    mean = first.mean - second.mean
    if first.groups < 2 or second.groups < 2:
        return Difference(Estimate(mean, math.inf, math.nan, 1), 0.0, 1.0)
    one, two = first.sd**2 / first.groups, second.sd**2 / second.groups
    variance = one + two
    if variance == 0.0:
        degrees = float(first.groups + second.groups - 2)
    else:
        degrees = variance**2 / (one**2 / (first.groups - 1) + two**2 / (second.groups - 1))
    count = first.groups + second.groups
    half = t_quantile(degrees) * math.sqrt(variance)
    estimate = Estimate(mean, half, math.sqrt(variance * count), count)
    return Difference(estimate, degrees, _p_value(estimate, degrees))


def sd_reduction(raw: Estimate, adjusted: Estimate) -> float:
    """Return by which share the standard deviation of a group fell: 0.6 is 60 %."""
    return 1.0 - adjusted.sd / raw.sd if raw.sd > 0.0 else 0.0


def _p_value(estimate: Estimate, degrees: float) -> float:
    if degrees <= 0 or not math.isfinite(estimate.error):
        return 1.0
    if estimate.error == 0.0:
        return 1.0 if estimate.mean == 0.0 else 0.0
    return 2.0 * t_tail(abs(estimate.mean) / estimate.error, degrees)


def t_tail(t: float, degrees: float) -> float:
    """Return the probability that Student's t with `degrees` of freedom exceeds t >= 0."""
    if not math.isfinite(t):
        return 0.0
    return 0.5 * incomplete_beta(degrees / 2.0, 0.5, degrees / (degrees + t * t))


@lru_cache(maxsize=4096)
def t_quantile(degrees: float, level: float = LEVEL) -> float:
    """Return the t that a two-sided interval of this level needs: 12.706 at one degree, 1.96 at many."""
    if degrees <= 0:
        return math.inf
    tail = (1.0 - level) / 2.0
    low, high = 0.0, 1.0
    while t_tail(high, degrees) > tail:
        high *= 2.0
    for _ in range(200):
        middle = 0.5 * (low + high)
        if middle in (low, high):
            break
        if t_tail(middle, degrees) > tail:
            low = middle
        else:
            high = middle
    return 0.5 * (low + high)


def incomplete_beta(a: float, b: float, x: float) -> float:
    """Return the regularised incomplete beta function, by Lentz's continued fraction."""
    if x <= 0.0 or x >= 1.0:
        return float(x >= 1.0)
    if x > (a + 1.0) / (a + b + 2.0):
        return 1.0 - incomplete_beta(b, a, 1.0 - x)
    front = math.exp(
        math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x)
    )
    tiny = 1e-300
    c, d = 1.0, 1.0 - (a + b) * x / (a + 1.0)
    d = 1.0 / (d if abs(d) > tiny else tiny)
    fraction = d
    for step in range(1, 2000):
        for number in (
            step * (b - step) * x / ((a + 2 * step - 1) * (a + 2 * step)),
            -(a + step) * (a + b + step) * x / ((a + 2 * step) * (a + 2 * step + 1)),
        ):
            d, c = 1.0 + number * d, 1.0 + number / c
            d = 1.0 / (d if abs(d) > tiny else tiny)
            c = c if abs(c) > tiny else tiny
            fraction *= d * c
        if abs(d * c - 1.0) < 1e-15:
            break
    return front * fraction / a
