"""Solves over HTTP: the same numbers as in Python; kept, cancelled, resumed, and safe from crashes."""

from __future__ import annotations

import json
import signal
from pathlib import Path

import numpy as np
import pytest

import overbet
from overbet.study import unpacked
from tests.interfaces.web.server import ENDLESS, RIVER, TURN, Server
from tests.interfaces.web.test_play import played

# clubs and hearts may change places, so the tree keeps one board for two
TWO_TONE = {
    **TURN,
    "board": "Qs8s4d2d",
    "ranges": {"oop": "QQ,AQs,KQs,A8s,76s", "ip": "TT-88,AQ,KQs,87s,T9s:0.5"},
}


@pytest.fixture(scope="module")
def two_tone(server: Server) -> str:
    made = server.post("/solves", {"name": "two-tone", "spot": TWO_TONE})
    server.wait(f"/solves/{made['id']}", "done")
    return str(made["id"])


def test_a_solve_is_the_solve_of_the_python_api(server: Server, river: str) -> None:
    expected = overbet.solve(RIVER)
    shown = server.get(f"/solves/{river}")
    assert shown["status"] == "done"
    assert shown["iterations"] == expected.iteration
    assert shown["exploitability"] == pytest.approx(expected.exploitability)
    assert shown["ev_chips"]["oop"] == pytest.approx(expected.ev("oop"))
    assert [look[0] for look in shown["history"]] == [look.iteration for look in expected.history]
    for line in ("r:0", "r:0:c", "r:0:c:b75", "r:0:b500"):
        node = expected.node(line)
        header, arrays = server.arrays(f"/solves/{river}/node.bin", line=line)
        seat = node.seat()
        assert seat.strategy is not None
        np.testing.assert_allclose(arrays["strategy"][:, seat.combos].T, seat.strategy, atol=1e-6)
        for other in (node.oop, node.ip):
            np.testing.assert_allclose(arrays[f"{other.player}.ev"][other.combos], other.ev_chips, rtol=1e-5)
            np.testing.assert_allclose(arrays[f"{other.player}.reach"][other.combos], other.reach, rtol=1e-5)
            away = np.setdiff1d(np.arange(1326), other.combos)
            assert np.isnan(arrays[f"{other.player}.ev"][away]).all()
            assert (arrays[f"{other.player}.reach"][away] == 0).all()
        frequencies = [action["frequency"] for action in header["actions"]]
        np.testing.assert_allclose(frequencies, seat.frequencies())


def test_progress_comes_as_events_and_ends(server: Server) -> None:
    made = server.post("/solves", {"spot": RIVER})
    events: list[tuple[str, dict[str, object]]] = []
    with server.client.stream("GET", f"/api/solves/{made['id']}/events") as stream:
        assert stream.headers["content-type"].startswith("text/event-stream")
        name = ""
        for line in stream.iter_lines():
            if line.startswith("event: "):
                name = line[7:]
            elif line.startswith("data: "):
                events.append((name, json.loads(line[6:])))
    names = [name for name, _ in events]
    assert names[0] == "state"
    assert names[-1] == "end"
    looks = [value for name, value in events if name == "look"]
    assert len(looks) >= 2
    assert looks[-1]["exploitability"] < looks[0]["exploitability"]  # type: ignore[operator]
    assert {"iterations_per_second", "seconds_left"} <= set(looks[0])
    assert events[-1][1] == {"status": "done", "error": None}


