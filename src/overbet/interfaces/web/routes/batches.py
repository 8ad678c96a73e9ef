"""Reports over many boards: a job that fills a table, board by board, and its figures at any line."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any, Literal

import polars as pl
from fastapi import APIRouter, Query, Request, Response

from overbet.cards.cards import board as read_board
from overbet.cards.cards import cards_name
from overbet.errors import OverbetError
from overbet.games import lines
from overbet.interfaces.web.events import STREAMED, EventStream, job_events
from overbet.interfaces.web.example import shipped_report
from overbet.interfaces.web.faults import Fault, at
from overbet.interfaces.web.folder import BATCHES, REPORT, SOLUTION, SOLVES, new_id, now
from overbet.interfaces.web.models import reports as models
from overbet.interfaces.web.models.solving import Line, Solve
from overbet.interfaces.web.reading import is_plain, size_of
from overbet.interfaces.web.report_view import report_shown
from overbet.interfaces.web.routes.solves import clean_name, pot_words, solve_shown, start_solve
from overbet.interfaces.web.spots import read_spot, refuse_large, sized, spot_json
from overbet.interfaces.web.state import ServerState, job_of, state_of
from overbet.interfaces.web.work.jobs import Job
from overbet.solvers.vector.batches.batch import Batch, check_suits, load_batch
from overbet.solvers.vector.batches.flops import BoardSet, board_list, board_set
from overbet.solvers.vector.batches.folder import solution_file
from overbet.solvers.vector.batches.line_report import LineReport, frame_bytes
from overbet.solvers.vector.batches.street import street_of
from overbet.solvers.vector.batches.texture import checked_texture
from overbet.solvers.vector.batches.timing import BoardSizes, measured_of, spent_seconds

router = APIRouter(prefix="/api/batches", tags=["reports"])
_MOST_BOARD = 16 << 20  # bytes of one board's file
_DAMAGED = "this set's files are damaged, or an earlier version wrote them; delete it and solve it anew"
_MEDIA = {"csv": "text/csv; charset=utf-8", "parquet": "application/vnd.apache.parquet"}
Word = Annotated[str, Query(max_length=80)]


@router.get("")
def batches(request: Request) -> models.Batches:
    """Return all reports, newest first."""
    state = state_of(request)
    return models.Batches(batches=[batch_shown(state, job) for job in state.jobs.all("batch")])


@router.post("", status_code=201)
def new_batch(request: Request, body: models.NewBatch) -> models.BatchShown:
    """Queue a spot on many boards; its own board is left aside."""
    state = state_of(request)
    file = read_spot(body.spot, state.limits)
    with at("spot.locks", 422):
        below = any(lines.parse(lock.line) for lock in file.locks or ())
    if below:
        raise Fault(422, "a report takes locks at the root only: later lines name other boards", "spot.locks")
    with at("flops", 422):
        boards = _boards(body.flops)
    first = file.model_copy(update={"board": boards.boards[0]})
    refuse_large(sized(first), state.limits)
    with at("spot.ranges", 422):
        check_suits(first.spot(), boards)
    name = clean_name(body.name) or f"{_flops(len(boards.boards))}, {pot_words(file)}"
    options = {"flops": body.flops, "boards": len(boards.boards), "keep": body.keep, "trial": body.trial}
    job = state.jobs.add("batch", name, spot_json(file), options=options)
    return batch_shown(state, job)


@router.post("/estimate")
def estimate_batch(request: Request, body: models.AskedBatch) -> models.BatchEstimate:
    """Return how long a report will take, by boards of the same spot that were solved here, and its room."""
    state = state_of(request)
    file = read_spot(body.spot, state.limits)
    with at("flops", 422):
        boards = _boards(body.flops).boards
    sized(file.model_copy(update={"board": boards[0]}))
    measured = _measured(state, spot_json(file), len(boards[0]))
    with at("spot", 422):
        sizes = BoardSizes(file)
        seconds, kept = sizes.seconds(measured, boards), sizes.kept_bytes(boards)
    return models.BatchEstimate(
        boards=len(boards),
        seconds=seconds,
        measured=len(measured) if seconds is not None else 0,
        kept_bytes=kept,
        free_bytes=state.folder.free_bytes(),
    )


@router.get("/{id}")
def one_batch(request: Request, id: str) -> models.BatchShown:
    """Return a report without its boards."""
    state, job = job_of(request, "batch", id)
    return batch_shown(state, job)


@router.get("/{id}/report", response_model=models.BatchReport)
def batch_report(
    request: Request,
    id: str,
    line: Annotated[Line, Query()] = lines.ROOT,
    by: Word = "",
    suits: Word = "",
    pairing: Word = "",
    high_card: Word = "",
    connectedness: Word = "",
) -> Response:
    """Return what happens at a line on the boards done so far, their means, and those of a texture's kinds.

    suits, pairing, high_card, connectedness: show only flops of these, several with commas between them.
    """
    state, job = job_of(request, "batch", id)
    chosen = {"suits": suits, "pairing": pairing, "high_card": high_card, "connectedness": connectedness}
    with at("by", 422):
        name = checked_texture(by) if by else None
    with _sound():
        found = _found(state, job)
        shown = report_shown(found, _chosen(found, line, chosen), name, _openable(state, job))
    return Response(shown.model_dump_json(), media_type="application/json")  # checked already: it may be long


@router.get(
    "/{id}/export",
    response_class=Response,
    responses={200: {"content": {kind: {} for kind in _MEDIA.values()}, "description": "The table."}},
)
def export_batch(
    request: Request,
    id: str,
    line: Annotated[Line, Query()] = lines.ROOT,
    format: Literal["csv", "parquet"] = "csv",
    by: Word = "",
    suits: Word = "",
    pairing: Word = "",
    high_card: Word = "",
    connectedness: Word = "",
) -> Response:
    """Return the rows of a report, or of its groups, as a file."""
    state, job = job_of(request, "batch", id)
    chosen = {"suits": suits, "pairing": pairing, "high_card": high_card, "connectedness": connectedness}
    with _sound(), at("by", 422):
        report = _chosen(_found(state, job), line, chosen)
        frame = report.to_polars(by or None)
    name = f"{report.node.line.replace(':', '-')}.{format}"
    head = {"Content-Disposition": f'attachment; filename="flops-{name}"'}
    return Response(frame_bytes(frame, f".{format}"), media_type=_MEDIA[format], headers=head)


@router.delete("/{id}", status_code=204, response_class=Response)
def delete_batch(request: Request, id: str) -> Response:
    """Delete a report."""
    state, job = job_of(request, "batch", id)
    state.jobs.delete(job)
    state.library.forget("batch", job.id)
    return Response(status_code=204)


@router.post("/{id}/cancel")
def cancel_batch(request: Request, id: str) -> models.BatchShown:
    """Stop a report; the boards done are kept."""
    state, job = job_of(request, "batch", id)
    state.jobs.cancel(job)
    return batch_shown(state, job)


@router.post("/{id}/resume")
def resume_batch(request: Request, id: str) -> models.BatchShown:
    """Go on with the boards that are missing."""
    state, job = job_of(request, "batch", id)
    before = job.options
    job.options = {**before, "trial": False}
    try:
        state.jobs.again(job, job.spot, resume=True)
    except Fault:
        job.options = before
        raise
    return batch_shown(state, job)


@router.get("/{id}/events", response_class=EventStream, responses=STREAMED)
def batch_events(request: Request, id: str) -> EventStream:
    """Send server-sent events: `state` (a report without its boards) at every step, `end`."""
    state, job = job_of(request, "batch", id)
    return job_events(state, job, lambda shown: batch_shown(state, shown).model_dump())


@router.post("/{id}/open", status_code=201)
def open_board(request: Request, id: str, body: models.OpenBoard) -> Solve:
    """Return a board as a solve of its own: the kept solution, or solved again where none was kept."""
    state, job = job_of(request, "batch", id)
    with at("board", 422):
        board = cards_name(read_board(body.board))
    if board not in _boards(job.options["flops"]).boards:
        raise Fault(422, f"{board or 'no board'} is not in this report", "board")
    spot = {**job.spot, "board": board}
    for other in state.jobs.all("solve"):
        if other.spot == spot and other.status != "failed":
            return solve_shown(state, other)
    file = read_spot(spot, state.limits)
    name = f"{board}, {job.name}"
    kept = solution_file(_report_folder(state, job), board)
    if is_plain(kept):
        row = next((row for row in _found(state, job).rows if row["board"] == board), None)
        if row is not None and row["saved"] != "nothing":
            return solve_shown(state, _adopted(state, name, spot, kept, row))
    return solve_shown(state, start_solve(state, file, name, None))


def _adopted(state: ServerState, name: str, spot: dict[str, Any], kept: Path, row: Mapping[str, Any]) -> Job:
    """Return a solve made of a kept solution: another name of the same file, so that it takes no room."""
    new = new_id("s")
    target = state.folder.job(SOLVES, new) / SOLUTION
    try:
        target.parent.mkdir(parents=True)
        try:
            os.link(kept, target)
        except OSError:  # a disk without links
            shutil.copyfile(kept, target)
        evs = {player: row[f"{player}_ev_chips"][0] for player in ("oop", "ip")}
        result = {name: row[name] for name in ("iterations", "exploitability", "seconds")}
        result |= {"ev_chips": evs, "resumable": False, "note": "", "history": []}
        job = Job(new, "solve", name, now(), spot, status="done", result=result)
        state.jobs.adopt(job)
    except (OSError, Fault) as error:
        state.folder.remove(SOLVES, new)
        if isinstance(error, Fault):
            raise
        raise Fault(413, f"the flop cannot be opened: {error.strerror}; make room on the disk") from error
    return job


def batch_shown(state: ServerState, job: Job) -> models.BatchShown:
    """Return a report as lists show it."""
    options, flops = job.options, job.options["flops"]
    return models.BatchShown(
        id=job.id,
        name=job.name,
        created=job.created,
        status=job.status,
        error=job.fault,
        stopping=job.stopping,
        queue_place=state.jobs.queue_place(job),
        flops=flops if isinstance(flops, str) else "own",
        boards=options["boards"],
        done=max(job.progress.get("done", 0), job.result.get("done", 0)),
        current=(job.progress.get("board") or None) if job.busy else None,
        current_exploitability=job.progress.get("exploitability") if job.busy else None,
        seconds_left=job.progress.get("seconds_left") if job.busy else None,
        keep=options.get("keep", "nothing"),
        spot=job.spot,
    )


def _boards(flops: str | list[str]) -> BoardSet:
    return board_set(flops) if isinstance(flops, str) else board_list(flops)


def _flops(count: int) -> str:
    return "1 flop" if count == 1 else f"{count} flops"


def _report_folder(state: ServerState, job: Job) -> Path:
    return state.folder.job(BATCHES, job.id) / REPORT


def _found(state: ServerState, job: Job) -> Batch:
    """Return what a report holds already; nothing is solved."""
    folder = _report_folder(state, job)
    if not folder.exists() and job.example:
        try:
            return shipped_report()
        except OverbetError as error:
            raise Fault(409, _DAMAGED) from error
    if not folder.exists():
        boards = _boards(job.options["flops"])
        spot = read_spot({**job.spot, "board": boards.boards[0]}, state.limits).spot()
        return Batch(spot, boards, (), street_of(spot))
    heads = (folder / "batch.json", folder / "set.json")
    if not all(_usable(path) for path in (*heads, *folder.glob("boards/*"))):
        raise Fault(409, _DAMAGED)
    try:
        return load_batch(folder)
    except OverbetError as error:
        raise Fault(409, _DAMAGED) from error


def _chosen(found: Batch, line: str, filters: Mapping[str, str]) -> LineReport:
    with at("line", 422):
        report = found.at(line)
    with at(None, 422):
        return report.only(filters)


@contextmanager
def _sound() -> Iterator[None]:
    """Say so where the numbers of a report's files are none; others may have written them."""
    try:
        yield
    except (ArithmeticError, LookupError, TypeError, ValueError, pl.exceptions.PolarsError) as error:
        raise Fault(409, _DAMAGED) from error


