"""The numbers of a solve after some iterations: what a file keeps and a resumed run starts from."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from overbet.errors import ArtefactError
from overbet.solvers.vector.engine import VectorEngine
from overbet.solvers.vector.packed import PackedTable
from overbet.solvers.vector.response import Judge

Floats = npt.NDArray[np.float32]
Table = Floats | PackedTable
Mask = npt.NDArray[np.uint8]


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
    def of(cls, engine: VectorEngine) -> Tables:
        """Return the tables of an engine, shared with it."""
        return cls(engine.iteration, engine.average, engine.regret, engine.play, engine.locked)

    def restore(self, engine: VectorEngine) -> None:
        """Copy these tables into an engine of the same layout: it goes on as if it had never stopped."""
        if self.regret is None or self.play is None:
            raise ArtefactError("these tables hold no regrets to resume from; save with them, or solve again")
        pairs = [(self.average, engine.average), (self.regret, engine.regret)]
        if engine.play is not engine.regret:
            pairs.append((self.play, engine.play))
        for source, target in pairs:
            for given, own in zip(source, target):
                _copy(given, own)
        if self.locked is not None:
            engine.locked = [mask.copy() for mask in self.locked]
            engine.judge = Judge(engine.tree, engine.layout, engine.average, engine.locked)
        engine.iteration = self.iteration


def parts(table: Table) -> dict[str, npt.NDArray[np.generic]]:
    """Return the arrays a table consists of, by name."""
    if isinstance(table, PackedTable):
        return {"early": table.early, "values": table.values, "scales": table.scales}
    return {"values": table}


def assembled(arrays: dict[str, npt.NDArray[np.generic]]) -> Table:
    """Return the table of some parts."""
    if "early" not in arrays:
        return arrays["values"].astype(np.float32, copy=False)
    early = arrays["early"].astype(np.float32, copy=False)
    table = PackedTable(0, 0)
    table.early, table.values = early, arrays["values"].astype(np.int16, copy=False)
    table.scales = arrays["scales"].astype(np.float32, copy=False)
    return table


def _copy(given: Table, own: Table) -> None:
    one, two = parts(given), parts(own)
    if {name: array.shape for name, array in one.items()} != {name: a.shape for name, a in two.items()}:
        raise ArtefactError(
            "the saved tables have another size or precision than these settings ask for; use the same"
        )
    for name, array in one.items():
        two[name][...] = array
