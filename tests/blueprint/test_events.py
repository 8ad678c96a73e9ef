"""Event files against TensorBoard's own reader."""

from __future__ import annotations

import csv
import math
import struct
import time
from pathlib import Path

import pytest

from overbet.blueprint.config import BlueprintConfig
from overbet.blueprint.run import COLUMNS, Run
from overbet.runs.events import EventLog, _checksum
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


def test_numbers_that_do_not_fit_are_infinite_and_others_are_told_as_they_are(tmp_path: Path) -> None:
    events = EventLog(tmp_path / "events.out.tfevents.overbet", 1.0)
    for step, value in enumerate((1e300, -1e300, math.inf, math.nan)):
        events.add(2.0, step, {"é": value})
    events.close()
    found = scalars(tmp_path, "é")
    assert [value for _, value in found[:3]] == [math.inf, -math.inf, math.inf]
    assert math.isnan(found[3][1])


def test_a_record_is_what_tensorflow_writes(tmp_path: Path) -> None:
    """The first record byte by byte: its checksums are looked at by some readers only."""
    path = tmp_path / "events"
    EventLog(path, 0.0).close()
    data = path.read_bytes()
    event = bytes(9).replace(b"\0", b"\x09", 1) + b"\x1a\x0dbrain.Event:2"
    assert data[:8] == len(event).to_bytes(8, "little")
    assert data[12:-4] == event
    assert _checksum(b"123456789") == struct.pack("<I", _masked(0xE3069283))  # the published check of CRC-32C
    assert data[8:12] == _checksum(data[:8])
    assert data[-4:] == _checksum(event)


def _masked(crc: int) -> int:
    return ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF


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
