"""The second queue: training, matches, LBR and scorecards, one at a time in a process of their own.

They may take hours, so solves do not wait for them. A job's order is kept as it was checked
(`interfaces/web/orders.py`), with what the form held, so that it can be filled in again.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, ClassVar, Literal

from pydantic import Field

from overbet.interfaces.web.folder import RUNS, DataFolder
from overbet.interfaces.web.limits import Limits
from overbet.interfaces.web.reading import shown
from overbet.interfaces.web.work.jobs import Job, Jobs, Kind
from overbet.study.records import Record, Text

RUN_KINDS: tuple[Kind, ...] = ("train", "match", "lbr", "scorecard")


class WorkOptions(Record):
    """What a job was ordered to do. values: for the worker; asked: what the form held."""

    command: Text
    values: dict[str, Any]
    asked: dict[str, Any] = Field(default_factory=dict)


class WorkRecord(Record):
    """A job of this queue as `jobs.Job.record` writes it."""

    version: Literal[1]
    name: Text
    created: Text
    status: Literal["queued", "running", "saving", "done", "stopped", "failed"] = "queued"
    error: Text | None = None
    result: dict[str, Any] = Field(default_factory=dict)
    options: WorkOptions
    resume: bool = False


class RunJobs(Jobs):
    """The queue of everything that is measured or trained."""

    folders: ClassVar[dict[str, str]] = {kind: f"work/{kind}" for kind in RUN_KINDS}
    purpose, log = "run", "runs.log"
    process_name = "the process that ran it"
    advice = "resume it, or start it again"
    ended = "the server ended while this ran; what was played is in the results, and training can be resumed"

    def __init__(self, folder: DataFolder, limits: Limits, ledger: Callable[[], Path]) -> None:
        """Take ledger: where results are noted."""
        self._ledger = ledger
        super().__init__(folder, limits)

    def everything(self) -> list[Job]:
        """Return all jobs, newest first."""
        found = [job for kind in RUN_KINDS for job in self.all(kind)]
        return sorted(found, key=lambda job: job.created, reverse=True)

    def find(self, name: str) -> Job:
        """Return one job of any kind."""
        for job in self.everything():
            if job.id == name:
                return job
        return self.get("match", name)  # says that there is none

    def _saves(self, job: Job) -> bool:
        return bool(job.looks)

    def _values(self, record: Any, kind: str) -> dict[str, Any] | None:
        record = shown(record)
        try:
            found = WorkRecord.model_validate(record)
        except (ValueError, RecursionError):
            return None
        return {**found.model_dump(exclude={"version"}), "spot": {}}

    def _command(self, job: Job) -> dict[str, Any]:
        values = dict(job.options["values"])
        if job.kind == "train":  # a record of others must not name a folder elsewhere
            values["folder"] = str(self.folder.root / RUNS / Path(str(values.get("run", job.id))).name)
        return {
            "job": job.id,
            "kind": job.kind,
            "resume": job.resume,
            "ledger": str(self._ledger()),
            "command": job.options["command"],
            **values,
        }
