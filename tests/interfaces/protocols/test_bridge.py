"""Hands over HTTP: our server and our client against each other, and against what Slumbot answered."""

from __future__ import annotations

import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from fastapi.testclient import TestClient

from overbet.agents.protocol import Observation
from overbet.agents.registry import make_agent
from overbet.errors import OverbetError
from overbet.games.holdem import HoldemGame
from overbet.interfaces.protocols.bridge import tables as tables_module
from overbet.interfaces.protocols.bridge.action_text import action_of, action_text, state_of
from overbet.interfaces.protocols.bridge.client import BridgeClient, HttpPost
from overbet.interfaces.protocols.bridge.server import bridge_app
from overbet.interfaces.protocols.bridge.tables import BridgeTables
from tests.interfaces.protocols.recorded import SLUMBOT, SLUMBOT_HANDS

GAME = HoldemGame(2, 20_000, (50, 100))


@pytest.mark.parametrize("case", SLUMBOT, ids=lambda case: case[0] or "first")
def test_what_slumbot_recorded_is_read(case: tuple[str, int, int, int, int, int]) -> None:
    text, client, to_call, pot, least, most = case
    board = ["2c", "7d", "Js", "3h", "4s"][: (0, 3, 4, 5)[text.count("/")]]
    hole: list[str | None] = [None, None]
    hole[client] = "AhKd"
    state = state_of(GAME, text, hole, board)
    assert state.current_player() == client
    legal = state.legal_actions()
    assert (state.to_call, state.pot, legal.raise_min, legal.raise_max) == (to_call, pot, least, most)


@pytest.mark.parametrize(
    "text",
    ["b200c/kb300c/kk/kb500f", "ck/kk/kk/kk", "cb300b900c/b1800c/kk/b17300f", "b20000c///", "f", "ckb"],
)
def test_betting_reads_back(text: str) -> None:
    board = ["2c", "7d", "Js", "3h", "4s"][: (0, 3, 4, 5)[min(text.count("/"), 3)]]
    if text == "ckb":
        with pytest.raises(OverbetError):
            state_of(GAME, text, ["AhKd", "QsQc"], board)
        return
    state = state_of(GAME, text, ["AhKd", "QsQc"], board)
    assert action_text(state) == text
    assert state_of(GAME, text.rstrip("/"), ["AhKd", "QsQc"], board) == state


def test_blinds_of_short_stacks() -> None:
    game = HoldemGame(2, (60, 60), (50, 100))
    state = game.initial_state().with_cards(["AhKd", "QsQc"], board="2c7dJs3h4s")
    assert action_text(state) == ""
    assert action_text(state.apply(0)) == "c///"


@pytest.mark.parametrize(
    ("move", "said"),
    [
        ("k", "a bet is to be called"),
        ("b150", "not legal"),
        ("b0", "not legal"),
        ("x", "no action"),
        ("", "no"),
    ],
)
def test_moves_against_the_rules(move: str, said: str) -> None:
    state = GAME.initial_state().with_cards(["AhKd", "QsQc"])
    with pytest.raises(OverbetError, match=said):
        action_of(state, move)


def test_the_client_plays_what_slumbot_answered() -> None:
    """A server that is a recording: the client's requests are those of Slumbot's clients."""
    asked: list[tuple[str, dict[str, str]]] = []
    answers = iter([answer for hand in SLUMBOT_HANDS for answer in hand])

    def post(path: str, body: dict[str, str]) -> dict[str, object]:
        asked.append((path, body))
        return next(answers)

    class Script:
        """Calls the flop, checks it, folds to the bet; folds the next hand."""

        name = "script"

        def act(self, observation: Observation) -> int:
            facing_flop_bet = observation.state.street == "flop" and observation.state.to_call > 0
            return -1 if facing_flop_bet or observation.state.history == () else 0

    client = BridgeClient(Script(), "http://slumbot.example", GAME, post=post)
    score = client.play(2)
    assert (score.hands, score.won, score.differing) == (2, -250, [])
    assert asked == [
        ("/api/new_hand", {}),
        ("/api/act", {"token": "t1", "incr": "c"}),
        ("/api/act", {"token": "t1", "incr": "k"}),
        ("/api/act", {"token": "t2", "incr": "f"}),
        ("/api/new_hand", {"token": "t2"}),
        ("/api/act", {"token": "t2", "incr": "f"}),
    ]


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ({"error_msg": "Invalid token"}, "refuses: 'Invalid token'"),
        ([1, 2], "no JSON object"),
        ({}, "deals no hand"),
        ({"client_pos": 0, "hole_cards": ["Ah"]}, "deals no hand"),
        ({"client_pos": 0, "hole_cards": "AhKd"}, "no cards"),
        ({"client_pos": 0, "hole_cards": ["Ah", "Ah"], "action": "b200"}, "breaks the rules"),
        ({"client_pos": 0, "hole_cards": ["Ah", "Kd"], "action": "b150"}, "breaks the rules"),
        ({"client_pos": 0, "hole_cards": ["Ah", "Kd"], "action": ""}, "waits for nobody"),
        ({"client_pos": 0, "hole_cards": ["Ah", "Kd"], "action": 7}, "no betting"),
        ({"client_pos": 0, "hole_cards": ["Ah", "Kd"], "action": "f", "winnings": "much"}, "no winnings"),
        ({"client_pos": 0, "hole_cards": ["Ah", "Kd"], "action": "f", "winnings": float("nan")}, "no win"),
        ({"client_pos": 0, "hole_cards": ["Ah", "Kd"], "action": "f", "winnings": 10**400}, "no winnings"),
        ({"client_pos": 0.0, "hole_cards": ["Ah", "Kd"], "action": "f", "winnings": 50}, "deals no hand"),
    ],
)
def test_a_server_that_makes_no_sense_is_told_in_one_line(answer: Any, said: str) -> None:
    client = BridgeClient(make_agent("tag"), "http://x", GAME, post=lambda path, body: answer)
    with pytest.raises(OverbetError, match=said):
        client.play(1)


