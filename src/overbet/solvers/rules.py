"""The regret rules by name, and custom ones from a config: each is a small value, not a class of its own.

A rule says how old regret is discounted (where positive, where negative), how new regret is weighted,
whether regret is floored at zero, how much of the last regret predicts the next, and how the average
forgets. From that it makes the eight scalars of an iteration (`kernels.regret.Step`) that engines consume.

Sources: CFR (Zinkevich et al. 2007), CFR+ (Tammelin 2014), LCFR and DCFR (Brown & Sandholm 2019), PCFR+
(Farina et al. 2021), DCFR+ and PDCFR+ (Xu et al. 2024), SAPCFR+ (asymmetric step of 1/3 in the prediction).
Discounts at iteration t act on what stood after t - 1 iterations, so (t - 1) appears in them.
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Literal

import numpy as np
import numpy.typing as npt
import pydantic

from overbet.config import Config
from overbet.errors import ConfigError, unknown
from overbet.kernels.regret import STEP_FIELDS, RuleStep

Floats = npt.NDArray[np.float64]
Share = Annotated[float, pydantic.Field(ge=0.0, le=1.0)]
NotNegative = Annotated[float, pydantic.Field(ge=0.0)]
Positive = Annotated[float, pydantic.Field(gt=0.0)]


def _powers(base: Floats, exponent: float) -> Floats:
    """Return base^exponent by the C library's `pow`.

    numpy's own differs in the last bit from one processor to the next, and where regrets tie that bit
    decides what is played: after a few hundred iterations two machines would print different digits.
    """
    if exponent in (0.0, 1.0):
        return np.ones_like(base) if exponent == 0.0 else base
    return np.fromiter((_power(x, exponent) for x in base.tolist()), np.float64, len(base))


def _power(base: float, exponent: float) -> float:
    try:
        return math.pow(base, exponent)
    except (OverflowError, ValueError):  # too large, or 0 to a negative power
        return math.inf


class Constant(Config):
    """The same factor every iteration: 1 keeps everything, 0.99 forgets geometrically."""

    kind: Literal["constant"] = "constant"
    value: Share = 1.0

    def factors(self, t: Floats) -> Floats:
        """Return the factor at each iteration: t and the result are [n] float64."""
        return np.full_like(t, self.value)


class Linear(Config):
    """((t - 1) / t)^power: iteration t ends up with weight t^power."""

    kind: Literal["linear"] = "linear"
    power: NotNegative = 1.0

    def factors(self, t: Floats) -> Floats:
        """Return the factor at each iteration: t and the result are [n] float64."""
        return _powers((t - 1.0) / t, self.power)


class Exponential(Config):
    """end - (end - start) * exp(-rate * (t - 1)): from `start` towards `end` at the given rate."""

    kind: Literal["exponential"] = "exponential"
    rate: NotNegative = 0.1
    start: Share = 0.0
    end: Share = 1.0

    def factors(self, t: Floats) -> Floats:
        """Return the factor at each iteration: t and the result are [n] float64."""
        return self.end - (self.end - self.start) * np.exp(-self.rate * (t - 1.0))


class Discounted(Config):
    """(t - 1)^power / ((t - 1)^power + shift): DCFR's factor; power = -inf forgets all, +inf nothing."""

    kind: Literal["dcfr"] = "dcfr"
    power: float = 1.5
    shift: Positive = 1.0

    @pydantic.field_validator("power")
    @classmethod
    def _is_a_number(cls, power: float) -> float:
        if math.isnan(power):
            raise ValueError("must be a number")
        return power

    def factors(self, t: Floats) -> Floats:
        """Return the factor at each iteration: t and the result are [n] float64."""
        if math.isinf(self.power):
            return np.full_like(t, 1.0 if self.power > 0.0 else 0.0)
        grown = np.minimum(_powers(t - 1.0, self.power), 1e300)
        return grown / (grown + self.shift)


Schedule = Annotated[Constant | Linear | Exponential | Discounted, pydantic.Field(discriminator="kind")]


