"""The drill over HTTP: a question, its answer, the score, and the mistakes to ask again."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from overbet.agents.compiled import CompiledAgent
from overbet.games.holdem import HoldemGame
from overbet.interfaces.web.faults import Fault, at
from overbet.interfaces.web.folder import checked_id, now
from overbet.interfaces.web.models import play as models
from overbet.interfaces.web.routes.decks import due_card, stamp
from overbet.interfaces.web.state import ServerState, state_of
from overbet.study import drill
from overbet.study.drill_asked import Asked
from overbet.study.drill_hands import blueprint_question, from_blueprint
from overbet.study.drill_kinds import DrillKind
from overbet.study.mistakes import MistakeRecord, mistake_of
from overbet.study.packing import plain
from overbet.study.tables import GAMES

router = APIRouter(prefix="/api/drill", tags=["drill"])


@router.post("/questions", status_code=201)
def question(request: Request, body: models.NewQuestion) -> models.Question:
    """Deal a decision from a solve or a blueprint, ask a mistake again, or what is due in a deck."""
    state = state_of(request)
    named = (body.solve, body.blueprint, body.mistake, body.mistakes or None, body.deck)
    if sum(one is not None for one in named) != 1:
        raise Fault(422, "name a solve, a blueprint, a mistake or a deck, one of them", "solve")
    card = None
    if body.deck is not None:
        asked, card = due_card(state, body.deck)
    elif body.mistake is not None:
        asked = _again(state, state.mistakes.get(body.mistake))
    elif body.mistakes:
        wanted = DrillKind(body.street, body.player, body.pot, body.facing)
        asked = _again(state, state.mistakes.drawn(wanted, _sources(state)))
    elif body.solve is not None:
        asked = _of_solve(state, body.solve, body)
    else:
        assert body.blueprint is not None
        agent, game = _table(state, body.blueprint)
        with state.play_lock, at(None, 422):
            limits = (body.street, body.player, body.pot, body.facing)
            asked = from_blueprint(agent, game, body.blueprint, *limits)
    shown = {**state.drill.ask(asked), "mistake": asked.mistake, "card": card}
    return models.Question.model_validate(plain(shown))


@router.post("/questions/{id}/answer")
def answer(request: Request, id: str, body: models.Answer) -> models.Verdict:
    """Judge an answer by what it gives up; a mistake is kept."""
    state = state_of(request)
    asked, due = state.drill.take(id), None
    if asked.card is not None and asked.deck is not None:
        told = state.decks.answer(asked.deck, asked.card, body.token)
        found, due = told.found, told.due
        if asked.card.mistake is not None:
            state.mistakes.tried(asked.card.mistake, found["grade"])
    else:
        with state.play_lock:
            found = drill.verdict(asked, body.token, state.play.runs)
        if asked.mistake is not None:
            state.mistakes.tried(asked.mistake, found["grade"])
        elif (mistake := mistake_of(asked, found, _name(state, asked), now())) is not None:
            state.mistakes.add(mistake)
    score = state.drill.count(
        asked, found["grade"], found["loss_percent_of_pot"], within=found["within_solver_error"]
    )
    return models.Verdict.model_validate(plain({**found, "score": score, "due": stamp(due)}))


@router.get("/score")
def score(request: Request) -> models.Score:
    """Return the score."""
    return models.Score.model_validate(state_of(request).drill.score.shown())


@router.delete("/score", status_code=204, response_class=Response)
def reset(request: Request) -> Response:
    """Begin a new score; the mistakes stay."""
    state_of(request).drill.reset()
    return Response(status_code=204)


@router.get("/mistakes")
def mistakes(request: Request) -> models.Mistakes:
    """Return the mistakes that are kept, the newest first."""
    state = state_of(request)
    there = _sources(state)
    rows = [
        {
            **one.model_dump(mode="json", exclude={"seed", "taken"}),
            "there": (one.solve or one.blueprint) in there,
        }
        for one in state.mistakes.all()
    ]
    return models.Mistakes.model_validate({"mistakes": rows})


@router.delete("/mistakes/{id}", status_code=204, response_class=Response)
def forget(request: Request, id: str) -> Response:
    """Take a mistake off the list."""
    state_of(request).mistakes.forget(id)
    return Response(status_code=204)


def _of_solve(state: ServerState, solve: str, body: models.NewQuestion) -> Asked:
    if body.pot is not None:
        raise Fault(422, "a solved spot begins after the flop; the kind of pot is for blueprints", "pot")
    if body.player not in (None, "oop", "ip"):
        raise Fault(422, "in a solved spot one is OOP or IP; choose one of them", "player")
    name = checked_id(solve)
    opened = state.solutions.open(name)
    with opened.lock, at("line", 422):
        return drill.from_solution(
            opened.solution, name, body.street, body.player, body.line, facing=body.facing
        )


def _table(state: ServerState, blueprint: str) -> tuple[CompiledAgent, HoldemGame]:
    """Return who plays a blueprint, and at which table."""
    state.blueprints.get(blueprint)
    kinds = state.opponents.kinds(blueprint)
    if not kinds:
        raise Fault(409, "this blueprint fits no table here; choose another", "blueprint")
    agent = state.opponents.compiled(blueprint, kinds[0])
    state.warming.wait("review")
    return agent, GAMES[kinds[0]]


def _again(state: ServerState, mistake: MistakeRecord) -> Asked:
    """Return the question of a mistake."""
    if mistake.solve is not None:
        opened = state.solutions.open(mistake.solve)
        with opened.lock, at("mistake", 409):
            asked = drill.solution_question(opened.solution, mistake.solve, mistake.line, mistake.hand)
    elif mistake.blueprint is not None and mistake.seed is not None and mistake.taken is not None:
        agent, game = _table(state, mistake.blueprint)
        with state.play_lock, at("mistake", 409):
            asked = blueprint_question(agent, game, mistake.blueprint, mistake.seed, mistake.taken)
    else:
        raise Fault(409, "this mistake does not say how it came about; forget it", "mistake")
    asked.mistake = mistake.id
    return asked


def _sources(state: ServerState) -> set[str]:
    """Return the solves and blueprints that questions can come from."""
    solves = {job.id for job in state.jobs.all("solve")}
    return solves | {entry.id for entry in state.blueprints.all() if entry.error is None}


def _name(state: ServerState, asked: Asked) -> str:
    """Return what a person calls the source of a question, also one that was deleted meanwhile."""
    solve, blueprint = asked.link["solve"], asked.link["blueprint"]
    names = {job.id: job.name for job in state.jobs.all("solve")} if solve else {}
    entries = state.blueprints.all() if blueprint else []
    names |= {entry.id: str(entry.facts.get("name") or entry.id) for entry in entries}
    return str(names.get(solve or blueprint, solve or blueprint))
