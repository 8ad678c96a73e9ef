"""The hands of the database: what is there, the list with its filter, one hand step by step."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request

from overbet.errors import OverbetError
from overbet.interfaces.hands.database import NoHandError
from overbet.interfaces.hands.filter_fields import FIELDS, filter_help
from overbet.interfaces.hands.filter_text import FilterError, compiled
from overbet.interfaces.hands.hand_table import listed_hands
from overbet.interfaces.hands.reviews import PricedDecision
from overbet.interfaces.web.faults import Fault, at
from overbet.interfaces.web.hand_steps import replay_shown
from overbet.interfaces.web.models import hands as models
from overbet.interfaces.web.state import state_of

router = APIRouter(prefix="/api/hands", tags=["hands"])
AskedFilter = Annotated[str, Query(max_length=4000, description="Such as `pos=BTN and 3bet`.")]
AskedPlayer = Annotated[str, Query(max_length=200, description="Whose; the hero's unless named, * for all.")]


@router.get("/summary")
def summary(request: Request) -> models.HandSummary:
    """Return what is in the database."""
    with state_of(request).hands() as database:
        ask = database.connection.execute
        reviewed, priced = ask("SELECT count(*), count(loss_bb) FROM reviews").fetchone()
        return models.HandSummary(
            hands=len(database),
            bytes=database.path.stat().st_size,
            heroes=database.heroes(),
            reviewed=reviewed,
            priced=priced,
        )


@router.get("/words")
def filter_words() -> models.FilterWords:
    """Return the words and fields of the filter."""
    listed = filter_help()
    first_field = len(listed) - len(FIELDS)
    return models.FilterWords(
        words=[
            models.FilterWord(name=name, about=about, field=number >= first_field)
            for number, (name, about) in enumerate(listed)
        ]
    )


@router.get("/filter")
def check_filter(text: AskedFilter = "") -> models.FilterChecked:
    """Say whether a filter can be read, and where not."""
    try:
        compiled(text)
    except FilterError as error:
        return models.FilterChecked(error=error.fault, place=error.place, length=error.length)
    return models.FilterChecked(error=None, place=None, length=None)


@router.get("")
def hands(
    request: Request,
    filter: AskedFilter = "",
    player: AskedPlayer = "",
    sort: Annotated[str, Query(max_length=20)] = "-date",
    limit: Annotated[int, Query(ge=1, le=200)] = 100,
    offset: Annotated[int, Query(ge=0, le=10**9)] = 0,
) -> models.ListedHands:
    """Return rows of the list, each a hand as one player saw it."""
    with state_of(request).hands() as database:
        try:
            found = listed_hands(
                database, filter, player=player or None, sort=sort, limit=limit + 1, offset=offset
            )
        except OverbetError as error:
            raise _asked_wrong(error) from error
    rows = [models.HandListed(**row._asdict()) for row in found[:limit]]
    return models.ListedHands(rows=rows, more=len(found) > limit)


@router.get("/count")
def count(request: Request, filter: AskedFilter = "", player: AskedPlayer = "") -> models.HandCount:
    """Return how many rows the list has."""
    with state_of(request).hands() as database:
        try:
            return models.HandCount(rows=database.count(filter, player=player or None))
        except OverbetError as error:
            raise _asked_wrong(error) from error


@router.get("/{id}")
def one_hand(request: Request, id: str) -> models.HandReplay:
    """Return a hand with all its moments and what its decisions were worth."""
    with state_of(request).hands() as database:
        try:
            hand = database.hand(id)
        except NoHandError as error:
            raise Fault(404, "there is no such hand; it may have been deleted") from error
        with at(None, 409):
            verdicts = [_verdict(found) for found in database.priced(hand.id)]
            return replay_shown(hand, verdicts)


def _verdict(found: PricedDecision) -> models.VerdictShown:
    return models.VerdictShown(
        number=found.number,
        method=found.method,
        source=found.source,
        grade=found.grade,
        loss_bb=found.loss_bb,
        accuracy_bb=found.accuracy_bb,
        share=found.share,
        taken=found.taken,
        best=found.best,
        actions=[
            models.VerdictAction(
                token=action.token,
                name=action.name,
                share=action.share,
                ev_bb=action.ev_bb,
                kind=action.kind,
            )
            for action in found.actions
        ],
        reason=found.reason,
        openable=found.spot is not None,
    )


def _asked_wrong(error: OverbetError) -> Fault:
    """Return a fault at the field it belongs to."""
    if isinstance(error, FilterError):
        return Fault(422, str(error).removeprefix("filter: "), "filter")
    if isinstance(error, NoHandError):
        return Fault(422, "there is no player of that name in the hands", "player")
    return Fault(422, str(error), "sort")
