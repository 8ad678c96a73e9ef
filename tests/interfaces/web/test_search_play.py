"""Search as an opponent on the page: watched as it thinks, opened in Study, safe when it fails."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import threading
import time
from pathlib import Path
from typing import Any

import httpx
import numpy as np
import pytest

from overbet.agents.blueprint import BlueprintAgent, load_blueprint_agent
from overbet.agents.compiled import CompiledAgent
from overbet.agents.protocol import Observation
from overbet.blueprint.catalogue import find_blueprint
from overbet.interfaces.web.work.thinker import TableThinker, ThinkingProcess
from overbet.study.errors import StudyError
from overbet.study.search_budget import SearchBudget
from overbet.study.tables import Play, StudyTable, TableOpponents, Tournament
from overbet.study.thoughts import Thought
from tests.interfaces.web.server import Server

SEARCH = "search-shipped-heads-up"
EXPRESSO = "search-shipped-expresso"


def sit_down(server: Server, **budget: Any) -> str:
    made = server.post("/play/tables", {"opponent": SEARCH, "seed": 5, **budget})
    assert made["searches"]
    return str(made["id"])


def play_hand(server: Server, table: str) -> dict[str, Any]:
    """Check and call to the end of a hand."""
    shown = server.post(f"/play/tables/{table}/deal")
    while not shown["hand"]["over"]:
        shown = server.post(f"/play/tables/{table}/act", {"action": 0})
    return dict(shown)


def judged(thought: dict[str, Any]) -> bool:
    """Return whether a search knows how good it is: with all boards, not with drawn ones as on the flop."""
    return thought["exploitability"] is not None


def searched(server: Server, table: str) -> dict[str, Any]:
    """Play until the opponent has searched the turn or the river of a hand; return its review."""
    for number in range(8):
        play_hand(server, table)
        review = server.get(f"/play/tables/{table}/hands/{number}")
        if any(judged(thought) for thought in review["thoughts"]):
            return dict(review)
    raise AssertionError("no hand came to the turn")


@pytest.fixture(scope="module")
def played(server: Server) -> tuple[str, dict[str, Any], list[dict[str, Any]]]:
    """A table, the review of a hand with searches in it, and all that was told of them on the way."""
    table = sit_down(server, iterations=60)
    told: list[dict[str, Any]] = []
    listening = threading.Event()

    def listen() -> None:
        with (
            contextlib.suppress(httpx.HTTPError),  # until the server stops
            httpx.Client(base_url=server.address, timeout=900) as client,
            client.stream("GET", f"/api/play/tables/{table}/events") as stream,
        ):
            for line in stream.iter_lines():
                listening.set()
                if line.startswith("data: "):
                    told.append(json.loads(line.removeprefix("data: ")))

    threading.Thread(target=listen, daemon=True).start()
    assert listening.wait(300)
    review = searched(server, table)
    end = time.monotonic() + 300
    while (told[-1]["decision"], told[-1]["busy"]) != (len(review["thoughts"]), False):
        assert time.monotonic() < end, told[-1]
        time.sleep(0.05)
    return table, review, list(told)


def test_search_is_offered_with_times_where_it_can_play(server: Server) -> None:
    found = {one["id"]: one for one in server.get("/play/opponents")["opponents"]}
    assert found[SEARCH]["kind"] == "search"
    assert found[SEARCH]["tables"] == ["heads-up"]
    assert found[SEARCH]["seconds"] == [0.5, 1.0, 3.0]
    assert found[EXPRESSO]["tables"] == ["expresso"]
    assert "of three" in found[EXPRESSO]["note"]
    for body, where in (
        ({"opponent": "search-nobody"}, "opponent"),
        ({"opponent": "search-tag"}, "opponent"),
        ({"opponent": "search-search-shipped-heads-up"}, "opponent"),
        ({"opponent": SEARCH, "kind": "expresso"}, "opponent"),
        ({"opponent": EXPRESSO}, "opponent"),
        ({"opponent": SEARCH, "seconds": 0}, "seconds"),
        ({"opponent": SEARCH, "seconds": 1e9}, "seconds"),
        ({"opponent": SEARCH, "iterations": 0}, "iterations"),
    ):
        assert server.post("/play/tables", body, status=422)["where"] == where


def test_what_search_thought_stands_at_its_decisions(played: Any) -> None:
    _, review, _ = played
    log = review["hand"]["log"]
    for thought in review["thoughts"]:
        entry = log[thought["log_index"]]
        assert entry["seat"] == 1
        assert entry["action"] is not None
        assert entry["street"] == thought["street"]
        assert thought["fault"] == ""
        assert 0 < thought["iterations"] <= 60
        if thought["street"] == "flop":
            assert not judged(thought)
        else:
            assert 0 < thought["exploitability"] < 100
    assert all("stands in for search" in step["note"] for step in review["review"])


def test_the_thinking_is_told_as_it_goes(played: Any) -> None:
    _, review, told = played
    looks = [one for one in told if one["iteration"] is not None]
    assert looks
    assert any(one["busy"] for one in told)
    place, first = next((k, one) for k, one in enumerate(review["thoughts"]) if judged(one))
    course = [one for one in looks if one["decision"] == place + 1]
    assert {one["street"] for one in course} == {first["street"]}
    looked_at = [one["iteration"] for one in course]  # the stream may skip one where searches are quick
    assert looked_at == sorted(looked_at)
    assert looked_at[0] == 20
    assert looked_at[-1] <= 60
    assert (course[-1]["iteration"], course[-1]["exploitability"]) == (
        first["iterations"],
        first["exploitability"],
    )
    hands = [one["hand"] for one in told if one["hand"]]
    # the table as it stands, once a decision; one that is over before the stream looks again is not told
    assert 1 <= len(hands) <= len(review["thoughts"])
    assert all(hand["to_act"] == 1 and hand["seats"][1]["cards"] is None for hand in hands)


def test_a_searched_subgame_opens_in_study_at_the_decision(server: Server, played: Any) -> None:
    table, review, _ = played
    number, thought = review["hand"]["number"], review["thoughts"][-1]
    before = {job["id"] for job in server.get("/solves")["solves"]}
    path = f"/play/tables/{table}/hands/{number}/searches/{thought['place']}"
    found = server.post(path)
    assert server.post(path) == found  # saved once
    solve = server.get(f"/solves/{found['solve']}")
    assert found["solve"] not in before
    assert solve["status"] == "done"
    assert solve["openable"]
    assert not solve["resumable"]
    assert solve["exploitability"] == pytest.approx(thought["exploitability"])
    assert solve["iterations"] == thought["iterations"]
    header, arrays = server.arrays(f"/solves/{found['solve']}/node.bin", line=found["line"])
    taken = review["hand"]["log"][thought["log_index"]]["action"]
    assert header["player"] is not None
    held = [action["token"] for action in header["actions"]]
    wanted = {-1: "f", 0: "c"}.get(taken, f"b{taken}")
    assert wanted in held  # what it did is an action there
    reach = arrays[f"{header['player']}.reach"]
    weights = np.unique(reach[np.isfinite(reach)])
    assert len(weights) > 10  # the ranges that were believed, not whole ones
    again = server.client.post(f"/api/play/tables/{table}/hands/{number}/searches/0")
    assert (again.status_code, "not searched" in again.json()["error"]) == (404, True)


def test_only_the_last_hand_is_kept(server: Server, played: Any) -> None:
    table, review, _ = played
    number, place = review["hand"]["number"], review["thoughts"][0]["place"]
    for _ in range(8):
        play_hand(server, table)
        last = server.get(f"/play/tables/{table}/hands")["hands"][0]["number"]
        if any(map(judged, server.get(f"/play/tables/{table}/hands/{last}")["thoughts"])):
            break
    assert server.get(f"/play/tables/{table}/hands/{number}")["thoughts"] == []
    gone = server.post(f"/play/tables/{table}/hands/{number}/searches/{place}", status=404)
    assert "only its searches are kept" in gone["error"]


def test_searches_end_with_their_process(server: Server, played: Any) -> None:
    table, _, _ = played
    last = server.get(f"/play/tables/{table}/hands")["hands"][0]["number"]
    review = server.get(f"/play/tables/{table}/hands/{last}")
    thought = next(one for one in review["thoughts"] if judged(one))
    before = {job["id"] for job in server.get("/solves")["solves"]}
    tasks = Path(f"/proc/{server.process.pid}/task").glob("*/children")
    for child in [child for task in tasks for child in task.read_text().split()]:
        if b"work.worker" in Path(f"/proc/{child}/cmdline").read_bytes():
            os.kill(int(child), signal.SIGKILL)
    place = thought["place"]
    told = server.post(f"/play/tables/{table}/hands/{last}/searches/{place}", status=409)
    assert "searching process" in told["error"] or "not kept any more" in told["error"]
    assert {job["id"] for job in server.get("/solves")["solves"]} == before  # nothing half made is left


def test_the_server_answers_while_search_thinks(server: Server) -> None:
    """In one of a few hands three answers come while an act is thought about: the machine may be busy."""
    table = sit_down(server, seconds=1)
    other = server.post("/play/tables", {"opponent": "shipped-heads-up", "seed": 1})["id"]
    assert any(answered_meanwhile(server, table, other) >= 3 for _ in range(6))


def answered_meanwhile(server: Server, table: str, other: str) -> int:
    """Play a hand and ask for another table at the same time: how often that came within the longest act."""
    shown = server.post(f"/play/tables/{table}/deal")
    acts, answers = list[tuple[float, float]](), list[tuple[float, float]]()
    ended = threading.Event()

    def play() -> None:
        over = shown["hand"]["over"]
        with httpx.Client(base_url=server.address, timeout=900) as client:
            while not over:
                clock = time.monotonic()
                answer = client.post(f"/api/play/tables/{table}/act", json={"action": 0}).json()
                acts.append((clock, time.monotonic()))
                over = answer["hand"]["over"]
        ended.set()

    thread = threading.Thread(target=play)
    thread.start()
    while not ended.is_set():
        clock = time.monotonic()
        now = server.get(f"/play/tables/{other}")["hand"]
        if now is None or now["over"]:
            server.post(f"/play/tables/{other}/deal")
        else:
            server.post(f"/play/tables/{other}/act", {"action": 0})
        answers.append((clock, time.monotonic()))
        time.sleep(0.02)
    thread.join()
    longest = max(acts, key=lambda act: act[1] - act[0], default=(0.0, 0.0))
    if longest[1] - longest[0] <= 0.5:  # it did not think
        return 0
    return sum(longest[0] < begun and done < longest[1] for begun, done in answers)


def test_the_blueprint_plays_where_the_process_dies(tmp_path: Path) -> None:
    blueprint = load_blueprint_agent("heads-up")
    assert isinstance(blueprint, CompiledAgent)
    process = ThinkingProcess(tmp_path / "search.log")
    file = tmp_path / "none.h5"
    agent = TableThinker("x", blueprint, file, SearchBudget(iterations=5), process, threading.Lock())
    table = StudyTable("t", "heads-up", "search-x", "", 3, actions=[0, 0, 0, 0])
    state = table.state(0, [0, 0, 0, 0])
    assert state.street == "turn"
    assert agent.searches(state)
    seen = Observation.of(state, 3, 0)
    action, thought = agent.think(table, seen, lambda look: None)
    assert action == blueprint.act(seen)
    assert thought is not None
    assert "has gone" in thought.fault
    assert thought.words().startswith("not searched, the blueprint played: ")
    assert process.pid is not None
    os.kill(process.pid, signal.SIGSTOP)
    killer = threading.Timer(0.3, os.kill, (process.pid, signal.SIGKILL))
    killer.start()
    action, thought = agent.think(table, seen, lambda look: None)
    assert thought is not None
    assert "ended by SIGKILL" in thought.fault
    process.close()
    action, thought = agent.think(table, seen, lambda look: None)
    assert thought is not None
    assert "cannot be started" in thought.fault
    with pytest.raises(StudyError, match="no dense tables"):
        TableThinker("x", _without_tables(), file, SearchBudget(), process, threading.Lock())


def _without_tables() -> CompiledAgent:
    from overbet.agents.registry import make_agent

    found = make_agent("tag")
    assert isinstance(found, CompiledAgent)
    return found


class _Entry:
    """A shipped blueprint, as a table asks for it."""

    error = None

    def __init__(self, name: str) -> None:
        self.id, self.agent = f"shipped-{name}", load_blueprint_agent(name)
        assert isinstance(self.agent, BlueprintAgent)
        made_for = self.agent.own_table
        depth = [stack / made_for.big_blind for stack in made_for.start]
        self.facts: dict[str, Any] = {"players": made_for.num_players, "stack_bb": depth}


class _Shipped:
    """Both shipped blueprints."""

    def __init__(self) -> None:
        self._entries = {entry.id: entry for entry in (_Entry("expresso"), _Entry("heads-up"))}

    def all(self) -> list[_Entry]:
        return list(self._entries.values())

    def get(self, name: str) -> _Entry:
        return self._entries[name]

    def open(self, name: str) -> Any:
        agent = self._entries[name].agent
        assert isinstance(agent, BlueprintAgent)
        return agent.blueprint


def test_an_expresso_is_searched_with_three_with_two_left_and_with_one_out(tmp_path: Path) -> None:
    """What two play is their exact subgame and opens in Study; what three play is sampled and does not."""
    process, shipped = ThinkingProcess(tmp_path / "search.log"), _Shipped()

    def thinker(name: str, blueprint: CompiledAgent, budget: SearchBudget) -> TableThinker:
        file = find_blueprint(name.removeprefix("shipped-"))
        return TableThinker(name, blueprint, file, budget, process, threading.RLock())

    play, seen = Play(TableOpponents(shipped, thinker)), dict[str, Thought]()
    try:
        for seed in range(60):
            budget = SearchBudget(iterations=20)
            table = StudyTable("t", "expresso", EXPRESSO, "", seed, budget=budget, tournament=_small())
            while not table.finished and len(table.hands) < 25 and len(seen) < 3:
                number = len(table.hands)
                players = table.start(number).hand.game.num_players
                play.deal(table)
                while table.actions is not None:
                    play.act(table, 0)
                for thought in table.thinking.of_hand(number):
                    assert not thought.fault
                    kind = "two" if players == 2 else "pair" if thought.line else "three"
                    if kind == "pair" and kind not in seen:
                        target = tmp_path / "subgame.h5"
                        asked = {"table": "t", "number": number, "place": thought.place, "file": str(target)}
                        assert process.ask("save_subgame", **asked)["line"] == thought.line
                        assert target.exists()
                    seen.setdefault(kind, thought)
                    assert table.tournament is not None
                    assert table.tournament.sources["search"] > 0
            if len(seen) == 3:
                break
    finally:
        process.close()
    assert {*seen} == {"two", "pair", "three"}
    assert seen["three"].exploitability is None
    assert (seen["pair"].exploitability or 0) > 0


def _small() -> Tournament:
    return Tournament(2.0, drawn=False)
