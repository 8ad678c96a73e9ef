"""Stopping and resuming: the very bits of the run that was never stopped, whatever stopped it."""

from __future__ import annotations

import errno
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from overbet.artefact import writing
from overbet.blueprint.checkpoint import checkpoints, load_config, resume, save_checkpoint, start_run
from overbet.blueprint.config import BlueprintConfig
from overbet.blueprint.run import Run
from overbet.blueprint.trainer import Trainer
from overbet.errors import ArtefactError, ConfigError

PUSH = {"preflop": {"sizes": "a", "raises": 1, "limp": False}}


def config(
    stack: float = 10, keep: int = 3, storage: str = "memory", minutes: float = 1e-6, **solver: object
) -> BlueprintConfig:
    return BlueprintConfig.parse(
        {
            "game": {"players": 3, "stack_bb": stack},
            "menu": PUSH,
            "cards": {"kind": "preflop"},
            "solver": {"discount_every": 1000, **solver},
            "iterations": 6000,
            "run": {"keep": keep, "checkpoint_minutes": minutes, "report_seconds": 0.01, "storage": storage},
        }
    )


def run_to(folder: Path, chosen: BlueprintConfig, *stops: int) -> Trainer:
    trainer = Trainer(chosen)
    start_run(folder, chosen)
    for stop in stops:
        trainer.run(stop, workers=1)
        save_checkpoint(trainer, folder)
    return trainer


@pytest.mark.parametrize(
    "solver", [{}, {"mode": "deterministic", "batch": 100}, {"method": "outcome"}, {"numbers": "int32"}]
)
def test_a_resumed_run_has_the_bits_of_one_that_never_stopped(
    tmp_path: Path, solver: dict[str, object]
) -> None:
    straight = Trainer(config(**solver))
    straight.run(6000, workers=1)
    run_to(tmp_path, config(**solver), 1700)
    found = resume(tmp_path)
    assert found.notes == ()
    assert found.trainer.iterations in (1700, 1700 // 100 * 100)
    found.trainer.run(6000, workers=2 if solver.get("mode") else 1)
    assert found.trainer.table.tobytes() == straight.table.tobytes()


def test_killed_at_random_moments_it_still_ends_with_the_same_bits(tmp_path: Path) -> None:
    folder, chosen = (
        tmp_path / "run",
        config(minutes=0.001, mode="deterministic", batch=100, discount_every=10_000),
    )
    goal = 300_000
    straight = Trainer(chosen)
    straight.run(goal, workers=1)
    start_run(folder, chosen)
    code = (
        "import sys; from overbet.blueprint.run import Run\n"
        f"run = Run.resume({str(folder)!r}); print('ready', flush=True); run.go({goal}, workers=1)"
    )
    moments, kills = random.Random(5), 0
    while True:
        child = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE)
        assert child.stdout is not None
        child.stdout.readline()
        if kills < 3:
            time.sleep(moments.uniform(0.0, 0.5))
            child.send_signal(signal.SIGKILL)
            kills += child.wait() == -signal.SIGKILL
            child.stdout.close()
            continue
        child.stdout.close()
        assert child.wait() == 0
        break
    found = resume(folder).trainer
    assert found.iterations == goal
    assert found.table.tobytes() == straight.table.tobytes()
    assert not list(folder.glob(".*.part"))


def test_only_the_last_few_are_kept(tmp_path: Path) -> None:
    run_to(tmp_path, config(keep=2), 100, 200, 300, 400)
    assert [path.name for path in checkpoints(tmp_path)] == [
        "checkpoint-000000000400.h5",
        "checkpoint-000000000300.h5",
    ]


