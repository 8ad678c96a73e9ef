"""Playing: tables, hands, the running result, and the review of every hand."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from typing import Any

from fastapi import APIRouter, Request, Response

from overbet.agents.registry import name_of
from overbet.cards.cards import card_name
from overbet.errors import OverbetError
from overbet.games.holdem_state import HoldemState
from overbet.games.multipliers import draw_multiplier
from overbet.interfaces.history.phh_writer import record_of, write_hand
from overbet.interfaces.web.events import STREAMED, EventStream, thinking_events
from overbet.interfaces.web.faults import Fault
from overbet.interfaces.web.folder import checked_id, new_id, now
from overbet.interfaces.web.models import play as models
from overbet.interfaces.web.state import ServerState, state_of
from overbet.interfaces.web.subgames import opened_subgame
from overbet.interfaces.web.work.thinker import TableThinker
from overbet.study.packing import plain
from overbet.study.review import total_loss
from overbet.study.search_budget import NO_BUDGET, SEARCH, SEARCH_SECONDS, SearchBudget
from overbet.study.sitting import HERO
from overbet.study.table_facts import hand_values, seat_name, table_values, thought_values, verdict_values
from overbet.study.tables import GAMES, SCRIPTED, StudyTable, Tournament
from overbet.study.tournaments import buy_ins_words

router = APIRouter(prefix="/api/play", tags=["play"])
_SEARCH_NOTES = {  # by whether three sit at the table
    False: "thinks at the table and solves the subgame",
    True: "thinks at the table: solves the subgame of two, samples that of three",
}


def _made(manifest: Mapping[str, Any]) -> str:
    """Return what a blueprint's training took, to go on after a comma; nothing where that is not known."""
    if manifest.get("gpu") and manifest.get("hours"):
        return f", {3600 * manifest['hours']:,.0f} s of a GPU"
    hours = manifest.get("core_hours")
    return f", {_few_digits(hours)} core hours" if hours else ""


def _few_digits(hours: float) -> str:
    """Return hours with one digit after the point, small ones with one digit that is not zero."""
    return f"{hours:,.1f}" if hours >= 0.1 else f"{hours:.1g}"


@router.get("/opponents")
def opponents(request: Request) -> models.Opponents:
    """Return who can be played against, and where."""
    state = state_of(request)
    found, searching = list[models.Opponent](), list[models.Opponent]()
    for entry in state.blueprints.all():
        if entry.error is not None:
            continue
        kinds = state.opponents.kinds(entry.id)
        depth = f"{entry.facts['stack_bb'][0]:g} bb" if entry.facts.get("stack_bb") else ""
        note = f"trained blueprint, {depth}{_made(entry.facts['manifest'])}"
        name = entry.facts["name"]
        found.append(
            models.Opponent(
                id=entry.id, name=name, kind="blueprint", tables=list(kinds), note=note, seconds=[]
            )
        )
        searching.append(
            models.Opponent(
                id=f"{SEARCH}{entry.id}",
                name=name,
                kind="search",
                tables=list(state.opponents.kinds(f"{SEARCH}{entry.id}")),
                note=_SEARCH_NOTES["expresso" in kinds],
                seconds=list(SEARCH_SECONDS),
            )
        )
    found += searching
    found += [
        models.Opponent(id=name, name=name, kind="scripted", tables=list(GAMES), note=note, seconds=[])
        for name, note in SCRIPTED.items()
    ]
    return models.Opponents(opponents=[one for one in found if one.tables])


@router.get("/tables")
def tables(request: Request) -> models.Tables:
    """Return all tables, newest first."""
    found = sorted(state_of(request).tables.tables.values(), key=lambda table: table.created, reverse=True)
    return models.Tables(
        tables=[
            models.TableShort(
                id=table.id,
                kind=table.kind,
                opponent=table.opponent,
                created=table.created,
                hands=len(table.hands),
                outcome=_outcome(table),
                buy_ins=table.tournament.buy_ins if table.tournament else None,
            )
            for table in found
        ]
    )


@router.post("/tables", status_code=201)
def new_table(request: Request, body: models.NewTable) -> models.TableShown:
    """Sit down at a table."""
    state = state_of(request)
    if body.opponent not in SCRIPTED:
        try:
            checked_id(body.opponent)
            state.blueprints.get(body.opponent.removeprefix(SEARCH))
        except Fault as fault:
            raise Fault(422, f"there is no opponent {body.opponent[:60]!r}", "opponent") from fault
    budget = _budget(body)
    agent = state.opponents.agent(body.opponent, body.kind, budget)
    seed = secrets.randbelow(2**40) if body.seed is None else body.seed
    table = StudyTable(
        new_id("t"),
        body.kind,
        body.opponent,
        now(),
        seed,
        budget=budget,
        tournament=_tournament(body, seed),
    )
    state.tables.add(table)
    if isinstance(agent, TableThinker):
        agent.get_ready()
    for part in ("play", "review"):
        state.warming.begin(part)
    state.adjuster.later(table)
    return _shown(state, table)


@router.get("/tables/{id}")
def one_table(request: Request, id: str) -> models.TableShown:
    """Return a table as it stands."""
    state = state_of(request)
    table = state.tables.get(id)
    if any(hand.adjusted is None for hand in table.hands):
        state.adjuster.later(table)
    with table.lock:
        return _shown(state, table)


@router.delete("/tables/{id}", status_code=204, response_class=Response)
def leave_table(request: Request, id: str) -> Response:
    """Leave a table; its hands are deleted."""
    state = state_of(request)
    state.tables.remove(state.tables.get(id))
    return Response(status_code=204)


