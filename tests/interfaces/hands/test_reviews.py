"""Verdicts in the database: kept and given back as they were, the most expensive first, older files too."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from overbet.errors import ArtefactError
from overbet.hands import HandDatabase, PricedAction, PricedDecision, import_hands
from tests.interfaces.hands.corpus import random_text

ACTIONS = (
    PricedAction("f", "fold", 0.25, 0.0, "fold"),
    PricedAction("b250", "raise 2.5", 0.75, None, "raise"),
)
SPOT = {"board": "QsJh2h", "pot": 180, "stacks": [910, 910], "line": "r:c:b100"}


def filled(folder: Path, hands: int = 6) -> HandDatabase:
    text = folder / "some.phhs"
    text.write_text(random_text(hands), encoding="utf-8")
    database = HandDatabase(folder / "data")
    import_hands(database, text)
    return database


def verdict(hand: int, number: int, loss: float | None = None) -> PricedDecision:
    if loss is None:
        return PricedDecision(hand, number, "none", settings="d", reason="four players are in")
    return PricedDecision(
        hand, number, "solve", "solved", "d", "mistake", loss, 0.01, 0.25, "f", "b250", ACTIONS, SPOT
    )


def test_verdicts_are_given_back_as_they_were_and_replaced(tmp_path: Path) -> None:
    with filled(tmp_path) as database:
        database.put_reviews([verdict(2, 1), verdict(2, 0, 1.5)])
        assert database.priced(2) == [verdict(2, 0, 1.5), verdict(2, 1)]
        assert database.priced(2)[0].action("b250") == ACTIONS[1]
        database.put_reviews([verdict(2, 1, 4.0)])
        assert database.priced(2) == [verdict(2, 0, 1.5), verdict(2, 1, 4.0)]
        assert database.priced(3) == []


def test_reviews_are_sorted_by_loss_and_filtered(tmp_path: Path) -> None:
    with filled(tmp_path) as database:
        database.put_reviews([verdict(1, 0, 0.5), verdict(2, 0), verdict(3, 0, 2.0), verdict(4, 0, 1.0)])
        frame = database.reviews(player="*")
        assert frame["hand"].to_list() == [3, 4, 1, 2]
        assert frame["loss_bb"].to_list() == [2.0, 1.0, 0.5, None]
        whole = database.decisions("id=3")
        row, same = frame.row(0, named=True), whole.row(0, named=True)
        for column in ("played", "position", "street", "hole", "board", "action", "pot_bb"):
            assert row[column] == same[column]
        assert database.reviews("id<=2", player="*")["hand"].to_list() == [1, 2]
        name = str(same["name"])
        assert 3 in database.reviews(player=name)["hand"].to_list()
        assert database.delete("id=3") == 1
        assert database.reviews(player="*")["hand"].to_list() == [4, 1, 2]


def test_a_database_without_reviews_gets_the_table_and_keeps_its_hands(tmp_path: Path) -> None:
    with filled(tmp_path) as database:
        before, path = database.frame(player="*", sort="id"), database.path
    with sqlite3.connect(path) as older:  # as version 1 left it
        older.execute("DROP TABLE reviews")
        older.execute("PRAGMA user_version = 1")
    older.close()
    with HandDatabase(tmp_path / "data") as database:
        assert database.frame(player="*", sort="id").equals(before)
        database.put_reviews([verdict(1, 0, 0.5)])
    with HandDatabase(tmp_path / "data") as database:  # opened once more: nothing is made anew
        assert database.priced(1) == [verdict(1, 0, 0.5)]
        assert database.connection.execute("PRAGMA user_version").fetchone() == (2,)


def test_a_damaged_verdict_is_told_in_a_line(tmp_path: Path) -> None:
    with filled(tmp_path) as database:
        database.put_reviews([verdict(1, 0, 0.5)])
        with database.writing() as connection:
            connection.execute("UPDATE reviews SET spot = x'00'")
        with pytest.raises(ArtefactError, match=r"review of hand 1 is damaged.*--again"):
            database.priced(1)
