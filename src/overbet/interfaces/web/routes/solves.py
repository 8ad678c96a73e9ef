"""Solves: preview, start, watch, cancel, resume, rename, delete, download, upload."""

from __future__ import annotations

import asyncio
import os
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import FileResponse

from overbet import machine
from overbet.errors import OverbetError
from overbet.interfaces.web.binary import MEDIA
from overbet.interfaces.web.downloads import Download
from overbet.interfaces.web.events import STREAMED, EventStream, job_events
from overbet.interfaces.web.faults import Fault
from overbet.interfaces.web.folder import SOLUTION, SOLVES, checked_id, new_id, now
from overbet.interfaces.web.models import solving as models
from overbet.interfaces.web.reading import is_plain, size_of
from overbet.interfaces.web.solutions import check_upload
from overbet.interfaces.web.spots import SpotJson, read_spot, refuse_large, sized, spot_json
from overbet.interfaces.web.state import ServerState, job_of, state_of
from overbet.interfaces.web.work.jobs import Job
from overbet.solvers.vector.api import SolveFile
from overbet.solvers.vector.estimate import TreeEstimate
from overbet.solvers.vector.locking import fixed
from overbet.study.solve_time import ExpectedTime, expected_time
from overbet.study.values import outcome
from overbet.tree.public import public_tree

router = APIRouter(prefix="/api", tags=["solves"])
_PART = 1 << 20
_LOOK_PAUSE = 0.05  # seconds between two looks at whether a snapshot is there
_SPARE_DISK = 256 << 20


@router.post("/spots/preview")
def preview(request: Request, body: SpotJson) -> models.Preview:
    """Return the tree's size before anything is solved."""
    state = state_of(request)
    file = read_spot(body, state.limits, "")
    size = sized(file, None)
    limit = state.limits.solve_limit()
    reason = None
    try:
        refuse_large(size, state.limits)
    except Fault as fault:
        reason = fault.message
    return models.Preview(
        board=file.board,
        streets=[models.StreetShown(**street._asdict(), nodes=street.nodes) for street in size.streets],
        nodes=size.nodes,
        decisions=sum(street.decisions for street in size.streets),
        action_hands=size.action_hands,
        bytes={name: size.bytes(name) for name in ("float32", "int16")},
        free_bytes=machine.available_bytes(),
        limit_bytes=limit,
        fits=reason is None,
        reason=reason,
        seconds_per_iteration=size.seconds_per_iteration,
        expected=models.ExpectedShown(**_expected(state, file, size)._asdict()),
        hands={"oop": size.hands[0], "ip": size.hands[1]},
        root=[models.ActionShown(**action._asdict()) for action in size.root],
        spr=file.effective_stack / file.pot,
    )


def _expected(state: ServerState, file: SolveFile, size: TreeEstimate) -> ExpectedTime:
    """Return about how long a spot takes on this machine."""
    rates = state.speed.rates()
    return expected_time(size, file.solve, rates, None if rates else state.speed.trial())


@router.get("/solves")
def solves(request: Request) -> models.Solves:
    """Return all solves, newest first."""
    state = state_of(request)
    return models.Solves(solves=[solve_shown(state, job) for job in state.jobs.all("solve")])


@router.post("/solves", status_code=201)
def new_solve(request: Request, body: models.NewSolve) -> models.Solve:
    """Queue a spot."""
    state = state_of(request)
    file = read_spot(body.spot, state.limits)
    return solve_shown(state, start_solve(state, file, body.name, body.parent))


def start_solve(state: ServerState, file: SolveFile, name: str, parent: str | None) -> Job:
    """Check a spot and queue it."""
    size = sized(file)
    refuse_large(size, state.limits)
    check_locks(file)
    if parent is not None:
        before = read_spot(state.jobs.get("solve", checked_id(parent)).spot, state.limits)
        if before.spot().digest() != file.spot().digest():
            raise Fault(
                422, "the solve to start from is of another spot; leave it out, or use its spot", "parent"
            )
    if state.folder.free_bytes() < _SPARE_DISK:
        raise Fault(413, "the disk of the data folder is almost full; delete solves, or use another folder")
    options = {"about": _expected(state, file, size).seconds}
    title = clean_name(name) or default_name(file)
    return state.jobs.add("solve", title, spot_json(file), parent=parent, options=options)


