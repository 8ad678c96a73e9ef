"""`overbet.load` opens whatever overbet writes, by what the file says it is."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import overbet
from overbet import artefact
from overbet.abstraction import Buckets
from overbet.blueprint import BlueprintConfig, Run, export_json
from overbet.blueprint.network.files import HoldemNetFile
from overbet.blueprint.network.state import KIND as STATE
from overbet.errors import ArtefactError
from overbet.solvers import board_list
from overbet.solvers.vector.batches.folder import SET
from tests.blueprint.networks import write_small

ROOT = Path(__file__).parents[1]
SPOT: dict[str, Any] = {
    "board": "KsTh7s4d2c",
    "pot": 60,
    "stacks": 150,
    "ranges": {"oop": "QQ-99,AKs,KQs", "ip": "JJ-77,AQs,KJs"},
    "bets": {"every": {"bet": "50%", "raise": "a"}},
    "solve": {"target": 1.0, "iterations": 60, "threads": 1},
}


def test_a_solution(tmp_path: Path) -> None:
    solved = overbet.solve(SPOT)
    solved.save(tmp_path / "river.h5")
    found = overbet.load(tmp_path / "river.h5")
    assert isinstance(found, overbet.Solution)
    assert found.ev("oop") == solved.ev("oop")
    (tmp_path / "river.h5").rename(tmp_path / "no-suffix")  # the file says what it is, not its name
    assert overbet.load(str(tmp_path / "no-suffix"), overbet.Solution).iteration == solved.iteration
    with pytest.raises(ArtefactError, match="holds a Solution, not a Blueprint"):
        overbet.load(tmp_path / "no-suffix", overbet.Blueprint)


def test_policies_and_sampling_runs(tmp_path: Path) -> None:
    solver = overbet.SamplingSolver("kuhn")
    solver.run(100)
    solver.save(tmp_path / "run.h5")
    policy = solver.policy()
    assert overbet.load(tmp_path / "run.h5", overbet.SamplingSolver).iterations == 100
    for name in ("policy.parquet", "policy.json"):
        policy.save(tmp_path / name)
        found = overbet.load(tmp_path / name, overbet.TabularPolicy)
        assert np.array_equal(found.probabilities, policy.probabilities)


def test_networks(tmp_path: Path) -> None:
    found = overbet.load(write_small(tmp_path / "small.h5"))
    assert isinstance(found, HoldemNetFile)
    artefact.write(tmp_path / "state.h5", STATE, {}, {})
    with pytest.raises(ArtefactError, match="a run goes on from it: overbet distill"):
        overbet.load(tmp_path / "state.h5")


def test_buckets() -> None:
    file = ROOT / "src/overbet/abstraction/shipped/play.h5"
    assert overbet.load(file, Buckets).hash == overbet.load_buckets("play").hash


def test_runs_checkpoints_and_blueprints(tmp_path: Path) -> None:
    run = tmp_path / "run"
    trained = overbet.train(ROOT / "configs/fast_test.yaml", run, iterations=2000, workers=1)
    assert np.array_equal(
        overbet.load(run / "blueprint.h5", overbet.Blueprint).strategy_by_bucket("r:0"),
        trained.strategy_by_bucket("r:0"),
        equal_nan=True,
    )
    export_json(trained, tmp_path / "chart.json")
    assert overbet.load(tmp_path / "chart.json").manifest == trained.manifest
    for file in run.glob("checkpoint-*.h5"):
        assert overbet.load(file).iterations == 2000
    overbet.train(None, run, iterations=3000, workers=1)
    assert overbet.load(run).iterations == 3000
    files = sorted(run.glob("checkpoint-*.h5"))
    assert [overbet.load(file).iterations for file in files] == [2000, 3000]
    assert np.array_equal(overbet.load(files[1]).table, Run.look(run).arrays["table"])
    alone = tmp_path / "checkpoint-000000002000.h5"
    files[0].rename(alone)
    with pytest.raises(ArtefactError, match="away from its run"):
        overbet.load(alone)


def test_train_goes_on_with_what_there_is(tmp_path: Path) -> None:
    config = BlueprintConfig.load(ROOT / "configs/fast_test.yaml")
    with pytest.raises(ArtefactError, match="there is no run in"):
        overbet.train(None, tmp_path / "nothing")
    Run.start(tmp_path / "run", config)  # a run that ended before its first checkpoint
    overbet.train(config.model_dump(mode="json"), tmp_path / "run", iterations=1000, workers=1)
    assert overbet.load(tmp_path / "run").iterations == 1000


def test_batches(tmp_path: Path) -> None:
    boards = [("KsTh7s4d2c", 1.0), ("AhKd9c5s3h", 2.0), ("9s8s7s6d2h", 0.5)]
    solved = overbet.solve_batch(SPOT, boards, tmp_path / "batch")
    found = overbet.load(tmp_path / "batch", overbet.Batch)
    assert found.rows == solved.rows
    assert found.boards == board_list(boards)
    assert found.averages() == solved.averages()
    assert found.averages("r:0:c") == solved.averages("r:0:c")
    assert found.complete
    (tmp_path / "batch/boards/AhKd9c5s3h.json").unlink()
    left = overbet.load(tmp_path / "batch/batch.json", overbet.Batch)
    assert not left.complete
    assert [row["board"] for row in left.rows] == ["KsTh7s4d2c", "9s8s7s6d2h"]
    with pytest.raises(ArtefactError, match="one board of a batch; open the folder"):
        overbet.load(tmp_path / "batch/boards/KsTh7s4d2c.json")
    elsewhere = {"name": "x", "boards": ["../../x"], "weights": [1.0], "up_to_suits": False}
    artefact.write_json(tmp_path / "batch/set.json", SET, elsewhere)
    with pytest.raises(ArtefactError, match="is not that of a batch"):
        overbet.load(tmp_path / "batch")
    (tmp_path / "batch/set.json").unlink()
    with pytest.raises(ArtefactError, match="run the batch again"):
        overbet.load(tmp_path / "batch")


def test_what_it_cannot_open(tmp_path: Path) -> None:
    with pytest.raises(ArtefactError, match=r"there is no file or folder .*nothing\.h5"):
        overbet.load(tmp_path / "nothing.h5")
    with pytest.raises(ArtefactError, match="is not a folder of overbet"):
        overbet.load(tmp_path)
    with pytest.raises(ArtefactError, match=r"is opened by overbet\.cards\.preflop"):
        overbet.load(ROOT / "src/overbet/cards/data/preflop.h5")
    for name, content in (
        ("notes.txt", b"hello"),
        ("empty.h5", b""),
        ("list.json", b"[1, 2]"),
        ("new.json", b'{"format": "overbet hologram", "version": 1}'),
    ):
        (tmp_path / name).write_bytes(content)
        with pytest.raises(ArtefactError, match=f"{name}.*(says nothing of what it is|does not know)"):
            overbet.load(tmp_path / name)
    (tmp_path / "theirs.parquet").write_bytes(b"PAR1 not really PAR1")
    with pytest.raises(ArtefactError, match="damaged or not a Parquet file"):
        overbet.load(tmp_path / "theirs.parquet")
