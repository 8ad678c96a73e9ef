"""Training in shards: K walkers start from the same tables, and what they learned is merged in order.

An epoch has `solver.merge_every` iterations. Shard k walks the k-th part of them on tables of its own, adding
at once; the differences to the tables all began with are added up in the order of shards. Nothing depends on
where or when a shard is walked, nor on how often: one process that walks them one after another, three nodes,
and nodes that die on the way leave the same bits. A rule's discounts fall between epochs, as ever.

An epoch that is not finished leaves the tables as they were before it.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy.typing as npt

from overbet.blueprint.iteration_queue import MOST
from overbet.blueprint.learned import Learned

if TYPE_CHECKING:
    from overbet.blueprint.loop import Training

Arrays = Mapping[str, npt.NDArray[Any]]
Stop = Callable[[], bool]


class Stretch(NamedTuple):
    """The part of an epoch that one shard walks. start: the epoch's first iteration."""

    start: int
    first: int
    length: int


class ShardWalkers(Protocol):
    """Who walks shards: this process (`LocalShards`) or a cluster (`shard_cluster.ClusterShards`)."""

    @property
    def cores(self) -> int:
        """Cores that work at once."""

    def begin(self, arrays: Arrays, changed: Learned | None) -> None:
        """Take the tables an epoch begins with; changed: the numbers that the last epoch changed, or None."""

    def walk(self, stretches: list[Stretch], stop: Stop) -> Iterator[tuple[int, Learned]]:
        """Yield (shard, what it learned) as they come; ends early when `stop` says so."""

    def before(self) -> Arrays:
        """Return the tables the epoch began with."""


class LocalShards:
    """Walks shards one after another in this process, on a second pair of tables."""

    def __init__(self, trainer: Training, workers: int) -> None:
        threads = workers if trainer.config.solver.mode == "deterministic" else 1
        self._threads = threads
        self.walker = ShardWalker(type(trainer).make(trainer.config, trainer.cards), threads)

    @property
    def cores(self) -> int:
        return self._threads

    def begin(self, arrays: Arrays, changed: Learned | None) -> None:
        self.walker.begin(arrays)

    def walk(self, stretches: list[Stretch], stop: Stop) -> Iterator[tuple[int, Learned]]:
        for shard, stretch in enumerate(stretches):
            learned = self.walker.walk(stretch, stop)
            if learned is None:
                return
            yield shard, learned

    def before(self) -> Arrays:
        return self.walker.base


class ShardWalker:
    """A second trainer with tables of its own, walked from a base that is kept beside them."""

    def __init__(self, twin: Training, threads: int) -> None:
        self.twin = twin
        self.base = {name: array.copy() for name, array in twin.arrays.items()}
        self.threads = threads
        solver = twin.config.solver
        self.batch = solver.batch if solver.mode == "deterministic" else 0
        self.twin.prepare_walks(threads)

    def begin(self, arrays: Arrays) -> None:
        """Take over the tables of an epoch."""
        for name, array in arrays.items():
            self.base[name][:] = array

    def take_changed(self, changed: Learned) -> None:
        """Bring the base from one epoch to the next by the numbers that changed."""
        self.twin.restore(self.base)
        self.twin.take_changed(changed)
        self.begin(self.twin.arrays)

    def walk(self, stretch: Stretch, stop: Stop = lambda: False) -> Learned | None:
        """Return what the walks of a stretch add to the base, or None where it was stopped."""
        twin = self.twin
        twin.restore(self.base)
        twin.iterations, twin.torn = stretch.start, False
        last = stretch.first + stretch.length
        with ThreadPoolExecutor(self.threads) as pool:
            step = twin.begin_epoch(pool, self.threads)
            begun: Arrays = self.base
            if twin.discounts_at(stretch.start):
                begun = {name: array.copy() for name, array in twin.arrays.items()}
            for first in range(stretch.first, last, self.batch or MOST):
                if stop():
                    return None
                twin.iterations = first
                twin.walk_piece(pool, self.threads, min(self.batch or MOST, last - first), step)
        return twin.learned_since(begun)


def run_in_shards(
    trainer: Training,
    iterations: int,
    walkers: ShardWalkers,
    report: Callable[[int], None] | None,
    interrupt: threading.Event | None,
) -> None:
    """Run whole epochs until `iterations` in all are done; see `loop.Training.run`."""
    solver = trainer.config.solver
    each = solver.merge_every // solver.shards

    def stop() -> bool:
        return interrupt is not None and interrupt.is_set()

    changed: Learned | None = None
    while trainer.iterations < iterations and not stop():
        trainer.check_going_on()
        started, start = time.perf_counter(), trainer.iterations
        walkers.begin(trainer.arrays, changed)
        stretches = [Stretch(start, start + each * shard, each) for shard in range(solver.shards)]
        trainer.torn = True
        merged = 0
        collected: list[Learned] = []
        try:
            with ThreadPoolExecutor(1) as pool:
                step = trainer.begin_epoch(pool, 1)
            for learned in _in_order(walkers.walk(stretches, stop)):
                trainer.add_learned(learned)
                collected.append(Learned(learned.mask, learned.values[:0]))  # where, not how much
                merged += 1
        finally:
            if merged < solver.shards:
                trainer.restore(walkers.before())
                trainer.torn = False
        if merged < solver.shards:
            return
        trainer.keep_above(float(step.floor))
        changed = None if trainer.discounts_at(start) else trainer.changed_by(collected)
        trainer.iterations += solver.merge_every
        trainer.torn = False
        taken = time.perf_counter() - started
        trainer.seconds += taken
        trainer.core_seconds += taken * walkers.cores
        if report is not None:
            report(trainer.iterations)


def _in_order(found: Iterator[tuple[int, Learned]]) -> Iterator[Learned]:
    """Yield by the number of the shard; those that come early wait."""
    waiting: dict[int, Learned] = {}
    following = 0
    for shard, learned in found:
        waiting[shard] = learned
        while following in waiting:
            yield waiting.pop(following)
            following += 1
