"""The numbers of a solve after some iterations: what a file keeps and a resumed run starts from."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from overbet.errors import ArtefactError
from overbet.solvers.vector.devices import Engine
from overbet.solvers.vector.packed import PackedTable, Table, parts

Mask = npt.NDArray[np.uint8]


__all__ = ["Table", "Tables", "assembled", "parts"]


class Tables(NamedTuple):
    """One flat table a player, laid out as `layout.py` says, float32 or packed.

    regret, play: None where they were not kept; play is what regret matching reads: the regrets themselves,
    or the predictions of a predictive rule. locked: uint8 masks, or None where nothing is locked.
    """

    iteration: int
    average: list[Table]
    regret: list[Table] | None
    play: list[Table] | None
    locked: list[Mask] | None

    @classmethod
    def of(cls, engine: Engine) -> Tables:
        """Return the tables of an engine, shared with it."""
        return cls(engine.iteration, engine.average, engine.regret, engine.play, engine.locked)

    def restore(self, engine: Engine) -> None:
        """Copy these tables into an engine of the same layout: it goes on as if it had never stopped."""
        if self.regret is None or self.play is None:
            raise ArtefactError("these tables hold no regrets to resume from; save with them, or solve again")
        engine.restore(self.iteration, self.regret, self.average, self.play, self.locked)


def assembled(arrays: dict[str, npt.NDArray[np.generic]]) -> Table:
    """Return the table of some parts."""
    if "early" not in arrays:
        values: Any = arrays["values"]
        found: Table = values if values.dtype == np.float64 else values.astype(np.float32, copy=False)
        return found
    early = arrays["early"].astype(np.float32, copy=False)
    table = PackedTable(0, 0)
    table.early, table.values = early, arrays["values"].astype(np.int16, copy=False)
    table.scales = arrays["scales"].astype(np.float32, copy=False)
    return table
