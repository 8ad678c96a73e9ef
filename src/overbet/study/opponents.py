"""Opponents: each frequency of a player as a posterior, shrunk towards the pool.

    models = fit_opponents(decisions)              # a table of decisions of many players
    villain = models["villain"]
    villain.frequency("river", "facing bet", "call").mean, .interval()
    villain.profile                                # {"station": 0.83, "regular": 0.15, ...}
    villain.mix("river", "facing bet")             # {"fold": 0.31, "call": 0.62, "raise": 0.07}

How often the pool's players do something varies from player to player as a beta distribution, which is fitted
to all of them by maximum likelihood (the beta-binomial model). A player's posterior is that distribution
after the player's own counts: with few decisions it is the pool's, with many the player's own.
`responses` makes locks of it and answers them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from overbet.errors import ConfigError, unknown
from overbet.evaluation.statistics import LEVEL, incomplete_beta
from overbet.study.decision_lines import KINDS
from overbet.study.decisions import SHARES, checked_decisions
from overbet.study.profiles import Counts, log_gamma, profile_of

if TYPE_CHECKING:
    import polars

Floats = npt.NDArray[np.float64]
Key = tuple[str, str, str]  # street, line, kind of action
FEW_PLAYERS, FEW_PLAYERS_WEIGHT = (
    8,
    20.0,
)  # too few to see how they vary: a stated weight of so many decisions
_LEAST, _MOST = 1.0, 10_000.0  # of the prior's weight in decisions
_GOLDEN = (math.sqrt(5.0) - 1.0) / 2.0


class BetaFrequency(NamedTuple):
    """A frequency that is known by a beta distribution. a + b: the decisions that it is worth."""

    a: float
    b: float

    @property
    def mean(self) -> float:
        """The expected frequency."""
        return self.a / (self.a + self.b)

    def after(self, hits: int, chances: int) -> BetaFrequency:
        """Return the posterior after `hits` in `chances`."""
        return BetaFrequency(self.a + hits, self.b + chances - hits)

    def quantile(self, share: float) -> float:
        """Return the frequency below which so much of the distribution lies."""
        low, high = 0.0, 1.0
        for _ in range(60):
            middle = 0.5 * (low + high)
            low, high = (middle, high) if incomplete_beta(self.a, self.b, middle) < share else (low, middle)
        return 0.5 * (low + high)

    def interval(self, level: float = LEVEL) -> tuple[float, float]:
        """Return the central interval that holds the frequency with this probability."""
        return self.quantile(0.5 - level / 2), self.quantile(0.5 + level / 2)


@dataclass(frozen=True)
class OpponentModel:
    """One player. counts: (hits, chances) by street, line and action; pool: the prior of each.

    expected: how often the strategy does it, at the pool's decisions of which it is known.
    """

    player: str
    counts: Mapping[Key, tuple[int, int]]
    pool: Mapping[Key, BetaFrequency]
    expected: Mapping[Key, float]

    def frequency(self, street: str, line: str, action: str) -> BetaFrequency:
        """Return the posterior of a frequency; the pool's where the player was never seen there."""
        key = (street, line, action)
        if key not in self.pool:
            raise ConfigError(unknown("frequency", ", ".join(key), [", ".join(known) for known in self.pool]))
        return self.pool[key].after(*self.counts.get(key, (0, 0)))

    def mix(self, street: str, line: str) -> dict[str, float]:
        """Return the expected share of each kind of action at a line; they add up to 1."""
        return self._mix({key[2]: self.frequency(*key).mean for key in self._keys(street, line)})

    def strategy_mix(self, street: str, line: str) -> dict[str, float] | None:
        """Return what the strategy does at such a line, None where that is not known."""
        found = {key[2]: self.expected[key] for key in self._keys(street, line) if key in self.expected}
        return self._mix(found) if found else None

    @cached_property
    def profile(self) -> dict[str, float]:
        """The probability of every profile, the likeliest first (`overbet.study.profiles`)."""
        pool = {key: prior.mean for key, prior in self.pool.items()}
        return profile_of(self.counts, pool)

    def frame(self) -> polars.DataFrame:
        """Return a row for every frequency: counts, the pool's mean, the posterior's mean and interval."""
        import polars as pl

        rows = []
        for key, prior in sorted(self.pool.items()):
            hits, chances = self.counts.get(key, (0, 0))
            low, high = prior.after(hits, chances).interval()
            own = {"hits": hits, "chances": chances, "pool": prior.mean}
            found = {"mean": prior.after(hits, chances).mean, "low": low, "high": high}
            rows.append({"street": key[0], "line": key[1], "action": key[2], **own, **found})
        return pl.DataFrame(rows)

    def _keys(self, street: str, line: str) -> list[Key]:
        found = [key for key in self.pool if key[:2] == (street, line)]
        if not found:
            known = sorted({", ".join(key[:2]) for key in self.pool})
            raise ConfigError(unknown("line", f"{street}, {line}", known))
        return found

    @staticmethod
    def _mix(shares: dict[str, float]) -> dict[str, float]:
        total = sum(shares.values())
        return {kind: share / total for kind, share in shares.items()}


