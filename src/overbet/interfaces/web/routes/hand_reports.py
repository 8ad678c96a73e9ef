"""What is found in the hands: leaks of a player and the opponents, each computed as a job and kept."""

from __future__ import annotations

from typing import cast

from fastapi import APIRouter, Request

from overbet.interfaces.hands.filter_text import FilterError, compiled
from overbet.interfaces.web.faults import Fault
from overbet.interfaces.web.folder import checked_id
from overbet.interfaces.web.models import hands as models
from overbet.interfaces.web.routes.hand_imports import known
from overbet.interfaces.web.state import ServerState, state_of
from overbet.interfaces.web.work.hand_jobs import ReportKind
from overbet.interfaces.web.work.jobs import Job

router = APIRouter(prefix="/api/hands/reports", tags=["hands"])


@router.get("")
def hand_reports(request: Request) -> models.HandReports:
    """Return the last report of each kind."""
    state = state_of(request)
    return models.HandReports(leaks=_last(state, "leaks"), opponents=_last(state, "opponents"))


@router.post("", status_code=201)
def new_report(request: Request, body: models.NewHandReport) -> models.HandReport:
    """Compute a report in the place of the last one of its kind."""
    try:
        compiled(body.filter)
    except FilterError as error:
        raise Fault(422, str(error).removeprefix("filter: "), "filter") from error
    state = state_of(request)
    return _shown(state.hand_jobs.start_report(body.kind, body.filter, body.player))


@router.post("/{id}/cancel")
def cancel_report(request: Request, id: str) -> models.HandReport:
    """Stop a report."""
    jobs = state_of(request).hand_jobs
    kinds: tuple[ReportKind, ...] = ("leaks", "opponents")
    found = [job for kind in kinds for job in jobs.all(kind) if job.id == checked_id(id)]
    if not found:
        raise Fault(404, "there is no such report")
    jobs.cancel(found[0])
    return _shown(found[0])


def _last(state: ServerState, kind: ReportKind) -> models.HandReport | None:
    jobs = state.hand_jobs.all(kind)
    return _shown(jobs[0]) if jobs else None


def _shown(job: Job) -> models.HandReport:
    values, report = job.options["values"], job.result.get("report")
    return models.HandReport(
        id=job.id,
        kind=cast(ReportKind, job.kind),
        created=job.created,
        status=job.status,
        stage=job.stage,
        error=job.fault,
        stopping=job.stopping,
        filter=str(values.get("filter", "")),
        player=str(values.get("player", "")),
        now=known(models.ReportPace, job.beat) if job.busy else None,
        leaks=known(models.LeaksShown, report) if job.kind == "leaks" else None,
        opponents=known(models.OpponentsShown, report) if job.kind == "opponents" else None,
    )
