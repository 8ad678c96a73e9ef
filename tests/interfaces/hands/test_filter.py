"""The filter: each condition against the frame's own columns, the errors, and texts of any kind."""

from __future__ import annotations

import contextlib
import datetime
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from overbet.cards.range import Range
from overbet.hands import FilterError, HandDatabase
from overbet.interfaces.hands.filter_fields import FIELDS, WORDS, filter_help
from overbet.interfaces.hands.filter_text import compiled
from overbet.solvers.vector.batches.texture import texture

Row = dict[str, Any]
CASES: list[tuple[str, Callable[[Row], bool]]] = [
    ("", lambda row: True),
    ("3bet", lambda row: "3bet" in row["line"].split()),
    ("not open", lambda row: "open" not in row["line"].split()),
    ("pos=CO,HJ", lambda row: row["position"] in ("CO", "HJ")),
    (
        "pos=BTN and vpip",
        lambda row: (
            (row["position"] == "BTN" or (row["position"] == "SB" and row["players"] == 2))
            and "vpip" in row["line"].split()
        ),
    ),
    ("open or limp and lost", lambda row: "open" in row["line"].split() or _limped_and_lost(row)),
    ("(open or limp) and lost", lambda row: row["won_bb"] < 0 and {*row["line"].split()} & {"open", "limp"}),
    ("won>10", lambda row: row["won_bb"] > 10),
    ("lost>=10bb", lambda row: row["won_bb"] <= -10),
    ("won", lambda row: row["won_bb"] > 0),
    ("depth<=60 and stack>60", lambda row: row["depth_bb"] <= 60 < row["stack_bb"]),
    ("players!=6", lambda row: row["players"] != 6),
    ("flop=two-tone", lambda row: bool(row["board"]) and texture(row["board"][:6]).suits == "two-tone"),
    ("not flop=two-tone", lambda row: not row["board"] or texture(row["board"][:6]).suits != "two-tone"),
    ("flop=K-high", lambda row: bool(row["board"]) and texture(row["board"][:6]).high_card == "K"),
    ("flop=paired", lambda row: bool(row["board"]) and texture(row["board"][:6]).pairing == "paired"),
    ("flop=disconnected", lambda row: _connectedness(row) == "disconnected"),
    ("flop=Ah", lambda row: "Ah" in row["board"][:6]),
    ("board=Ah", lambda row: "Ah" in row["board"]),
    ("hand=22+,A2s+", lambda row: Range.parse("22+,A2s+").weight(row["hole"]) > 0),
    (
        "date>=2022-03",
        lambda row: row["played"] is not None and row["played"].date() >= datetime.date(2022, 3, 1),
    ),
    ("date=2021", lambda row: row["played"] is not None and row["played"].year == 2021),
    ("site=phh and format=expresso", lambda row: row["format"] == "expresso"),
    ('table="table 1"', lambda row: row["table"] == "Table 1"),
    ("name=bob", lambda row: row["name"] == "Bob"),
    ("hero", lambda row: row["hero"]),
    (
        "showdown and pot>20 and blind=10",
        lambda row: "showdown" in row["line"].split() and row["pot_bb"] > 20,
    ),
]


def _limped_and_lost(row: Row) -> bool:
    return "limp" in row["line"].split() and row["won_bb"] < 0


def _connectedness(row: Row) -> str:
    return texture(row["board"][:6]).connectedness if row["board"] else ""


@pytest.mark.parametrize(("text", "holds"), CASES, ids=[text or "all" for text, _ in CASES])
def test_a_filter_chooses_what_it_says(hands: HandDatabase, text: str, holds: Callable[[Row], bool]) -> None:
    rows = list(hands.frame(player="*", sort="id").iter_rows(named=True))
    want = [(row["id"], row["name"]) for row in rows if holds(row)]
    got = hands.frame(text, player="*", sort="id")
    assert got.select("id", "name").rows() == want
    assert hands.count(text, player="*") == len(want)
    assert want, "a filter that chooses nothing tests nothing"


def test_whose_hands_they_are(hands: HandDatabase) -> None:
    own = hands.frame()
    with_hero = {row[0] for row in hands.connection.execute("SELECT id FROM hands WHERE hero IS NOT NULL")}
    for row in own.iter_rows(named=True):
        assert row["hero"] == (row["id"] in with_hero)
    assert {*hands.frame(player="Ann")["name"]} == {"Ann"}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("pos=BTN and 3bte", "'3bte' at position 13 in .*did you mean '3bet'.*words: vpip, .* fields: pos"),
        ("psition=BTN", "'psition' at position 1 .* is not a field"),
        ("pos=XX", "'XX' at position 5 in .*unknown position 'XX'; known: SB, BB"),
        ("won>much", "'much' at position 5 in .* is not a number"),
        ("pos<BTN", "'<' at position 4 in .* does not go with pos; such as pos=BTN"),
        ("pos=", "the end in .* stands where a value of pos should"),
        ("3bet and", "the end in .* stands where a condition should"),
        ("and 3bet", "'and' at position 1 in .* stands where a condition should"),
        ("(3bet or open", "the end in .* bracket of position 1 is not closed"),
        ("3bet)", r"'\)' at position 5 in .* does not follow"),
        ("3bet open", "'open' at position 6 in .* join conditions with and, or"),
        ("3bet=1", "'3bet' at position 1 in .* is a word and is not compared"),
        ("stack", "'stack' at position 1 in .* needs a comparison; such as stack>=100"),
        ("flop=wet", "'wet' at position 6 in .* rainbow, two-tone, monotone, .* or cards"),
        ("hand=AKx", "'AKx' at position 6 in .* is not a hand or a range"),
        ("date=2024-13-01", "'2024-13-01' at position 6 in .* is not a date"),
        ("site=partypoker", "known: pokerstars, ggpoker, winamax, phh"),
        ('name="Ann', "'\"' at position 6 in .* is not closed"),
        ("not " * 60 + "open", "is inside of more than 40 others"),
        ("open or " * 400 + "open", "characters are too many"),
    ],
)
def test_errors_point_at_the_place(text: str, message: str) -> None:
    with pytest.raises(FilterError, match=message) as told:
        compiled(text)
    assert "\n" not in str(told.value)


def test_every_word_and_field_is_explained() -> None:
    assert [name for name, _ in filter_help()] == [*WORDS, *FIELDS]


PIECES = [
    *WORDS,
    *FIELDS,
    "and",
    "or",
    "not",
    "(",
    ")",
    "=",
    "!=",
    "<",
    ">=",
    "BTN",
    "10",
    "2024",
    '"',
    "AKs",
    "';--",
    "é",
]


@settings(max_examples=150, deadline=None)
@given(st.lists(st.sampled_from(PIECES) | st.text(max_size=4), max_size=14), st.sampled_from(["", " "]))
def test_any_text_is_a_filter_or_an_error_of_ours(
    hands: HandDatabase, pieces: list[str], between: str
) -> None:
    with contextlib.suppress(FilterError):
        hands.count(between.join(pieces), player="*")
