"""Decks over HTTP: made of the review and of the drill's mistakes, asked, answered, deleted."""

from __future__ import annotations

import time
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import httpx
import pytest

from overbet.hands import HandDatabase, import_hands
from overbet.interfaces.decks.store import DeckStore
from overbet.interfaces.history.phh_writer import write_hands
from overbet.interfaces.web.app import create_app
from overbet.interfaces.web.folder import write_json
from overbet.interfaces.web.limits import Settings
from tests.event_loops import run_apart
from tests.interfaces.test_decks import PLAYED, priced
from tests.study.test_deck_cards import mistake


class Client:
    """The app of a data folder, asked without a socket."""

    def __init__(self, data: Path) -> None:
        self.app = create_app(Settings(data, example=False))

    def ask(self, method: str, path: str, body: Any = None, status: int = 200) -> Any:
        """Return the JSON of an answer of this status."""

        async def sent() -> httpx.Response:
            transport = httpx.ASGITransport(app=self.app)
            async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as http:
                return await http.request(method, f"/api{path}", json=body)

        found = run_apart(sent)
        assert found.status_code == status, found.text
        return found.json() if found.content else None


@pytest.fixture
def client(tmp_path: Path) -> Iterator[Client]:
    """A page with two faults in a reviewed hand, and one mistake of the drill."""
    (tmp_path / "hands.phhs").write_text(write_hands([PLAYED]), encoding="utf-8")
    data = tmp_path / "data"
    with HandDatabase(data) as database:
        import_hands(database, tmp_path / "hands.phhs")
        database.put_reviews([priced(1, 4, "inaccuracy", 0.4), priced(1, 6)])
    write_json(data / "mistakes.json", {"version": 1, "mistakes": [mistake().model_dump(mode="json")]})
    found = Client(data)
    yield found
    found.app.state.overbet.close()


def made(client: Client, status: int = 201, **body: Any) -> Any:
    return client.ask("POST", "/decks", {"name": "Flops", "player": "*", **body}, status)


def test_a_deck_of_the_review_is_asked_until_nothing_is_due(client: Client) -> None:
    assert client.ask("GET", "/decks") == {"decks": [], "reviewed": True}
    found = made(client, filter="pos=CO", new_a_day=7)
    assert (found["new"], found["updated"], found["same"], found["left_out"]) == (2, 0, 0, 0)
    deck = found["deck"]
    assert (deck["name"], deck["cards"], deck["due"], deck["new"]) == ("Flops", 2, 2, 2)
    assert (deck["retention"], deck["new_a_day"], deck["damaged"]) == (0.9, 7, 0)
    assert made(client)["same"] == 2
    question = client.ask("POST", "/drill/questions", {"deck": deck["id"]}, 201)
    assert question["card"]["source"].startswith("hand phh:")
    assert question["card"] == {
        "deck": deck["id"],
        "name": "Flops",
        "source": question["card"]["source"],
        "asked": 0,
        "chosen": "c",
        "grade": "mistake",
    }
    assert (question["board"], question["hand"], question["player"]) == ("9s8s2s", "QsQd", "CO")
    assert [(one["position"], one["street"], one["chosen"]) for one in question["steps"][4:]] == [
        ("CO", "preflop", "a"),
        (None, "flop", "9s8s2s"),
        ("SB", "flop", "a"),
    ]
    assert question["steps"][-1]["options"] == [{"token": "a", "label": "bet 95"}]
    assert len({one["line"] for one in question["steps"]}) == 7
    where = f"/drill/questions/{question['question']}/answer"
    assert client.ask("POST", where, {"token": "b1"}, 422)["where"] == "token"
    verdict = client.ask("POST", where, {"token": "c"})
    assert (verdict["grade"], verdict["best"], verdict["loss_chips"]) == ("mistake", "b300", 15.0)
    assert verdict["score"]["answered"] == 1
    assert abs(datetime.fromisoformat(verdict["due"]).timestamp() - time.time() - 60) < 30
    client.ask("POST", where, {"token": "c"}, 404)  # answered once
    (kept,) = client.ask("GET", "/decks")["decks"]
    assert (kept["due"], kept["new"]) == (1, 1)
    other = client.ask("POST", "/drill/questions", {"deck": deck["id"]}, 201)
    assert other["question"] != question["question"]
    where = f"/drill/questions/{other['question']}/answer"
    assert client.ask("POST", where, {"token": "b300"})["grade"] == "best"
    none = client.ask("POST", "/drill/questions", {"deck": deck["id"]}, 409)
    assert none == {"error": "nothing is due in Flops now", "where": "deck"}
    (kept,) = client.ask("GET", "/decks")["decks"]
    assert datetime.fromisoformat(kept["next_due"]).timestamp() > time.time()
    assert len(client.ask("GET", "/drill/mistakes")["mistakes"]) == 1  # the card is in its deck, not there
    client.ask("DELETE", f"/decks/{deck['id']}", status=204)
    client.ask("DELETE", f"/decks/{deck['id']}", status=404)
    assert client.ask("POST", "/drill/questions", {"deck": deck["id"]}, 404)["where"] == "deck"