@pytest.mark.parametrize("damage", ["cut", "flip", "empty", "iterations"])
def test_a_damaged_checkpoint_is_passed_over_and_told(tmp_path: Path, damage: str) -> None:
    run_to(tmp_path, config(), 100, 200)
    newest = checkpoints(tmp_path)[0]
    if damage == "cut":
        os.truncate(newest, newest.stat().st_size // 2)
    elif damage == "empty":
        newest.write_bytes(b"")
    else:
        content = bytearray(newest.read_bytes())
        content[content.index(b'"iterations"') if damage == "iterations" else len(content) // 2] ^= 1
        newest.write_bytes(bytes(content))
    found = resume(tmp_path)
    assert found.trainer.iterations == 100
    assert str(newest) in found.notes[0]
    assert (
        found.notes[-1] == "going on from the previous checkpoint, checkpoint-000000000100.h5, which is good"
    )
    checkpoints(tmp_path)[1].write_bytes(b"x")
    with pytest.raises(ArtefactError, match=r"no checkpoint of .* is good"):
        resume(tmp_path)


def test_another_game_abstraction_or_solver_is_refused_with_both_hashes(tmp_path: Path) -> None:
    trainer = run_to(tmp_path, config(), 100)
    other = config(stack=11)
    with pytest.raises(ArtefactError, match="other game and bets") as caught:
        resume(tmp_path, other)
    assert trainer.tree.digest in str(caught.value)
    assert Trainer(other).tree.digest in str(caught.value)
    with pytest.raises(ArtefactError, match="other solver settings"):
        resume(tmp_path, config(rule="dcfr"))

    class OtherCards:
        def __getattr__(self, name: str) -> object:
            return getattr(trainer.cards, name)

        digest = "other-cards"

    with pytest.raises(
        ArtefactError, match=r"other card abstraction: its hash is preflop-169, .* other-cards"
    ):
        resume(tmp_path, config(), Trainer(config(), OtherCards()))
    with pytest.raises(ArtefactError, match="other solver settings"):
        resume(tmp_path, config(numbers="int32"))
    assert resume(tmp_path, config(keep=9)).trainer.iterations == 100  # how it is run may change


def test_settings_that_came_later_do_not_change_old_hashes() -> None:
    """Checkpoints of runs that know nothing of `numbers` and `tables` have this hash for these settings."""
    assert config(discount_every=700).solver_digest().startswith("da4b406f3b1bc07c")
    assert config(discount_every=700, capacity=99).solver_digest().startswith("da4b406f3b1bc07c")
    assert (
        config(discount_every=700, tables="keyed").solver_digest()
        != config(discount_every=700).solver_digest()
    )


def test_a_full_disk_leaves_the_old_checkpoint(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    trainer = run_to(tmp_path, config(keep=1), 100)
    trainer.run(200, workers=1)

    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(writing, "_write", full)
    with pytest.raises(ArtefactError, match="No space left on device; what was there before is untouched"):
        save_checkpoint(trainer, tmp_path)
    monkeypatch.undo()
    assert [path.name for path in checkpoints(tmp_path)] == ["checkpoint-000000000100.h5"]
    assert resume(tmp_path).trainer.iterations == 100


def test_ctrl_c_keeps_what_was_learned(tmp_path: Path) -> None:
    run = Run.start(tmp_path, config())

    def interrupt(done: int, pace: object) -> None:
        if done >= 200:
            os.kill(os.getpid(), signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        run.go(progress=interrupt, workers=1)
    again = Run.resume(tmp_path)
    assert again.trainer.iterations == run.trainer.iterations >= 200
    again.go(workers=1)
    straight = Trainer(config())
    straight.run(6000, workers=1)
    assert again.trainer.table.tobytes() == straight.table.tobytes()


def test_mapped_tables_have_the_same_bits(tmp_path: Path) -> None:
    run = Run.start(tmp_path, config(storage="mapped"))
    run.go(workers=1)
    assert (tmp_path / "tables.mapped").stat().st_size == run.trainer.table.nbytes
    straight = Trainer(config())
    straight.run(6000, workers=1)
    assert np.array_equal(run.trainer.table, straight.table)


def test_folders(tmp_path: Path) -> None:
    chosen = config()
    start_run(tmp_path, chosen)
    assert load_config(tmp_path) == chosen
    with pytest.raises(ConfigError, match="has a run in it already; continue it with"):
        start_run(tmp_path, chosen)
    with pytest.raises(ArtefactError, match="there is no run in"):
        load_config(tmp_path / "nowhere")


def test_metrics_are_cut_to_the_checkpoint(tmp_path: Path) -> None:
    Run.start(tmp_path, config()).go(workers=1)
    lines = (tmp_path / "metrics.csv").read_text().splitlines()
    assert lines[0] == "iterations,seconds,iterations_per_second,touched,mean_positive_regret_bb"
    assert lines[-1].startswith("6000,")
    for path in checkpoints(tmp_path):
        path.unlink()
    Run.resume(tmp_path)
    assert (tmp_path / "metrics.csv").read_text().splitlines() == lines[:1]
