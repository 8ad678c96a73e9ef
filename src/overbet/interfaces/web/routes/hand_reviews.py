"""Pricing decisions of the hands: a review as a job, and the very spot of a decision as a solve."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Path, Request

from overbet.interfaces.hands.filter_text import FilterError, compiled
from overbet.interfaces.web.faults import Fault
from overbet.interfaces.web.folder import checked_id
from overbet.interfaces.web.models import hands as models
from overbet.interfaces.web.routes.hand_imports import known
from overbet.interfaces.web.routes.solves import clean_name, solve_shown, start_solve
from overbet.interfaces.web.spots import read_spot, spot_json
from overbet.interfaces.web.state import ServerState, state_of
from overbet.interfaces.web.work.jobs import Job
from overbet.solvers.vector.api import SolveFile

router = APIRouter(prefix="/api/hands", tags=["hands"])
Numbered = Annotated[int, Path(ge=0, lt=2**62)]
_BESIDE = ("line", "hand", "player", "positions")  # what a kept spot says besides the fields of a spot


@router.get("/review")
def last_review(request: Request) -> models.LastReview:
    """Return the last review."""
    jobs = state_of(request).reviews.all("review")
    return models.LastReview(review=_shown(jobs[0]) if jobs else None)


@router.post("/review", status_code=201)
def new_review(request: Request, body: models.NewReview) -> models.ReviewShown:
    """Price decisions; those that have a verdict already keep it."""
    try:
        compiled(body.filter)
    except FilterError as error:
        raise Fault(422, str(error).removeprefix("filter: "), "filter") from error
    return _shown(state_of(request).reviews.start(body.filter, body.limit))


@router.post("/review/{id}/cancel")
def cancel_review(request: Request, id: str) -> models.ReviewShown:
    """Stop a review; what was priced is kept."""
    jobs = state_of(request).reviews
    job = jobs.get("review", checked_id(id))
    jobs.cancel(job)
    return _shown(job)


@router.post("/{id}/decisions/{number}/solve", status_code=201)
def solve_decision(request: Request, id: Numbered, number: Numbered) -> models.DecisionSolve:
    """Return the solve of a decision's spot: board, pot, stacks, ranges and sizes as its review has them.

    A solve of the same spot that is here already, done or under way, is that; else it is queued.
    """
    state = state_of(request)
    with state.hands() as database:
        found = {priced.number: priced for priced in database.priced(id)}.get(number)
    if found is None or found.spot is None:
        raise Fault(409, "this decision has no spot to solve; review the hand first")
    spot = found.spot
    file = read_spot({key: value for key, value in spot.items() if key not in _BESIDE}, state.limits)
    job = _same(state, file) or start_solve(state, file, _name(id, file, spot), None)
    return models.DecisionSolve(
        solve=solve_shown(state, job, history=True),
        line=str(spot.get("line", "r:0")),
        hand=str(spot.get("hand", "")),
    )


def _same(state: ServerState, file: SolveFile) -> Job | None:
    wanted = spot_json(file)
    for job in state.jobs.all("solve"):
        if job.spot == wanted and (job.busy or job.status == "done"):
            return job
    return None


def _name(id: int, file: SolveFile, spot: dict[str, Any]) -> str:
    street = {3: "flop", 4: "turn", 5: "river"}.get(len(file.cards), "spot")
    positions = spot.get("positions") or []
    between = f", {' against '.join(str(one) for one in positions)}" if positions else ""
    return clean_name(f"Hand {id}, {street}{between}")[:80]


def _shown(job: Job) -> models.ReviewShown:
    return models.ReviewShown(
        id=job.id,
        created=job.created,
        status=job.status,
        stage=job.stage,
        error=job.fault,
        stopping=job.stopping,
        command=job.options["command"],
        filter=str(job.options["values"].get("filter", "")),
        now=known(models.ReviewPace, job.beat) if job.busy else None,
        result=known(models.ReviewResult, job.result),
    )