def test_cancel_keeps_what_there_is_and_resume_goes_on(server: Server) -> None:
    made = server.post("/solves", {"name": "long", "spot": ENDLESS})
    waiting = server.post("/solves", {"name": "waiting", "spot": RIVER})
    assert waiting["status"] == "queued"
    assert waiting["queue_place"] == 1
    path = f"/solves/{made['id']}"
    server.looked(path)
    assert server.client.delete(f"/api{path}").status_code == 409
    assert server.post(f"/solves/{waiting['id']}/cancel")["status"] == "stopped"
    server.post(f"{path}/cancel")
    again = server.client.post(f"/api{path}/cancel")  # loses nothing: it goes on stopping, or has stopped
    assert again.status_code in (200, 409)
    stopped = server.wait(path, "stopped")
    assert stopped["error"] is None
    assert stopped["openable"]
    assert stopped["resumable"]
    before = stopped["iterations"]
    assert before > 0
    assert server.get(f"{path}/node", line="r:0")["kind"] == "oop"
    server.post(f"{path}/resume", {"target": 0, "iterations": before + 40})
    done = server.wait(path, "done")
    assert done["iterations"] == before + 40
    assert done["history"][0][0] < before  # the curve is whole
    assert server.post(f"{path}/cancel", status=409)["error"] == "it is not running"
    server.post(f"/solves/{waiting['id']}/resume")  # never begun: from the start
    server.wait(f"/solves/{waiting['id']}", "done")
    for name in (made["id"], waiting["id"]):
        assert server.client.delete(f"/api/solves/{name}").status_code == 204
        assert server.client.get(f"/api/solves/{name}").status_code == 404


def test_a_crash_of_the_solve_leaves_the_server_and_the_saved_work(server: Server, river: str) -> None:
    made = server.post("/solves", {"name": "doomed", "spot": ENDLESS})
    after = server.post("/solves", {"name": "after", "spot": RIVER})
    path = f"/solves/{made['id']}"
    server.looked(path)
    server.kill_worker()
    failed = server.wait(path, "failed")
    assert "SIGKILL" in failed["error"]
    assert "resume" in failed["error"]
    server.wait(f"/solves/{after['id']}", "done")  # a new worker goes on with the queue
    assert server.get(f"/solves/{river}/node")["kind"] == "oop"
    server.client.delete(f"/api{path}")


def test_locks_are_solved_with_from_totals_and_from_hands(server: Server, river: str) -> None:
    lock = {"line": "r:0", "frequencies": {"c": 0.2, "b33": 0.5, "b75": 0.3}}
    found = server.client.post(f"/api/solves/{river}/lock-preview.bin", json={"lock": lock})
    assert found.status_code == 200
    made = server.post("/solves", {"spot": {**RIVER, "locks": [lock]}, "parent": river})
    server.wait(f"/solves/{made['id']}", "done")
    header, _ = server.arrays(f"/solves/{made['id']}/node.bin")
    assert {a["token"]: round(a["frequency"], 2) for a in header["actions"]}["b33"] == pytest.approx(
        0.5, abs=0.03
    )
    assert header["locks"][0]["line"] == "r:0"
    hands = {"line": "r:0:c", "hands": {"AA,KK": {"c": 1.0}, "QQ": {"c": 0.25, "b75": 0.75}}}
    made = server.post("/solves", {"spot": {**RIVER, "locks": [hands]}, "parent": river})
    server.wait(f"/solves/{made['id']}", "done")
    _, arrays = server.arrays(f"/solves/{made['id']}/node.bin", line="r:0:c")
    queens = overbet.Range.parse("QQ").weights > 0
    np.testing.assert_allclose(
        arrays["strategy"][[0, 2]][:, queens & ~np.isnan(arrays["strategy"][0])][:, 0],
        [0.25, 0.75],
        atol=1e-6,
    )
    other = server.post(
        "/solves", {"spot": {**RIVER, "big_blind": 2, "locks": [lock]}, "parent": river}, status=422
    )
    assert other["where"] == "parent"
    wrong = {**RIVER, "locks": [{"line": "r:0:c:x", "frequencies": {"c": 1}}]}
    refused = server.post("/solves", {"spot": wrong}, status=422)
    assert refused["where"] == "spot.locks.0"


