"""A solve saved while it goes on: a copy of its tables is taken between two iterations and written beside.

The solve waits for the copy alone, which takes about as long as an iteration. The file is replaced when the
new one is whole, so whoever reads it has one state or the other.
"""

from __future__ import annotations

import threading
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from overbet import machine
from overbet.errors import OverbetError

if TYPE_CHECKING:
    from overbet.solvers.vector.solution import Solution

_SPARE = 2.5  # times the tables must be free: the copy, and what the file is made of


class SnapshotWriter:
    """Writes the states of one solve to one file, one after the other."""

    def __init__(
        self, target: Path, saved: Callable[[Solution], None], failed: Callable[[str], None]
    ) -> None:
        """Take saved: called with every state that is in the file now; failed: with why one is not."""
        self._target, self._saved, self._failed = target, saved, failed
        self._thread: threading.Thread | None = None

    @property
    def busy(self) -> bool:
        """Whether a state is being written."""
        return self._thread is not None and self._thread.is_alive()

    def write(self, found: Solution) -> None:
        """Write a state before the solve goes on."""
        self.wait()
        found.save(self._target)
        self._saved(found)

    def write_beside(self, found: Solution) -> None:
        """Write a state while the solve goes on; where memory is short, before it does."""
        self.wait()
        copied = _copied(found)
        if copied is None:
            self.write(found)
            return
        self._thread = threading.Thread(target=self._write_copy, args=(copied,))
        self._thread.start()

    def wait(self) -> None:
        """Wait until the file is whole: an older state must not replace a newer one."""
        if self._thread is not None:
            self._thread.join()
            self._thread = None

    def _write_copy(self, copied: Solution) -> None:
        from overbet.solvers.vector.store import save

        try:
            save(copied, self._target, compressed=False)  # it is there soon, and soon replaced
        except (OSError, OverbetError) as error:  # a full disk: the file is as it was, the solve goes on
            traceback.print_exc()
            self._failed(f"the state of now cannot be saved ({error}); the solve goes on")
        else:
            self._saved(copied)


def _copied(found: Solution) -> Solution | None:
    """Return the solution with tables of its own; None where they lie on a GPU or memory is short."""
    from overbet.solvers.vector.solution import Solution
    from overbet.solvers.vector.tables import SolvedTables, Table, assembled, parts

    tables = found.tables
    if not isinstance(tables, SolvedTables) or tables.regret is None:
        return None
    groups = [tables.average, tables.regret, tables.play or []]
    every = {id(table): table for group in groups for table in group}
    size = sum(array.nbytes for table in every.values() for array in parts(table).values())
    if machine.available_bytes() < _SPARE * size:
        return None
    own: dict[int, Table] = {
        key: assembled({name: array.copy() for name, array in parts(table).items()})
        for key, table in every.items()
    }
    average, regret = ([own[id(table)] for table in group] for group in groups[:2])
    play = None if tables.play is None else [own[id(table)] for table in tables.play]
    locked = None if tables.locked is None else [mask.copy() for mask in tables.locked]
    return Solution(
        found.tree,
        found.settings,
        SolvedTables(tables.iteration, average, regret, play, locked),
        found.history,
        layout=found.layout,
        locks=found.locks,
        interrupted=found.interrupted,
    )
