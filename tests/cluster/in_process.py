"""A cluster that is none: units, material and results are pickled as on a real one, and worked on here."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from overbet.cluster import Cluster, Crew


def travelled(value: Any) -> Any:
    """Return what arrives of a value on another machine."""
    return pickle.loads(pickle.dumps(value))  # noqa: S301  # our own


class InProcess(Cluster):
    """Four cores of nothing. `order`: of the units; results come in it."""

    def __init__(self, order: Callable[[list[Any]], list[Any]] = lambda units: units[::-1]) -> None:
        self.order = order

    @property
    def cores(self) -> int:
        return 4

    def crew(self, maker: Any, given: Any, cores: int = 1) -> Any:
        return _OneWorker(self, travelled(maker)(travelled(given)))

    def share(self, value: Any) -> Any:
        return _Value(value)

    def close(self) -> None:
        pass


class _OneWorker(Crew[Any, Any]):
    def __init__(self, cluster: InProcess, made: Callable[[Any], Any]) -> None:
        self.cluster, self.made = cluster, made

    @property
    def workers(self) -> int:
        return 4

    def map(self, units: Iterable[Any], stop: Any = None) -> Iterator[tuple[int, Any]]:  # type: ignore[override]
        for number, unit in self.cluster.order(list(enumerate(units))):
            yield number, travelled(self.made(travelled(unit)))


class _Value:
    def __init__(self, value: Any) -> None:
        self.value = travelled(value)

    def get(self) -> Any:
        return travelled(self.value)