@pytest.mark.parametrize("card", ["Ac", "Ah", "As"])
def test_totals_are_locked_after_a_card_of_any_suit(server: Server, two_tone: str, card: str) -> None:
    line = f"r:0:c:c:{card}"
    before, _ = server.arrays(f"/solves/{two_tone}/node.bin", line=line)
    first, second = (action["token"] for action in before["actions"])
    lock = {"line": line, "frequencies": {first: 0.3, second: 0.7}}
    found = server.client.post(f"/api/solves/{two_tone}/lock-preview.bin", json={"lock": lock})
    assert found.status_code == 200, found.text
    _, preview = unpacked(found.content)
    made = server.post("/solves", {"spot": {**TWO_TONE, "locks": [lock]}, "parent": two_tone})
    server.wait(f"/solves/{made['id']}", "done")
    _, arrays = server.arrays(f"/solves/{made['id']}/node.bin", line=line)
    live = np.isfinite(preview["strategy"][0])
    assert live.any()
    np.testing.assert_allclose(arrays["strategy"][:, live], preview["strategy"][:, live], atol=1e-4)
    _, old = server.arrays(f"/solves/{two_tone}/node.bin", line=line)
    again = server.post(f"/solves/{made['id']}/resume", {"target": 0.4})
    assert again["status"] in ("queued", "running")
    server.wait(f"/solves/{made['id']}", "done")  # it keeps its locks
    assert server.arrays(f"/solves/{made['id']}/node.bin", line=line)[0]["locks"][0]["line"] == line
    share = preview["strategy"][1][live] @ old["oop.reach"][live] / old["oop.reach"][live].sum()
    assert share == pytest.approx(0.7, abs=1e-3)


@pytest.mark.parametrize(
    ("change", "where"),
    [
        ({"board": "KsTh"}, "spot.board"),
        ({"board": 7}, "spot.board"),
        ({"ranges": {"oop": "AA,KXs", "ip": "QQ"}}, "spot.ranges.oop"),
        ({"ranges": {"oop": "AA", "ip": "7s7h7"}}, "spot.ranges.ip"),
        ({"ranges": {"oop": "AA", "ip": "A" * 70_000}}, None),
        ({"pot": 0}, "spot.pot"),
        ({"pot": 10**12}, "spot.pot"),
        ({"bets": {"every": {"bet": "33q"}}}, "spot.bets.every"),
        ({"bets": {"every": {"bet": [{}]}}}, None),
        ({"potsize": 3}, "spot.potsize"),
        ({"ranges": {"oop": "KsKh", "ip": "AA"}}, "spot.ranges.oop"),
    ],
)
def test_what_is_wrong_with_a_spot_is_said_where_it_is(
    server: Server, change: dict, where: str | None
) -> None:
    refused = server.post("/solves", {"spot": {**RIVER, **change}}, status=422)
    assert len(refused["error"]) > 10
    if where is not None:
        assert refused["where"] == where


def test_trees_that_are_too_large_are_refused_before_they_grow(server: Server) -> None:
    menu = {"every": {"bet": "10%, 20%, 30%, 40%, 50%, 60%, 70%, 80%", "raise": "20%, 40%, 60%, 80%, 100%"}}
    spot = {**RIVER, "board": "KsTh7s", "stacks": 20_000, "bets": menu}
    refused = server.client.post("/api/spots/preview", json=spot)
    assert refused.status_code in (413, 422)
    assert "fewer sizes" in refused.json()["error"]


def test_the_preview_is_the_estimate(server: Server) -> None:
    shown = server.post("/spots/preview", TURN)
    assert shown["fits"]
    assert shown["nodes"] == sum(street["nodes"] for street in shown["streets"])
    assert [action["label"] for action in shown["root"]] == ["check", "bet 4.5bb"]
    assert shown["bytes"]["int16"] < shown["bytes"]["float32"]


