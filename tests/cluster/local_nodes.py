"""A real Ray cluster of several nodes on this machine, and workers that say where they are."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import psutil
import pytest

from overbet.blueprint import shard_cluster

# a machine with much else to do takes long to start a node
PATIENCE = {
    "RAY_raylet_start_wait_time_s": "300",
    "RAY_agent_register_timeout_ms": "300000",
    "RAY_memory_monitor_refresh_ms": "0",  # others' memory is not ours to judge
    "RAY_USAGE_STATS_ENABLED": "0",
}
NODE = {"num_cpus": 1, "object_store_memory": 100 << 20, "include_log_monitor": False}
HEAD = {"include_dashboard": False, "no_monitor": True}

needs_ray = pytest.mark.skipif(find_spec("ray") is None, reason="Ray is not installed: overbet[cluster]")


@contextmanager
def local_nodes(count: int) -> Iterator[Any]:
    """Start a head and further nodes of one core each; yield Ray's own object for them."""
    os.environ.update(PATIENCE)
    from ray.cluster_utils import Cluster

    nodes = Cluster(
        initialize_head=True, head_node_args={**NODE, "include_dashboard": False, "no_monitor": True}
    )
    try:
        for _ in range(count - 1):
            nodes.add_node(**NODE)
        yield nodes
    finally:
        session = nodes.head_node.get_session_dir_path()
        nodes.shutdown()
        shutil.rmtree(session, ignore_errors=True)  # logs


class Told:
    """A folder in which every unit that is begun leaves a file: process-node-number."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def begin(self) -> None:
        """Say that a unit is begun, in a worker."""
        import ray

        node = ray.get_runtime_context().get_node_id()
        (self.folder / f"{os.getpid()}-{node}-{time.monotonic_ns()}").touch()

    @property
    def begun(self) -> list[tuple[int, str]]:
        """(process, node) of every unit that was begun."""
        parts = [path.name.split("-") for path in sorted(self.folder.iterdir())]
        return [(int(process), node) for process, node, _ in parts]

    def wait_for(self, found: Callable[[tuple[int, str]], bool], after: int) -> tuple[int, str]:
        """Return the first that fits of the units begun after so many."""
        until = time.monotonic() + 600
        while time.monotonic() < until:
            for one in self.begun[after:]:
                if found(one):
                    return one
            time.sleep(0.02)
        raise TimeoutError(f"no such unit among {self.begun}")


class SlowWalker:
    """Walks shards as ever, after a while in which one can be killed."""

    def __init__(self, told: Told, material: shard_cluster.ShardMaterial) -> None:
        self.told, self.inner = told, shard_cluster._WorkerShards(material)

    def __call__(self, unit: shard_cluster.ShardUnit) -> Any:
        self.told.begin()
        time.sleep(0.4)
        return self.inner(unit)


class Sleeper:
    """Does nothing for long."""

    def __init__(self, told: Told) -> None:
        self.told = told

    def __call__(self, unit: float) -> float:
        self.told.begin()
        time.sleep(unit)
        return unit


def alive(process: int) -> bool:
    """Return whether a process is there and not merely waiting to be counted."""
    try:
        return bool(psutil.Process(process).status() != psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return False
