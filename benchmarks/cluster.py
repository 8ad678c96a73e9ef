"""Training on a cluster: two nodes of one core against one, and what an epoch costs in bytes and seconds.

    python benchmarks/cluster.py            # both, a few minutes
    python benchmarks/cluster.py --merging  # only what packing and merging cost

Two real Ray clusters run on this machine, of one node and of two nodes with one core each. The same epochs
are walked on them in turn, several times; the best round of each counts, for whatever else the machine does
makes a round longer and never shorter. Beside the seconds stands which share of its cores the work was given
(processor seconds of the workers against the clock): where that is far below 1, others were at work and the
ratio says little. The driver, which merges, is a third process and needs a core now and then.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import numpy as np
import psutil

from overbet.blueprint.config import BlueprintConfig
from overbet.blueprint.factory import make_trainer
from overbet.blueprint.learned import add, differences, put, taken
from overbet.blueprint.shard_cluster import ClusterShards
from overbet.cluster import connect

ROUNDS, EPOCHS, SHARDS = 6, 2, 8
EACH = 1_000_000  # iterations of a shard: more than a second
NUMBERS = 50_000_000  # of the table that merging is measured on: 200 MB
QUIET = 0.9  # share of its cores that a round must have had to count as undisturbed
PATIENCE = {
    "RAY_raylet_start_wait_time_s": "300",
    "RAY_agent_register_timeout_ms": "300000",
    "RAY_memory_monitor_refresh_ms": "0",
    "RAY_USAGE_STATS_ENABLED": "0",
}


class Walked(NamedTuple):
    """One round: seconds, share of the cores granted, bytes received and sent an epoch.

    alone: how long it would take on cores of one's own: processor seconds of a worker and of the driver.
    """

    seconds: float
    granted: float
    received: float
    sent: float
    alone: float


def config() -> BlueprintConfig:
    every = EACH * SHARDS
    return BlueprintConfig.parse(
        {
            "game": {"players": 6, "stack_bb": 10},
            "menu": {"preflop": {"sizes": ["a"], "raises": 1, "limp": False}},
            "cards": {"kind": "preflop"},
            "solver": {"shards": SHARDS, "merge_every": every, "discount_every": every, "discounts": 1},
        }
    )


@contextmanager
def nodes(count: int) -> Iterator[Any]:
    from ray.cluster_utils import Cluster

    each = {"num_cpus": 1, "object_store_memory": 200 << 20, "include_log_monitor": False}
    head = {"include_dashboard": False, "no_monitor": True}
    found = Cluster(initialize_head=True, head_node_args={**each, **head})
    try:
        for _ in range(count - 1):
            found.add_node(**each)
        yield found
    finally:
        found.shutdown()


def worker_seconds(cluster: Any) -> float:
    """Return the processor seconds of all worker processes of a cluster's nodes so far."""
    total = 0.0
    for node in cluster.list_all_nodes():
        for process in node.all_processes["raylet"]:
            for child in psutil.Process(process.process.pid).children(recursive=True):
                if "ray::work" in " ".join(child.cmdline()) or "ray::IDLE" in " ".join(child.cmdline()):
                    spent = child.cpu_times()
                    total += spent.user + spent.system
    return total


def walked(cluster: Any, count: int) -> Walked:
    with connect(cluster.address) as found:
        trainer = make_trainer(None, config())
        walkers = ClusterShards(found, trainer)
        every = trainer.config.solver.merge_every
        trainer.run(2 * every, walkers=walkers)  # workers start, kernels load, the discount is behind
        received, sent = walkers.received, walkers.sent
        before, begun, own = worker_seconds(cluster), time.perf_counter(), time.process_time()
        trainer.run((2 + EPOCHS) * every, walkers=walkers)
        seconds, driver = time.perf_counter() - begun, time.process_time() - own
        each = (worker_seconds(cluster) - before) / count
        granted = each / seconds
        per_epoch = (walkers.received - received) / EPOCHS, (walkers.sent - sent) / EPOCHS
        return Walked(seconds, granted, *per_epoch, each + driver)


def speed() -> None:
    os.environ.update(PATIENCE)
    found: dict[int, list[Walked]] = {1: [], 2: []}
    table = sum(array.nbytes for array in make_trainer(None, config()).arrays.values())
    print(f"{EPOCHS} epochs of {SHARDS} shards of {EACH:,} iterations, a table of {table / 1e6:.2f} MB")
    with nodes(1) as one, nodes(2) as two:
        for number in range(ROUNDS):
            for count, cluster in ((1, one), (2, two)):
                found[count].append(walked(cluster, count))
            pair = [found[count][-1] for count in (1, 2)]
            print(
                f"round {number + 1}: one node {pair[0].seconds:.2f} s (granted {pair[0].granted:.0%}), two "
                f"{pair[1].seconds:.2f} s ({pair[1].granted:.0%}), load {os.getloadavg()[0]:.1f}",
                flush=True,
            )
    best = {count: min(rounds) for count, rounds in found.items()}
    ratio = best[1].seconds / best[2].seconds
    received, sent = best[2].received, best[2].sent
    print(f"best of {ROUNDS}: {best[1].seconds:.2f} s and {best[2].seconds:.2f} s: {ratio:.2f} times as fast")
    print(f"an epoch: {received / 1e6:.2f} MB received, {sent / 1e6:.2f} MB sent to a node")
    if min(one.granted for one in best.values()) < QUIET:
        alone = [float(np.median([one.alone for one in rounds])) for rounds in found.values()]
        print("the machine had other work even in the best rounds: run this again when it is quiet")
        print(
            f"by processor seconds of a worker and of the driver, medians: {alone[0]:.2f} s and "
            f"{alone[1]:.2f} s: {alone[0] / alone[1]:.2f} times"
        )


def merging() -> None:
    """What packing, adding and bringing up to date cost a byte of table, by the processor's time."""
    random = np.random.default_rng(1)
    base = random.standard_normal(NUMBERS, dtype=np.float32)
    for share in (0.01, 0.1, 0.5, 1.0):
        table, target = base.copy(), base.copy()
        table[random.random(NUMBERS) < share] += 1.0
        clock = [time.process_time()]
        learned = differences(table, base)
        clock.append(time.process_time())
        add(target, learned)
        clock.append(time.process_time())
        put(target, taken(table, learned.mask))
        clock.append(time.process_time())
        np.copyto(target, table)
        clock.append(time.process_time())
        rates = [table.nbytes / 1e9 / spent for spent in np.diff(clock)]
        words = ", ".join(
            f"{name} {rate:.2f}" for name, rate in zip(("pack", "add", "update", "copy"), rates)
        )
        travels = learned.nbytes / table.nbytes
        print(f"{share:.0%} changed: {travels:.1%} of the table travel; GB of table a second: {words}")


if __name__ == "__main__":
    merging()
    if "--merging" not in sys.argv:
        speed()
