"""Files of hands into the database: sent in pieces, imported as a job, with a report of what was read."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response
from fastapi.concurrency import run_in_threadpool
from pydantic import ValidationError

from overbet.interfaces.web.binary import MEDIA
from overbet.interfaces.web.folder import checked_id
from overbet.interfaces.web.models import hands as models
from overbet.interfaces.web.state import ServerState, state_of
from overbet.interfaces.web.work.jobs import Job

router = APIRouter(prefix="/api/hands", tags=["hands"])
_LISTED = 10  # errors that the list of imports has; one import has all that are kept


@router.post("/uploads", status_code=201)
def new_upload(request: Request) -> models.UploadShown:
    """Begin to send files."""
    state = state_of(request)
    limits = state.limits
    return models.UploadShown(
        id=state.uploads.begin(),
        piece_bytes=limits.piece_bytes,
        bytes=limits.hands_bytes,
        files=limits.hands_files,
    )


@router.post(
    "/uploads/{id}/pieces",
    status_code=204,
    response_class=Response,
    openapi_extra={
        "requestBody": {
            "required": True,
            "content": {MEDIA: {"schema": {"type": "string", "format": "binary"}}},
        }
    },
)
async def new_piece(
    request: Request,
    id: str,
    file: Annotated[int, Query(ge=0, lt=1_000_000, description="Number of the file.")],
    name: Annotated[str, Query(max_length=4000, description="The file's own name.")],
    offset: Annotated[int, Query(ge=0, lt=2**53)] = 0,
) -> Response:
    """Take the next piece of a file; `offset` is how much of it came before."""
    state = state_of(request)
    data = await request.body()
    await run_in_threadpool(state.uploads.piece, id, file, name, offset, data)
    return Response(status_code=204)


@router.delete("/uploads/{id}", status_code=204, response_class=Response)
def cancel_upload(request: Request, id: str) -> Response:
    """Give up sending, and remove what came."""
    state_of(request).uploads.cancel(id)
    return Response(status_code=204)


@router.post("/imports", status_code=201)
def new_import(request: Request, body: models.NewImport) -> models.HandImport:
    """Import what was sent."""
    state = state_of(request)
    names = state.uploads.finish(body.upload)
    many = f"{len(names):,} {'file' if len(names) == 1 else 'files'}"
    title = names[0] if len(names) == 1 and not body.hash_names else many
    job = state.hand_jobs.start_import(
        title, body.upload, hash_names=body.hash_names, passed_over=body.passed_over
    )
    return import_shown(state, job)


@router.get("/imports")
def hand_imports(request: Request) -> models.HandImports:
    """Return the imports, newest first, each with its first errors."""
    state = state_of(request)
    jobs = state.hand_jobs.all("import")
    return models.HandImports(imports=[import_shown(state, job, most=_LISTED) for job in jobs])


@router.get("/imports/{id}")
def one_import(request: Request, id: str) -> models.HandImport:
    """Return an import with all its errors that are kept, a thousand at most."""
    state = state_of(request)
    return import_shown(state, state.hand_jobs.get("import", checked_id(id)))


@router.post("/imports/{id}/cancel")
def cancel_import(request: Request, id: str) -> models.HandImport:
    """Stop an import; the hands that were read stay, and it can be resumed."""
    state = state_of(request)
    job = state.hand_jobs.get("import", checked_id(id))
    state.hand_jobs.cancel(job)
    return import_shown(state, job)


@router.post("/imports/{id}/resume")
def resume_import(request: Request, id: str) -> models.HandImport:
    """Go on with an import behind the last hands it wrote."""
    state = state_of(request)
    job = state.hand_jobs.get("import", checked_id(id))
    state.hand_jobs.again(job, {}, resume=True)
    return import_shown(state, job)


@router.delete("/imports/{id}", status_code=204, response_class=Response)
def forget_import(request: Request, id: str) -> Response:
    """Forget an import and what is left of its files; the hands stay."""
    state = state_of(request)
    state.hand_jobs.delete(state.hand_jobs.get("import", checked_id(id)))
    return Response(status_code=204)


def import_shown(state: ServerState, job: Job, most: int | None = None) -> models.HandImport:
    """Return an import as the page sees it; most: so many errors."""
    report = known(models.ImportReportShown, job.progress.get("rows") or job.result.get("report"))
    if report is not None:
        report.faults = report.faults[:most]
    return models.HandImport(
        id=job.id,
        name=job.name,
        created=job.created,
        status=job.status,
        error=job.fault,
        stopping=job.stopping,
        queue_place=state.hand_jobs.queue_place(job),
        hash_names=bool(job.options["values"].get("hash_names")),
        resumable=job.status in ("stopped", "failed"),
        now=known(models.ImportPace, job.beat) if job.busy else None,
        report=report,
    )


def known(shape: Any, values: Any) -> Any:
    """Return values in their shape, None where there are none or a record of others does not fit it."""
    try:
        return shape.model_validate(values) if values else None
    except ValidationError:
        return None