def test_a_file_goes_out_and_comes_back(server: Server, river: str, tmp_path: Path) -> None:
    found = server.client.get(f"/api/solves/{river}/download")
    for odd in (":", "bytes=", "bytes=9-2", "bytes=999999999-", "pages=1-2"):  # the whole, as without it
        part = server.client.get(f"/api/solves/{river}/download", headers={"Range": odd})
        assert (part.status_code, part.content) == (200, found.content)
    part = server.client.get(f"/api/solves/{river}/download", headers={"Range": "bytes=2-5"})
    assert (part.status_code, part.content) == (206, found.content[2:6])
    assert found.status_code == 200
    assert 'filename="river.h5"' in found.headers["content-disposition"]
    (tmp_path / "river.h5").write_bytes(found.content)
    assert overbet.load(tmp_path / "river.h5").spot.board == RIVER["board"]
    raw = {"Content-Type": "application/octet-stream"}
    back = server.client.post(
        "/api/solves/upload", params={"name": "back"}, content=found.content, headers=raw
    )
    assert back.status_code == 201, back.text
    assert back.json()["resumable"]
    one, two = (server.arrays(f"/solves/{name}/node.bin")[1] for name in (river, back.json()["id"]))
    np.testing.assert_array_equal(one["strategy"], two["strategy"])
    count = len(server.get("/solves")["solves"])
    for upload_faults in (
        b"",
        b"hello",
        b"overbet solution 1\n" + b"x" * 5000,
        found.content[:-3000],
        b"\x89HDF\r\n\x1a\n",
    ):
        refused = server.client.post("/api/solves/upload", content=upload_faults, headers=raw)
        assert refused.status_code == 422, refused.text
        assert refused.json()["where"] == "file"
    assert len(server.get("/solves")["solves"]) == count
    server.client.delete(f"/api/solves/{back.json()['id']}")


def test_a_restart_finds_everything_again(tmp_path: Path) -> None:
    server = Server(tmp_path)
    done = server.post("/solves", {"name": "first", "spot": RIVER})
    server.wait(f"/solves/{done['id']}", "done")
    server.client.patch(f"/api/solves/{done['id']}", json={"name": "renamed"})
    long = server.post("/solves", {"name": "long", "spot": ENDLESS})
    queued = server.post("/solves", {"name": "queued", "spot": RIVER})
    server.looked(f"/solves/{long['id']}")
    before = server.arrays(f"/solves/{done['id']}/node.bin")[1]
    table = server.post("/play/tables", {"opponent": "tag", "seed": 8})["id"]
    played(server, table, 0)
    dealt = server.post(f"/play/tables/{table}/deal")
    assert server.stop() == 0  # Ctrl-C: the solve under way is saved
    server.start()
    try:
        assert server.get(f"/play/tables/{table}") == dealt  # in the middle of a hand
        names = {solve["id"]: solve for solve in server.get("/solves")["solves"]}
        assert names[done["id"]]["name"] == "renamed"
        after = server.arrays(f"/solves/{done['id']}/node.bin")[1]
        np.testing.assert_array_equal(before["strategy"], after["strategy"])
        assert names[long["id"]]["status"] == "stopped"
        assert names[long["id"]]["openable"]
        assert names[long["id"]]["iterations"] > 0
        server.wait(f"/solves/{queued['id']}", "done")
        assert "example" in names  # the first visit's solve
        server.client.delete("/api/solves/example")
        again = server.post("/solves", {"name": "killed", "spot": ENDLESS})
        server.looked(f"/solves/{again['id']}")
        server.stop(signal.SIGKILL)
        server.start()
        names = {solve["id"]: solve for solve in server.get("/solves")["solves"]}
        assert "example" not in names  # deleted is deleted
        assert names[again["id"]]["status"] == "stopped"
        assert "resume" in names[again["id"]]["error"]
        assert names[done["id"]]["status"] == "done"
    finally:
        server.stop()


@pytest.mark.parametrize(
    ("line", "message"),
    [("r:0:c", "a report takes locks at the root only"), ("r:0:B33", "at token 1, 'B33', of 'r:0:B33'")],
)
def test_a_report_takes_locks_at_the_root_only(server: Server, line: str, message: str) -> None:
    spot = {**TURN, "board": "Td9d6h", "locks": [{"line": line, "frequencies": {"c": 1.0}}]}
    refused = server.post("/batches", {"spot": spot, "flops": ["Td9d6h"]}, status=422)
    assert refused["where"] == "spot.locks"
    assert refused["error"].startswith(message)
