"""`overbet.solve`: a spot, however it is given, to a `Solution`; and `overbet.load`."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

from overbet.errors import ConfigError
from overbet.solvers.vector.estimate import estimate
from overbet.solvers.vector.locking import Lock
from overbet.solvers.vector.settings import SolveSettings, SpotFile
from overbet.solvers.vector.solution import Solution
from overbet.solvers.vector.solver import Progress, Solver
from overbet.solvers.vector.store import load, read
from overbet.solvers.vector.tables import Tables
from overbet.tree.spot import Spot

Watch = Callable[[Progress], bool | None]
Source = Spot | Mapping[str, Any] | str | Path

__all__ = ["load", "solve", "spot_and_settings"]


def solve(
    spot: Source,
    *,
    progress: Watch | None = None,
    locks: Sequence[Lock | Mapping[str, Any]] = (),
    before: Solution | None = None,
    resume: str | Path | Solution | None = None,
    **settings: Any,
) -> Solution:
    """Solve a spot and return the solution.

    spot: a `Spot`, the same as a mapping, or the path of a YAML file. settings: fields of `SolveSettings`
    that replace those of the file, `target=0.3, iterations=500`. progress: called at every look at the
    exploitability; False stops. locks: strategies to fix (see `docs/solving.md`); before: the solution that
    total frequencies start from. resume: a saved solution of the same spot, or one in memory, to go on from.
    Ctrl-C stops after the iterations under way and returns what there is.
    """
    found, chosen = spot_and_settings(spot, settings)
    fixed = [lock if isinstance(lock, Lock) else Lock.parse(lock, "lock") for lock in locks]
    if resume is None:
        estimate(found, chosen, locked=bool(fixed)).require()
        solver = Solver(found, chosen, fixed, before.reader if before else None)
    else:
        if fixed:
            raise ConfigError("a resumed solve keeps the locks it was begun with; leave locks out")
        solver = _resumed(found, chosen, resume)
    if not (solver.history and solver.exploitability <= chosen.target):
        with _interrupts() as stop:

            def watch(look: Progress) -> bool:
                return (progress is None or progress(look) is not False) and not stop.is_set()

            solver.run(watch)
    return Solution.of(solver)


def spot_and_settings(spot: Source, changes: Mapping[str, Any]) -> tuple[Spot, SolveSettings]:
    """Return the spot and the settings of whatever was given, `changes` applied to the settings."""
    if isinstance(spot, str | Path):
        file = SpotFile.load(spot)
    elif isinstance(spot, SpotFile):
        file = spot
    elif isinstance(spot, Spot):
        file = None
    else:
        file = SpotFile.parse(spot, "spot")
    found = spot if file is None else file.spot()
    assert isinstance(found, Spot)
    settings = SolveSettings() if file is None else file.solve
    if changes:
        values = {name: getattr(settings, name) for name in type(settings).model_fields} | dict(changes)
        settings = SolveSettings.parse(values, "settings")
    return found, settings


def _resumed(spot: Spot, settings: SolveSettings, source: str | Path | Solution) -> Solver:
    """Return a solver that goes on where a saved solution, or one in memory, stopped."""
    if isinstance(source, Solution):
        name, old, tables, history = "the solution", source.settings, source.tables, source.history
        kept, locks, tree = source.spot, source.locks, source.tree
    else:
        saved = read(source, resume=True)
        name, old, tables, history = str(source), saved.settings, saved.tables, saved.history
        kept, locks, tree = saved.spot, saved.locks, saved.tree
    same = {"isomorphism": True}  # a lock may have switched it off
    if kept.model_copy(update=same).digest() != spot.model_copy(update=same).digest():
        differing = [key for key in type(spot).model_fields if getattr(spot, key) != getattr(kept, key)]
        raise ConfigError(
            f"{name} was made for another spot ({', '.join(differing)} differ); resume its own spot"
        )
    if old.the_rule() != settings.the_rule():
        raise ConfigError(
            f"{name} was made with the rule {old.the_rule().name} in other terms; resume with the same rule"
        )
    if old.precision != settings.precision:
        raise ConfigError(f"{name} was made with precision {old.precision}; resume with the same")
    solver = Solver(spot, settings, tree=tree)
    solver.locks = tuple(locks)
    Tables.restore(tables, solver.engine)
    solver.history = list(history)
    return solver


@contextmanager
def _interrupts() -> Iterator[threading.Event]:
    """Let the first Ctrl-C ask for a stop between iterations, and the second one stop at once."""
    stop = threading.Event()
    if threading.current_thread() is not threading.main_thread():
        yield stop
        return
    earlier = signal.getsignal(signal.SIGINT)

    def ask(number: int, frame: FrameType | None) -> None:
        if stop.is_set():
            raise KeyboardInterrupt
        stop.set()

    try:
        signal.signal(signal.SIGINT, ask)
        yield stop
    finally:
        signal.signal(signal.SIGINT, earlier)