def fit_opponents(decisions: polars.DataFrame) -> dict[str, OpponentModel]:
    """Return a model of every player of a table of decisions (`overbet.study.decisions`), by name."""
    import polars as pl

    table = checked_decisions(decisions)
    each = table.group_by("player", "street", "line").agg(
        pl.len().alias("chances"), *((pl.col("action") == kind).sum().alias(kind) for kind in KINDS)
    )
    known = table.drop_nulls(SHARES).group_by("street", "line").agg(pl.col(*SHARES).mean())
    expected: dict[Key, float] = {
        (row["street"], row["line"], kind): float(row[f"p_{kind}"])
        for row in known.iter_rows(named=True)
        for kind in KINDS
    }
    counts: dict[str, Counts] = {str(name): {} for name in table["player"].unique()}
    for row in each.iter_rows(named=True):
        for kind in KINDS:
            counts[str(row["player"])][row["street"], row["line"], kind] = (row[kind], row["chances"])
    pool: dict[Key, BetaFrequency] = {}
    for key in sorted({key for own in counts.values() for key in own}):
        seen = [own[key] for own in counts.values() if key in own]
        if any(hits for hits, _ in seen):
            pool[key] = fit_pool(seen)
    shown = {key: share for key, share in expected.items() if key in pool}
    return {
        name: OpponentModel(name, {key: seen for key, seen in own.items() if key in pool}, pool, shown)
        for name, own in sorted(counts.items())
    }


def fit_pool(counts: Sequence[tuple[int, int]]) -> BetaFrequency:
    """Return the beta distribution of a pool's frequencies, by maximum likelihood. counts: (hits, chances).

    Of fewer than `FEW_PLAYERS` players only the mean is taken, with a stated weight, or that of all decisions
    where these are fewer. The mean of more is known from their decisions only, and the distribution is as
    much wider.
    """
    hits, chances = np.array([pair for pair in counts if pair[1] > 0], np.float64).reshape(-1, 2).T
    if (hits > chances).any() or not len(hits):
        raise ConfigError("a pool needs players with chances, and nobody has more hits than chances")
    rate = (hits.sum() + 0.5) / (chances.sum() + 1.0)
    if len(hits) < FEW_PLAYERS:
        weight = min(FEW_PLAYERS_WEIGHT, float(chances.sum()))
        return BetaFrequency(weight * rate, weight * (1.0 - rate))
    place, weight = math.log(rate / (1.0 - rate)), math.log(FEW_PLAYERS_WEIGHT)

    def likelihood(logit: float, log_weight: float) -> float:
        a = math.exp(log_weight) / (1.0 + math.exp(-logit))
        return _log_likelihood(hits, chances, a, math.exp(log_weight) - a)

    for _ in range(4):  # one after the other: the two hardly depend on each other
        weight = _highest(partial(likelihood, place), math.log(_LEAST), math.log(_MOST))
        place = _highest(partial(likelihood, log_weight=weight), place - 3.0, place + 3.0)
    return _widened(1.0 / (1.0 + math.exp(-place)), math.exp(weight), chances.sum())


def _widened(mean: float, weight: float, decisions: float) -> BetaFrequency:
    """Return the distribution among players whose mean is known from so many decisions.

    The variances of both are added: m (1 - m) / (weight + 1) among players, at least m (1 - m) / decisions of
    the mean.
    """
    whole = max(1.0 / (1.0 / (weight + 1.0) + 1.0 / decisions) - 1.0, _LEAST)
    return BetaFrequency(whole * mean, whole * (1.0 - mean))


def _log_likelihood(hits: Floats, chances: Floats, a: float, b: float) -> float:
    """Return the log likelihood of counts under the beta-binomial model, without what depends on neither."""
    own = log_gamma(a + hits) + log_gamma(b + chances - hits) - log_gamma(a + b + chances)
    none = log_gamma(np.array([a, b, a + b]))
    return float(own.sum() - len(hits) * (none[0] + none[1] - none[2]))


def _highest(function: Callable[[float], float], low: float, high: float) -> float:
    """Return where a function of one number with one summit is highest, by the golden section."""
    one, two = high - _GOLDEN * (high - low), low + _GOLDEN * (high - low)
    at_one, at_two = function(one), function(two)
    while high - low > 1e-4:
        if at_one > at_two:
            high, two, at_two = two, one, at_one
            one = high - _GOLDEN * (high - low)
            at_one = function(one)
        else:
            low, one, at_one = one, two, at_two
            two = low + _GOLDEN * (high - low)
            at_two = function(two)
    return 0.5 * (low + high)
