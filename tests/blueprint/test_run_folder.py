"""A run's folder against a second process, polite and impolite ends, and full disks."""

from __future__ import annotations

import errno
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest

from overbet.blueprint.checkpoint import checkpoints, load_config
from overbet.blueprint.config import BlueprintConfig
from overbet.blueprint.mapped import mapped_zeros
from overbet.blueprint.query import Blueprint
from overbet.blueprint.run import Run
from overbet.blueprint.trainer import Trainer
from overbet.errors import ConfigError, OverbetError, TooLargeError
from overbet.runs import folder_lock
from overbet.runs.folder_lock import LOCK, FolderLock

CONFIG = """
game: {stack_bb: 10}
menu: {preflop: {sizes: a, raises: 1, limp: false}}
cards: {kind: preflop}
solver: {discount_every: 1000, tables: TABLES, capacity: 2000}
iterations: 1000000000000
run: {workers: 1, checkpoint_minutes: 0.002, report_seconds: 0.01, storage: mapped}
"""


def config(iterations: int = 6000, **run: object) -> BlueprintConfig:
    return BlueprintConfig.parse(
        {
            "game": {"stack_bb": 10},
            "menu": {"preflop": {"sizes": "a", "raises": 1, "limp": False}},
            "cards": {"kind": "preflop"},
            "solver": {"discount_every": 1000},
            "iterations": iterations,
            "run": {"report_seconds": 1e-6, "checkpoint_minutes": 1e9, **run},
        }
    )


def command(*arguments: object) -> list[str]:
    return [sys.executable, "-m", "overbet", "train", *map(str, arguments)]


@contextmanager
def training(tmp_path: Path, *arguments: object, tables: str = "dense") -> Iterator[subprocess.Popen[str]]:
    """Run `overbet train` in a process of its own, in `tmp_path/run`, past its first checkpoint."""
    file = tmp_path / "config.yaml"
    file.write_text(CONFIG.replace("TABLES", tables))
    folder = tmp_path / "run"
    child = subprocess.Popen(
        command(file, "--out", folder, *arguments), stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    try:
        patience = time.monotonic() + 300
        while not checkpoints(folder):
            assert child.poll() is None, child.communicate()
            assert time.monotonic() < patience
            time.sleep(0.02)
        yield child
    finally:
        child.kill()
        child.communicate()


@contextmanager
def hangups(how: signal.Handlers) -> Iterator[None]:
    """Ignore the end of the terminal, or not: a child inherits which, and the tests may run under nohup."""
    before = signal.signal(signal.SIGHUP, how)
    try:
        yield
    finally:
        signal.signal(signal.SIGHUP, before)


def refused(*arguments: object) -> str:
    found = subprocess.run(command(*arguments), capture_output=True, text=True)
    assert found.returncode == 2, found
    lines = found.stderr.strip().splitlines()
    assert len(lines) == 1, found.stderr
    return lines[0]


@pytest.mark.parametrize("tables", ["dense", "keyed"])
def test_a_second_process_is_refused_and_a_dead_one_is_followed(tmp_path: Path, tables: str) -> None:
    folder = tmp_path / "run"
    with training(tmp_path, tables=tables) as first:
        mapped = folder / "tables.mapped"
        before = mapped.stat()
        for arguments in ((tmp_path / "config.yaml", "--out", folder), ("--resume", folder)):
            line = refused(*arguments)
            assert f"has a run that is going in process {first.pid};" in line
            assert first.poll() is None
            now = mapped.stat()
            assert (now.st_ino, now.st_size) == (before.st_ino, before.st_size)
        first.kill()
        first.wait()
    assert (folder / LOCK).exists()  # it could not be removed: the kernel has let go of it
    again = Run.resume(folder)
    done = again.trainer.iterations
    assert done > 0
    again.go(done + 100, workers=1)
    assert again.trainer.iterations == done + 100
    assert not (folder / LOCK).exists()


def test_one_process_cannot_have_a_folder_twice_either(tmp_path: Path) -> None:
    run = Run.start(tmp_path, config())
    with pytest.raises(ConfigError, match=f"is going in process {os.getpid()};"):
        Run.resume(tmp_path)
    run.go(1000, workers=1)
    other = Run.resume(tmp_path)
    with pytest.raises(ConfigError, match="is going in process"):
        run.go(2000, workers=1)
    other.go(3000, workers=1)
    with pytest.raises(ConfigError, match=r"has gone on meanwhile; take it up with Run\.resume"):
        run.go(2000, workers=1)
    other.go(4000, workers=1)  # nobody was there since
    assert Run.resume(tmp_path).trainer.iterations == 4000  # and let go again by going out of sight
    assert Run.resume(tmp_path).trainer.iterations == 4000


def test_where_there_is_no_flock_the_file_names_the_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class NoFlock:
        LOCK_EX, LOCK_NB = 2, 4

        @staticmethod
        def flock(*_: object) -> None:
            raise OSError(errno.ENOLCK, "No locks available")

    for there_is in (NoFlock, None):
        monkeypatch.setattr(folder_lock, "fcntl", there_is)
        lock = FolderLock(tmp_path)
        with pytest.raises(ConfigError, match=f"is going in process {os.getpid()};"):
            FolderLock(tmp_path)
        lock.release()
        assert not (tmp_path / LOCK).exists()
        host = "".join(socket.gethostname().split())
        for dead in ("", f"{os.getpid()} 1.00 {host}\n", f"{2**22 + 1} 1.00 {host}\n", "what is this"):
            (tmp_path / LOCK).write_text(dead)
            FolderLock(tmp_path).release()
        (tmp_path / LOCK).write_text("17 1.00 elsewhere\n")
        with pytest.raises(ConfigError, match="is going in process 17 on elsewhere;"):
            FolderLock(tmp_path)
        (tmp_path / LOCK).unlink()


def test_a_start_that_fails_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("mine")
    with pytest.raises(ConfigError, match=r"cannot use the folder .*file"):
        Run.start(tmp_path / "file", config())
    monkeypatch.setattr("overbet.machine.available_bytes", lambda: 100)
    with pytest.raises(TooLargeError, match="are free"):
        Run.start(tmp_path / "new", config())
    (tmp_path / "old").mkdir()
    with pytest.raises(TooLargeError, match="are free"):
        Run.start(tmp_path / "old", config(storage="mapped"))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "old"]
    assert list((tmp_path / "old").iterdir()) == []


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_polite_signals_save(tmp_path: Path, number: signal.Signals) -> None:
    with hangups(signal.SIG_DFL), training(tmp_path) as child:
        child.send_signal(number)
        child.send_signal(number)  # a terminal that closes says it twice
        _, told = child.communicate(timeout=300)
        assert child.returncode == 128 + number
    done = Run.resume(tmp_path / "run").trainer.iterations
    assert f"stopped after {done:,} iterations; go on with: overbet train --resume" in told
    assert "Traceback" not in told


