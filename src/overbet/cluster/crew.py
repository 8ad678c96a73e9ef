"""Workers on a cluster that are handed units, and give results back as they come.

A unit whose worker process or node dies is worked on again elsewhere: units must not change anything but
their result. Work that was made for nothing, because of Ctrl-C or an error, is cancelled within a moment.
"""

from __future__ import annotations

import pickle
import uuid
from collections.abc import Callable, Generator, Iterable
from typing import Any, Generic, TypeVar

from overbet import errors
from overbet.errors import OverbetError

Unit = TypeVar("Unit")
Result = TypeVar("Result")
_LOOK_SECONDS = 0.25  # how often Ctrl-C and `stop` are looked at


class Shared:
    """A value in the cluster's memory, which may stand in a unit."""

    def __init__(self, reference: Any) -> None:
        self._reference = [reference]  # in a list: Ray does not fetch it before somebody asks

    def get(self) -> Any:
        """Return the value; arrays in it are read-only."""
        import ray

        return ray.get(self._reference[0])


class Crew(Generic[Unit, Result]):
    """See `Cluster.crew`. all_cores: asked again and again, for nodes come and go."""

    def __init__(
        self,
        ray: Any,
        maker: Callable[[Any], Callable[[Unit], Result]],
        given: Any,
        cores: int,
        all_cores: Callable[[], int],
    ) -> None:
        self._ray, self._maker, self._cores, self._all_cores = ray, maker, cores, all_cores
        self._key = uuid.uuid4().hex
        # as bytes: arrays that Ray hands out are read-only, which kernels are not compiled for
        self._given = Shared(ray.put(ray.cloudpickle.dumps(given)))
        # -1: as often as it takes. Exceptions of ours come back as results and are not tried again.
        self._task = ray.remote(num_cpus=cores, max_retries=-1)(work)

    @property
    def workers(self) -> int:
        """How many units are worked on at once, by the nodes there are now."""
        return max(1, self._all_cores() // self._cores)

    def map(
        self, units: Iterable[Unit], stop: Callable[[], bool] | None = None
    ) -> Generator[tuple[int, Result], None, None]:
        """Yield (number of the unit, its result) as they come; few units wait, so that it ends at once.

        stop: looked at often; once it is true, what is under way is cancelled and nothing more comes.
        """
        ray, left = self._ray, enumerate(units)
        running: dict[Any, int] = {}
        try:
            while True:
                room = 2 * self.workers
                while len(running) < room:
                    if (following := next(left, None)) is None:
                        break
                    number, unit = following
                    running[self._task.remote(self._key, self._maker, self._given, unit)] = number
                if not running:
                    return
                done, _ = ray.wait(list(running), num_returns=1, timeout=_LOOK_SECONDS)
                if stop is not None and stop():
                    return
                for reference in done:
                    good, found = ray.get(reference)
                    if not good:
                        raise _raised(*found)
                    number = running.pop(reference)
                    del reference  # so that what it holds can go
                    yield number, found
        finally:
            for reference in self._going_on(list(running)):
                ray.cancel(reference, force=True)

    def _going_on(self, references: list[Any]) -> list[Any]:
        """Return what goes on after what is about to end has ended.

        Ray 2.60 aborts this whole process where a task that is cancelled ends at the same moment.
        """
        while references:
            done, references = self._ray.wait(
                references, num_returns=len(references), timeout=_LOOK_SECONDS, fetch_local=False
            )
            if not done:
                break
        return references


_MADE: dict[str, Callable[[Any], Any]] = {}  # in a worker process: what the crew it worked for last had made


def work(key: str, maker: Callable[[Any], Callable[[Any], Any]], given: Shared, unit: Any) -> Any:
    """Work on one unit, in a worker process: (True, result), or (False, the error in plain words)."""
    try:
        if key not in _MADE:
            _MADE.clear()
            _MADE[key] = maker(pickle.loads(given.get()))  # noqa: S301  # of our own process, in our cluster
        return True, _MADE[key](unit)
    except OverbetError as error:
        return False, (type(error).__name__, str(error))


def _raised(name: str, message: str) -> OverbetError:
    """Return the error of a worker; one that is made of more than a message becomes the plain kind."""
    kind = getattr(errors, name, OverbetError)
    found: OverbetError = kind(message)
    return found
