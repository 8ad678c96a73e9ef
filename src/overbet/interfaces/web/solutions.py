"""Solutions held open for study: the latest ones, within a limit of memory, each asked by one at a time."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from overbet import artefact
from overbet.errors import OverbetError
from overbet.interfaces.web.faults import Fault
from overbet.interfaces.web.limits import Limits
from overbet.interfaces.web.reading import is_plain
from overbet.machine import size_text
from overbet.solvers.vector.estimate import estimate
from overbet.solvers.vector.packed import parts
from overbet.solvers.vector.solution import Solution
from overbet.solvers.vector.store import KIND, facts_of, load

_ANSWERS = 96  # remembered for each open solution


class Opened:
    """An open solution: its lock, its size, and the latest answers given about it."""

    def __init__(self, solution: Solution) -> None:
        self.solution = solution
        self.lock = threading.Lock()
        self.bytes = solution_bytes(solution)
        self._answers: OrderedDict[tuple[str, ...], Any] = OrderedDict()

    def answer(self, key: tuple[str, ...], make: Callable[[Solution], Any]) -> Any:
        """Return a remembered answer, or make it; one at a time, as a solution's caches are not for many."""
        with self.lock:
            if key not in self._answers:
                self._answers[key] = make(self.solution)
            self._answers.move_to_end(key)
            while len(self._answers) > _ANSWERS:
                self._answers.popitem(last=False)
            return self._answers[key]


class Solutions:
    """The open solutions of a server, by id."""

    def __init__(
        self, limits: Limits, path_of: Callable[[str], Path], ready: Callable[[], None] = lambda: None
    ) -> None:
        """Take path_of: where the file of an id lies; ready: waits for the kernels."""
        self.limits, self._path_of, self._ready = limits, path_of, ready
        self._lock = threading.Lock()
        self._open: OrderedDict[str, Opened] = OrderedDict()
        self._loading: dict[str, threading.Lock] = {}
        self._forgotten: dict[str, int] = {}  # how often the file of an id changed

    def open(self, name: str) -> Opened:
        """Return an open solution, loading it where it is not."""
        with self._lock:
            if name in self._open:
                self._open.move_to_end(name)
                return self._open[name]
            loading = self._loading.setdefault(name, threading.Lock())
        with loading:
            with self._lock:
                if name in self._open:
                    return self._open[name]
            path = self._path_of(name)
            if not is_plain(path):
                raise Fault(409, "it has no saved solution yet; wait until it is solved, or resume it")
            self._ready()
            with self._lock:
                before = self._forgotten.get(name, 0)
            found = Opened(self._load(path))
            with self._lock:
                self._loading.pop(name, None)
                if self._forgotten.get(name, 0) != before:
                    return found  # it was replaced meanwhile: good for this answer, not for the next
                self._open[name] = found
                self._shrink(keep=name)
            return found

    def ask(self, name: str, key: tuple[str, ...], make: Callable[[Solution], Any]) -> Any:
        """Return an answer about a solution, remembered or made."""
        return self.open(name).answer(key, make)

    def forget(self, name: str) -> None:
        """Close a solution whose file changed or went."""
        with self._lock:
            self._open.pop(name, None)
            self._forgotten[name] = self._forgotten.get(name, 0) + 1

    @property
    def bytes(self) -> int:
        """What the open solutions take."""
        with self._lock:
            return sum(found.bytes for found in self._open.values())

    def _load(self, path: Path) -> Solution:
        try:
            return load(path)
        except OverbetError as error:
            raise Fault(409, str(error).replace(str(path), "the saved file")) from error
        except Exception as error:  # the data folder may have been filled by others
            raise Fault(409, "the saved file is damaged; solve the spot again") from error

    def _shrink(self, keep: str) -> None:
        limit = self.limits.open_limit()
        for name in list(self._open):
            if sum(found.bytes for found in self._open.values()) <= limit:
                return
            if name != keep:
                del self._open[name]


def solution_bytes(solution: Solution) -> int:
    """Return about how much memory an open solution takes: its tables, and the judge's values."""
    tables = [table for table in (solution.tables.average, solution.tables.regret) if table]
    held = sum(array.nbytes for group in tables for table in group for array in parts(table).values())
    return int(held + estimate(solution.spot, solution.settings).judge_bytes)


@contextmanager
def upload_faults() -> Iterator[None]:
    """Turn whatever a file that is no solution can cause into one line."""
    try:
        yield
    except Fault:
        raise
    except OverbetError as error:
        raise Fault(422, f"this file cannot be used: {error}", "file") from error
    except MemoryError as error:
        raise Fault(413, "opening this file needs more memory than is free", "file") from error
    except Exception as error:
        raise Fault(422, "this file is not a solution of overbet, or it is damaged", "file") from error


def check_upload(path: Path, limits: Limits) -> tuple[Solution, bool]:
    """Return the solution of an uploaded file and whether it can be resumed; looked at before it is read."""
    with upload_faults():
        with artefact.opened(path, KIND) as file:
            facts = facts_of(file)
            size = estimate(facts.spot)
            if size.bytes() > limits.solve_limit():
                raise Fault(
                    413, f"opening it needs about {size_text(size.bytes())}, more than is free", "file"
                )
            if file.nbytes > 4 * size.bytes() + (64 << 20):
                raise Fault(422, "this file's tables are larger than its spot", "file")
        return load(path), facts.resumable
