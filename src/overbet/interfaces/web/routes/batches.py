"""Reports over many boards: a job that fills a table, board by board."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import polars as pl
from fastapi import APIRouter, Request, Response

from overbet.cards.cards import board as read_board
from overbet.cards.cards import cards_name
from overbet.errors import OverbetError
from overbet.games import lines
from overbet.interfaces.web.events import STREAMED, EventStream, job_events
from overbet.interfaces.web.faults import Fault, at
from overbet.interfaces.web.folder import BATCHES, REPORT
from overbet.interfaces.web.models import reports as models
from overbet.interfaces.web.models.solving import Means, Solve
from overbet.interfaces.web.reading import size_of
from overbet.interfaces.web.routes.solves import clean_name, pot_words, solve_shown, start_solve
from overbet.interfaces.web.spots import read_spot, refuse_large, sized, spot_json
from overbet.interfaces.web.state import ServerState, job_of, state_of
from overbet.interfaces.web.work.jobs import Job
from overbet.solvers.vector.api import SolveFile
from overbet.solvers.vector.batches.batch import Batch, solve_batch
from overbet.solvers.vector.batches.flops import BoardSet, board_list, board_set
from overbet.study.packing import finite

router = APIRouter(prefix="/api/batches", tags=["reports"])
_MEANS = ("ev_chips", "equity", "realisation")
_MOST_BOARD = 4 << 20  # bytes of one board's file


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
    try:
        _read(first, boards, None, body.lines)  # refuses lines and ranges that do not fit, and solves nothing
    except OverbetError as error:
        where = "spot.ranges" if "treats suits differently" in str(error) else "lines"
        raise Fault(422, str(error), where) from error
    name = clean_name(body.name) or f"{len(boards.boards)} flops, {pot_words(file)}"
    options = {"flops": body.flops, "lines": body.lines, "boards": len(boards.boards)}
    job = state.jobs.add("batch", name, spot_json(file), options=options)
    return batch_shown(state, job)


@router.get("/{id}")
def one_batch(request: Request, id: str) -> models.BatchShown:
    """Return a report with the boards done so far and their means."""
    state, job = job_of(request, "batch", id)
    return batch_shown(state, job, rows=True)


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
    state.jobs.again(job, job.spot, resume=True)
    return batch_shown(state, job)


@router.get("/{id}/events", response_class=EventStream, responses=STREAMED)
def batch_events(request: Request, id: str) -> EventStream:
    """Send server-sent events: `state` (a report without its rows) at every step, `end`."""
    state, job = job_of(request, "batch", id)
    return job_events(state, job, lambda shown: batch_shown(state, shown).model_dump())


@router.post("/{id}/open", status_code=201)
def open_board(request: Request, id: str, body: models.OpenBoard) -> Solve:
    """Solve one board of a report as a spot of its own, or return it where that was done already."""
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
    return solve_shown(state, start_solve(state, file, f"{board}, {job.name}", None))


def batch_shown(state: ServerState, job: Job, *, rows: bool = False) -> models.BatchShown:
    """Return a report as the page sees it."""
    try:
        found = _found(state, job) if rows else None
        table = _rows(found) if found else [] if rows else None
        means = _averages(found) if found and found.rows else None
    except (ArithmeticError, LookupError, TypeError, ValueError, pl.exceptions.PolarsError) as error:
        raise Fault(409, "the report's files are damaged; delete it and solve it anew") from error
    options, flops = job.options, job.options["flops"]
    done = job.progress.get("done", job.result.get("done", 0))
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
        done=len(found.rows) if found else done,
        current=(job.progress.get("board") or None) if job.busy else None,
        current_exploitability=job.progress.get("exploitability") if job.busy else None,
        seconds_left=job.progress.get("seconds_left") if job.busy else None,
        lines=options["lines"],
        spot=job.spot,
        rows=table,
        averages=means,
    )


def _boards(flops: str | list[str]) -> BoardSet:
    return board_set(flops) if isinstance(flops, str) else board_list(flops)


def _read(file: SolveFile, boards: BoardSet, folder: Path | None, lines: list[str]) -> Batch:
    """Return what a report holds already; nothing is solved."""
    return solve_batch(file, boards, folder, lines=lines, progress=lambda state: False)


def _found(state: ServerState, job: Job) -> Batch | None:
    folder = state.folder.job(BATCHES, job.id) / REPORT
    if not folder.exists():
        return None
    if not all(_usable(path) for path in (folder / "batch.json", *folder.glob("boards/*"))):
        raise Fault(409, "the report's files are damaged; delete it and solve it anew")
    try:
        file = read_spot(job.spot, state.limits)
        return _read(file, _boards(job.options["flops"]), folder, job.options["lines"])
    except OverbetError:
        return None


def _usable(path: Path) -> bool:
    """Return whether a file of a report is plain and of a sensible size; one that is missing is no fault."""
    size = size_of(path)
    return size <= _MOST_BOARD if size is not None else not os.path.lexists(path)


def _rows(batch: Batch) -> list[models.BatchRow]:
    if not batch.rows:
        return []
    return [
        models.BatchRow(
            board=row["board"],
            weight=row["weight"],
            probability=row["probability"],
            pot_chips=row["pot_chips"],
            oop=_means(row, "oop"),
            ip=_means(row, "ip"),
            lines=_lines(row, batch.lines),
            exploitability=finite(row["exploitability"]),
            iterations=row["iterations"],
            seconds=row["seconds"],
        )
        for row in batch.to_polars().iter_rows(named=True)
    ]


def _averages(batch: Batch) -> models.BatchMeans:
    means = batch.averages()
    return models.BatchMeans(
        oop=_means(means, "oop"), ip=_means(means, "ip"), lines=_lines(means, batch.lines)
    )


def _means(row: Mapping[str, Any], player: str) -> Means:
    return Means(**{name: finite(row[f"{player}_{name}"]) for name in _MEANS})


def _lines(row: Mapping[str, Any], lines: tuple[str, ...]) -> dict[str, models.LineMeans]:
    found = {}
    for line in lines:
        shares = {key.removeprefix(f"{line} "): finite(row[key]) for key in row if key.startswith(f"{line} ")}
        played = shares.pop("played", None)
        found[line] = models.LineMeans(played=played, frequencies=shares)
    return found