def test_the_terminal_and_the_page_share_a_deck(client: Client) -> None:
    deck = made(client)["deck"]
    question = client.ask("POST", "/drill/questions", {"deck": deck["id"]}, 201)
    terminal = DeckStore(client.app.state.overbet.folder.root)
    drawn = terminal.draw(terminal.deck("Flops"))
    assert drawn is not None
    terminal.answer(drawn.deck, drawn.card, "b300")
    client.ask("POST", f"/drill/questions/{question['question']}/answer", {"token": "c"})
    asked = {one.key: (one.asked, one.correct) for one in terminal.cards(terminal.deck("Flops"))}
    assert asked[drawn.key] == (2, 1)


def test_the_drills_mistakes_are_a_deck_and_are_mended_by_it(client: Client) -> None:
    found = made(client, name="Drill", source="drill")
    assert (found["new"], found["deck"]["due"]) == (1, 1)
    question = client.ask("POST", "/drill/questions", {"deck": found["deck"]["id"]}, 201)
    assert (question["player"], question["card"]["source"]) == ("ip", "Example")
    verdict = client.ask("POST", f"/drill/questions/{question['question']}/answer", {"token": "c"})
    assert verdict["link"] == {"solve": "example", "blueprint": None, "line": "r:0:c"}
    (kept,) = client.ask("GET", "/drill/mistakes")["mistakes"]
    assert (kept["tries"], kept["again"], kept["mended"]) == (1, "best", True)


WRONG: list[tuple[dict[str, Any], int, str, str]] = [
    ({"filter": "pos=much"}, 422, "filter", "pos"),
    ({"filter": "walk"}, 409, "filter", "there is no mistake to put into a deck here"),
    ({"player": "Nobody"}, 422, "filter", "there is no player 'Nobody'"),
    ({"name": "   "}, 422, "name", "a deck's name has 1 to 60 characters"),
    ({"name": "x" * 61}, 422, "name", "60"),
    ({"retention": 0.2}, 422, "retention", "0.7"),
    ({"least_loss_bb": -1}, 422, "least_loss_bb", "0"),
]


def test_what_cannot_be_made_is_said_in_a_line(client: Client) -> None:
    for body, status, where, words in WRONG:
        found = made(client, status, **body)
        assert found["where"] == where
        assert words in found["error"]
    assert client.ask("GET", "/decks")["decks"] == []


def test_a_file_that_is_no_decks_stops_only_the_decks(client: Client) -> None:
    (client.app.state.overbet.folder.root / "decks.db").write_bytes(b"not a database at all" * 400)
    assert "is not a file of decks" in client.ask("GET", "/decks", status=409)["error"]
    assert client.ask("GET", "/drill/score")["answered"] == 0
