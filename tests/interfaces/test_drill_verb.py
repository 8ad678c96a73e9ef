"""`overbet decks` and `overbet drill` on the terminal: making, asking, the verdict, the end."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from overbet.hands import HandDatabase, PricedDecision, import_hands
from overbet.interfaces.cli.app import build
from overbet.interfaces.cli.deck_view import ahead
from overbet.interfaces.cli.menu import deck_menu
from overbet.interfaces.decks.store import DeckStore
from overbet.interfaces.history.phh_writer import write_hands
from overbet.interfaces.web.folder import write_json
from tests.interfaces.test_decks import PLAYED, priced
from tests.study.test_deck_cards import card, mistake

RUNNER = CliRunner()


def run(data: Path, verb: str, *words: object, stdin: str | None = None) -> Result:
    command = [verb, *(str(word) for word in words), "--data", str(data)]
    return RUNNER.invoke(build(verb), command, input=stdin)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A data folder with one hand, of which two decisions are reviewed as faults."""
    (tmp_path / "hands.phhs").write_text(write_hands([PLAYED]), encoding="utf-8")
    folder = tmp_path / "data"
    with HandDatabase(folder) as database:
        import_hands(database, tmp_path / "hands.phhs")
        database.put_reviews([priced(1, 4, "inaccuracy", 0.4), priced(1, 6), PricedDecision(1, 5, "none")])
    return folder


def test_a_deck_is_made_listed_asked_and_deleted(data: Path) -> None:
    made = run(data, "decks", "make", "Flops", "--player", "*", "--least-loss", 1, "--new", 5)
    assert made.stdout == "1 new card, 0 priced anew, 0 as they were; Flops has 1, 1 due now\n"
    again = run(data, "decks", "make", "flops", "--player", "*", "--json")
    told = json.loads(again.stdout)
    assert (told["new"], told["same"], told["left_out"]) == (1, 1, 0)
    assert {name: told["deck"][name] for name in ("name", "cards", "due", "new", "new_a_day", "damaged")} == {
        "name": "Flops",
        "cards": 2,
        "due": 2,
        "new": 2,
        "new_a_day": 5,
        "damaged": 0,
    }
    result = run(data, "drill", "--deck", "flops", "--limit", 1, stdin="7\nx\n2\n")
    assert result.exit_code == 0, result.output
    lines = [" ".join(line.split()) for line in result.stdout.splitlines()]
    expected = [
        "2 due, this one new",
        "flop 9s 8s 2s pot 28.5 bb",
        "SB -- -- 81.5 bb in for 9.5",
        "BB 99 bb folded",
        "> CO Qs Qd 91 bb",
        "BTN 100 bb folded",
        "CO raise to 2.5 bb, BTN fold, SB raise to 9 bb, BB fold, CO call 6.5 bb",
        "9s 8s 2s, SB bet 9.5 bb",
        "9.5 bb to call (odds 25.0 %)",
        "1 fold",
        "2 call 9.5 bb",
        "3 raise 30 bb",
    ]
    assert lines[1 : 1 + len(expected)] == expected
    assert "write a number from 1 to 3, or q" in result.stdout
    verdict = [
        "mistake: costs 1.50 bb (5.3 % of the pot)",
        "fold 0.0 % EV 0.00 bb",
        "call 9.5 bb 20.0 % EV 2.50 bb your answer",
        "raise 30 bb 80.0 % EV 4.00 bb best",
    ]
    at = next(place for place, line in enumerate(lines) if line.endswith(verdict[0]))
    assert [lines[at][-len(verdict[0]) :], *lines[at + 1 : at + 4]] == verdict
    assert lines[at + 4].endswith("solved with your ranges, accurate to 0.4 % of the pot")
    assert lines[at + 5] == "asked again in 1 minute"
    assert lines[-1] == "the end: 1 asked, 0 right, 1.50 bb given up; 1 due now"
    result = run(data, "drill", stdin="3\n")
    assert "best: nothing is given up" in result.stdout
    assert "what you did" in result.stdout
    assert "asked again in 10 minutes" in result.stdout
    assert result.stdout.splitlines()[-1].startswith(
        "the end: 1 asked, 1 right, 0.00 bb given up; next due in"
    )
    assert run(data, "drill").stdout.startswith("nothing is due; next due in ")
    shown = json.loads(run(data, "decks", "show", "Flops", "--json").stdout)
    assert [(one["asked"], one["right"], one["new"]) for one in shown["cards"]] == [
        (1, 0, False),
        (1, 1, False),
    ]
    listed = run(data, "decks", "show", "Flops", "--limit", 1).stdout
    assert "1 of 2 cards; see --limit" in listed
    assert "QsQd" in listed
    key = shown["cards"][0]["key"]
    assert run(data, "decks", "delete", "Flops", "--card", key).stdout == "deleted 1 card of Flops\n"
    assert run(data, "decks", "delete", "Flops", stdin="n\n").stdout.endswith("nothing is deleted\n")
    assert run(data, "decks", "delete", "Flops", "--yes").stdout == "deleted Flops with 1 card\n"
    assert "there is no deck yet" in run(data, "decks", "list").stdout