@router.post("/tables/{id}/deal")
def deal(request: Request, id: str) -> models.TableShown:
    """Deal the next hand."""
    state = state_of(request)
    table = state.tables.get(id)
    state.warming.wait("play")
    with table.lock, state.asking(table):
        state.play.deal(table)
        state.tables.save(table)
        if table.actions is None:
            state.adjuster.later(table)
        return _shown(state, table)


@router.post("/tables/{id}/act")
def act(request: Request, id: str, body: models.Act) -> models.TableShown:
    """Act: -1 fold, 0 check or call, n bet or raise to n chips on this street."""
    state = state_of(request)
    table = state.tables.get(id)
    state.warming.wait("play")
    with table.lock, state.asking(table):
        state.play.act(table, body.action)
        state.tables.save(table)
        if table.actions is None:
            state.adjuster.later(table)
        return _shown(state, table)


@router.get("/tables/{id}/hands")
def hands(request: Request, id: str) -> models.Hands:
    """Return the finished hands, newest first, at most 500."""
    table = state_of(request).tables.get(id)
    shown = []
    for number in range(len(table.hands))[::-1][:500]:
        final = table.state(number, table.hands[number].actions)
        decisions = table.reviews.get(number)
        shown.append(
            models.HandShort(
                number=number,
                hole=[card_name(c) for c in final.hole[table.player_of(HERO, number)]],
                board=[card_name(c) for c in final.board],
                won_chips=table.hands[number].won,
                big_blind=final.game.big_blind,
                loss_bb=total_loss(decisions)[0] if decisions is not None else None,
            )
        )
    return models.Hands(hands=shown)


@router.get("/tables/{id}/hands/{number}")
def one_hand(request: Request, id: str, number: int) -> models.HandReview:
    """Return a finished hand, its history, and what the strategy would have done."""
    state = state_of(request)
    table = state.tables.get(id)
    if not 0 <= number < len(table.hands):
        raise Fault(404, "that hand has not been finished here")
    hand = table.hands[number]
    final = table.state(number, hand.actions)
    if not final.is_terminal():
        raise Fault(409, "the record of this hand is damaged: it does not end; leave the table")
    state.warming.wait("review")
    with table.lock, state.play_lock:
        decisions, name = state.play.review(table, number)
    adviser = f"the {name.removeprefix('shipped-')} strategy"
    shown = hand_values(table, number, final, reveal=True)
    if table.opponent.startswith(SEARCH):
        adviser += ", which also stands in for search"
    review = [verdict_values(verdict, final, adviser) for verdict in decisions]
    thoughts = [thought_values(thought, final) for thought in table.thinking.of_hand(number)]
    return models.HandReview.model_validate(
        plain(
            {
                "hand": shown,
                "phh": _phh(table, number, final),
                "review": review,
                "thoughts": thoughts,
                "note": _not_graded(table, number, final, len(review)),
            }
        )
    )


@router.get("/tables/{id}/events", response_class=EventStream, responses=STREAMED)
def table_events(request: Request, id: str) -> EventStream:
    """Send server-sent events: `thinking` (a look at the search of the opponent)."""
    state = state_of(request)
    return thinking_events(state, state.tables.get(id))


@router.post("/tables/{id}/hands/{number}/searches/{place}", status_code=201)
def open_subgame(request: Request, id: str, number: int, place: int) -> models.OpenedSubgame:
    """Save the subgame of a decision that was searched in the last hand, to study it."""
    state = state_of(request)
    table = state.tables.get(id)
    return models.OpenedSubgame(**opened_subgame(state, table, number, place)._asdict())


def _budget(body: models.NewTable) -> SearchBudget:
    """Return how long an opponent who searches thinks; a second where nothing is said."""
    if not body.opponent.startswith(SEARCH):
        return NO_BUDGET
    nothing = body.seconds is None and body.iterations is None
    return SearchBudget(1.0 if nothing else body.seconds, body.iterations)


def _tournament(body: models.NewTable, seed: int) -> Tournament | None:
    """Return the tournament of a new Expresso table; its prize is drawn where none is chosen."""
    if body.kind != "expresso":
        if body.multiplier is not None:
            raise Fault(422, "only an Expresso has a multiplier; leave it out", "multiplier")
        return None
    if body.multiplier is None:
        return Tournament(float(draw_multiplier(seed)), drawn=True)
    return Tournament(body.multiplier, drawn=False)


def _outcome(table: StudyTable) -> str:
    """Return how an Expresso ended for the person; nothing while it goes on."""
    kept = table.tournament
    if kept is None or kept.buy_ins is None:
        return ""
    return f"{kept.place}, {buy_ins_words(kept.buy_ins)}"


def _not_graded(table: StudyTable, number: int, final: HoldemState, graded: int) -> str:
    """Return why decisions of a hand have no verdict, where that is so."""
    hero = table.player_of(HERO, number)
    decisions = sum(player == hero for _, player, _ in final.history)
    if table.tournament is None or graded >= decisions:
        return ""
    some = "Some decisions are" if graded else "This hand is"
    return f"{some} not graded: no strategy was trained for these stacks."


def _phh(table: StudyTable, number: int, final: HoldemState) -> str:
    """Return the hand in PHH; tables with a full blind cannot be written in it, and say so as a comment."""
    names = [seat_name(table, table.seat_of(player, number)) for player in range(final.num_players)]
    try:
        return write_hand(record_of(final, {"hand": number + 1, "players": names}))
    except OverbetError as error:
        return f"# {error}\n"


def _shown(state: ServerState, table: StudyTable) -> models.TableShown:
    """Return a table as the person sees it."""
    name = name_of(state.opponents.seated(table))
    return models.TableShown.model_validate(table_values(table, name))