def test_under_nohup_the_end_of_the_terminal_is_ignored(tmp_path: Path) -> None:
    with hangups(signal.SIG_IGN), training(tmp_path) as child:  # as nohup does
        child.send_signal(signal.SIGHUP)
        seen = checkpoints(tmp_path / "run")[0]
        patience = time.monotonic() + 300
        while checkpoints(tmp_path / "run")[0] == seen:
            assert child.poll() is None
            assert time.monotonic() < patience
            time.sleep(0.02)
        child.send_signal(signal.SIGTERM)
        child.communicate(timeout=300)
        assert child.returncode == 128 + signal.SIGTERM


def test_the_number_of_iterations_stays_with_the_run(tmp_path: Path) -> None:
    with training(tmp_path, "-n", 123_456_789) as child:
        child.kill()
        child.wait()
    assert load_config(tmp_path / "run").iterations == 123_456_789
    run = Run.start(tmp_path / "other", config())

    def stop(done: int, _: object) -> None:
        raise OverbetError("enough")

    with pytest.raises(OverbetError, match="enough"):
        run.go(9000, workers=1, progress=stop)
    again = Run.resume(tmp_path / "other")
    again.go(workers=1)
    assert again.trainer.iterations == 9000
    Run.resume(tmp_path / "other").go(9500, workers=1)
    assert load_config(tmp_path / "other").iterations == 9500


def test_a_run_that_is_given_seconds_ends_with_a_blueprint(tmp_path: Path) -> None:
    run = Run.start(tmp_path / "run", config())
    path = run.go(10**9, workers=1, seconds=0.0)
    done = run.trainer.iterations
    assert 0 < done < 10**9
    assert Blueprint.load(path).manifest["iterations"] == done
    Run.resume(tmp_path / "run").go(done + 100, workers=1, seconds=1000.0)
    assert Run.look(tmp_path / "run").iterations == done + 100


