"""Decks over HTTP: making, listing and deleting; the drill asks what is due."""

from __future__ import annotations

import contextlib
from datetime import UTC, datetime

from fastapi import APIRouter, Request, Response

from overbet.interfaces.decks.making import DeckSettings, deck_of_hands, deck_of_mistakes, has_reviews
from overbet.interfaces.decks.store import DeckStanding, DrillDeck, NoDeckError, checked_name
from overbet.interfaces.web.faults import Fault, at
from overbet.interfaces.web.models import decks as models
from overbet.interfaces.web.models.play import QuestionCard
from overbet.interfaces.web.state import ServerState, state_of
from overbet.study.deck_cards import question_of
from overbet.study.drill_asked import Asked

router = APIRouter(prefix="/api/decks", tags=["drill"])


@router.get("")
def decks(request: Request) -> models.Decks:
    """Return the decks with what is due."""
    state = state_of(request)
    shown = [_shown(state.decks.standing(deck)) for deck in state.decks.decks()]
    return models.Decks(decks=shown, reviewed=has_reviews(state.folder.root))


@router.post("", status_code=201)
def make(request: Request, body: models.NewDeck) -> models.DeckMadeShown:
    """Make a deck of what was got wrong, or add to one; what is in it already keeps its schedule."""
    state = state_of(request)
    settings = DeckSettings(body.retention, body.new_a_day)
    with at("name"):
        checked_name(body.name)
    with at("filter" if body.source == "hands" else "name"):
        if body.source == "hands":
            made = deck_of_hands(
                state.decks,
                body.name,
                settings,
                state.folder.root,
                body.filter,
                player=body.player,
                least_bb=body.least_loss_bb,
            )
        else:
            made = deck_of_mistakes(state.decks, body.name, settings, state.mistakes.all())
    if made.deck is None:
        left = f"; {made.left_out} cannot be shown" if made.left_out else ""
        raise Fault(409, f"there is no mistake to put into a deck here{left}", "filter")
    deck = _shown(state.decks.standing(made.deck))
    return models.DeckMadeShown(deck=deck, **made.added._asdict(), left_out=made.left_out)


@router.delete("/{id}", status_code=204, response_class=Response)
def delete(request: Request, id: str) -> Response:
    """Delete a deck with its schedule; hands and mistakes stay."""
    state = state_of(request)
    state.decks.delete(_deck(state, id))
    return Response(status_code=204)


def due_card(state: ServerState, id: str) -> tuple[Asked, QuestionCard]:
    """Return the question of the card that is due in a deck."""
    deck = _deck(state, id)
    drawn = state.decks.draw(deck)
    if drawn is None:
        raise Fault(409, f"nothing is due in {deck.name} now", "deck")
    about = QuestionCard(
        deck=str(deck.id),
        name=deck.name,
        source=drawn.card.source,
        asked=drawn.asked,
        chosen=drawn.card.given.token,
        grade=drawn.card.given.grade,
    )
    return question_of(drawn.card, deck.id), about


def stamp(seconds: int | None) -> str | None:
    """Return a time as ISO 8601 in UTC."""
    return None if seconds is None else datetime.fromtimestamp(seconds, UTC).isoformat()


def _deck(state: ServerState, id: str) -> DrillDeck:
    if id.isascii() and id.isdigit() and len(id) < 16:
        with contextlib.suppress(NoDeckError):
            return state.decks.deck(int(id))
    raise Fault(404, "this deck is not there any more", "deck")


def _shown(one: DeckStanding) -> models.DeckShown:
    return models.DeckShown(
        id=str(one.deck.id),
        name=one.deck.name,
        cards=one.cards,
        due=one.now,
        new=one.new,
        next_due=stamp(one.next_due),
        retention=one.deck.retention,
        new_a_day=one.deck.new_a_day,
        damaged=one.damaged,
    )
