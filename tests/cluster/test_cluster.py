"""Work on a real Ray cluster of two nodes on this machine: one worker is killed, one node is lost."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from overbet.blueprint import shard_cluster
from overbet.blueprint.factory import make_trainer
from overbet.blueprint.shard_cluster import ClusterShards
from overbet.cluster import Cluster, connect, connection
from overbet.cluster.stamp import own_stamp
from overbet.errors import ConfigError, TooLargeError
from tests.blueprint.test_shards import assert_same_bits, config
from tests.cluster.local_nodes import SlowWalker, Told, local_nodes, needs_ray


@pytest.fixture(scope="module")
def nodes() -> Iterator[Any]:
    with local_nodes(2) as found:
        yield found


@pytest.fixture(scope="module")
def cluster(nodes: Any) -> Iterator[Cluster]:
    before = signal.getsignal(signal.SIGTERM)
    with connect(nodes.address) as found:
        assert signal.getsignal(signal.SIGTERM) is before  # Ray has one of its own
        yield found


@pytest.fixture
def told(tmp_path: Path) -> Told:
    return Told(tmp_path)


def double(given: int) -> Any:
    def of(unit: int) -> int:
        if unit == 7:
            raise TooLargeError(f"unit {unit} does not fit\nat all")
        return given * unit

    return of


def test_without_ray_one_line_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(ConfigError, match=r"pip install 'overbet\[cluster\]'"):
        connect("auto")


@needs_ray
@pytest.mark.parametrize(
    ("address", "words"),
    [
        ("127.0.0.1:1", "there is no cluster at 127.0.0.1:1: Connection refused; start one with: ray start"),
        ("ray://localhost:10001", "write auto, or HOST:PORT"),
        ("here", "write auto, or HOST:PORT"),
        ("localhost:99999", "write auto, or HOST:PORT"),
    ],
)
def test_a_cluster_that_is_not_there_is_told_at_once(address: str, words: str) -> None:
    begun = time.monotonic()
    with pytest.raises(ConfigError, match=words):
        connect(address)
    assert time.monotonic() - begun < 30


def test_another_version_of_ray_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    text = (
        "Version mismatch: The cluster was started with:\n    Ray: 2.9.0\n    Python: 3.10.2\n"
        "This process on node 10.0.0.1 was started with:\n    Ray: 2.60.0\n    Python: 3.11.7\n"
    )
    found = connection._why_not("10.0.0.1:6379", RuntimeError(text))
    assert "another version (Ray 2.9.0, Python 3.10.2, Ray 2.60.0, Python 3.11.7" in found
    assert "\n" not in found


@needs_ray
def test_nodes_are_alike_and_one_with_other_code_is_refused(
    cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "2 nodes, 2 cores" in cluster.describe()
    connection._check_nodes(cluster._ray)
    for other, words in (
        (own_stamp()._replace(overbet="9.9"), r"has overbet .* and this process has overbet 9\.9"),
        (own_stamp()._replace(code="0" * 64), r"has .* and this process has overbet .*\(00000000\)"),
        (own_stamp()._replace(python="3.99"), r"has .* and this process has .*Python 3\.99"),
    ):
        monkeypatch.setattr(connection, "own_stamp", lambda other=other: other)
        with pytest.raises(ConfigError, match=f"node .* of the cluster {words}.*; install the same"):
            connection._check_nodes(cluster._ray)


@needs_ray
def test_units_come_back_by_number_and_errors_in_one_line(cluster: Cluster) -> None:
    crew = cluster.crew(double, 3)
    assert sorted(crew.map(range(6))) == [(unit, 3 * unit) for unit in range(6)]
    with pytest.raises(TooLargeError, match=r"^unit 7 does not fit at all$"):
        list(crew.map(range(50)))
    with pytest.raises(ConfigError, match="takes 5 cores and the largest node of the cluster has 1"):
        cluster.crew(double, 3, cores=5)


@needs_ray
def test_a_killed_worker_and_a_lost_node_change_no_bit(
    nodes: Any,
    cluster: Cluster,
    told: Told,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Last of this file: the second node is gone after it."""
    monkeypatch.setattr(shard_cluster, "make_walker", partial(SlowWalker, told))
    values = config(shards=3, merge_every=300, discount_every=600, seed=5)
    trainer, alone = make_trainer(None, values), make_trainer(None, values)
    walkers = ClusterShards(cluster, trainer)
    second = next(iter(nodes.worker_nodes))
    lost: list[str] = []

    def destroy() -> None:
        process, _ = told.wait_for(lambda _: True, 3)  # in the second epoch
        os.kill(process, signal.SIGKILL)
        lost.append("worker")
        told.wait_for(lambda one: one[1] == second.node_id and one[0] != process, 5)
        nodes.remove_node(second, allow_graceful=False)
        lost.append("node")

    thread = threading.Thread(target=destroy)
    thread.start()
    trainer.run(2100, walkers=walkers)
    thread.join()
    assert lost == ["worker", "node"]
    assert len(told.begun) > 3 * 7  # shards were walked again
    alone.run(2100)
    assert_same_bits(trainer, alone)
    assert capsys.readouterr().out == ""  # Ray tells of every lost worker otherwise
    whole = sum(array.nbytes for array in trainer.arrays.values())
    assert 0 < walkers.received <= 3 * 7 * whole
