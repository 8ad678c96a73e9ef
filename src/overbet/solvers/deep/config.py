"""The config of a deep run: one trainer, and the algorithms are values of its settings.

| algorithm | sampling | baseline | bootstrap | rule | average |
|---|---|---|---|---|---|
| Deep CFR | external | null | false | lcfr | network |
| Single Deep CFR | external | null | false | lcfr | kept |
| OS-Deep CFR | outcome | null | false | lcfr | network |
| DREAM | outcome | yes | false | lcfr | kept |
| Deep DCFR+ | outcome | yes | true | dcfr+ | network |
| Deep PDCFR+ | outcome | yes | true | pdcfr+ | network |

`algorithm_settings` has these rows; a config names one (`algorithm: deep-pdcfr+`) and then changes what it
likes. Everything but `run` (and where memory lies) decides the result and goes into the digest of
checkpoints.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Any, Literal, Self

import pydantic

from overbet.config import Config, digest_of
from overbet.errors import ConfigError, unknown
from overbet.solvers.deep.baseline import BaselineConfig
from overbet.solvers.deep.fitting import FitConfig
from overbet.solvers.deep.networks import NetworkConfig
from overbet.solvers.rules import Rule, load_rule, make_rule

Share = Annotated[float, pydantic.Field(ge=0.0, le=1.0)]
Seed = Annotated[int, pydantic.Field(ge=0, lt=2**62)]

_ALGORITHMS: dict[str, dict[str, Any]] = {
    "deep-cfr": {
        "sampling": "external",
        "baseline": None,
        "bootstrap": False,
        "rule": "lcfr",
        "average": "network",
        "traversals": 1500,
        "advantage": {"fresh": True},
    },
    "single-deep-cfr": {
        "sampling": "external",
        "baseline": None,
        "bootstrap": False,
        "rule": "lcfr",
        "average": "kept",
        "traversals": 1500,
        "advantage": {"fresh": True},
    },
    "os-deep-cfr": {
        "sampling": "outcome",
        "baseline": None,
        "bootstrap": False,
        "rule": "lcfr",
        "average": "network",
        "advantage": {"fresh": True},
    },
    "dream": {
        "sampling": "outcome",
        "baseline": {},
        "bootstrap": False,
        "rule": "lcfr",
        "average": "kept",
        "advantage": {"fresh": True},
    },
    "deep-dcfr+": {
        "sampling": "outcome",
        "baseline": {},
        "bootstrap": True,
        "rule": "dcfr+",
        "average": "network",
    },
    "deep-pdcfr+": {
        "sampling": "outcome",
        "baseline": {},
        "bootstrap": True,
        "rule": "pdcfr+",
        "average": "network",
    },
}


def algorithm_names() -> list[str]:
    """Return the names that `algorithm` takes."""
    return list(_ALGORITHMS)


def algorithm_settings(name: str) -> dict[str, Any]:
    """Return the settings that make an algorithm."""
    if name not in _ALGORITHMS:
        raise ConfigError(unknown("algorithm", name, _ALGORITHMS))
    return dict(_ALGORITHMS[name])


class EpsilonConfig(Config):
    """How much outcome sampling explores: from `start` in a line to `end` at iteration `until`."""

    start: Annotated[float, pydantic.Field(gt=0.0, le=1.0)] = 0.6
    end: Annotated[float, pydantic.Field(gt=0.0, le=1.0)] = 0.6
    until: pydantic.PositiveInt = 1

    def at(self, iteration: int) -> float:
        """Return the exploration of an iteration, counted from 1."""
        return self.start + (self.end - self.start) * min(1.0, (iteration - 1) / self.until)


class PolicyConfig(FitConfig):
    """How policy networks are trained, when they are asked for: from new weights each time."""

    steps: pydantic.PositiveInt = 5000
    fresh: Literal[True] = True


class MemoryConfig(Config):
    """Reservoirs: samples kept of regrets (a player) and of strategies; `mapped` keeps them in files."""

    regrets: Annotated[int, pydantic.Field(ge=1, le=10**9)] = 1_000_000
    strategies: Annotated[int, pydantic.Field(ge=1, le=10**9)] = 1_000_000
    mapped: bool = False


class RunSettings(Config):
    """How a run is run; decides nothing about the result but its rounding (`device`, `threads`)."""

    device: Literal["cpu", "cuda"] = "cpu"
    threads: pydantic.PositiveInt = 1  # of PyTorch on a CPU
    workers: pydantic.PositiveInt = 1  # threads that walk
    evaluate_every: pydantic.PositiveInt = 10  # iterations
    checkpoint_minutes: pydantic.PositiveFloat = 5.0
    keep: pydantic.PositiveInt = 2  # checkpoints


class DeepConfig(Config):
    """Everything a run depends on.

    seeds: one network of each kind a seed, trained side by side
    traversals: a player and iteration; an episode is one traversal
    rule: a name, a section, or the name of a rule file (.yaml); a run keeps what the file said
    bootstrap: regret networks learn what the last one said, discounted by the rule, plus what this iteration
      saw; otherwise from all samples, weighted by the rule (which then cannot be one with a floor)
    average: `network` learns the average strategy from samples; `kept` remembers the regret networks of all
      iterations, and the average is that of their strategies (on a flat game: computed exactly)
    batches: `sampled` minibatches, or `pooled`: all samples at every step, each set once
    unplayed: what is played where no regret is positive
    """

    name: str = "deep"
    algorithm: str = "deep-pdcfr+"
    game: str = "leduc"
    seeds: Annotated[tuple[Seed, ...], pydantic.Field(min_length=1, max_length=64)] = (0,)
    iterations: pydantic.PositiveInt = 400
    traversals: pydantic.PositiveInt = 10_000
    sampling: Literal["external", "outcome"] = "outcome"
    epsilon: EpsilonConfig = EpsilonConfig()
    rule: Rule = make_rule("pdcfr+")
    bootstrap: bool = True
    baseline: BaselineConfig | None = BaselineConfig()
    average: Literal["network", "kept"] = "network"
    batches: Literal["sampled", "pooled"] = "sampled"
    unplayed: Literal["best", "uniform"] = "best"
    network: NetworkConfig = NetworkConfig()
    advantage: FitConfig = FitConfig()
    policy: PolicyConfig = PolicyConfig()
    memory: MemoryConfig = MemoryConfig()
    run: RunSettings = RunSettings()

    @pydantic.model_validator(mode="before")
    @classmethod
    def _by_algorithm(cls, values: Any) -> Any:
        """Fill in what the algorithm settles and the config does not."""
        if not isinstance(values, dict):
            return values
        name = values.get("algorithm", "deep-pdcfr+")
        if not isinstance(name, str) or name not in _ALGORITHMS:
            raise ValueError(unknown("algorithm", str(name), _ALGORITHMS))
        filled = dict(values)
        for key, standard in algorithm_settings(name).items():
            own = filled.get(key, standard)
            if isinstance(standard, dict) and isinstance(own, dict):
                own = {**standard, **own}
            filled[key] = own
        return filled

    @pydantic.field_validator("rule", mode="before")
    @classmethod
    def _rule_by_name_or_file(cls, rule: object) -> object:
        if not isinstance(rule, str):
            return rule
        return load_rule(rule) if rule.endswith((".yaml", ".yml")) else make_rule(rule)

    @pydantic.model_validator(mode="after")
    def _fits_together(self) -> Self:
        rule = self.rule
        if not self.bootstrap and (rule.floor or rule.prediction or rule.positive != rule.negative):
            raise ValueError(
                f"rule {rule.name!r} changes regret by its sign, which samples do not show: use bootstrap, "
                "or cfr, lcfr, or a rule without floor and prediction that discounts all regret alike"
            )
        if len(set(self.seeds)) < len(self.seeds):
            raise ValueError("seeds repeat; each is a run of its own")
        if self.baseline is not None and self.sampling == "external":
            raise ValueError(
                "a baseline belongs to outcome sampling; use baseline: null or sampling: outcome"
            )
        if self.memory.mapped and self.run.device != "cpu":
            raise ValueError("memory.mapped keeps samples in files, which only run.device: cpu reads")
        return self

    def result_digest(self) -> str:
        """Return the sha256 of everything that decides the result."""
        left_out: Any = {"run": True, "iterations": True, "name": True, "memory": {"mapped"}}
        return digest_of(self.model_dump(mode="json", exclude=left_out))

    @classmethod
    def named(cls, algorithm: str, **settings: Any) -> Self:
        """Return an algorithm's config; keywords replace settings, `rule` may be a name."""
        return cls.parse({"algorithm": algorithm, **settings}, algorithm)

    @classmethod
    def named_with(cls, algorithm: str, overrides: Iterable[str]) -> Self:
        """Return an algorithm's config with dotted overrides such as `advantage.steps=200`."""
        return cls.overridden({"algorithm": algorithm, "name": algorithm}, overrides, algorithm)
