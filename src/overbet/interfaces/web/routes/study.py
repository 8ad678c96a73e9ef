"""Study: nodes of solved spots, run-outs, distributions, comparisons, exploits, blockers."""

from __future__ import annotations

import io
from typing import Annotated, Literal

from fastapi import APIRouter, Query, Request, Response

from overbet import study
from overbet.errors import OverbetError
from overbet.interfaces.web.binary import Packed
from overbet.interfaces.web.faults import Fault, at
from overbet.interfaces.web.folder import checked_id
from overbet.interfaces.web.models import solving as models
from overbet.interfaces.web.spots import check_lock
from overbet.interfaces.web.state import state_of
from overbet.solvers.vector.locking import Lock
from overbet.solvers.vector.solution import Solution

router = APIRouter(prefix="/api/solves/{id}", tags=["study"])
_BINARY: dict[int | str, dict[str, object]] = {
    200: {
        "description": "Header and float32 arrays, layout OVB1 (docs/page.md).",
        "content": {Packed.media_type: {}},
    }
}
AtLine = Annotated[str, Query(max_length=400, description="A line such as r:0:c:b75:8h")]
Player = Literal["oop", "ip"]


@router.get("/node.bin", response_class=Packed, responses=_BINARY)
def node_binary(request: Request, id: str, line: AtLine = "r:0") -> Packed:
    """Return a node with the numbers of all hands of both players."""
    with at("line", 422):
        return Packed(
            state_of(request).solutions.ask(id, ("node", line), lambda s: study.node_view(s, line).packed())
        )


@router.get("/node")
def node(request: Request, id: str, line: AtLine = "r:0") -> models.NodeShown:
    """Return a node without the numbers of its hands."""
    with at("line", 422):
        facts = state_of(request).solutions.ask(
            id, ("facts", line), lambda s: study.plain(study.node_header(s, line)[0])
        )
    return models.NodeShown.model_validate(facts)


@router.get("/runouts")
def runouts(request: Request, id: str, line: AtLine, then: AtLine = "") -> models.Runouts:
    """Return a row for every card that can come at the end of a line."""
    with at("line", 422):
        found = state_of(request).solutions.ask(
            id, ("runouts", line, then), lambda s: study.plain(study.runouts(s, line, then))
        )
    return models.Runouts.model_validate(found)


@router.get(
    "/runouts.csv",
    response_class=Response,
    responses={200: {"description": "One row a card.", "content": {"text/csv": {}}}},
)
def runouts_csv(request: Request, id: str, line: AtLine, then: AtLine = "") -> Response:
    """Return the report over all cards that can come as CSV, as `overbet show --report --csv` writes it."""
    with at("line", 422):
        data = state_of(request).solutions.ask(
            id, ("runouts-csv", line, then), lambda s: s.report(line, then).write_csv().encode()
        )
    return _csv(data, "run-outs.csv")


@router.get("/categories")
def breakdown(
    request: Request, id: str, line: AtLine = "r:0", player: Player | None = None
) -> models.CategoryBreakdown:
    """Return how made hands and draws play: of the acting player, unless one is named."""
    with at("line", 422):
        found = state_of(request).solutions.ask(
            id,
            ("breakdown", line, player or ""),
            lambda s: study.plain(study.category_breakdown(s, line, player)),
        )
    return models.CategoryBreakdown.model_validate(found)


@router.get("/equity-distribution")
def distribution(
    request: Request, id: str, line: AtLine = "r:0", points: Annotated[int, Query(ge=2, le=1001)] = 101
) -> models.EquityDistribution:
    """Return both ranges from their weakest hand to their strongest."""
    with at("line", 422):
        found = state_of(request).solutions.ask(
            id, ("distribution", line, str(points)), lambda s: study.equity_distribution(s, line, points)
        )
    return models.EquityDistribution.model_validate(found)


@router.get("/compare.bin", response_class=Packed, responses=_BINARY)
def compare(
    request: Request,
    id: str,
    first: Annotated[str, Query(max_length=20)],
    second: Annotated[str, Query(max_length=20)],
    line: AtLine = "r:0",
) -> Packed:
    """Return what two actions of a decision are worth to every hand."""
    with at("line", 422):
        return Packed(
            state_of(request).solutions.ask(
                id,
                ("compare", line, first, second),
                lambda s: study.compare_actions(s, line, first, second).packed(),
            )
        )


@router.get("/compare-solves.bin", response_class=Packed, responses=_BINARY)
def compare_solves(
    request: Request,
    id: str,
    other: Annotated[str, Query(max_length=60)],
    line: AtLine = "r:0",
    other_line: Annotated[str | None, Query(max_length=400)] = None,
) -> Packed:
    """Return a node of two solves side by side."""
    state = state_of(request)
    there = line if other_line is None else other_line
    with at("line", 422):
        left = state.solutions.ask(id, ("pair", line), lambda s: study.node_header(s, line))
    with at("other_line", 422):
        right = state.solutions.ask(checked_id(other), ("pair", there), lambda s: study.node_header(s, there))
    return Packed(study.compare_nodes(left, right).packed())


@router.get("/exploit.bin", response_class=Packed, responses=_BINARY)
def exploit(request: Request, id: str, player: Player, line: AtLine = "r:0") -> Packed:
    """Return a player's best response to the other's strategy, and what each hand gains."""
    with at("line", 422):
        return Packed(
            state_of(request).solutions.ask(
                id, ("exploit", line, player), lambda s: study.exploit_view(s, line, player).packed()
            )
        )


@router.get("/blockers.bin", response_class=Packed, responses=_BINARY)
def blockers(request: Request, id: str, line: AtLine = "r:0") -> Packed:
    """Return what holding a card or a hand does to the acting player's frequencies."""
    with at("line", 422):
        return Packed(
            state_of(request).solutions.ask(
                id, ("blockers", line), lambda s: study.blocker_view(s, line).packed()
            )
        )


@router.post("/lock-preview.bin", response_class=Packed, responses=_BINARY)
def lock_preview(request: Request, id: str, body: models.LockPreview) -> Packed:
    """Return the strategy a lock would fix, starting from this solution's."""

    state = state_of(request)

    def strategy(solution: Solution) -> bytes:
        lock = Lock.parse(body.lock, "lock")
        check_lock(lock, state.limits, "lock")
        return study.lock_preview(solution, lock).packed()

    opened = state.solutions.open(id)
    try:
        with opened.lock:
            return Packed(strategy(opened.solution))
    except OverbetError as error:
        raise Fault(422, str(error), "lock") from error


@router.get(
    "/export.csv",
    response_class=Response,
    responses={200: {"description": "One row a hand.", "content": {"text/csv": {}}}},
)
def export(request: Request, id: str, line: AtLine = "r:0", player: Player | None = None) -> Response:
    """Return the combo table of a node as CSV."""

    def table(solution: Solution) -> bytes:
        buffer = io.BytesIO()
        solution.node(line).to_polars(player).write_csv(buffer)
        return buffer.getvalue()

    with at("line", 422):
        data = state_of(request).solutions.ask(id, ("csv", line, player or ""), table)
    return _csv(data, "node.csv")


def _csv(data: bytes, name: str) -> Response:
    return Response(
        data, media_type="text/csv", headers={"Content-Disposition": f'attachment; filename="{name}"'}
    )
