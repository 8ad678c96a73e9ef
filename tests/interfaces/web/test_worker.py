"""The worker's jobs without its process: solves saved on the way are the same solves."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import overbet
from overbet.interfaces.web import example
from overbet.interfaces.web.work.worker import JobWork, solve
from overbet.solvers.vector.store import read
from tests.interfaces.web.server import ENDLESS, TURN

SPOT = {**TURN, "solve": {"target": 0, "iterations": 120, "check_every": 10, "device": "cpu", "threads": 1}}


def run(path: Path, **more: object) -> list[dict[str, object]]:
    out = io.StringIO()
    solve(JobWork(out, "job"), {"spot": SPOT, "file": str(path), **more})
    return [json.loads(line) for line in out.getvalue().splitlines()]


def test_a_solve_saved_on_the_way_ends_with_the_same_bits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from overbet.solvers.vector.solution import Solution

    saves = []
    kept = Solution.save
    monkeypatch.setattr(Solution, "save", lambda self, path: (saves.append(self.iteration), kept(self, path)))
    said = run(tmp_path / "parts.h5", checkpoint_seconds=1e-6)
    assert saves == list(range(10, 121, 10))
    looks = [message for message in said if message["type"] == "look"]
    assert [message["look"]["iteration"] for message in looks] == saves  # type: ignore[index]
    assert said[-1]["status"] == "done"
    straight = overbet.solve(SPOT)
    parts = read(tmp_path / "parts.h5", resume=True)
    assert parts.tables.regret is not None
    assert straight.tables.regret is not None
    for player in (0, 1):
        np.testing.assert_array_equal(parts.tables.average[player], straight.tables.average[player])
        np.testing.assert_array_equal(parts.tables.regret[player], straight.tables.regret[player])


def test_the_worker_enters_a_solve_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from overbet.solvers.vector import api

    calls = []
    kept = api.solve
    monkeypatch.setattr(api, "solve", lambda *args, **more: (calls.append(args), kept(*args, **more))[1])
    said = run(tmp_path / "once.h5", checkpoint_seconds=1e-6)
    assert said[-1]["status"] == "done"
    assert len(calls) == 1
    assert overbet.load(tmp_path / "once.h5").settings.seconds is None


def test_every_stage_and_iteration_is_told_and_a_snapshot_changes_no_bit(tmp_path: Path) -> None:
    class Asking(io.StringIO):
        """Asks for a snapshot when the solve has told its third iteration."""

        def write(self, text: str) -> int:
            message = json.loads(text)
            if message["type"] == "beat" and message["beat"]["iteration"] == 3:
                work.snapshot.set()
            if message["type"] == "saved":
                states.append(overbet.load(tmp_path / "beside.h5"))
            return super().write(text)

    states: list[overbet.Solution] = []
    spot = {**SPOT, "solve": {**SPOT["solve"], "check_every": 60}}
    work = JobWork(Asking(), "job")
    solve(work, {"spot": spot, "file": str(tmp_path / "beside.h5")})
    said = [json.loads(line) for line in work._out.getvalue().splitlines()]  # type: ignore[attr-defined]
    kinds = [message["type"] for message in said]
    assert kinds[:3] == ["stage", "stage", "beat"] or "compiling" in str(said[:4])
    beats = [message["beat"]["iteration"] for message in said if message["type"] == "beat"]
    assert beats[:3] == [0, 1, 3]  # before the first look, and the steps between grow
    assert kinds.index("beat") < kinds.index("look")
    (state,) = states  # whole while the solve went on
    assert state.iteration == 3
    assert state.exploitability > 0
    assert said[-1]["status"] == "done"
    straight, last = overbet.solve(spot), read(tmp_path / "beside.h5", resume=True)
    for player in (0, 1):
        np.testing.assert_array_equal(last.tables.average[player], straight.tables.average[player])


def test_the_shipped_example_is_what_its_recipe_makes(tmp_path: Path) -> None:
    example.build(tmp_path)
    fresh, shipped = overbet.load(tmp_path / "example.h5"), overbet.load(example.HERE / "example.h5")
    assert shipped.spot == fresh.spot
    assert shipped.exploitability <= example.spot().solve.target
    assert shipped.iteration == pytest.approx(fresh.iteration, abs=20)
    pot = shipped.spot.pot
    assert shipped.ev("oop") == pytest.approx(fresh.ev("oop"), abs=0.002 * pot)
    facts = json.loads((example.HERE / "example.json").read_text())
    assert facts["exploitability"] == pytest.approx(shipped.exploitability)
    assert facts["ev_chips"]["oop"] == pytest.approx(shipped.ev("oop"))


def test_what_waits_when_the_server_dies_is_not_solved_to_the_end(tmp_path: Path) -> None:
    """A command and the end of the input can come together: an endless solve would outlive its server."""
    command = {"job": "s-1", "kind": "solve", "spot": ENDLESS, "file": str(tmp_path / "solution.h5")}
    ended = subprocess.run(
        [sys.executable, "-m", "overbet.interfaces.web.work.worker", "solve"],
        input=json.dumps(command) + "\n",
        capture_output=True,
        text=True,
        timeout=900,
        check=True,
    )
    last = json.loads(ended.stdout.splitlines()[-1])
    assert (last["type"], last["status"]) == ("end", "stopped")
    assert (tmp_path / "solution.h5").exists()
