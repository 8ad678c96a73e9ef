"""The drill over HTTP: a question, its answer, the score."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from overbet.interfaces.web.faults import Fault, at
from overbet.interfaces.web.folder import checked_id
from overbet.interfaces.web.models import play as models
from overbet.interfaces.web.state import state_of
from overbet.study import drill
from overbet.study.packing import plain
from overbet.study.tables import GAMES

router = APIRouter(prefix="/api/drill", tags=["drill"])


@router.post("/questions", status_code=201)
def question(request: Request, body: models.NewQuestion) -> models.Question:
    """Deal a decision from a solve or a blueprint."""
    state = state_of(request)
    if (body.solve is None) == (body.blueprint is None):
        raise Fault(422, "name either a solve or a blueprint", "solve")
    if body.solve is not None:
        name = checked_id(body.solve)
        opened = state.solutions.open(name)
        with opened.lock, at("line", 422):
            asked = drill.from_solution(opened.solution, name, body.street, body.player, body.line)
    else:
        assert body.blueprint is not None
        state.blueprints.get(body.blueprint)
        kinds = state.opponents.kinds(body.blueprint)
        if not kinds:
            raise Fault(409, "this blueprint fits no table here; choose another", "blueprint")
        agent = state.opponents.compiled(body.blueprint, kinds[0])
        state.warming.wait("review")
        with state.play_lock:
            asked = drill.from_blueprint(agent, GAMES[kinds[0]], body.blueprint, body.street)
    return models.Question.model_validate(plain(state.drill.ask(asked)))


@router.post("/questions/{id}/answer")
def answer(request: Request, id: str, body: models.Answer) -> models.Verdict:
    """Judge an answer by what it gives up."""
    state = state_of(request)
    asked = state.drill.take(id)
    with state.play_lock:
        found = drill.verdict(asked, body.token)
    score = state.drill.count(
        asked, found["grade"], found["loss_percent_of_pot"], within=found["within_solver_error"]
    )
    return models.Verdict.model_validate(plain({**found, "score": score}))


@router.get("/score")
def score(request: Request) -> models.Score:
    """Return the score."""
    return models.Score.model_validate(state_of(request).drill.score.shown())


@router.delete("/score", status_code=204, response_class=Response)
def reset(request: Request) -> Response:
    """Begin a new score."""
    state_of(request).drill.reset()
    return Response(status_code=204)
