"""Event files against TensorBoard's own reader."""

from __future__ import annotations

import csv
import subprocess
import sys
import time
from pathlib import Path

import pytest

from overbet.blueprint.config import BlueprintConfig
from overbet.blueprint.run import COLUMNS, Run
from overbet.runs.events import EventLog
from overbet.runs.metrics import Metrics

event_accumulator = pytest.importorskip(
    "tensorboard.backend.event_processing.event_accumulator", reason="the tensorboard package is not here"
)


def scalars(folder: Path, tag: str) -> list[tuple[int, float]]:
    found = event_accumulator.EventAccumulator(str(folder)).Reload()
    return [(event.step, event.value) for event in found.Scalars(tag)]


def test_tensorboard_reads_what_was_written(tmp_path: Path) -> None:
    now = time.time()
    events = EventLog(tmp_path / "events.out.tfevents.overbet", now)
    values = [(0, 1.5), (127, -2.25), (128, 0.0), (300, 1e-7), (10**12, 3e30)]
    for step, value in values:
        events.add(now + step / 1e12, step, {"a": value, "long name/b": 2 * value})
    events.flush()  # the file stays open: a run that goes on is watched
    assert scalars(tmp_path, "a") == [(step, pytest.approx(value)) for step, value in values]
    assert scalars(tmp_path, "long name/b") == [(step, pytest.approx(2 * value)) for step, value in values]
    found = event_accumulator.EventAccumulator(str(tmp_path)).Reload()
    assert found.Tags()["scalars"] == ["a", "long name/b"]
    assert found.FirstEventTimestamp() == pytest.approx(now, abs=1e-3)
    assert [event.wall_time - now for event in found.Scalars("a")] == pytest.approx([0, 0, 0, 0, 1], abs=1e-3)
    events.close()


def test_tensorboardx_is_loaded_only_to_write() -> None:
    code = "import sys, overbet.blueprint.run; print('tensorboardX' in sys.modules)"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout == "False\n"


def test_a_run_writes_the_same_metrics_to_both(tmp_path: Path) -> None:
    config = BlueprintConfig.parse(
        {
            "game": {"stack_bb": 10},
            "menu": {"preflop": {"sizes": "a", "raises": 1, "limp": False}},
            "cards": {"kind": "preflop"},
            "run": {"report_seconds": 1e-6, "checkpoint_minutes": 1e9},
        }
    )
    run = Run.start(tmp_path, config)
    run.go(3000, workers=1)
    Run.resume(tmp_path).go(6000, workers=1)
    with open(tmp_path / "metrics.csv", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) > 3
    for column in ("iterations_per_second", "touched", "mean_positive_regret_bb"):
        wanted = [(int(row["iterations"]), pytest.approx(float(row[column]), rel=1e-6)) for row in rows]
        assert scalars(tmp_path, f"training/{column}") == wanted
    kept = [int(row["iterations"]) for row in rows if int(row["iterations"]) <= 1000]
    assert 0 < len(kept) < len(rows)
    Metrics(tmp_path, COLUMNS).cut(1000)  # as if the newest checkpoint were that old
    assert [step for step, _ in scalars(tmp_path, "training/touched")] == kept