def _question(spot: Mapping[str, Any]) -> dict[str, Any]:
    """Return a spot apart from its board."""
    return {name: value for name, value in spot.items() if name != "board"}


def _openable(state: ServerState, job: Job) -> set[str]:
    """Return the boards of a report that were solved as spots of their own."""
    asked = _question(job.spot)
    return {
        str(other.spot["board"])
        for other in state.jobs.all("solve")
        if _question(other.spot) == asked and is_plain(state.solution_path(other.id))
    }


def _measured(state: ServerState, spot: dict[str, Any], length: int) -> list[tuple[str, float]]:
    """Return boards of a spot that were solved here, alone or in reports, with the seconds each took."""
    asked = _question(spot)
    found: dict[str, float] = {}
    for job in state.jobs.all("batch"):
        if _question(job.spot) == asked and not job.example:  # which was solved on another machine
            try:
                found |= measured_of(_found(state, job).rows)
            except Fault:
                continue  # it says so itself where it is opened
    for job in state.jobs.all("solve"):
        seconds, past = job.result.get("seconds"), job.result.get("history") or []
        if job.status == "done" and not job.example and _question(job.spot) == asked and past and seconds:
            looks = [(int(look[0]), float(look[2])) for look in past if None not in look]
            found.setdefault(str(job.spot["board"]), spent_seconds(looks, float(seconds)))
    return [(board, seconds) for board, seconds in found.items() if len(board) == length]


def _usable(path: Path) -> bool:
    """Return whether a file of a report is plain and of a sensible size; one that is missing is no fault."""
    size = size_of(path)
    return size <= _MOST_BOARD if size is not None else not os.path.lexists(path)
