"""`overbet.solve`: a spot, however it is given, to a `Solution`; and `overbet.load`."""

from __future__ import annotations

import signal
import threading
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

import pydantic

from overbet.errors import ConfigError
from overbet.solvers.vector.estimate import TreeEstimate, estimate
from overbet.solvers.vector.locking import Lock, tree_for
from overbet.solvers.vector.settings import SolveSettings, SpotFile
from overbet.solvers.vector.solution import Solution
from overbet.solvers.vector.solver import Beat, Checkpoint, Progress, Solver
from overbet.solvers.vector.store import load, read
from overbet.tree.spot import IP, OOP, STREETS, Spot

Watch = Callable[[Progress], bool | None]
Source = Spot | Mapping[str, Any] | str | Path

__all__ = ["SolveFile", "load", "read_source", "solve"]


class SolveFile(SpotFile):
    """What a YAML file may hold: a spot, `solve:` (how) and `locks:` (strategies that are fixed)."""

    locks: tuple[Lock, ...] = ()

    @pydantic.model_validator(mode="after")
    def _readable_menus(self) -> SolveFile:
        """Read every menu now: a size that cannot be read is a fault of the file, not of the tree."""
        for street, name in enumerate(STREETS):
            for player in (OOP, IP):
                try:
                    self.bets.menu(street, player)
                except pydantic.ValidationError as error:
                    reason = error.errors()[0]["msg"].removeprefix("Value error, ")
                    raise ValueError(f"bets on the {name}: {reason}") from error
        return self

    def spot(self) -> Spot:
        """Return the spot alone, whose digest does not depend on how it is solved."""
        return Spot.model_validate(self.model_dump(by_alias=True, exclude={"solve", "locks"}))


def solve(
    spot: Source,
    *,
    progress: Watch | None = None,
    locks: Sequence[Lock | Mapping[str, Any]] = (),
    before: Solution | None = None,
    resume: str | Path | Solution | None = None,
    checkpoint: Callable[[Solution], None] | None = None,
    every: float = 300.0,
    asked: Callable[[], bool] = lambda: False,
    beat: Beat | None = None,
    size: TreeEstimate | None = None,
    **settings: Any,
) -> Solution:
    """Solve a spot and return the solution.

    spot: a `Spot`, the same as a mapping, or the path of a YAML file. settings: fields of `SolveSettings`
    that replace those of the file, `target=0.3, iterations=500`. progress: called at every look at the
    exploitability; False stops. locks: strategies to fix (see `docs/solving.md`); before: the solution that
    total frequencies start from. resume: a saved solution of the same spot, or one in memory, to go on from.
    checkpoint: called with the solution as it stands about every so many seconds, to save it on the way; it
    shares the solver's tables, so use it before returning; asked: whether it is wanted at this look already.
    beat: called with the iterations done and the seconds, before the first iteration, after it and then about
    four times a second; True asks for a look now. size: the `estimate` of this spot, where it was
    made already: its betting tree is used. Ctrl-C stops after the iterations under way and returns what
    there is.
    """
    if checkpoint is not None and not every >= 0:
        raise ConfigError(f"every={every}: the seconds between checkpoints cannot be negative")
    file = read_source(spot, settings)
    found, chosen = file.spot(), file.solve
    fixed = [*file.locks, *(lock if isinstance(lock, Lock) else Lock.parse(lock, "lock") for lock in locks)]
    if resume is None:
        size = size or estimate(found, chosen, locked=bool(fixed))
        if size.tree.spot != found:
            raise ConfigError("size is the estimate of another spot; leave it out")
        size.require()
        tree = tree_for(found, fixed, size.tree.betting)
        solver = Solver(found, chosen, fixed, before.reader if before else None, tree)
    else:
        solver = _resumed(found, chosen, fixed, resume)
    if solver.note:
        warnings.warn(solver.note, stacklevel=2)
    if not (solver.history and solver.exploitability <= chosen.target):
        with _interrupts() as stop:

            def watch(look: Progress) -> bool:
                return (progress is None or progress(look) is not False) and not stop.is_set()

            kept = None
            if checkpoint is not None:
                kept = Checkpoint(lambda: checkpoint(Solution.of(solver)), every, asked)
            solver.run(watch, kept, beat)
    return Solution.of(solver)


def read_source(spot: Source, changes: Mapping[str, Any] | None = None) -> SolveFile:
    """Return the spot, settings and locks of whatever was given, `changes` applied to the settings."""
    if isinstance(spot, str | Path):
        file = SolveFile.load(spot)
    elif isinstance(spot, Spot):
        file = (
            spot if isinstance(spot, SolveFile) else SolveFile.parse(spot.model_dump(by_alias=True), "spot")
        )
    else:
        file = SolveFile.parse(spot, "spot")
    if not changes:
        return file
    values = {name: getattr(file.solve, name) for name in type(file.solve).model_fields} | dict(changes)
    return file.model_copy(update={"solve": SolveSettings.parse(values, "settings")})


def _resumed(spot: Spot, settings: SolveSettings, fixed: list[Lock], source: str | Path | Solution) -> Solver:
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
    if fixed and tuple(fixed) != tuple(locks):
        raise ConfigError(f"{name} was made with other locks; a resumed solve keeps those it was begun with")
    if old.the_rule() != settings.the_rule():
        raise ConfigError(
            f"{name} was made with the rule {old.the_rule().name} in other terms; resume with the same rule"
        )
    if old.precision != settings.precision:
        raise ConfigError(f"{name} was made with precision {old.precision}; resume with the same")
    solver = Solver(spot, settings, tree=tree)
    solver.locks = tuple(locks)
    tables.restore(solver.engine)
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
