"""Shards walked on a cluster: every worker holds the tables, and fetches what changed since the last epoch.

A worker that has walked in the epoch before fetches the numbers that changed; a new one, or one that was left
out, fetches all. Either comes once to a node, however many workers it has.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from overbet.blueprint.cards import load_cards
from overbet.blueprint.config import BlueprintConfig
from overbet.blueprint.factory import make_trainer
from overbet.blueprint.learned import Learned
from overbet.blueprint.loop import Training
from overbet.blueprint.shards import Arrays, ShardWalker, Stop, Stretch
from overbet.cluster import Cluster, Shared
from overbet.errors import ConfigError


class ShardMaterial(NamedTuple):
    """What a worker makes its tables from. cards, game: hashes that must be the same everywhere."""

    config: BlueprintConfig
    cards: str
    game: str
    threads: int


class ShardUnit(NamedTuple):
    """One shard of an epoch. epoch: counted from the start of this process; whole, changed: its tables."""

    epoch: int
    whole: Shared
    changed: Shared | None
    stretch: Stretch


class ClusterShards:
    """Shares shards out to the workers of a cluster. threads: of a shard, in the deterministic mode."""

    def __init__(self, cluster: Cluster, trainer: Training, threads: int = 0) -> None:
        solver, run = trainer.config.solver, trainer.config.run
        check_sharded(trainer.config)
        self.threads = max(threads, 1) if solver.mode == "deterministic" else 1
        config = trainer.config.model_copy(update={"run": run.model_copy(update={"storage": "memory"})})
        material = ShardMaterial(config, trainer.cards.digest, trainer.game_digest, self.threads)
        self._cluster, self._shards = cluster, solver.shards
        self._crew = cluster.crew(make_walker, material, self.threads)
        self._epoch = 0
        self._whole: Shared | None = None
        self._changed: Shared | None = None
        self.received = 0  # bytes of what shards learned, so far
        self.sent = 0  # bytes of tables and changes that were offered, so far

    @property
    def cores(self) -> int:
        return self.threads * min(self._crew.workers, self._shards)

    def begin(self, arrays: Arrays, changed: Learned | None) -> None:
        self._epoch += 1
        self._whole = self._cluster.share({name: np.asarray(array) for name, array in arrays.items()})
        self._changed = None if changed is None else self._cluster.share(changed)
        size = sum(array.nbytes for array in arrays.values())
        self.sent += size if changed is None else changed.nbytes

    def walk(self, stretches: list[Stretch], stop: Stop) -> Iterator[tuple[int, Learned]]:
        assert self._whole is not None
        units = [ShardUnit(self._epoch, self._whole, self._changed, stretch) for stretch in stretches]
        for shard, learned in self._crew.map(units, stop):
            self.received += learned.nbytes
            yield shard, learned

    def before(self) -> Arrays:
        assert self._whole is not None
        found: dict[str, Any] = self._whole.get()
        return found


def check_sharded(config: BlueprintConfig) -> None:
    """Refuse a run that has no shards to share out."""
    if not config.solver.shards:
        raise ConfigError(
            "--cluster shares shards out: begin the run with their number, which decides the result, as in "
            "--set solver.shards=16"
        )


def make_walker(material: ShardMaterial) -> _WorkerShards:
    """Return what walks shards in a worker process."""
    return _WorkerShards(material)


class _WorkerShards:
    """The tables of a worker process, kept from epoch to epoch."""

    def __init__(self, material: ShardMaterial) -> None:
        config = material.config
        cards = load_cards(config.cards)
        if cards.digest != material.cards:
            raise ConfigError(
                f"the card buckets {config.cards.path} on a node of the cluster are others than those here; "
                "copy the file to the same place on every machine"
            )
        twin = make_trainer(None, config, cards)
        if twin.game_digest != material.game:
            raise ConfigError("a node of the cluster builds another betting tree; install the same overbet")
        self.walker = ShardWalker(twin, material.threads)
        self.epoch = 0

    def __call__(self, unit: ShardUnit) -> Learned:
        if unit.epoch == self.epoch + 1 and unit.changed is not None:
            self.walker.take_changed(unit.changed.get())
        elif unit.epoch != self.epoch:
            self.walker.begin(unit.whole.get())
        self.epoch = unit.epoch
        learned = self.walker.walk(unit.stretch)
        assert learned is not None  # a worker is ended, not asked to stop
        return learned
