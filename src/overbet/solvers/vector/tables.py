"""The numbers of a solve after some iterations: what a file keeps and a resumed run starts from."""

from __future__ import annotations

import weakref
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import numpy as np
import numpy.typing as npt

from overbet.errors import ArtefactError
from overbet.solvers.vector.devices import Engine
from overbet.solvers.vector.packed import PackedTable, Table, parts

if TYPE_CHECKING:
    from overbet.solvers.vector.reader import TreeReader

Mask = npt.NDArray[np.uint8]


__all__ = ["LateTables", "SolvedTables", "Table", "assembled", "parts"]


class SolvedTables(NamedTuple):
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
    def of(cls, engine: Engine) -> SolvedTables | LateTables:
        """Return the tables of an engine, shared with it; those on a GPU stay there until they are read."""
        if hasattr(engine, "first_reader"):
            return LateTables(engine)
        return cls(engine.iteration, engine.average, engine.regret, engine.play, engine.locked)

    def restore(self, engine: Engine) -> None:
        """Copy these tables into an engine of the same layout: it goes on as if it had never stopped."""
        if self.regret is None or self.play is None:
            raise ArtefactError("these tables hold no regrets to resume from; save with them, or solve again")
        engine.restore(self.iteration, self.regret, self.average, self.play, self.locked)


class LateTables:
    """The tables of an engine on a GPU: read as `SolvedTables`, and brought to the host when first read."""

    _all: ClassVar[weakref.WeakSet[LateTables]] = weakref.WeakSet()

    def __init__(self, engine: Any) -> None:
        self.iteration: int = engine.iteration
        self._engine, self._here = engine, None if engine.iteration else self._fetched(engine)
        LateTables._all.add(self)

    @classmethod
    def fetch_all(cls) -> None:
        """Bring all tables to the host, so that a GPU's memory is free for another engine."""
        for late in list(cls._all):
            late._tables()

    def first_reader(self, threads: int) -> TreeReader | None:
        """Return a reader of the first street without its tables being brought here; None where they are
        here already, or too small to matter."""
        if self._here is not None:
            return None
        found: TreeReader | None = self._engine.first_reader(threads)
        return found

    @property
    def average(self) -> list[Table]:
        """As in `SolvedTables`."""
        return self._tables().average

    @property
    def regret(self) -> list[Table] | None:
        """As in `SolvedTables`."""
        return self._tables().regret

    @property
    def play(self) -> list[Table] | None:
        """As in `SolvedTables`."""
        return self._tables().play

    @property
    def locked(self) -> list[Mask] | None:
        """As in `SolvedTables`."""
        return self._tables().locked

    def restore(self, engine: Engine) -> None:
        """As `SolvedTables.restore`."""
        self._tables().restore(engine)

    def _tables(self) -> SolvedTables:
        if self._here is None:
            self._here = self._fetched(self._engine)
            self._engine = None
        return self._here

    @staticmethod
    def _fetched(engine: Any) -> SolvedTables:
        return SolvedTables(engine.iteration, engine.average, engine.regret, engine.play, engine.locked)


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
