"""A full data disk: the queue says so on the job, goes on, and is whole again when there is room."""

from __future__ import annotations

import errno
import json
import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from overbet.errors import ArtefactError
from overbet.interfaces.web.faults import Fault
from overbet.interfaces.web.folder import DataFolder
from overbet.interfaces.web.limits import Limits
from overbet.interfaces.web.work import jobs as module
from overbet.interfaces.web.work import process
from overbet.interfaces.web.work.jobs import Job, Jobs
from tests.interfaces.web.server import COMPILATION, ENDLESS, RIVER


class Disk:
    """Where job records go; it can be full."""

    def __init__(self, write: Callable[[Path, Any], None]) -> None:
        self.full, self._write = False, write

    def write(self, path: Path, value: Any) -> None:
        """Write, or fail as a full disk does."""
        if self.full:
            cause = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            raise ArtefactError(
                f"cannot write {path}: {cause.strerror}; what was there before is untouched"
            ) from cause
        self._write(path, value)


@pytest.fixture
def disk(monkeypatch: pytest.MonkeyPatch) -> Disk:
    found = Disk(module.write_json)
    monkeypatch.setattr(module, "write_json", found.write)
    monkeypatch.setattr(module, "_AGAIN_SECONDS", 0.2, raising=False)
    return found


@pytest.fixture
def jobs(tmp_path: Path, disk: Disk) -> Iterator[Jobs]:
    found = Jobs(DataFolder(tmp_path), Limits())
    yield found
    found.close()


def wait(what: Callable[[], bool], seconds: float = COMPILATION) -> None:
    end = time.monotonic() + seconds
    while not what():
        assert time.monotonic() < end
        time.sleep(0.02)


def kept(jobs: Jobs, job: Job) -> Any:
    return json.loads((jobs.folder.job("solves", job.id) / "job.json").read_text())["status"]


def test_the_queue_goes_on_and_is_whole_again_when_there_is_room(jobs: Jobs, disk: Disk) -> None:
    first = jobs.add("solve", "first", ENDLESS)
    second = jobs.add("solve", "second", ENDLESS)
    third = jobs.add("solve", "third", RIVER)
    wait(lambda: bool(first.looks))
    disk.full = True
    jobs.cancel(first)
    wait(lambda: first.status == "stopped")
    assert "No space left on device" in str(first.fault)
    assert "\n" not in str(first.fault)
    wait(lambda: bool(second.looks))  # the next one began
    jobs.cancel(second)
    wait(lambda: second.status == "stopped")  # and can be cancelled
    wait(lambda: third.status == "done")
    assert kept(jobs, first) == "running"  # what was there before is untouched
    number = len(jobs.all("solve"))
    with pytest.raises(Fault, match="No space left on device"):
        jobs.add("solve", "fourth", RIVER)
    with pytest.raises(Fault, match="No space left on device"):
        jobs.again(first, ENDLESS, resume=True)
    with pytest.raises(Fault, match="No space left on device"):
        jobs.rename(first, "another")
    assert (first.status, first.name) == ("stopped", "first")
    assert len(jobs.all("solve")) == number
    assert len(list((jobs.folder.root / "solves").iterdir())) == number
    disk.full = False
    wait(lambda: first.fault is None and third.fault is None)
    assert [kept(jobs, job) for job in (first, second, third)] == ["stopped", "stopped", "done"]
    fifth = jobs.add("solve", "fifth", RIVER)
    wait(lambda: fifth.status == "done")
    wait(lambda: kept(jobs, fifth) == "done")  # it is written just after


def test_a_process_that_cannot_be_started_is_told_and_the_next_try_works(
    jobs: Jobs, monkeypatch: pytest.MonkeyPatch
) -> None:
    def none(*args: Any, **values: Any) -> None:
        raise OSError(errno.EAGAIN, os.strerror(errno.EAGAIN))

    with monkeypatch.context() as patched:
        patched.setattr(process.subprocess, "Popen", none)
        job = jobs.add("solve", "one", RIVER)
    assert job.status == "failed"
    assert "Resource temporarily unavailable" in str(job.error)
    jobs.again(job, RIVER, resume=False)
    wait(lambda: job.status == "done")


def test_a_log_that_cannot_be_written_is_no_reason_to_stop(jobs: Jobs) -> None:
    (jobs.folder.root / "worker.log").mkdir()  # stands for a file that no room is left for
    job = jobs.add("solve", "one", RIVER)
    wait(lambda: job.status == "done")


def test_a_listener_that_fails_hears_the_next_message(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    heard: list[str] = []

    def listen(message: dict[str, Any]) -> None:
        heard.append(message["type"])
        raise RuntimeError("a fault")

    ended: list[str] = []
    worker = process.WorkerProcess(tmp_path / "log", listen, lambda found, how: ended.append(how), "solve")
    worker.send({"job": "a", "kind": "solve", "spot": {}, "file": str(tmp_path / "x.h5")})
    wait(lambda: "end" in heard)
    worker.close(30)
    assert heard[0] == "ready"
    assert ended == ["ended with code 0"]