def test_leaving_keeps_what_was_answered(data: Path) -> None:
    run(data, "decks", "make", "mine", "--player", "*")
    for stdin in ("q\n", ""):
        left = run(data, "drill", stdin=stdin)
        assert left.exit_code == 0
        assert left.stdout.endswith("2 due now\n")
    left = run(data, "drill", stdin="1\nq\n")
    assert "the end: 1 asked" in left.stdout
    assert json.loads(run(data, "decks", "list", "--json").stdout)[0]["due"] == 1


def test_the_mistakes_of_the_drill_are_a_deck(tmp_path: Path) -> None:
    kept = [mistake(), mistake(id="m-2", to_call_chips=None)]
    write_json(
        tmp_path / "mistakes.json",
        {"version": 1, "mistakes": [{"id": "damaged"}, *(one.model_dump(mode="json") for one in kept)]},
    )
    made = run(tmp_path, "decks", "make", "drill", "--from", "drill")
    assert "1 new card," in made.stdout
    assert "left out: 1 mistake whose" in made.stdout
    asked = run(tmp_path, "drill", stdin="1\n").stdout
    assert "> IP    As Ks        9 bb behind" in asked
    assert "best: nothing is given up" in asked
    assert "Example, accurate to 0.1 % of the pot" in asked


@pytest.mark.parametrize(
    ("words", "error"),
    [
        (("drill",), "there is no deck yet; make one"),
        (("decks", "show", "x"), "there is no deck yet"),
        (("decks", "make", "x"), "there are no hands in"),
        (("decks", "make", "x", "--from", "page"), "--from is hands or drill"),
        (("decks", "make", "x", "--from", "drill", "--filter", "3bet"), "are for --from hands"),
    ],
)
def test_what_is_wrong_is_one_line(tmp_path: Path, words: tuple[str, ...], error: str) -> None:
    result = run(tmp_path, *words)
    assert result.exit_code != 0
    assert error in str(result.exception)


def test_no_new_cards_a_day_is_said(data: Path) -> None:
    run(data, "decks", "make", "mine", "--player", "*", "--new", 0)
    assert run(data, "drill").stdout.startswith(
        "nothing is due; no card comes again: add some, or let in new"
    )


def test_no_empty_deck_is_made(data: Path) -> None:
    assert "no mistake fits" in run(data, "decks", "make", "x", "--player", "*", "--filter", "walk").stdout
    assert DeckStore(data).decks() == []
    with HandDatabase(data) as database, database.writing() as connection:
        connection.execute("DELETE FROM reviews")
    assert "run overbet hands review first" in str(run(data, "decks", "make", "x").exception)


def test_times_in_words() -> None:
    words = {
        1: "in 1 minute",
        60: "in 1 minute",
        600: "in 10 minutes",
        7200: "in 2 hours",
        0: "now",
        -5: "now",
    }
    assert {left: ahead(1_000_000 + left, 1_000_000) for left in words} == words
    assert ahead(3 * 86_400, 0) == "in 3 days (1970-01-04)"


def test_the_menu_asks_for_a_deck(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OVERBET_HOME", str(tmp_path))
    store = DeckStore()
    for name in ("flops", "rivers"):
        store.add(store.make(name), [card("a")])
    offered: list[str] = []

    def chosen(place: int) -> list[str]:
        def choose(words: str, choices: list[tuple[str, str]]) -> str:
            offered[:] = [title for title, _ in choices]
            return choices[place][1]

        monkeypatch.setattr(deck_menu, "choose", choose)
        return deck_menu.drill_words()

    assert chosen(1) == ["drill", "--deck", "rivers"]
    assert offered[:3] == ["flops: 1 of 1 due", "rivers: 1 of 1 due", "All decks"]
    assert chosen(2) == ["drill"]
    answers = iter(["Wide calls", "pos=BTN and 3bet", "0.5"])
    monkeypatch.setattr(deck_menu, "write", lambda words, check, default="": next(answers))
    assert chosen(3) == [
        *("decks", "make", "Wide calls", "--filter", "pos=BTN and 3bet"),
        *("--least-loss", "0.5"),
    ]
    answers = iter(["Drill"])
    assert chosen(4) == ["decks", "make", "Drill", "--from", "drill"]
