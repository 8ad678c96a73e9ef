"""The queue of imports and of what is found in hands: one at a time in a process of their own.

An import names an upload (`hand_uploads.py`) and nothing else that could lead to a file. Its report, where
names are hashed, is kept on disk without the names of its files and the reasons of its errors, which may name
players; until the server ends it is shown in full.
"""

from __future__ import annotations

import re
import shlex
import shutil
from typing import Any, ClassVar, Literal

from overbet.interfaces.web.faults import Fault
from overbet.interfaces.web.folder import ID, checked_id
from overbet.interfaces.web.hand_uploads import UPLOADS
from overbet.interfaces.web.reading import shown
from overbet.interfaces.web.work.jobs import Job, Jobs
from overbet.interfaces.web.work.run_jobs import WorkRecord

ReportKind = Literal["leaks", "opponents"]
_KEPT = 20  # imports that are over and still listed


class HandJobs(Jobs):
    """The queue of imports, leaks and opponents."""

    folders: ClassVar[dict[str, str]] = {
        "import": "work/import",
        "leaks": "work/leaks",
        "opponents": "work/opponents",
    }
    purpose, log = "hands", "hands.log"
    process_name = "the process that read the hands"
    advice = "resume it"
    ended = "the server ended while this ran; resume it, and it goes on where it stopped"

    def start_import(self, name: str, upload: str, *, hash_names: bool, passed_over: int) -> Job:
        """Queue the import of an upload."""
        over = [job for job in self.all("import") if job.status == "done"]
        for job in over[_KEPT - 1 :]:
            self.delete(job)
        values = {"upload": upload, "hash_names": hash_names, "passed_over": passed_over}
        return self.add("import", name, {}, options={"command": "overbet hands import", "values": values})

    def start_report(self, kind: ReportKind, filter: str, player: str) -> Job:
        """Queue a report in the place of the last one of its kind."""
        for job in self.all(kind):
            if job.busy:
                self.cancel(job)
            else:
                self.delete(job)
        options = {"command": f"overbet hands {kind}", "values": {"filter": filter, "player": player}}
        return self.add(kind, kind, {}, options=options)

    def delete(self, job: Job) -> None:
        """Forget a job and remove the copies it still has."""
        super().delete(job)
        if job.kind == "import":
            shutil.rmtree(self.folder.root / UPLOADS / _upload(job), ignore_errors=True)

    def wants(self, upload: str) -> bool:
        """Return whether an import has still to read an upload."""
        return any(_upload(job) == upload and job.status != "done" for job in self.all("import"))

    def _values(self, record: Any, kind: str) -> dict[str, Any] | None:
        found = _work_values(record)
        if found is not None and kind == "import":
            upload = found["options"]["values"].get("upload")
            return found if isinstance(upload, str) and re.fullmatch(ID, upload) else None
        return found

    def _command(self, job: Job) -> dict[str, Any]:
        values = job.options["values"]
        command = {"job": job.id, "kind": job.kind, "data": str(self.folder.root)}
        if job.kind != "import":
            return {
                **command,
                "filter": str(values.get("filter", "")),
                "player": str(values.get("player", "")),
            }
        return {
            **command,
            "folder": str(self.folder.root / UPLOADS / _upload(job)),
            "hash_names": bool(values.get("hash_names")),
            "passed_over": int(values.get("passed_over") or 0),
        }

    def _saves(self, job: Job) -> bool:
        return job.kind == "import"  # the batch under way is written in a moment


class ReviewJobs(Jobs):
    """The queue of reviews: hours of work, beside which imports and reports go on."""

    folders: ClassVar[dict[str, str]] = {"review": "work/review"}
    purpose, log = "review", "review.log"
    process_name = "the process that priced the decisions"
    advice = "start it again, and it goes on"
    ended = "the server ended while this ran; start it again, and it goes on with what is missing"

    def start(self, filter: str, limit: int | None) -> Job:
        """Queue a review; one is enough at a time."""
        for job in self.all("review"):
            if job.busy:
                raise Fault(409, "a review is under way already; stop it first, or wait")
            self.delete(job)
        command = f"overbet hands review --filter {shlex.quote(filter)}" if filter else "overbet hands review"
        values = {"filter": filter, "limit": limit}
        return self.add("review", "review", {}, options={"command": command, "values": values})

    def _values(self, record: Any, kind: str) -> dict[str, Any] | None:
        return _work_values(record)

    def _command(self, job: Job) -> dict[str, Any]:
        values = job.options["values"]
        limit = values.get("limit")
        return {
            "job": job.id,
            "kind": job.kind,
            "data": str(self.folder.root),
            "filter": str(values.get("filter", "")),
            "limit": int(limit) if limit else None,
        }


def _work_values(record: Any) -> dict[str, Any] | None:
    try:
        found = WorkRecord.model_validate(shown(record))
    except (ValueError, RecursionError):  # a record of others
        return None
    return {**found.model_dump(exclude={"version"}), "spot": {}}


def _upload(job: Job) -> str:
    return checked_id(str(job.options["values"]["upload"]))
