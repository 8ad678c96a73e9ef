"""Training, matches, LBR and scorecards from the page: started, watched, stopped, compared, refused."""

from __future__ import annotations

import json
import shlex
import time
from typing import Any

import pytest

from tests.interfaces.web.server import COMPILATION, Server

MATCH = {"kind": "match", "agents": ["always-call", "always-raise"], "hands": 4000, "seed": 3}


def running(server: Server, id: str) -> Any:
    """Wait until a job has told a figure."""
    end = time.monotonic() + COMPILATION
    while time.monotonic() < end:
        found = server.get(f"/work/{id}")
        if found["now"] and found["now"]["done"]:
            return found
        assert found["status"] in ("queued", "running"), found
        time.sleep(0.05)
    raise AssertionError("it told nothing")


def test_a_match_is_the_match_of_the_command_line(server: Server) -> None:
    from overbet.agents.registry import make_agent
    from overbet.evaluation.matches import play_match
    from overbet.games.holdem import HoldemGame

    checked = server.post("/work/check", MATCH)
    assert checked["command"] == "overbet match always-call always-raise --hands 4000 --seed 3"
    made = server.post("/work", MATCH)
    assert made["command"] == checked["command"]
    done = server.wait(f"/work/{made['id']}", "done")
    (row,) = done["rows"]
    agents = [make_agent("always-call"), make_agent("always-raise")]
    straight = play_match(agents, HoldemGame(), 4000, seed=3).mbb(0)
    assert (row["raw_mean"], row["raw_half"]) == pytest.approx((straight.mean, straight.half))
    assert done["curve"][-1]["done"] == done["curve"][-1]["total"] == 4000
    noted = {one["number"]: one for one in server.get("/ledger")["rows"]}[row["number"]]
    assert noted["command"] == checked["command"]
    assert noted["mean"] == row["mean"]
    assert shlex.split(noted["command"])[:2] == ["overbet", "match"]


def test_a_stopped_match_keeps_what_was_played_and_a_second_is_compared(server: Server) -> None:
    made = server.post("/work", {**MATCH, "hands": 1_000_000_000})
    running(server, made["id"])
    assert server.post(f"/work/{made['id']}/cancel")["stopping"] is True
    stopped = server.wait(f"/work/{made['id']}", "stopped")
    (row,) = stopped["rows"]
    assert 0 < row["hands"] < 1_000_000_000
    other = server.post("/work", {**MATCH, "agents": ["tag", "always-raise"]})
    second = server.wait(f"/work/{other['id']}", "done")["rows"][0]["number"]
    found = server.get("/ledger/compare", first=row["number"], second=second)
    assert found["refused"] is False
    assert found["paired"] is True
    assert found["half"] > 0
    listed = server.get("/work")["work"]
    assert [one["id"] for one in listed[:2]] == [other["id"], made["id"]]


def test_lbr_and_a_scorecard_end_with_their_rows(server: Server) -> None:
    made = server.post("/work", {"kind": "lbr", "agent": "always-call", "hands": 200, "bets": "fc"})
    card = server.post("/work", {"kind": "scorecard", "agent": "always-fold", "hands": 40, "lbr_hands": 20})
    (row,) = server.wait(f"/work/{made['id']}", "done")["rows"]
    assert row["title"] == "fold and call on all streets"
    rows = server.wait(f"/work/{card['id']}", "done")["rows"]
    assert [one["title"] for one in rows[:2]] == ["against tag", "against lag"]
    assert rows[-1]["title"].startswith("against LBR, the strongest")
    assert len(rows) == 8 + 6 + 1


def test_a_training_is_stopped_resumed_and_ends_as_a_blueprint(server: Server) -> None:
    order = {"kind": "train", "preset": "push-fold", "name": "From the page", "iterations": 400_000_000}
    made = server.post("/work", order)
    assert " --set name=from-the-page --out " in made["command"]
    running(server, made["id"])
    server.post(f"/work/{made['id']}/cancel")
    stopped = server.wait(f"/work/{made['id']}", "stopped")
    assert stopped["run"] == "from-the-page"
    assert stopped["resumable"] is True
    run = server.get("/runs/from-the-page")
    assert len(run["saved"]) == 1
    assert run["saved"][0]["iterations"] > 0
    again = server.post("/work", order, status=422)
    assert (again["where"], "already" in again["error"]) == ("name", True)
    server.post(f"/work/{made['id']}/resume")
    running(server, made["id"])
    server.post(f"/work/{made['id']}/cancel")
    server.wait(f"/work/{made['id']}", "stopped")
    saved = [one["iterations"] for one in server.get("/runs/from-the-page")["saved"]]
    assert max(saved) > run["saved"][0]["iterations"]
    server.client.delete(f"/api/work/{made['id']}").raise_for_status()
    assert server.get("/runs/from-the-page")["checkpoints"] > 0


@pytest.mark.parametrize(
    ("order", "where", "words"),
    [
        ({"kind": "dance"}, "kind", "choose"),
        ({**MATCH, "hands": 1.5}, "hands", "whole number"),
        ({**MATCH, "hands": 0}, "hands", "2 or more"),
        ({**MATCH, "agents": ["tag", "nobody"]}, "agents.1", "no such player"),
        ({**MATCH, "agents": ["tag", "blueprint:/etc/passwd"]}, "agents.1", "no such strategy"),
        ({**MATCH, "agents": ["blueprint:shipped-expresso", "tag"], "seats": 2}, "seats", "table of 3"),
        ({"kind": "lbr", "agent": "blueprint:shipped-expresso"}, "agent", "heads-up"),
        ({"kind": "lbr", "agent": "tag", "bets": "all", "streets": "turn,river"}, "streets", "all streets"),
        ({"kind": "train", "preset": "none"}, "preset", "no such preset"),
        ({"kind": "train", "preset": "push-fold", "settings": ["solver"]}, "settings", "name=value"),
        ({"kind": "train", "preset": "push-fold", "settings": ["solver.rule=x"]}, "settings", "rule"),
        (
            {"kind": "train", "preset": "expresso", "settings": ["cards.path=/etc/passwd"]},
            "settings",
            "name of buckets",
        ),
    ],
)
def test_what_cannot_be_run_is_refused_at_its_field(
    server: Server, order: dict[str, Any], where: str, words: str
) -> None:
    for address in ("/work/check", "/work"):
        fault = server.post(address, order, status=422)
        assert fault["where"] == where, fault
        assert words in fault["error"], fault
        assert "Input should" not in json.dumps(fault)
