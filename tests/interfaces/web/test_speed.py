"""The rate of a machine that has solved nothing yet: a trial leaves it in the data folder, once."""

from __future__ import annotations

from pathlib import Path

import pytest

from overbet.interfaces.web.folder import DataFolder
from overbet.interfaces.web.limits import Limits
from overbet.interfaces.web.work import speed
from overbet.interfaces.web.work.jobs import Job, Jobs


def test_a_trial_is_begun_once_and_its_rate_is_used_until_there_are_solves(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun = []
    monkeypatch.setenv("OVERBET_COMPILE_AHEAD", "1")

    class Child:
        def poll(self) -> int:
            return 0

    def start(module: str, *words: str) -> Child:
        begun.append((module, words))
        return Child()

    monkeypatch.setattr(speed, "start_compiler", start)
    folder = DataFolder(tmp_path)
    jobs = Jobs(folder, Limits())
    machine = speed.MachineSpeed(folder, jobs, on=True)
    assert machine.trial() is None
    assert machine.trial() is None
    assert begun == [("overbet.interfaces.web.work.speed", (str(tmp_path / speed.NAME),))]
    (tmp_path / speed.NAME).write_text("{}")  # not ours, or damaged
    assert machine.trial() is None
    for seconds in (0.3, 3.0, 30.0):  # a busy machine does too little in the first to tell a rate
        speed.main(tmp_path / speed.NAME, seconds)
        if found := machine.trial():
            break
    assert found is not None
    assert found["street"] == "turn"
    assert found["nanoseconds"] > 0
    rate = {**found, "nanoseconds": 5.0}
    jobs.adopt(Job("s-1", "solve", "one", "2026-01-01", {"board": "x"}, result={"rate": rate}))
    jobs.adopt(Job("s-2", "solve", "two", "2026-01-02", {"board": "x"}, result={"rate": {"threads": "many"}}))
    assert machine.rates() == [rate]
    machine.close()