def test_a_torn_last_line_of_the_metrics_is_dropped(tmp_path: Path) -> None:
    Run.start(tmp_path, config()).go(workers=1)
    path = tmp_path / "metrics.csv"
    whole = path.read_text()
    for torn in (
        "6000,",
        "6000,1.",
        "6000,1.0,2.0,0.5,1e-",
        "6000,1.0,2.0,0.5,1.2",
        "\x00\x00",
        "a,b\n1,2\n",
    ):
        path.write_text(whole + torn)
        run = Run.resume(tmp_path)
        assert path.read_text() == whole
        assert run.metrics()["iterations"][-1] == 6000
        del run
    path.write_text("iterat")
    Run.resume(tmp_path)
    assert path.read_text() == whole.splitlines()[0] + "\n"


def test_metrics_that_cannot_be_written_hold_nothing_up(tmp_path: Path) -> None:
    """A folder in the file's place stands for a full disk: told once, and made up for when it is gone."""
    run = Run.start(tmp_path, config(30_000))
    in_the_way, told, seen = tmp_path / "metrics.csv", [], []
    in_the_way.mkdir()

    def progress(done: int, pace: object) -> None:
        seen.append(done)
        if len(seen) == 4:
            assert len(told) == 1
            in_the_way.rmdir()

    run.go(workers=1, progress=progress, tell=told.append)
    assert len(seen) > 5
    assert len(told) == 1
    assert told[0].startswith("cannot write the metrics: ")
    assert told[0].endswith("; training goes on, and it is tried again later")
    assert run.metrics()["iterations"] == seen


def test_a_checkpoint_on_the_way_that_cannot_be_written_does_not_end_the_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from overbet.blueprint import run as module

    writes, told = [], []
    save = module.save_checkpoint

    def full_at_first(trainer: Trainer, folder: Path) -> Path:
        writes.append(trainer.iterations)
        if len(writes) < 4:
            raise OSError(errno.ENOSPC, "No space left on device")
        return save(trainer, folder)

    monkeypatch.setattr(module, "save_checkpoint", full_at_first)
    run = Run.start(tmp_path, config(30_000, checkpoint_minutes=1e-9))
    run.go(workers=1, tell=told.append)
    assert len(writes) > 5
    assert len(told) == 1
    assert "No space left on device; training goes on" in told[0]
    straight = Trainer(config())
    straight.run(30_000, workers=1)
    assert run.trainer.table.tobytes() == straight.table.tobytes()


def test_mapped_tables_have_their_space_before_they_are_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kind, path = np.dtype(np.float32), tmp_path / "tables.mapped"
    first = mapped_zeros(path, kind, 1_000_000)
    assert path.stat().st_blocks * 512 >= 4_000_000  # no holes
    first[:] = 7
    second = mapped_zeros(path, kind, 1_000_000)
    assert not second.any()
    assert (first == 7).all()  # whoever had the old file mapped still has it

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "posix_fallocate", full)
    with pytest.raises(
        TooLargeError, match=r"tables of [\d.]+ .?B into .*: No space left on device; make room"
    ):
        mapped_zeros(path, kind, 1_000_000)
    assert not path.exists()
    with pytest.raises(TooLargeError, match="No space left on device"):
        Run.start(tmp_path / "run", config(storage="mapped"))
    assert not (tmp_path / "run").exists()

    def unknown(*_: object) -> None:
        raise OSError(errno.EOPNOTSUPP, "Operation not supported")

    monkeypatch.setattr(os, "posix_fallocate", unknown)
    assert not mapped_zeros(path, kind, 3_000_000).any()
    assert path.stat().st_size == 12_000_000
    assert path.stat().st_blocks * 512 >= 12_000_000


def test_a_look_leaves_a_going_run_alone(tmp_path: Path) -> None:
    run = Run.start(tmp_path, config(storage="mapped"))
    run.go(workers=1)
    held = Run.resume(tmp_path)
    before = {path.name: (path.stat().st_ino, path.stat().st_mtime_ns) for path in tmp_path.iterdir()}
    seen = Run.look(tmp_path)
    assert seen.iterations == 6000
    assert seen.table.tobytes() == held.trainer.table.tobytes()
    after = {path.name: (path.stat().st_ino, path.stat().st_mtime_ns) for path in tmp_path.iterdir()}
    assert after == before


def test_too_little_memory_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from typer.testing import CliRunner

    from overbet.interfaces.cli.app import build

    def none_left(*_: object) -> None:
        raise MemoryError

    monkeypatch.setattr("overbet.blueprint.run.make_trainer", none_left)
    file = tmp_path / "config.yaml"
    file.write_text(CONFIG.replace("TABLES", "dense"))
    found = CliRunner().invoke(build(), ["train", str(file), "--out", str(tmp_path / "run")])
    assert isinstance(found.exception, TooLargeError)
    assert "there is not enough memory for this run; use fewer sizes" in str(found.exception)
    assert not (tmp_path / "run").exists()
