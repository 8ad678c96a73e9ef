"""Without a GPU the CPU serves, and says so in one line when a GPU was asked for."""

import re
import subprocess
import sys

import pytest

from overbet.errors import TooLargeError
from overbet.solvers.vector import devices
from overbet.solvers.vector.api import solve
from overbet.solvers.vector.engine import VectorEngine
from overbet.solvers.vector.settings import SolveSettings
from overbet.tree.public import public_tree
from overbet.tree.spot import Spot

SPOT = Spot.parse(
    {
        "board": "KsTh7s4d2c",
        "pot": 10,
        "stacks": 20,
        "ranges": {"oop": "AA,QQ", "ip": "KQs,JJ"},
        "bets": {"every": {"bet": "75%"}},
    }
)


@pytest.mark.parametrize(
    ("device", "note"), [("auto", ""), ("cpu", ""), ("cuda", "device cuda: no GPU here; the CPU serves")]
)
def test_the_cpu_serves(device: str, note: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(devices, "_gpu", lambda: (False, "no GPU here"))
    settings = SolveSettings.parse({"device": device, "threads": 1})
    engine, told = devices.engine_for(public_tree(SPOT), settings)
    assert isinstance(engine, VectorEngine)
    assert told == note


def test_packed_tables_stay_on_the_cpu(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(devices, "_gpu", lambda: (True, "a GPU"))
    settings = SolveSettings.parse({"device": "cuda", "threads": 1, "precision": "int16"})
    engine, told = devices.engine_for(public_tree(SPOT), settings)
    assert engine.packed
    assert told == "device cuda: 16-bit tables are solved on the CPU; the CPU serves"


def test_a_tree_too_large_for_the_gpu_is_solved_on_the_cpu(monkeypatch: pytest.MonkeyPatch) -> None:
    gpu = pytest.importorskip("overbet.cuda.device")
    if gpu.cuda is None:
        pytest.skip("the kernels of the GPU engine need numba-cuda")
    monkeypatch.setattr(devices, "_driver", lambda: True)
    monkeypatch.setattr(gpu, "available", lambda: (True, "a small GPU"))
    monkeypatch.setattr(gpu, "free_bytes", lambda: 1e7)
    tree = public_tree(SPOT)
    engine, told = devices.engine_for(tree, SolveSettings.parse({"device": "auto", "threads": 1}))
    assert isinstance(engine, VectorEngine)
    wanted = r"device auto: the solve needs 0\.\d\d GB of GPU memory and 0\.01 GB are free; the CPU serves"
    assert re.fullmatch(wanted, told)
    with pytest.warns(UserWarning, match=wanted):
        found = solve(SPOT, device="auto", threads=1, iterations=20)
    assert found.iteration > 0
    with pytest.raises(TooLargeError, match="or device: cpu"):
        devices.engine_for(tree, SolveSettings.parse({"device": "cuda", "threads": 1}))


@pytest.mark.skipif(devices._gpu()[0], reason="this machine has a GPU")
def test_the_command_says_so_in_one_line() -> None:
    words = ["solve", "examples/quick.yaml", "--device", "cuda", "--json"]
    shown = subprocess.run(
        [sys.executable, "-m", "overbet", *words], capture_output=True, text=True, check=False
    )
    assert shown.returncode == 0, shown.stderr
    notes = [line for line in shown.stderr.splitlines() if line.startswith("note: ")]
    assert len(notes) == 1
    assert notes[0].endswith("the CPU serves")
