"""How a spot is solved: rule, accuracy, limits, machine. Part of a spot file under the key `solve`."""

from __future__ import annotations

from typing import Any, Literal

import pydantic

from overbet import machine
from overbet.config import Config
from overbet.solvers.rules import Rule, dcfr, make_rule
from overbet.tree.spot import Spot


class SolveSettings(Config):
    """Settings of a solve.

    rule: a name or a rule of one's own; the default is DCFR with powers 1.5, 0 and 4, which needed the fewest
    iterations on the example spots (docs/performance.md). target: exploitability to stop at, in % of the pot
    (0: run to the limits). iterations, seconds: limits. check_every: iterations between two looks at the
    exploitability, 0 to space them by need. threads: 0 for all cores.
    precision: tables of 32-bit floats; of 16-bit integers with scales, at half the memory; or of 64-bit
    floats, in which all is then computed, at twice the memory: for research on small trees.
    """

    rule: str | Rule = dcfr(gamma=4.0)
    target: float = pydantic.Field(default=0.5, ge=0)
    iterations: int = pydantic.Field(default=1000, gt=0)
    seconds: float | None = pydantic.Field(default=None, gt=0)
    check_every: int = pydantic.Field(default=0, ge=0)
    threads: int = pydantic.Field(default=0, ge=0)
    device: Literal["auto", "cpu", "cuda"] = "auto"
    precision: Literal["float32", "int16", "float64"] = "float32"

    @pydantic.field_validator("rule")
    @classmethod
    def _known(cls, value: str | Rule) -> str | Rule:
        if isinstance(value, str):
            make_rule(value)
        return value

    def the_rule(self) -> Rule:
        """Return the regret rule."""
        return make_rule(self.rule) if isinstance(self.rule, str) else self.rule

    def worker_count(self) -> int:
        """Return the number of threads to use."""
        return self.threads or machine.core_count()


class SpotFile(Spot):
    """A spot with the settings to solve it by: what a YAML file holds."""

    solve: SolveSettings = SolveSettings()

    def spot(self) -> Spot:
        """Return the spot alone, whose digest does not depend on how it is solved."""
        values: dict[str, Any] = self.model_dump(by_alias=True, exclude={"solve"})
        return Spot.model_validate(values)
