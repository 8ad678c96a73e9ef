"""The library: folders, tags and notes of what is kept, and ranges by name."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Query, Request
from fastapi.responses import PlainTextResponse

from overbet.cards.range import Range
from overbet.cards.range_text import RangeForm
from overbet.interfaces.web.faults import at
from overbet.interfaces.web.folder import checked_id
from overbet.interfaces.web.library_store import LibraryKind, LibraryMarks
from overbet.interfaces.web.models import library as models
from overbet.interfaces.web.state import ServerState, state_of
from overbet.study.preflop_ranges import shipped_ranges
from overbet.study.range_library import NamedRange

router = APIRouter(prefix="/api", tags=["library"])
Id = Annotated[str, Path(max_length=60)]


@router.get("/library/{kind}")
def library(request: Request, kind: LibraryKind) -> models.Library:
    """Return folder, tags and note of everything of a kind that has any."""
    found = state_of(request).library.all(kind)
    tags = {tag.casefold(): tag for marks in found.values() for tag in marks.tags}
    return models.Library(
        marks=[_marks(kind, id, marks) for id, marks in found.items()],
        folders=sorted({marks.folder for marks in found.values() if marks.folder}, key=str.casefold),
        tags=[tags[name] for name in sorted(tags)],
    )


@router.post("/library/{kind}/folders")
def move_folder(request: Request, kind: LibraryKind, body: models.FolderMove) -> models.Moved:
    """Rename a folder, or take it away and leave what lies in it."""
    return models.Moved(moved=state_of(request).library.move_folder(kind, body.folder, body.to))


@router.put("/library/{kind}/{id}")
def mark(request: Request, kind: LibraryKind, id: Id, body: models.NewMarks) -> models.Marks:
    """Change folder, tags or note of one thing."""
    state = state_of(request)
    _check_there(state, kind, id)
    return _marks(kind, id, state.library.put(kind, id, **body.model_dump()))


@router.get("/ranges/library")
def kept_ranges(request: Request) -> models.KeptRanges:
    """Return the range library."""
    return models.KeptRanges(ranges=[_kept(each) for each in state_of(request).ranges.entries()])


@router.put("/ranges/library")
def keep_range(request: Request, body: models.NewRange) -> models.KeptRange:
    """Keep a range under a name."""
    with at("text"):
        held = Range.parse(body.text)
    with at("name"):
        return _kept(state_of(request).ranges.save(body.name, held, replace=body.replace))


@router.post("/ranges/library/move")
def move_range(request: Request, body: models.RangeMove) -> models.RangeNamed:
    """Give a range, or a folder of ranges, another name."""
    with at("to"):
        return models.RangeNamed(name=state_of(request).ranges.move(body.name, body.to))


@router.post("/ranges/library/delete")
def delete_range(request: Request, body: models.RangeNamed) -> models.KeptRange:
    """Delete a range; the answer has it, so that it can be kept again."""
    held = state_of(request).ranges.delete(body.name)
    return models.KeptRange(name=body.name, text=held.text(), combos=held.combos)


@router.post("/ranges/library/import")
def import_ranges(request: Request, body: models.RangeImport) -> models.KeptRanges:
    """Keep the ranges of a text of PioSOLVER, GTO+ or our own export."""
    found = state_of(request).ranges.load_text(body.text, body.name, body.folder)
    return models.KeptRanges(ranges=[_kept(each) for each in found])


@router.get(
    "/ranges/library/export",
    response_class=PlainTextResponse,
    responses={200: {"content": {"text/plain": {}}, "description": "A text file."}},
)
def export_ranges(
    request: Request, form: RangeForm = "pio", folder: Annotated[str, Query(max_length=200)] = ""
) -> PlainTextResponse:
    """Return the library, or a folder of it, as one text."""
    with at("folder"):
        text = state_of(request).ranges.text(form, folder)
    return PlainTextResponse(text, headers={"Content-Disposition": 'attachment; filename="ranges.txt"'})


@router.get("/ranges/strategies")
def strategy_ranges() -> models.StrategyRanges:
    """Return ranges by position and depth from the shipped strategies."""
    return models.StrategyRanges(
        ranges=[
            models.StrategyRangeShown(
                group=each.group,
                position=each.position,
                name=each.name,
                text=each.held.text(),
                combos=each.held.combos,
            )
            for each in shipped_ranges()
        ]
    )


def _check_there(state: ServerState, kind: LibraryKind, id: str) -> None:
    if kind == "run":
        checked_id(id)
    else:
        state.jobs.get(kind, checked_id(id))


def _marks(kind: LibraryKind, id: str, marks: LibraryMarks) -> models.Marks:
    return models.Marks(kind=kind, id=id, folder=marks.folder, tags=marks.tags, note=marks.note)


def _kept(each: NamedRange) -> models.KeptRange:
    return models.KeptRange(name=each.name, text=each.text, combos=each.combos)
