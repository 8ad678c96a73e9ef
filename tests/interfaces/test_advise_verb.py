"""`overbet advise`: a table or JSON, and one line for whatever cannot be answered."""

from __future__ import annotations

import json
import sys

import pytest

from overbet.interfaces.cli.app import main
from overbet.interfaces.cli.verbs.advise import EXAMPLE

QUICK = "search:heads-up,turn.iterations=10,river.iterations=10,threads=1"
RIVER = "r:0:b250:c:Td9d6h:c:c:2c:c:c:As"


class Told:
    """What a command line ended with."""

    def __init__(self, code: object, out: str, err: str) -> None:
        self.code, self.out, self.err = code, out, err


@pytest.fixture
def advise(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    def run(line: str, hand: str = "AhKh", *more: str, agent: str = QUICK) -> Told:
        words = ["advise", "--line", line, "--hand", hand, "--agent", agent, *more]
        monkeypatch.setattr(sys, "argv", ["overbet", *words])
        with pytest.raises(SystemExit) as left:
            main()
        return Told(left.value.code, *capsys.readouterr())

    return run


@pytest.mark.parametrize(
    ("line", "hand", "more", "text"),
    [
        (RIVER, "AhTd", (), "the hand AhTd has Td of the board Td9d6h2cAs; change one of them"),
        (RIVER, "AhAh", (), "Ah appears twice"),
        (RIVER, "Ah", (), "a hand has two hole cards"),
        (RIVER, "AxKh", (), "Ax"),
        ("r:0:b250:f", "AhKh", (), "the hand is over after r:0:b250:f; ask about a decision before that"),
        ("r:0:b250:c", "AhKh", (), "after r:0:b250:c the flop has to be dealt; add its cards to the line"),
        ("r:0:b250:c:c:c", "AhKh", ("--board", "Td9d6h"), "the turn has to be dealt; add its cards"),
        ("r:0:b250:c:Td9d6h:c:c:c", "AhKh", (), "a card is due"),
        ("r:0:b25000", "AhKh", (), "at token 1, 'b25000', of 'r:0:b25000': not possible here"),
        ("r:0:p:p", "AhKh", (), "at token 1, 'p'"),
        (RIVER, "AhKh", ("--board", "AsKs"), "does not come here"),
    ],
)
def test_what_cannot_be_answered_is_one_line(
    advise, line: str, hand: str, more: tuple[str, ...], text: str
) -> None:
    told = advise(line, hand, *more)
    assert told.code == 2
    assert text in told.err
    assert len(told.err.splitlines()) == 1


@pytest.mark.parametrize(
    ("agent", "text"),
    [
        ("search:heads-up,seconds=0", "seconds=0: seconds: Input should be greater than 0"),
        ("search:heads-up,seconds=nan", "seconds: Input should be a finite number"),
        ("search:heads-up,seconds=inf", "seconds: Input should be a finite number"),
        ("search:heads-up,river.iterations=0", "river.iterations: Input should be greater than 0"),
        ("search:expresso", "search:expresso plays heads up, not with 3 players"),
        ("tag", "advice comes from search"),
        ("search:nowhere.h5", "nowhere.h5"),
    ],
)
def test_who_cannot_be_asked_is_one_line(advise, agent: str, text: str) -> None:
    told = advise(RIVER, agent=agent)
    assert told.code == 2
    assert text in told.err
    assert len(told.err.splitlines()) == 1


def test_every_action_has_its_share_and_its_worth(advise) -> None:
    line = f"{RIVER}:b377"
    found = json.loads(advise(line, "AhKh", "--json").out)
    assert found["line"] == line
    assert found["source"] == "search"
    assert sum(action["share"] for action in found["actions"]) == pytest.approx(1, abs=1e-3)
    assert found["actions"][0]["token"] == "f"
    assert found["actions"][0]["ev_bb"] == pytest.approx(0, abs=1e-6)
    assert found["iterations"] == 10
    told = advise(line).out
    assert "SB with AhKh on Td9d6h2cAs" in told
    assert "searched: 10 iterations" in told


def test_the_example_of_the_help_is_one(advise) -> None:
    words = EXAMPLE.split()
    assert advise(words[words.index("--line") + 1], words[words.index("--hand") + 1]).code == 0
