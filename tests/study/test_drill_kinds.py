"""What a drill can be limited to: the kinds of decisions, in solved spots and in hands."""

from __future__ import annotations

import pytest

from overbet import study
from overbet.games.holdem import HoldemGame
from overbet.interfaces.web.example import SAVED
from overbet.solvers.vector.solution import Solution
from overbet.solvers.vector.store import load
from overbet.study.drill_kinds import DrillKind, kind_of_hand, kind_of_node

GAME = HoldemGame(3, stacks=500, blinds=(10, 20), full_blind=True)


@pytest.fixture(scope="module")
def turn() -> Solution:
    return load(SAVED)


@pytest.mark.parametrize(
    ("actions", "kind"),
    [
        ([], ("preflop", "BTN", "limped", "nothing")),
        ([40], ("preflop", "SB", "raised", "raise")),
        ([40, 120], ("preflop", "BB", "3-bet", "raise")),
        ([40, 120, 300], ("preflop", "BTN", "4-bet", "raise")),
        ([0, 0, 0], ("flop", "SB", "limped", "nothing")),
        ([-1, 60, 0], ("flop", "SB", "raised", "nothing")),
        ([40, 120, -1, 0, 40], ("flop", "BTN", "3-bet", "bet")),
        ([40, 120, -1, 0, 40, 100], ("flop", "SB", "3-bet", "raise")),
        ([40, 120, -1, 0, 0, 0], ("turn", "SB", "3-bet", "nothing")),
    ],
)
def test_the_kind_of_a_hands_decision(actions: list[int], kind: tuple[str, ...]) -> None:
    state = GAME.deal(3)
    for action in actions:
        state = state.apply(action)
    assert kind_of_hand(state) == kind


@pytest.mark.parametrize(
    ("line", "street", "player", "facing"),
    [
        ("r:0", "turn", "oop", "nothing"),
        ("r:0:c:b73", "turn", "oop", "bet"),
        ("r:0:b73:b293", "turn", "oop", "raise"),
        ("r:0:b73:c:8h", "river", "oop", "nothing"),
        ("r:0:b73:c:8h:c", "river", "ip", "nothing"),
    ],
)
def test_the_kind_of_a_solved_decision(
    turn: Solution, line: str, street: str, player: str, facing: str
) -> None:
    assert kind_of_node(turn.node(line)) == (street, player, None, facing)


def test_questions_keep_within_the_limits(turn: Solution) -> None:
    for facing, player in (("bet", "oop"), ("raise", "ip"), ("nothing", "ip")):
        asked = study.from_solution(turn, street="turn", player=player, facing=facing)
        assert asked.kind == ("turn", player, None, facing)
        assert (asked.shown["to_call_chips"] > 0) == (facing != "nothing")
    with pytest.raises(study.NotNowError, match="no decision came up for OOP before the flop"):
        study.from_solution(turn, street="preflop", player="oop")


@pytest.mark.parametrize(
    ("line", "behind"), [("r:0", 500), ("r:0:b73", 500), ("r:0:b73:b293", 427), ("r:0:c:b73:b293", 427)]
)
def test_a_question_says_what_the_player_who_decides_has_left(turn: Solution, line: str, behind: int) -> None:
    """Not the smaller stack, which after a raise is the other's."""
    asked = study.from_solution(turn, line=line)
    assert asked.shown["behind_chips"] == behind


def test_limits_allow_what_they_do_not_name() -> None:
    asked = DrillKind("river", "BB", "3-bet", "bet")
    assert DrillKind().allows(asked)
    assert DrillKind(pot="3-bet", player="BB").allows(asked)
    assert not DrillKind(pot="raised").allows(asked)
    assert (
        DrillKind("river", "BB", "3-bet", "bet").words() == "for BB in 3-bet pots facing a bet on the river"
    )


def test_a_mistake_says_how_to_ask_it_again(turn: Solution) -> None:
    kept = None
    while kept is None:  # until an answer is a mistake: folding aces, sooner or later
        question = study.from_solution(turn, "example", line="r:0:c:b73")
        found = study.verdict(question, "f")
        kept = study.mistake_of(question, found, "Example", "2026-01-01T00:00:00")
    assert kept.grade == found["grade"]
    assert kept.loss_chips == found["loss_chips"]
    assert [(step.who, step.label) for step in kept.history] == [("oop", "check"), ("ip", "bet 7.3bb")]
    again = study.solution_question(turn, "example", kept.line, kept.hand)
    assert again.evs == question.evs
    best = study.verdict(again, kept.best)
    assert best["grade"] == "best"
    assert kept.tried(best["grade"]).mended
    assert study.mistake_of(again, best, "Example", "2026-01-01T00:00:00") is None
    assert study.MistakeRecord.model_validate(kept.model_dump(mode="json")) == kept