def test_winnings_against_the_rules_are_counted() -> None:
    answer = {"client_pos": 0, "hole_cards": ["Ah", "Kd"], "action": "f", "winnings": 51}
    score = BridgeClient(make_agent("tag"), "http://x", GAME, post=lambda path, body: answer).play(3)
    assert score.differing is not None
    assert len(score.differing) == 3
    assert "+50 by the rules, +51 stated" in score.differing[0]


@pytest.fixture
def page() -> Iterator[TestClient]:
    tables = BridgeTables(make_agent("always-call"), GAME, seed=5)
    with TestClient(bridge_app(tables, 8770), base_url="http://127.0.0.1:8770") as client:
        yield client


def test_a_hand_by_requests(page: TestClient) -> None:
    first = page.post("/api/new_hand", json={}).json()
    assert (first["client_pos"], first["action"], first["old_action"], first["board"]) == (0, "c", "", [])
    assert len(first["hole_cards"]) == 2
    token = first["token"]
    second = page.post("/api/act", json={"token": token, "incr": "b300"}).json()
    assert (second["old_action"], second["action"]) == ("c", "cb300c/")
    assert len(second["board"]) == 3
    last = page.post("/api/act", json={"token": token, "incr": "b19700"}).json()
    assert last["action"] == "cb300c/b19700c//"
    assert abs(last["winnings"]) in (0, 20_000)
    assert len(last["bot_hole_cards"]) == 2
    assert (last["session_num_hands"], last["session_total"]) == (1, last["winnings"])
    over = page.post("/api/act", json={"token": token, "incr": "k"}).json()
    assert "ask for a new hand" in over["error_msg"]
    again = page.post("/api/new_hand", json={"token": token}).json()
    assert (again["client_pos"], again["token"]) == (1, token)  # positions alternate


def test_a_hand_left_in_the_middle_is_given_up(page: TestClient) -> None:
    token = page.post("/api/new_hand", json={}).json()["token"]
    page.post("/api/act", json={"token": token, "incr": "b500"})
    page.post("/api/new_hand", json={"token": token})
    folded = page.post("/api/act", json={"token": token, "incr": "f"}).json()
    assert folded["session_total"] == -500 - 50


@pytest.mark.parametrize(
    ("path", "content", "status", "said"),
    [
        ("/api/act", b'{"token": "x", "incr": "k"}', 200, "unknown token"),
        ("/api/new_hand", b'{"token": "x"}', 200, "unknown token"),
        ("/api/login", b"{}", 200, "no accounts"),
        ("/api/act", b"{", 400, "no JSON object, such as"),
        ("/api/act", b"\xff\xfe", 400, "no JSON object, such as"),
        ("/api/new_hand", b"", 400, "no JSON object, such as"),
        ("/api/act", b"{}", 400, "Field required"),
        ("/api/act", b'{"token": 3, "incr": []}', 400, "string"),
        ("/api/act", b"[" * 3000, 400, "no JSON object"),
        ("/api/other", b"{}", 404, "POST /api/new_hand"),
        ("/api/act", b"x" * 5000, 413, "longer than"),
    ],
)
def test_requests_that_are_none_are_answered(
    page: TestClient, path: str, content: bytes, status: int, said: str
) -> None:
    answer = page.post(path, content=content, headers={"content-type": "application/json"})
    assert answer.status_code == status
    assert [*answer.json()] == ["error_msg"]
    assert said in answer.json()["error_msg"]


