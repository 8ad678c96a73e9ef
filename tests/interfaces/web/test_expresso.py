"""An Expresso on the page's server: stacks carry over, blinds rise, players go out, it ends in buy-ins."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from overbet.games.multipliers import DRAWN_WORDS, draw_multiplier
from overbet.study.tables import StudyTable
from tests.interfaces.web.server import Server

BLUEPRINT = "shipped-expresso"


def sit(server: Server, **values: Any) -> dict[str, Any]:
    return server.post("/play/tables", {"kind": "expresso", "opponent": BLUEPRINT, **values})


def play_hand(server: Server, table: str, raises: bool) -> dict[str, Any]:
    """Play a hand: all in where that is asked for, else check or fold."""
    shown = server.post(f"/play/tables/{table}/deal")
    while not shown["hand"]["over"]:
        legal = shown["hand"]["legal"]
        action = legal["raise_max"] or 0 if raises else -1 if legal["fold"] else 0
        shown = server.post(f"/play/tables/{table}/act", {"action": action})
    return shown


def test_a_whole_expresso(server: Server) -> None:
    shown = sit(server, seed=28, multiplier=25)
    table, tournament = shown["id"], shown["tournament"]
    assert tournament["prizes"] == "x25, paid in buy-ins: 1st 20, 2nd 3, 3rd 2"
    assert tournament["drawn"] == "chosen"
    before, seen_out, reviews = [500, 500, 500], False, 0
    for number in range(200):
        shown = play_hand(server, table, raises=number >= 11)  # first wait for the blinds to rise
        hand = shown["hand"]
        level = (10, 20) if number < 10 else (15, 30) if number < 20 else None
        if level:
            assert (shown["small_blind"], shown["big_blind"], hand["big_blind"]) == (*level, level[1])
        stacks = [seat["stack_chips"] for seat in hand["seats"]]
        assert sum(stacks) == 1500
        assert [
            a + b for a, b in zip(before, hand["won_chips"], strict=True)
        ] == stacks  # nothing is put back
        out = [not chips for chips in before]
        assert [seat["out"] for seat in hand["seats"]] == out
        seen_out = seen_out or any(out)
        review = server.get(f"/play/tables/{table}/hands/{number}")
        assert [seat["cards"] is None for seat in review["hand"]["seats"]] == out
        mine = sum(entry["seat"] == 0 and entry["action"] is not None for entry in hand["log"])
        if number == 0:
            assert len(review["review"]) == mine
            assert "simulated hands" in review["review"][0]["note"] or not mine
        elif len(review["review"]) < mine:
            assert "not graded: no strategy was trained for these stacks" in review["note"]
        else:
            reviews += 1
            assert all("exact" in entry["note"] for entry in review["review"])
        before = stacks
        if shown["finished"]:
            break
    assert seen_out  # a part of it was heads up
    assert reviews > 0  # and some decisions were push or fold
    ended = shown["tournament"]
    places = {"1st place": 19.0, "2nd place": 2.0, "3rd place": 1.0, "2nd and 3rd shared": 1.5}
    assert ended["buy_ins"] == pytest.approx(places[ended["place"]])
    assert re.search(r"\d+ decisions: .*by a strategy of another depth", ended["sources"])
    told = server.post(f"/play/tables/{table}/deal", status=409)
    assert "this Expresso is over" in str(told)
    listed = {one["id"]: one for one in server.get("/play/tables")["tables"]}[table]
    assert (listed["outcome"], listed["buy_ins"]) == (ended["outcome"], ended["buy_ins"])
    record = json.loads((server.data / "play" / f"{table}.json").read_text())
    again = StudyTable.of_record(record)
    assert again.finished
    assert again.record() == record
    assert server.client.delete(f"/api/play/tables/{table}").status_code == 204


def test_the_prize_is_drawn_by_the_seed_or_chosen_within_bounds(server: Server) -> None:
    shown = sit(server, seed=5, opponent="tag")
    assert shown["tournament"]["multiplier"] == draw_multiplier(5)
    assert shown["tournament"]["drawn"] == DRAWN_WORDS
    for wrong in (0.5, 1e9, "much"):
        server.post("/play/tables", {"kind": "expresso", "opponent": "tag", "multiplier": wrong}, status=422)
    server.post("/play/tables", {"kind": "heads-up", "opponent": "tag", "multiplier": 2}, status=422)
    server.client.delete(f"/api/play/tables/{shown['id']}")


def test_a_table_of_the_earlier_kind_is_still_read() -> None:
    record = {
        "version": 1,
        "id": "t-1",
        "kind": "expresso",
        "opponent": BLUEPRINT,
        "created": "2026-01-01",
        "seed": 7,
        "actions": None,
        "hands": [{"actions": [-1, -1], "won": -10, "adjusted": None}],
    }
    table = StudyTable.of_record(record)
    assert table.tournament is None
    assert table.state(0, [-1, -1]).is_terminal()
    assert table.game.start == (500, 500, 500)
    assert table.record() == record