class Rule(Config):
    """One variant of CFR. Also what a rule file holds: `Rule.load("rule.yaml")`.

    `weight_power`: new regret counts t^weight_power. `prediction`: share of the last regret that is added
    as a guess of the next one. `average`: how the average's sum is discounted; `linear` with power g gives
    iteration t the weight t^g.
    """

    name: str = "custom"
    positive: Schedule = Constant()
    negative: Schedule = Constant()
    weight_power: NotNegative = 0.0
    floor: bool = False
    prediction: NotNegative = 0.0
    average: Schedule = Linear(power=0.0)

    def steps(self, first: int, count: int) -> Floats:
        """Return the scalars of iterations first .. first+count-1 (from 1): [count, 8] float64.

        Columns are the fields of `kernels.regret.Step`.
        """
        t = np.arange(first, first + count, dtype=np.float64)
        table = np.empty((count, STEP_FIELDS))
        table[:, 0] = self.positive.factors(t)
        table[:, 1] = self.negative.factors(t)
        table[:, 2] = _powers(t, self.weight_power)
        table[:, 3] = 0.0 if self.floor else -np.inf
        # the prediction is of the next iteration's regret, so the discount it will meet is applied now
        table[:, 4] = self.positive.factors(t + 1.0) if self.prediction else 1.0
        table[:, 5] = self.prediction
        table[:, 6] = self.average.factors(t)
        table[:, 7] = 1.0
        return table

    def at(self, t: int) -> RuleStep:
        """Return the scalars of iteration t, counted from 1."""
        return RuleStep(*self.steps(t, 1)[0].tolist())


def dcfr(alpha: float = 1.5, beta: float = 0.0, gamma: float = 2.0) -> Rule:
    """Return discounted CFR: powers of the factor on positive and negative regret, and of the average."""
    return Rule(
        name="dcfr",
        positive=Discounted(power=alpha),
        negative=Discounted(power=beta),
        average=Linear(power=gamma),
    )


def dcfr_plus(alpha: float = 1.5, gamma: float = 4.0) -> Rule:
    """Return DCFR+: discounted, floored at zero, with 1.5 in the discount's denominator."""
    discount = Discounted(power=alpha, shift=1.5)
    return Rule(name="dcfr+", positive=discount, negative=discount, floor=True, average=Linear(power=gamma))


def pcfr_plus(gamma: float = 2.0) -> Rule:
    """Return predictive CFR+: the last regret is taken as the guess of the next."""
    return Rule(name="pcfr+", floor=True, prediction=1.0, average=Linear(power=gamma))


def sapcfr_plus(gamma: float = 2.0) -> Rule:
    """Return PCFR+ with a third of the prediction."""
    return Rule(name="sapcfr+", floor=True, prediction=1.0 / 3.0, average=Linear(power=gamma))


def pdcfr_plus(alpha: float = 2.3, gamma: float = 5.0) -> Rule:
    """Return predictive discounted CFR+."""
    discount = Discounted(power=alpha)
    return Rule(
        name="pdcfr+",
        positive=discount,
        negative=discount,
        floor=True,
        prediction=1.0,
        average=Linear(power=gamma),
    )


# A named rule is one line here: the name and a function whose keyword arguments are its parameters.
_RULES: dict[str, Callable[..., Rule]] = {
    "cfr": lambda: Rule(name="cfr"),
    "cfr+": lambda gamma=1.0: Rule(name="cfr+", floor=True, average=Linear(power=gamma)),
    "lcfr": lambda gamma=1.0: Rule(name="lcfr", weight_power=1.0, average=Linear(power=gamma)),
    "dcfr": dcfr,
    "dcfr+": dcfr_plus,
    "pcfr+": pcfr_plus,
    "sapcfr+": sapcfr_plus,
    "pdcfr+": pdcfr_plus,
}


def rule_names() -> list[str]:
    """Return the names of the built-in rules."""
    return list(_RULES)


def make_rule(name: str, **parameters: float | None) -> Rule:
    """Return the rule called `name`; alpha, beta and gamma (where it has them) replace its defaults.

    An unknown name or a parameter the rule does not have raises `ConfigError`.
    """
    if name not in _RULES:
        raise ConfigError(unknown("rule", name, _RULES))
    given = {key: value for key, value in parameters.items() if value is not None}
    factory = _RULES[name]
    known = inspect.signature(factory).parameters
    for key in given:
        if key not in known:
            takes = f"it takes {', '.join(known)}" if known else "it takes no parameters"
            raise ConfigError(f"rule {name!r} has no parameter {key!r}; {takes}")
    try:
        return factory(**given)
    except pydantic.ValidationError as error:
        raise ConfigError(f"rule {name!r}: {error.errors()[0]['msg']}") from error


def load_rule(path: str | Path) -> Rule:
    """Read a custom rule from a YAML file."""
    return Rule.load(path)