def test_other_sites_and_names_are_refused(page: TestClient) -> None:
    refused = (
        (page.post("/api/new_hand", json={}, headers={"host": "evil.example"}), 403),
        (page.post("/api/new_hand", json={}, headers={"origin": "http://evil.example"}), 403),
        (page.post("/api/new_hand", content=b"{}", headers={"content-type": "text/plain"}), 415),
        (page.get("/api/new_hand"), 405),
    )
    for answer, status in refused:
        assert answer.status_code == status
        assert [*answer.json()] == ["error_msg"]  # the guard answers as the hands do


def test_tables_are_limited_and_unused_ones_are_taken_over(monkeypatch: pytest.MonkeyPatch) -> None:
    tables = BridgeTables(make_agent("always-call"), GAME, seed=1, most=2)
    first = tables.new_hand(None)["token"]
    tables.new_hand(None)
    with pytest.raises(OverbetError, match="all 2 tables are taken"):
        tables.new_hand(None)
    monkeypatch.setattr(tables_module, "IDLE_SECONDS", 0.0)
    tables.new_hand(None)
    assert len(tables) == 2
    with pytest.raises(OverbetError, match="unknown token"):
        tables.new_hand(first)


def test_the_same_seed_deals_the_same_hands() -> None:
    one, two = (BridgeTables(make_agent("tag"), GAME, seed=9) for _ in range(2))
    assert one.new_hand(None)["hole_cards"] == two.new_hand(None)["hole_cards"]


@pytest.fixture(scope="module")
def served() -> Iterator[str]:
    """The address of `overbet bridge http serve random-chips`, as its own process."""
    words = ["bridge", "http", "serve", "random-chips", "--port", "0", "--seed", "3"]
    process = subprocess.Popen(
        [sys.executable, "-m", "overbet", *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    line = process.stdout.readline()
    yield line.split(" at ")[1].split("/api")[0]
    process.terminate()
    _, said = process.communicate(timeout=300)
    assert "Traceback" not in said


def test_a_thousand_hands_without_a_difference_in_chips(served: str) -> None:
    client = BridgeClient(make_agent("random-chips"), served, GAME, seed=1)
    score = client.play(1_000)
    assert score.hands == 1_000
    assert score.differing == []
    table = HttpPost(served)
    last = table.post("/api/new_hand", {"token": client._token})
    while "winnings" not in last:  # the session's own sum is that of the client, and of this hand
        last = table.post("/api/act", {"token": client._token, "incr": "f" if _facing(last) else "k"})
    assert last["session_total"] == score.won + last["winnings"]
    table.close()


def _facing(answer: dict[str, Any]) -> bool:
    hole: list[str | None] = [None, None]
    hole[answer["client_pos"]] = "".join(answer["hole_cards"])
    return state_of(GAME, answer["action"], hole, answer["board"]).to_call > 0


def test_garbage_on_the_port_is_answered_and_others_go_on(served: str) -> None:
    port = int(served.rpartition(":")[2])
    for garbage in (
        b"\x00\xff\xfe" * 100 + b"\r\n\r\n",
        b"MATCHSTATE:0:0::AhKh|\r\n\r\n",
        b"POST / HTTP/9.9\r\n\r\n",
    ):
        with socket.create_connection(("127.0.0.1", port), 300) as connection:
            connection.sendall(garbage)
            assert connection.recv(1000).startswith(b"HTTP/1.1 4")
    with socket.create_connection(("127.0.0.1", port), 300) as connection:
        connection.sendall(b"POST /api/act HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 10\r\n\r\n{")
    threads = [
        threading.Thread(target=BridgeClient(make_agent("tag"), served, GAME, seed=n).play, args=(20,))
        for n in range(3)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(300)
        assert not thread.is_alive()


def test_no_server_and_no_address() -> None:
    with pytest.raises(OverbetError, match="no server answers"):
        BridgeClient(make_agent("tag"), "http://127.0.0.1:1", GAME).play(1)
    for url in ("ftp://x", "http://", "http://x:99999", "://", "http://[", ""):
        with pytest.raises(OverbetError, match="no address of a server"):
            HttpPost(url)


def test_more_than_this_machine_only_when_asked_and_with_a_warning() -> None:
    from overbet.interfaces.protocols.listening import checked_address, warning_of

    assert warning_of(checked_address("127.0.0.1")) == ""
    assert "whoever reaches this port" in warning_of(checked_address("0.0.0.0"))
    with pytest.raises(OverbetError, match="is not an address"):
        checked_address("localhost")
    tables = BridgeTables(make_agent("always-call"), GAME, seed=5)
    with TestClient(bridge_app(tables, 1, any_host=True), base_url="http://box.lan:1") as client:
        assert client.post("/api/new_hand", json={}).status_code == 200
