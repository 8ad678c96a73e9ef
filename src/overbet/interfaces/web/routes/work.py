"""Training, matches, LBR and scorecards from the page: forms, start, watch, cancel, resume, compare."""

from __future__ import annotations

from typing import Annotated, Any, cast

from fastapi import APIRouter, Query, Request, Response
from pydantic import ValidationError

from overbet.blueprint.checkpoint import CONFIG_NAME
from overbet.blueprint.config import BlueprintConfig
from overbet.blueprint.preset_configs import preset_names, preset_path
from overbet.errors import OverbetError
from overbet.evaluation import ledger as ledger_file
from overbet.interfaces.web import agent_choices, reading
from overbet.interfaces.web.blueprint_library import slug
from overbet.interfaces.web.events import STREAMED, EventStream, job_events
from overbet.interfaces.web.faults import Fault
from overbet.interfaces.web.folder import RUNS, checked_id
from overbet.interfaces.web.models import work as models
from overbet.interfaces.web.orders import CheckedOrder, read_order
from overbet.interfaces.web.state import ServerState, state_of
from overbet.interfaces.web.work.jobs import Job
from overbet.study.packing import finite

router = APIRouter(prefix="/api", tags=["work"])
_SPARE_DISK = 256 << 20


@router.get("/work/choices")
def work_choices(request: Request) -> models.WorkChoices:
    """Return the agents and presets that forms offer."""
    found = agent_choices.choices(state_of(request).blueprints)
    presets = []
    for name in preset_names():
        path = preset_path(name)
        config = BlueprintConfig.load(path)
        text = path.read_text(encoding="utf-8").split("\n")[0].lstrip("# ")
        presets.append(
            models.TrainingPreset(
                id=name, text=text, players=config.game.players, iterations=config.iterations
            )
        )
    agents = [models.AgentShown(**choice._asdict()) for choice in found]
    return models.WorkChoices(agents=agents, presets=presets)


@router.post("/work/check")
def check_work(request: Request, body: models.OrderJson) -> models.OrderShown:
    """Say what is wrong with an order, at its field, or the command line it stands for."""
    order = _order(state_of(request), body)
    return models.OrderShown(name=order.name, command=order.command)


@router.get("/work")
def all_work(request: Request) -> models.AllWork:
    """Return all jobs, newest first."""
    state = state_of(request)
    return models.AllWork(work=[work_shown(state, job) for job in state.runs.everything()])


@router.post("/work", status_code=201)
def new_work(request: Request, body: models.OrderJson) -> models.Work:
    """Queue training, a match, LBR or a scorecard."""
    state = state_of(request)
    order = _order(state, body)
    if order.kind == "train":
        ordered = (job.options["values"].get("run") for job in state.runs.all("train") if job.busy)
        if order.values["run"] in ordered:
            raise Fault(422, "a run of that name waits already; choose another name", "name")
    if state.folder.free_bytes() < _SPARE_DISK:
        raise Fault(413, "the disk of the data folder is almost full; delete solves, or use another folder")
    options = {"command": order.command, "values": order.values, "asked": order.asked}
    job = state.runs.add(order.kind, order.name, {}, options=options)
    return work_shown(state, job)


@router.get("/work/{id}")
def one_work(request: Request, id: str) -> models.Work:
    """Return a job with its curve."""
    state = state_of(request)
    return work_shown(state, state.runs.find(checked_id(id)), curve=True)


@router.post("/work/{id}/cancel")
def cancel_work(request: Request, id: str) -> models.Work:
    """Stop a job; what was played or learned is kept."""
    state = state_of(request)
    job = state.runs.find(checked_id(id))
    state.runs.cancel(job)
    return work_shown(state, job)


@router.post("/work/{id}/resume")
def resume_work(request: Request, id: str) -> models.Work:
    """Go on with a training that was stopped."""
    state = state_of(request)
    job = state.runs.find(checked_id(id))
    if job.kind != "train":
        raise Fault(409, "only training goes on where it stopped; start it again")
    state.runs.again(job, {}, resume=True)
    return work_shown(state, job)


@router.delete("/work/{id}", status_code=204, response_class=Response)
def delete_work(request: Request, id: str) -> Response:
    """Forget a job; its run and its measurements stay."""
    state = state_of(request)
    state.runs.delete(state.runs.find(checked_id(id)))
    return Response(status_code=204)


@router.get("/work/{id}/events", response_class=EventStream, responses=STREAMED)
def work_events(request: Request, id: str) -> EventStream:
    """Send server-sent events: `state` (a job), `look` (a point of its curve), `beat`, `end`."""
    state = state_of(request)
    job = state.runs.find(checked_id(id))
    return job_events(state, job, lambda found: work_shown(state, found).model_dump())


@router.get("/ledger/compare")
def compare_measurements(
    request: Request,
    first: Annotated[int, Query(ge=1, le=2**62)],
    second: Annotated[int, Query(ge=1, le=2**62)],
) -> models.LedgerDifference:
    """Return how much more the first measurement found than the second, by pairs where that is possible."""
    path = state_of(request).ledger()
    if path is None:
        raise Fault(404, "nothing has been measured yet")
    try:
        found = ledger_file.compare(first, second, path)
    except OverbetError as error:
        return models.LedgerDifference(
            first=first, second=second, mean=None, half=None, paired=False, why=str(error), refused=True
        )
    difference = found.difference.estimate
    return models.LedgerDifference(
        first=first,
        second=second,
        mean=finite(difference.mean),
        half=finite(difference.half),
        paired=found.paired,
        why=found.why,
        refused=False,
    )


def _order(state: ServerState, body: dict[str, Any]) -> CheckedOrder:
    return read_order(body, state.folder, state.blueprints)


def work_shown(state: ServerState, job: Job, *, curve: bool = False) -> models.Work:
    """Return a job as the page sees it."""
    result = job.result if not job.busy or not job.beat else {}
    points = job.looks if job.busy else result.get("curve") or job.looks
    now = job.beat if job.busy else (points[-1] if points else None)
    run = job.options["values"].get("run") if job.kind == "train" else None
    begun = run is not None and reading.is_plain(state.folder.root / RUNS / slug(str(run)) / CONFIG_NAME)
    return models.Work(
        id=job.id,
        kind=cast(models.WorkKind, job.kind),
        name=job.name,
        created=job.created,
        status=job.status,
        error=job.fault,
        stopping=job.stopping,
        queue_place=state.runs.queue_place(job),
        stage=job.stage,
        command=job.options["command"],
        asked=job.options.get("asked", {}),
        run=slug(str(run)) if begun else None,
        resumable=job.kind == "train" and job.status in ("stopped", "failed"),
        now=_known(models.WorkPoint, now) if now else None,
        rows=_rows(job.progress.get("rows") if job.busy else result.get("rows")),
        notes=[str(note) for note in result.get("notes") or []],
        curve=[point for one in points if (point := _known(models.WorkPoint, one))] if curve else None,
    )


def _rows(values: Any) -> list[models.WorkRow]:
    found = [_known(models.WorkRow, one) for one in values or []] if isinstance(values, list) else []
    return [row for row in found if row is not None]


def _known(shape: Any, values: Any) -> Any:
    """Return values in their shape, None where a record of others does not fit it."""
    try:
        return shape.model_validate(values)
    except ValidationError:
        return None