def check_locks(file: SolveFile) -> None:
    """Refuse locks that do not fit the tree, each at its place."""
    if not file.locks:
        return
    tree = public_tree(file.spot())
    for number, lock in enumerate(file.locks):
        try:
            fixed(tree, lock)
        except OverbetError as error:
            raise Fault(422, str(error), f"spot.locks.{number}") from error


@router.get("/solves/{id}")
def one_solve(request: Request, id: str) -> models.Solve:
    """Return a solve with the history of its exploitability."""
    state, job = job_of(request, "solve", id)
    return solve_shown(state, job, history=True)


@router.patch("/solves/{id}")
def rename_solve(request: Request, id: str, body: models.Rename) -> models.Solve:
    """Give a solve another name."""
    state, job = job_of(request, "solve", id)
    name = clean_name(body.name)
    if not name:
        raise Fault(422, "a name needs at least one letter", "name")
    state.jobs.rename(job, name)
    return solve_shown(state, job)


@router.delete("/solves/{id}", status_code=204, response_class=Response)
def delete_solve(request: Request, id: str) -> Response:
    """Delete a solve and its file."""
    state, job = job_of(request, "solve", id)
    state.jobs.delete(job)
    state.library.forget("solve", job.id)
    return Response(status_code=204)


@router.post("/solves/{id}/cancel")
def cancel_solve(request: Request, id: str) -> models.Solve:
    """Stop a solve after the iterations under way and keep what there is; asked again, the same."""
    state, job = job_of(request, "solve", id)
    state.jobs.cancel(job)
    return solve_shown(state, job)


@router.post("/solves/{id}/snapshot")
async def snapshot_solve(request: Request, id: str) -> models.Solve:
    """Save the state of a solve under way, which goes on, and answer when it can be studied."""
    state, job = job_of(request, "solve", id)
    before, asked = job.saved, False
    while job.busy and job.saved is before and not state.stopping.is_set():
        if job.status == "running" and not asked:
            state.jobs.ask_snapshot(job)
            asked = True
        if asked and job.snapshot_fault:
            raise Fault(409, job.snapshot_fault)
        if await request.is_disconnected():
            break
        await asyncio.sleep(_LOOK_PAUSE)
    return solve_shown(state, job)


@router.post("/solves/{id}/resume")
def resume_solve(request: Request, id: str, body: models.Resume) -> models.Solve:
    """Go on with a solve, perhaps to another accuracy."""
    state, job = job_of(request, "solve", id)
    saved = is_plain(state.solution_path(id))
    if saved and job.result.get("resumable") is False:
        raise Fault(409, "its file holds no regrets to go on from; solve the spot anew")
    changes = body.model_dump(exclude_none=True)
    spot = dict(job.spot)
    spot["solve"] = {**spot.get("solve", {}), **changes}
    if "seconds" not in changes:
        spot["solve"].pop("seconds", None)  # a limit of the earlier run
    file = read_spot(spot, state.limits)
    refuse_large(sized(file), state.limits)
    state.jobs.again(job, spot_json(file), resume=saved)
    return solve_shown(state, job)


@router.get("/solves/{id}/events", response_class=EventStream, responses=STREAMED)
def solve_events(request: Request, id: str) -> EventStream:
    """Send server-sent events: `state` (a solve), `look` (progress), `end`."""
    state, job = job_of(request, "solve", id)
    return job_events(state, job, lambda shown: solve_shown(state, shown).model_dump())


@router.get(
    "/solves/{id}/download",
    response_class=FileResponse,
    responses={200: {"content": {"application/x-hdf5": {}}, "description": "The HDF5 file."}},
)
def download(request: Request, id: str) -> FileResponse:
    """Return the saved file."""
    state, job = job_of(request, "solve", id)
    path = state.solution_path(id)
    if not is_plain(path):
        raise Fault(409, "it has no saved solution yet")
    word = (
        "".join(c if c.isascii() and (c.isalnum() or c in "-_ ") else "-" for c in job.name).strip()
        or "solve"
    )
    return Download(path, media_type="application/x-hdf5", filename=f"{word}.h5")


