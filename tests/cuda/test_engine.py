"""The GPU engine beside the CPU engine, on a GPU where there is one, else in numba's simulator."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from overbet.cuda import device
from overbet.errors import ConfigError

HAS_GPU = device.available()[0]


@pytest.fixture(scope="module")
def reports() -> dict[str, Any]:
    """Run all scenarios in one process of their own."""
    environment = dict(os.environ) if HAS_GPU else {**os.environ, "NUMBA_ENABLE_CUDASIM": "1"}
    done = subprocess.run(
        [sys.executable, "-m", "tests.cuda.scenarios"],
        cwd=Path(__file__).resolve().parents[2],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


@pytest.mark.parametrize(
    "name", ["river", "predictive_with_rake", "turn", "flop", "one_group_through_memory", "locked"]
)
def test_gpu_plays_as_the_cpu_does(reports: dict[str, Any], name: str) -> None:
    report = reports[name]
    assert report["iteration"] >= 2
    assert report["regret"] < 1e-5
    assert report["average"] < 1e-5
    assert report["ours"] == pytest.approx(report["theirs"], abs=1e-4)


def test_several_hands_of_a_thread_play_as_on_the_cpu(reports: dict[str, Any]) -> None:
    assert set(reports["several_hands"]) == {"four", "five", "locked"}
    for report in reports["several_hands"].values():
        assert report["regret"] < 1e-5
        assert report["average"] < 1e-5
        assert report["ours"] == pytest.approx(report["theirs"], abs=1e-4)
        assert report["apart"] < 1e-4  # a predicted strategy is summed up anew
    assert reports["several_hands"]["four"]["apart"] == 0.0
    assert reports["several_hands"]["locked"]["kept"] == 0.0


def test_a_gadget_at_the_root_is_played_as_the_cpu_does(reports: dict[str, Any]) -> None:
    for report in reports["gadget"].values():
        assert report["regret"] < 1e-5
        assert report["average"] < 1e-5
        assert report["choice"] < 1e-5
        assert report["mixed"] > 0.1  # there is something to choose
    river = reports["gadget"]["river"]
    assert river["ours"] == pytest.approx(river["theirs"], abs=1e-4)


def test_trees_with_a_depth_limit_are_played_as_the_cpu_does(reports: dict[str, Any]) -> None:
    assert len(reports["depth_limit"]) == 3
    for report in reports["depth_limit"].values():
        assert report["regret"] < 1e-5
        assert report["average"] < 1e-5
        assert report["ours"] == pytest.approx(report["theirs"], abs=1e-4)


def test_hands_that_share_rows_learn_as_on_the_cpu(reports: dict[str, Any]) -> None:
    assert len(reports["buckets"]) == 3
    for report in reports["buckets"].values():
        assert report["regret"] < 1e-5
        assert report["average"] < 1e-5
        assert report["ours"] == pytest.approx(report["theirs"], abs=1e-4)
    assert reports["buckets"]["turn and river"]["same"]


def test_locked_strategies_stay(reports: dict[str, Any]) -> None:
    assert reports["locked"]["kept"] == 0.0


def test_a_street_is_fixed_and_read_without_the_tables(reports: dict[str, Any]) -> None:
    report = reports["as_a_search_does"]
    assert report["regret"] < 1e-5
    assert report["average"] < 1e-5
    assert report["ours"] == pytest.approx(report["theirs"], abs=1e-4)
    assert report["kept"] == 0.0
    assert report["first"] < 1e-5
    assert report["few"] < 0.5  # the rivers' rows stay on the GPU


def test_a_resumed_solve_is_the_same_bit_for_bit(reports: dict[str, Any]) -> None:
    assert reports["resumed"] == {"iteration": 3, "same": True}


def test_the_first_street_is_told_without_the_tables(reports: dict[str, Any]) -> None:
    assert reports["answer"]["values"] < 1e-4
    assert reports["answer"]["strategies"] < 1e-5


def test_tables_stay_on_the_gpu_until_they_are_read(reports: dict[str, Any]) -> None:
    report = reports["late"]
    assert report["waiting"]
    assert report["come"]
    assert report["iteration"] == 2
    assert report["apart"] < 1e-5


def test_a_tree_too_large_for_the_gpu_is_refused_with_the_figure(reports: dict[str, Any]) -> None:
    message = reports["too_large"]["free_bytes"]
    assert "GB of GPU memory and 0.01 GB are free" in message
    assert "device: cpu" in message
    assert "\n" not in message
    words = (
        r"the ranges need [\d,]+ bytes of shared memory and this GPU's blocks have 256; use narrower .*cpu"
    )
    assert re.fullmatch(words, reports["too_large"]["most_shared"])


@pytest.mark.skipif(HAS_GPU, reason="this machine has a GPU")
def test_without_a_gpu_one_line_says_why() -> None:
    there, reason = device.available()
    assert not there
    assert reason.startswith(("no usable NVIDIA GPU on this machine (", "numba-cuda is not installed"))
    assert "\n" not in reason
    if device.cuda is not None:
        from overbet.solvers.vector.gpu.engine import CudaEngine

        with pytest.raises(ConfigError, match=r"device cuda: no usable NVIDIA GPU.*; use device: cpu$"):
            CudaEngine(None, None)  # type: ignore[arg-type]  # refused before the tree is looked at


def test_boards_are_swept_as_on_the_cpu(reports: dict[str, Any]) -> None:
    report = reports["swept_boards"]
    assert report["added"] > 10.0  # so that there is something to compare
    assert report["apart"] < 1e-4
    assert report["run"] < 1e-4
    assert report["iterations"] == 3000
    assert report["restored"]
    assert "boards at once" in report["too_large"]
