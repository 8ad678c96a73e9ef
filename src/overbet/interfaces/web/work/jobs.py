"""The queue: jobs on disk, one at a time in the worker process, watched by whoever asks.

A job's record is written at every change of its status, so that a restart finds everything: what was queued
is queued again, what was running is shown as stopped and can be resumed. When the worker process dies, the
job under way has failed and says so; the server, the other jobs and every saved file are as they were.

On a full disk the queue goes on: a record that cannot be written is told on its job, kept in memory, and
tried again every few seconds until there is room. New work is refused meanwhile.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal, cast

from overbet.errors import OverbetError
from overbet.interfaces.web.faults import Fault
from overbet.interfaces.web.folder import (
    BATCHES,
    JOB,
    REPORT,
    SOLUTION,
    SOLVES,
    DataFolder,
    new_id,
    now,
    write_json,
)
from overbet.interfaces.web.limits import Limits
from overbet.interfaces.web.reading import is_plain
from overbet.interfaces.web.records import job_values
from overbet.interfaces.web.work.process import WorkerProcess

Kind = Literal[
    "solve", "batch", "train", "match", "lbr", "scorecard", "import", "leaks", "opponents", "review"
]
Status = Literal["queued", "running", "saving", "done", "stopped", "failed"]
FOLDERS: dict[str, str] = {"solve": SOLVES, "batch": BATCHES}
BUSY = ("queued", "running", "saving")
_CLOSING_SECONDS, _IDLE_SECONDS = 30.0, 1.0
_AGAIN_SECONDS = 3.0  # until a record that could not be written is tried again
_ENDED = "the server ended while this ran; resume it"


@dataclass
class Job:
    """One piece of long work and what came of it.

    spot: as a spot file has it, settings and locks included. result: what the worker said at the end of the
    last run that saved something. looks: of the run under way or the last one; progress: of a batch; stage
    and beat: what it does now and how far it is, between looks; saved: the state on disk of the run under
    way. change: counts up with every change, for those who watch. unsaved: why the record on disk is older
    than this one.
    """

    id: str
    kind: Kind
    name: str
    created: str
    spot: dict[str, Any]
    status: Status = "queued"
    error: str | None = None
    parent: str | None = None
    example: bool = False
    result: dict[str, Any] = field(default_factory=dict)
    options: dict[str, Any] = field(default_factory=dict)
    looks: list[dict[str, Any]] = field(default_factory=list)
    progress: dict[str, Any] = field(default_factory=dict)
    stage: str = ""
    beat: dict[str, Any] = field(default_factory=dict)
    saved: dict[str, Any] = field(default_factory=dict)
    snapshot_fault: str | None = None  # why the last snapshot could not be written
    resume: bool = False
    change: int = 0
    stopping: bool = False
    unsaved: str | None = None

    @property
    def fault(self) -> str | None:
        """What is to be told: why it failed, and why that is not on disk."""
        return "; ".join(text for text in (self.error, self.unsaved) if text) or None

    @property
    def busy(self) -> bool:
        """Whether it waits or works."""
        return self.status in BUSY

    def record(self) -> dict[str, Any]:
        """Return what is kept on disk."""
        kept = ("id", "kind", "name", "created", "spot", "status", "error", "parent", "example", "result")
        return {
            "version": 1,
            **{key: getattr(self, key) for key in kept},
            "options": self.options,
            "resume": self.resume,
        }


class Jobs:
    """All jobs of a data folder of some kinds, and the worker that does them."""

    folders: ClassVar[dict[str, str]] = FOLDERS  # by kind
    purpose, log = "solve", "worker.log"  # of the worker process
    process_name = "the solving process"
    advice = "resume, or make it smaller"  # where the process died
    ended = _ENDED  # what is said of a job that the end of the server stopped

    def __init__(self, folder: DataFolder, limits: Limits) -> None:
        self.folder, self.limits = folder, limits
        self._lock = threading.RLock()
        self._jobs: dict[str, Job] = {}
        self._queue: list[str] = []
        self._worker: WorkerProcess | None = None
        self._current: str | None = None
        self._closed = False
        self._again: threading.Timer | None = None
        self.forgotten: list[Callable[[str], None]] = []  # told when a job's files change or go
        self._find()

    # -- asking

    def all(self, kind: Kind) -> list[Job]:
        """Return the jobs of a kind, newest first."""
        with self._lock:
            found = [job for job in self._jobs.values() if job.kind == kind]
        return sorted(found, key=lambda job: job.created, reverse=True)

    def get(self, kind: Kind, name: str) -> Job:
        """Return one job."""
        with self._lock:
            job = self._jobs.get(name)
        if job is None or job.kind != kind:
            raise Fault(404, f"there is no {kind} of that name; it may have been deleted")
        return job

    def queue_place(self, job: Job) -> int | None:
        """Return how many jobs come before a waiting one, None where it does not wait."""
        with self._lock:
            if job.id not in self._queue:
                return None
            return self._queue.index(job.id) + (1 if self._current else 0)

    @property
    def worker_pid(self) -> int | None:
        """The worker process, if there is one."""
        with self._lock:
            return self._worker.pid if self._worker else None

    # -- changing

    def add(self, kind: Kind, name: str, spot: dict[str, Any], **values: Any) -> Job:
        """Queue new work."""
        with self._lock:
            self._room()
            if sum(job.kind == kind for job in self._jobs.values()) >= self.limits.kept_jobs:
                raise Fault(429, f"{self.limits.kept_jobs:,} are kept already; delete some first")
            job = Job(new_id(kind[0]), kind, name, now(), spot, **values)
            try:
                self._write(job)
            except Fault:
                self.folder.remove(self.folders[kind], job.id)
                raise
            self._jobs[job.id] = job
            self._enqueue(job)
            return job

    def adopt(self, job: Job) -> None:
        """Take in a job whose work is done already: an upload, or the example."""
        with self._lock:
            self._write(job)
            self._jobs[job.id] = job

    def cancel(self, job: Job) -> None:
        """Stop a job: out of the queue, or after the iterations under way, which are saved.

        Asked again it goes on stopping: what was not saved yet is never thrown away.
        """
        with self._lock:
            if job.id in self._queue:
                self._queue.remove(job.id)
                self._finish(job, "stopped", None)
            elif job.id == self._current and self._worker:
                if not job.stopping:
                    job.stopping = True
                    self._worker.send({"cancel": job.id})
                    self._changed(job)
            else:
                raise Fault(409, "it is not running")

    def ask_snapshot(self, job: Job) -> None:
        """Have the state of the solve under way saved as soon as it can be; `Job.saved` says when it is."""
        with self._lock:
            if job.id == self._current and self._worker:
                job.snapshot_fault = None
                self._worker.send({"snapshot": job.id})

    def again(self, job: Job, spot: dict[str, Any], *, resume: bool) -> None:
        """Queue a job once more, from what it saved where `resume` says so."""
        with self._lock:
            if job.id in self._queue or job.id == self._current:
                raise Fault(409, "it is running already")
            self._room()
            before = job.spot, job.resume, job.error, job.status
            job.spot, job.resume, job.error, job.status = spot, resume, None, "queued"
            try:
                self._write(job)
            except Fault:
                job.spot, job.resume, job.error, job.status = before
                raise
            self._enqueue(job)

    def rename(self, job: Job, name: str) -> None:
        """Give a job another name."""
        with self._lock:
            before, job.name = job.name, name
            try:
                self._write(job)
            except Fault:
                job.name = before
                raise
            self._changed(job)

    def delete(self, job: Job) -> None:
        """Forget a job and remove its files."""
        with self._lock:
            if job.busy:
                raise Fault(409, "it is still running; cancel it first")
            self._jobs.pop(job.id, None)
            self._tell(job.id)
            self.folder.remove(self.folders[job.kind], job.id)

    def close(self) -> None:
        """Stop the work under way, saved, and end the worker."""
        with self._lock:
            self._closed = True
            worker = self._worker
            job = self._jobs.get(self._current or "")
            if self._again is not None:
                self._again.cancel()
        if worker:
            saves = job is not None and self._saves(job)
            worker.close(_CLOSING_SECONDS if saves else _IDLE_SECONDS)

    # -- the worker

    def _find(self) -> None:
        """Find the jobs of an earlier server."""
        for kind, folder in self.folders.items():
            for path, record in self.folder.jobs(folder):
                values = self._values(record, kind)
                if values is None:
                    continue
                job = Job(**values, id=path.name, kind=cast(Kind, kind))
                if job.status == "queued":
                    self._queue.append(job.id)
                elif job.busy:
                    job.status = "stopped"
                    job.error = self.ended
                self._jobs[job.id] = job
        self._queue.sort(key=lambda name: self._jobs[name].created)

    def begin(self) -> None:
        """Start on what an earlier server left in the queue."""
        with self._lock:
            self._advance()

    def _room(self) -> None:
        if self._closed:
            raise Fault(503, "the server is stopping")
        if len(self._queue) >= self.limits.queued_jobs:
            raise Fault(429, f"{len(self._queue)} jobs wait already; cancel some, or wait")

    def _enqueue(self, job: Job) -> None:
        job.status, job.looks, job.progress, job.stopping = "queued", [], {}, False
        job.stage, job.beat, job.saved = "", {}, {}
        self._queue.append(job.id)
        self._changed(job)
        self._advance()

    def _advance(self) -> None:
        """Give the worker the next job, if it has none."""
        while not self._closed and self._current is None and self._queue:
            job = self._jobs[self._queue.pop(0)]
            if self._worker is None:
                log = self.folder.root / self.log
                try:
                    self._worker = WorkerProcess(log, self._heard, self._ended, self.purpose)
                except OSError as error:
                    text = f"{self.process_name} cannot be started: {error.strerror}; resume it later"
                    self._finish(job, "failed", text)
                    continue
            self._current = job.id
            job.status = "running"
            self._save(job)
            self._changed(job)
            if not self._worker.send(self._command(job)):
                return  # it has just died: `_ended` will say so

    def _saves(self, job: Job) -> bool:
        """Return whether a job under way has something to save.

        A report keeps its boards as it goes, and before the first look there is nothing to save.
        """
        return job.kind == "solve" and bool(job.looks)

    def _values(self, record: Any, kind: str) -> dict[str, Any] | None:
        """Return the fields of a record on disk, None where it is none."""
        return job_values(record, kind)

    def _command(self, job: Job) -> dict[str, Any]:
        path = self.folder.job(self.folders[job.kind], job.id)
        command: dict[str, Any] = {"job": job.id, "kind": job.kind, "spot": job.spot, **job.options}
        if job.kind == "batch":
            return command | {"folder": str(path / REPORT)}
        parent = self.folder.job(SOLVES, job.parent) / SOLUTION if job.parent else None
        if parent and is_plain(parent) and job.spot.get("locks"):
            command["parent"] = str(parent)
        return command | {
            "file": str(path / SOLUTION),
            "resume": job.resume and is_plain(path / SOLUTION),
            "checkpoint_seconds": self.limits.checkpoint_seconds,
        }

    def _heard(self, message: dict[str, Any]) -> None:
        """Take a message of the worker."""
        with self._lock:
            job = self._jobs.get(message["job"])
            if job is None:
                return
            if message["type"] == "look":
                job.looks.append(message["look"])
            elif message["type"] == "stage":
                job.stage = message["stage"]
            elif message["type"] == "beat":
                job.beat = message["beat"]
                if job.beat.get("iteration"):
                    job.stage = "iterating"
            elif message["type"] == "saved":
                job.saved = message["saved"]
                self._tell(job.id)
            elif message["type"] == "rows":
                job.progress = {"rows": message["rows"]}
            elif message["type"] == "unsaved":
                job.snapshot_fault = message["error"]
            elif message["type"] == "batch":
                job.progress = {key: message[key] for key in message if key not in ("type", "job")}
            elif message["type"] == "state":
                job.status = message["status"]
            elif message["type"] == "end":
                self._current = None
                job.result = message.get("result") or job.result
                self._tell(job.id)
                self._finish(job, message["status"], message.get("error"))
                self._advance()
                return
            self._changed(job)

    def _ended(self, worker: WorkerProcess, how: str) -> None:
        """Take the end of the worker process, wanted or not."""
        with self._lock:
            if worker is not self._worker:
                return
            self._worker = None
            job = self._jobs.get(self._current or "")
            self._current = None
            if job is not None and self._closed:
                self._finish(job, "stopped", self.ended)
            elif job is not None:
                text = f"{self.process_name} {how}; what was saved before is intact: {self.advice}"
                self._finish(job, "failed", text)
            self._advance()

    def _finish(self, job: Job, status: Status, error: str | None) -> None:
        job.status, job.error, job.stopping, job.stage = status, error, False, ""
        self._save(job)
        self._changed(job)

    def _write(self, job: Job) -> None:
        """Write a job's record; a fault where that cannot be done."""
        try:
            write_json(self.folder.job(self.folders[job.kind], job.id) / JOB, job.record())
        except (OSError, OverbetError, ValueError) as error:
            cause = error if isinstance(error, OSError) else error.__cause__
            reason = cause.strerror if isinstance(cause, OSError) else None
            raise Fault(409, f"it cannot be written to disk ({reason or error}); make room there") from error
        job.unsaved = None

    def _save(self, job: Job) -> None:
        """Write a job's record; where that cannot be done say so on the job, and try again later."""
        try:
            self._write(job)
        except Fault as fault:
            job.unsaved = fault.message
            if self._again is None and not self._closed:
                self._again = threading.Timer(_AGAIN_SECONDS, self._save_again)
                self._again.daemon = True
                self._again.start()

    def _save_again(self) -> None:
        with self._lock:
            self._again = None
            for job in list(self._jobs.values()):
                if job.unsaved is not None:
                    self._save(job)
                    if job.unsaved is None:
                        self._changed(job)

    def _changed(self, job: Job) -> None:
        job.change += 1

    def _tell(self, name: str) -> None:
        for listener in self.forgotten:
            listener(name)
