"""What the worker does with hands: taking in the files of an upload, leaks, opponents, reviews."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, replace
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Any

from overbet.errors import ArtefactError
from overbet.interfaces.web.work.measuring import stoppable
from overbet.interfaces.web.work.stages import told_when_compiling
from overbet.study.packing import plain

if TYPE_CHECKING:
    from overbet.interfaces.hands.importing import CopiedFile, ImportProgress, ImportReport
    from overbet.interfaces.hands.review.running import ReviewProgress
    from overbet.interfaces.web.work.worker import JobWork

_BEAT = 0.25  # seconds between two messages
_BLOCK = 1 << 20
_DIGEST = 16  # bytes
_MOST_OPPONENTS = 500  # that a report lists


class _Stopped(Exception):  # noqa: N818  # ends the work under way, nothing else
    pass


def import_(work: JobWork, command: dict[str, Any]) -> None:
    """Import an upload; its copies are removed when all of them are read."""
    work.say("stage", stage="loading")
    from overbet.interfaces.hands.database import HandDatabase
    from overbet.interfaces.hands.importing import ImportReport, import_hands

    folder = Path(command["folder"])
    files, passed_over = _files(folder)
    passed_over += command["passed_over"]
    report, told = ImportReport(), 0.0

    def tell(now: ImportProgress) -> None:
        nonlocal report, told
        report = now.report
        if time.monotonic() - told >= _BEAT or now.files_done == now.files:
            told = time.monotonic()
            left = now.seconds * (1 - now.share) / now.share if now.share else None
            beat = {"share": now.share, "files_done": now.files_done, "files": now.files}
            work.say("beat", beat={**beat, "hands": now.hands, "seconds": now.seconds, "seconds_left": left})
            work.say("rows", rows=report_values(now.report, faults=False))
        if work.stop.is_set():
            raise _Stopped

    work.say("stage", stage="running")
    stopped = False
    with HandDatabase(command["data"]) as database:
        try:
            if files:
                report = import_hands(database, files, hash_names=command["hash_names"], progress=tell)
        except _Stopped:
            stopped = True
    report.passed_over += passed_over
    work.say("rows", rows=report_values(report))
    kept = report_values(_nameless(report, Path(command["data"]))) if command["hash_names"] else None
    if not stopped:
        shutil.rmtree(folder, ignore_errors=True)
    result = {"report": kept or report_values(report)}
    work.say("end", status="stopped" if stopped else "done", result=result)


def report_values(report: ImportReport, *, faults: bool = True) -> dict[str, Any]:
    """Return a report as JSON has it."""
    values = asdict(report) | {"total": report.total}
    listed = report.faults if faults else []
    values["faults"] = [
        {"file": one.place.source, "hand": one.place.hand, "line": one.place.line, "reason": one.reason}
        for one in listed
    ]
    return values


def _nameless(report: ImportReport, data: Path) -> ImportReport:
    from overbet.interfaces.hands.names import name_key, nameless

    key = name_key(data)
    return replace(report, faults=[nameless(fault, key) for fault in report.faults])


def _files(folder: Path) -> tuple[list[CopiedFile], int]:
    """Return the copies of an upload and how many are no files of hands, known by their contents."""
    from overbet.interfaces.hands.importing import CopiedFile, holds_hands
    from overbet.interfaces.web.folder import read_json
    from overbet.interfaces.web.hand_uploads import FILES

    listed = read_json(folder / FILES)
    if not isinstance(listed, dict):
        raise ArtefactError("the copies of these files are gone; drop them again")
    found, passed_over = list[CopiedFile](), 0
    for name, label in listed.items():
        path = folder / Path(name).name
        if "/" in label and not holds_hands(path):  # of a folder: one that was named is read whatever it is
            passed_over += 1
        else:
            found.append(CopiedFile(path, label, _digest(path)))
    return found, passed_over


def _digest(path: Path) -> str:
    digest = blake2b(digest_size=_DIGEST)
    with open(path, "rb") as file:
        for block in iter(lambda: file.read(_BLOCK), b""):
            digest.update(block)
    return digest.hexdigest()


def leaks(work: JobWork, command: dict[str, Any]) -> None:
    """Compare a player's decisions with the strategy's."""
    with _finding(work):
        from overbet.interfaces.hands.database import HandDatabase
        from overbet.interfaces.hands.player_leaks import player_leaks

        with HandDatabase(command["data"]) as database:
            found = player_leaks(
                database, command["filter"], player=command["player"] or None, progress=_pace(work)
            )
        work.say("end", status="done", result={"report": plain(found.facts())})


def opponents(work: JobWork, command: dict[str, Any]) -> None:
    """Fit a model of every opponent."""
    with _finding(work):
        from overbet.interfaces.hands.database import HandDatabase
        from overbet.interfaces.hands.pool import opponents as pool_of

        with HandDatabase(command["data"]) as database:
            pool = pool_of(database, command["filter"], progress=_pace(work))
        listed = [one.facts() for one in pool[:_MOST_OPPONENTS]]
        work.say("end", status="done", result={"report": plain({"players": len(pool), "listed": listed})})


def review(work: JobWork, command: dict[str, Any]) -> None:
    """Price decisions; stopped, it ends with what was priced."""
    with _finding(work):
        from overbet.interfaces.hands.database import HandDatabase
        from overbet.interfaces.hands.review.running import ReviewRun, review_hands

        told, runs = 0.0, list[ReviewRun]()

        def tell(now: ReviewProgress) -> None:
            nonlocal told
            if time.monotonic() - told >= _BEAT or now.done == now.total:
                told = time.monotonic()
                work.say("beat", beat=review_pace(now, command["limit"]))

        with (
            suppress(KeyboardInterrupt),
            HandDatabase(command["data"]) as database,
            stoppable(work),
        ):
            runs.append(
                review_hands(database, filter=command["filter"], limit=command["limit"], progress=tell)
            )
        work.say("end", status="done" if runs else "stopped", result=asdict(runs[0]) if runs else {})


def review_pace(now: ReviewProgress, limit: int | None) -> dict[str, Any]:
    """Return how far a review is; where it was limited to fewer decisions than there are, of those."""
    goal = now.total if limit is None else min(limit, now.total)
    done = now.done if goal == now.total else min(now.priced, goal)
    left = now.seconds * (goal - done) / done if done else None
    return {**now._asdict(), "done": done, "total": goal, "seconds_left": left}


@contextmanager
def _finding(work: JobWork) -> Iterator[None]:
    work.say("stage", stage="loading")
    try:
        with told_when_compiling(lambda on: work.say("stage", stage="compiling" if on else "running")):
            yield
    except _Stopped:
        work.say("end", status="stopped", error="it was stopped")


def _pace(work: JobWork) -> Callable[[int, int], None]:
    told = 0.0

    def pace(done: int, total: int) -> None:
        nonlocal told
        if work.stop.is_set():
            raise _Stopped
        if time.monotonic() - told >= _BEAT:
            told = time.monotonic()
            work.say("beat", beat={"done": done, "total": total})

    return pace


WORK = {"import": import_, "leaks": leaks, "opponents": opponents, "review": review}