@router.post(
    "/solves/upload",
    status_code=201,
    openapi_extra={
        "requestBody": {
            "required": True,
            "content": {MEDIA: {"schema": {"type": "string", "format": "binary"}}},
        }
    },
)
async def upload(request: Request, name: Annotated[str, Query(max_length=120)] = "") -> models.Solve:
    """Take in a file saved by `overbet solve --save` or downloaded here."""
    state = state_of(request)
    new = new_id("s")
    target = state.folder.job(SOLVES, new) / SOLUTION
    beside = target.with_name(".upload.part")
    taken = False
    try:
        beside.parent.mkdir(parents=True)
        with open(beside, "wb") as file:
            async for part in request.stream():
                await run_in_threadpool(file.write, part)
        job = await run_in_threadpool(_adopted, state, new, name, beside, target)
        taken = True
    except OSError as error:
        raise Fault(413, f"the file cannot be kept: {error.strerror}", "file") from error
    finally:
        if not taken:
            state.folder.remove(SOLVES, new)
    return solve_shown(state, job)


def _adopted(state: ServerState, new: str, name: str, beside: Any, target: Any) -> Job:
    solution, resumable = check_upload(beside, state.limits)
    file = SolveFile.model_validate(
        {**solution.spot.model_dump(by_alias=True), "solve": solution.settings, "locks": solution.locks}
    )
    read_spot(spot_json(file), state.limits, "file")
    os.replace(beside, target)
    result = outcome(solution, resumable=resumable)
    job = Job(
        new,
        "solve",
        clean_name(name) or default_name(file),
        now(),
        spot_json(file),
        status="done",
        result=result,
    )
    state.jobs.adopt(job)
    return job


def solve_shown(state: ServerState, job: Job, *, history: bool = False) -> models.Solve:
    """Return a solve as the page sees it."""
    path = state.folder.job(SOLVES, job.id) / SOLUTION
    size = size_of(path)
    result, last = job.result, job.looks[-1] if job.looks and job.busy else {}
    past = result.get("history") or []
    if job.busy:
        past = [*past] if job.resume else []
        past += [[look["iteration"], look["exploitability"], look["seconds"]] for look in job.looks]
    return models.Solve(
        id=job.id,
        name=job.name,
        board=job.spot["board"],
        created=job.created,
        status=job.status,
        error=job.fault,
        note=result.get("note", ""),
        stopping=job.stopping,
        queue_place=state.jobs.queue_place(job),
        stage=job.stage,
        now=job.beat.get("iteration") if job.busy else None,
        about=job.options.get("about"),
        saved=_saved(job) if size is not None else None,
        spot={key: value for key, value in job.spot.items() if key != "locks"},
        locks=job.spot.get("locks", []),
        parent=job.parent,
        target=job.spot.get("solve", {}).get("target", 0.5),
        iterations=last.get("iteration", result.get("iterations")),
        exploitability=last.get("exploitability", result.get("exploitability")),
        seconds=last.get("seconds", result.get("seconds")),
        ev_chips=result.get("ev_chips"),
        file_bytes=size,
        resumable=not job.busy and (size is None or result.get("resumable", True)),
        openable=size is not None,
        example=job.example,
        history=past if history else None,
    )


def _saved(job: Job) -> models.SavedShown | None:
    """Return what the file of a solve holds."""
    if job.saved:
        return models.SavedShown(**job.saved)
    iterations = job.result.get("iterations")
    if iterations is None:
        return None
    return models.SavedShown(
        iteration=iterations,
        exploitability=job.result.get("exploitability"),
        seconds=job.result.get("seconds"),
    )


def clean_name(text: str) -> str:
    """Return a name without what cannot be shown."""
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())


def default_name(file: SolveFile) -> str:
    """Return a name for a spot that has none."""
    return f"{file.board}, {pot_words(file)}" + (", locked" if file.locks else "")


def pot_words(file: SolveFile) -> str:
    """Return the pot as the page writes it in names; it shows the amount in the unit its reader chose."""
    return f"pot {file.pot / (file.big_blind or 1):.10g} {'bb' if file.big_blind else 'chips'}"
