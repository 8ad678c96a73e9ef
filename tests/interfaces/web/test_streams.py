"""Heads of binary answers and data of events have the shapes that the OpenAPI document gives them."""

from __future__ import annotations

import json
import threading
from itertools import pairwise
from types import SimpleNamespace
from typing import Any, cast

import pydantic
import pytest

from overbet.interfaces.web.events import job_events
from overbet.interfaces.web.models import play as models_play
from overbet.interfaces.web.models import solving as models
from overbet.interfaces.web.models import streams
from overbet.interfaces.web.state import ServerState
from overbet.interfaces.web.work.jobs import Job
from overbet.study import unpacked
from tests.event_loops import run_apart
from tests.interfaces.web.server import Server


def check(model: type[pydantic.BaseModel], value: dict[str, Any]) -> None:
    """Every field of the model is there, of its kind, and there is no other."""
    value = {key: part for key, part in value.items() if key != "arrays"}
    found = model.model_validate(value, strict=True).model_dump(mode="json")
    assert found == value


@pytest.mark.parametrize(
    ("address", "query", "model"),
    [
        ("node.bin", {"line": "r:0:c"}, models.NodeShown),
        ("compare.bin", {"line": "r:0", "first": "c", "second": "b45"}, streams.ComparedActions),
        ("compare-solves.bin", {"line": "r:0", "other": "example"}, streams.ComparedNodes),
        ("exploit.bin", {"line": "r:0:b45", "player": "ip"}, streams.Exploit),
        ("blockers.bin", {"line": "r:0"}, streams.Blockers),
    ],
)
def test_the_heads_of_a_solve(
    server: Server, turn: str, address: str, query: dict[str, str], model: type[pydantic.BaseModel]
) -> None:
    head, _ = server.arrays(f"/solves/{turn}/{address}", **query)
    check(model, head)


def test_the_head_of_a_lock(server: Server, turn: str) -> None:
    lock = {"line": "r:0", "frequencies": {"c": 0.5, "b45": 0.5}}
    found = server.client.post(f"/api/solves/{turn}/lock-preview.bin", json={"lock": lock})
    assert found.status_code == 200, found.text
    check(streams.LockedStrategy, unpacked(found.content)[0])


def test_the_head_of_a_blueprint(server: Server) -> None:
    for blueprint in server.get("/blueprints")["blueprints"]:
        head, _ = server.arrays(f"/blueprints/{blueprint['id']}/node.bin", line="r:0")
        check(streams.BlueprintNode, head)
        after = f"r:0:{head['actions'][-1]['token']}"
        head, _ = server.arrays(f"/blueprints/{blueprint['id']}/node.bin", line=after)
        check(streams.BlueprintNode, head)


def test_the_events_of_a_solve(server: Server, turn: str) -> None:
    lines = server.client.get(f"/api/solves/{turn}/events").text.splitlines()
    events = [(name.removeprefix("event: "), data) for name, data in pairwise(lines) if name[:5] == "event"]
    shapes: dict[str, type[pydantic.BaseModel]] = {
        "state": models.Solve,
        "look": streams.Look,
        "beat": streams.JobBeat,
    }
    for name, data in events:
        if name in shapes:
            check(shapes[name], json.loads(data.removeprefix("data: ")))
    assert {name for name, _ in events} == {*shapes, "end"}


def test_work_that_ends_while_its_state_is_sent() -> None:
    """The last state says how it ended: a page that saw only "running" would wait for ever."""
    job = Job("b-1", "batch", "A few flops", "", {}, status="running")
    server = SimpleNamespace(stopping=threading.Event(), streams=0, limits=SimpleNamespace(streams=1))

    def shown(seen: Job) -> dict[str, Any]:
        found = {"status": seen.status}
        if seen.status == "running":  # it ends in between
            job.status = "done"
            job.change += 1
        return found

    async def sent() -> list[bytes]:
        parts = job_events(cast(ServerState, server), job, shown).body_iterator
        return [cast(bytes, part) async for part in parts]

    events = [part.decode().splitlines()[:2] for part in run_apart(sent)]
    assert [name for name, _ in events] == ["event: state", "event: state", "event: end"]
    assert [json.loads(data[6:])["status"] for _, data in events] == ["running", "done", "done"]


def test_the_steps_before_a_question(server: Server, turn: str) -> None:
    asked = server.post("/drill/questions", {"solve": turn, "line": "r:0:c"})
    check(models_play.Question, asked)
    assert [step["chosen"] for step in asked["steps"]] == ["c"]


def test_the_document_names_every_shape(server: Server) -> None:
    schemas = server.get("/openapi.json")["components"]["schemas"]
    assert {"Look", "Exploit", "Blockers", "BlueprintNode", "ComparedNodes", "LockedStrategy"} <= set(schemas)
    assert schemas["Solve"]["properties"]["spot"]["allOf"] == [{"$ref": "#/components/schemas/SolveFile"}]
    assert schemas["Solve"]["properties"]["locks"]["items"]["allOf"] == [
        {"$ref": "#/components/schemas/Lock"}
    ]
