"""Work on a real Ray cluster of three nodes on this machine, and the commands themselves."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import overbet
from overbet.agents.registry import make_agent
from overbet.blueprint.run import Run
from overbet.cluster import Cluster, connect
from overbet.errors import ConfigError
from overbet.evaluation.aivat import match_estimator
from overbet.evaluation.lbr import run_lbr
from overbet.evaluation.matches import play_match
from overbet.games.holdem import HoldemGame
from overbet.solvers.vector.batches.batch import BatchProgress, load_batch, solve_batch
from tests.cluster.local_nodes import NODE, Sleeper, Told, alive, local_nodes, needs_ray
from tests.solvers.vector.test_batch import RIVERS, SPOT, rows_of

FAST = ["shards=6", "merge_every=30000", "discount_every=90000"]


@pytest.fixture(scope="module")
def nodes() -> Iterator[Any]:
    with local_nodes(3) as found:
        yield found


@pytest.fixture
def cluster(nodes: Any) -> Iterator[Cluster]:
    with connect(nodes.address) as found:
        yield found


@pytest.fixture
def told(tmp_path: Path) -> Told:
    return Told(tmp_path)


def overbet_command(*words: str) -> list[str]:
    return [sys.executable, "-m", "overbet", *words]


def train_words(out: Path, *more: str) -> list[str]:
    settings = [word for setting in FAST for word in ("--set", f"solver.{setting}")]
    settings += ["--set", "run.checkpoint_minutes=0.01"]
    return overbet_command("train", "configs/fast_test.yaml", "--out", str(out), *settings, *more)


def table_of(run: Path) -> Any:
    return Run.look(run).arrays["table"]


@needs_ray
@pytest.mark.slow
def test_ctrl_c_ends_what_is_under_way(cluster: Cluster, told: Told) -> None:
    def interrupt() -> None:
        told.wait_for(lambda _: True, 0)
        os.kill(os.getpid(), signal.SIGINT)

    thread = threading.Thread(target=interrupt)
    thread.start()
    begun = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        list(cluster.crew(Sleeper, told).map([600.0] * 9))
    thread.join()
    assert time.monotonic() - begun < 100
    until = time.monotonic() + 60
    while any(alive(process) for process, _ in told.begun):
        assert time.monotonic() < until, "a worker goes on after Ctrl-C"
        time.sleep(0.1)


@needs_ray
@pytest.mark.slow
def test_a_match_and_lbr_are_the_same_as_without(cluster: Cluster) -> None:
    agents, game = [make_agent("tag"), make_agent("lag")], HoldemGame(2)
    here, there = (
        play_match(agents, game, 40_010, seed=3, workers=1, estimators=[match_estimator(agents, game)], **on)
        for on in ({}, {"cluster": cluster})
    )
    np.testing.assert_array_equal(here.won, there.won)
    np.testing.assert_array_equal(here.counts, there.counts)
    np.testing.assert_array_equal(here.estimates["aivat"], there.estimates["aivat"])
    assert here.mbb(0) == there.mbb(0)
    own, other = (
        run_lbr(agents[0], game, 500, "fc", seed=3, workers=1, **on) for on in ({}, {"cluster": cluster})
    )
    np.testing.assert_array_equal(own.values, other.values)
    assert (own.raw, own.aivat) == (other.raw, other.aivat)


@needs_ray
@pytest.mark.slow
def test_a_batch_is_written_as_boards_come_and_goes_on(cluster: Cluster, tmp_path: Path) -> None:
    seen: list[int] = []

    def two(state: BatchProgress) -> bool:
        seen.append(state.done)
        assert len(load_batch(tmp_path).rows) == state.done
        return state.done < 2

    begun = solve_batch(SPOT, RIVERS, tmp_path, keep="street", cluster=cluster, progress=two)
    assert begun.interrupted
    assert seen == [0, 1, 2]
    found = solve_batch(SPOT, RIVERS, tmp_path, keep="street", cluster=cluster)
    assert found.complete
    alone = solve_batch(SPOT, RIVERS)
    rows = [{**row, "saved": "nothing", "bytes": 0} for row in rows_of(found)]
    assert rows == rows_of(alone)
    board = found.rows[0]["board"]
    assert found.solution(board).exploitability == found.rows[0]["exploitability"]


@needs_ray
@pytest.mark.slow
def test_training_is_the_same_on_three_nodes_on_one_and_without_ray(nodes: Any, tmp_path: Path) -> None:
    """The command is stopped in mid-epoch on three nodes and goes on with two nodes fewer."""
    alone, there = tmp_path / "alone", tmp_path / "there"
    subprocess.run(train_words(alone, "-n", "1200000"), check=True, capture_output=True)
    begun = subprocess.Popen(
        train_words(there, "-n", "1200000", "--cluster", nodes.address), stderr=subprocess.PIPE, text=True
    )
    until = time.monotonic() + 120
    while not list(there.glob("checkpoint-*.h5")):
        assert time.monotonic() < until
        assert begun.poll() is None
        time.sleep(0.05)
    begun.send_signal(signal.SIGINT)
    _, told = begun.communicate(timeout=60)
    assert begun.returncode == 130, told
    assert "3 nodes, 3 cores" in told
    assert "stopped after" in told
    for node in list(nodes.worker_nodes)[:2]:
        nodes.remove_node(node, allow_graceful=False)
    resume = overbet_command("train", "--resume", str(there), "--cluster", "auto", "--json")
    done = subprocess.run(resume, check=True, capture_output=True, text=True)
    assert json.loads(done.stdout)["iterations"] == 1_200_000
    np.testing.assert_array_equal(table_of(there), table_of(alone))
    for _ in range(2):
        nodes.add_node(**NODE)


@needs_ray
@pytest.mark.slow
def test_a_node_with_another_overbet_is_refused(nodes: Any, tmp_path: Path) -> None:
    """A real one: another copy of the package, with one more line."""
    source = Path(overbet.__file__).parent
    other = tmp_path / "overbet"
    shutil.copytree(source, other, ignore=shutil.ignore_patterns("__pycache__", "*.h5", "static"))
    with open(other / "machine.py", "a", encoding="utf-8") as file:
        file.write("# another\n")
    before = os.environ.get("PYTHONPATH")
    os.environ["PYTHONPATH"] = str(tmp_path)
    try:
        node = nodes.add_node(**NODE)
    finally:
        del os.environ["PYTHONPATH"]
        if before is not None:
            os.environ["PYTHONPATH"] = before
    try:
        with pytest.raises(
            ConfigError, match=r"node .* of the cluster has overbet .*install the same on every"
        ):
            connect(nodes.address)
    finally:
        nodes.remove_node(node, allow_graceful=False)


@needs_ray
@pytest.mark.slow
def test_commands_give_the_same_numbers(nodes: Any) -> None:
    for words in (
        ["match", "tag", "lag", "--hands", "20000", "--no-ledger", "--json"],
        ["tournament", "tag", "lag", "random", "--hands", "4000", "--no-ledger", "--json"],
        ["lbr", "tag", "--hands", "400", "--bets", "fc", "--no-ledger", "--json"],
    ):
        here, there = (
            json.loads(subprocess.run(overbet_command(*words, *on), check=True, capture_output=True).stdout)
            for on in ([], ["--cluster", nodes.address])
        )
        for found in (here, there):
            found.pop("seconds", None)
        assert here == there


@needs_ray
@pytest.mark.slow
def test_a_cluster_that_is_not_there_ends_a_command_with_two(tmp_path: Path) -> None:
    for address, words in (("127.0.0.1:1", "there is no cluster at 127.0.0.1:1"), ("?", "write auto")):
        done = subprocess.run(
            train_words(tmp_path / "run", "--cluster", address), capture_output=True, text=True
        )
        assert done.returncode == 2
        assert words in done.stderr
        assert len(done.stderr.strip().splitlines()) == 1
        assert not (tmp_path / "run").exists()
