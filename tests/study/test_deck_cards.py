"""Cards of a deck: the verdict on every answer, and cards of the drill's mistakes."""

from __future__ import annotations

import pytest

from overbet.study.deck_cards import CardAnswer, DeckCard, card_of_mistake, card_verdict, label_in_blinds
from overbet.study.errors import StudyError
from overbet.study.mistakes import MistakeAction, MistakeRecord


def card(key: str = "phh:1/3", loss: float = 300.0, **other: object) -> DeckCard:
    """A decision in a pot of 10 bb: a call is best, a raise is played, a fold was the mistake."""
    values: dict[str, object] = {
        "actions": [
            MistakeAction(token="f", label="fold", frequency=0.0, ev_chips=0.0),
            MistakeAction(token="c", label="call 200", frequency=0.7, ev_chips=loss),
            MistakeAction(token="b900", label="raise to 900", frequency=0.3, ev_chips=loss - 40.0),
            MistakeAction(token="b5000", label="all-in 5000", frequency=0.0, ev_chips=loss - 20.0),
            MistakeAction(token="b2000", label="raise to 2000", frequency=0.0, ev_chips=None),
        ],
        "given": CardAnswer(token="f", grade="blunder", loss_chips=loss),
        "accuracy_chips": 2.0,
        "big_blind": 100,
        "pot_chips": 1000,
        "origin": "hand",
    }
    return DeckCard(
        key=key,
        source="hand phh:1",
        board="Td9d6h",
        street="flop",
        hand="AsKs",
        player="BTN",
        to_call_chips=200,
        behind_chips=5000,
        history=[],
        best="c",
        **(values | other),  # type: ignore[arg-type]  # checked by the record
    )


def test_answers_are_judged_by_what_they_give_up() -> None:
    words = {token: card_verdict(card(), token)["grade"] for token in ("f", "c", "b900", "b5000", "b2000")}
    assert words == {
        "f": "blunder",
        "c": "best",
        "b900": "correct",
        "b5000": "inaccuracy",
        "b2000": "unclear",
    }
    found = card_verdict(card(), "b5000")
    assert found["loss_chips"] == 20.0
    assert found["loss_percent_of_pot"] == 2.0
    assert found["accuracy_percent_of_pot"] == 0.2
    assert (found["best"], found["chosen"]) == ("c", "b5000")
    assert found["actions"][1] == {"token": "c", "label": "call 200", "frequency": 0.7, "ev_chips": 300.0}
    assert card_verdict(card(accuracy_chips=25.0), "b5000")["within_solver_error"] is True


def test_estimates_are_judged_with_their_noise_and_the_old_answer_as_it_was() -> None:
    noisy = card(estimated=True, accuracy_chips=25.0)
    assert card_verdict(noisy, "b5000")["grade"] == "unclear"
    assert card_verdict(noisy, "b900")["grade"] == "correct"
    assert card_verdict(noisy, "f")["grade"] == "blunder"
    exact = card(estimated=True, accuracy_chips=0.0, pot_chips=150)
    assert card_verdict(exact, "b5000")["grade"] == "mistake"  # 20 of 400: a small pot counts as four blinds
    solved = card(accuracy_chips=0.0, pot_chips=150)
    assert card_verdict(solved, "b5000")["grade"] == "mistake"  # a review of hands counts so too
    drilled = card(accuracy_chips=0.0, pot_chips=150, origin="drill")
    assert card_verdict(drilled, "b5000")["grade"] == "blunder"  # 20 of 150, as the drill said
    better = card(estimated=True, loss=300.0)
    better.actions[3].ev_chips = 400.0  # hardly taken, and worth more by the estimate
    assert card_verdict(better, "c")["grade"] == "correct"
    assert card_verdict(better, "b5000")["grade"] == "unclear"


def test_what_is_not_possible_is_said() -> None:
    with pytest.raises(StudyError, match=r"'b1' is not possible here; possible: f, c, b900"):
        card_verdict(card(), "b1")


def test_amounts_in_blinds() -> None:
    assert label_in_blinds("raise to 250", 100) == "raise to 2.5 bb"
    assert label_in_blinds("call 50 (all-in)", 100) == "call 0.5 bb (all-in)"
    assert label_in_blinds("bet 12.5bb", 100) == "bet 12.5 bb"
    assert label_in_blinds("bet 75", 0) == "bet 75"
    assert label_in_blinds("fold", 100) == "fold"


def mistake(**other: object) -> MistakeRecord:
    values: dict[str, object] = {
        "id": "m-1",
        "when": "2026-01-01",
        "solve": "example",
        "blueprint": None,
        "source": "Example",
        "line": "r:0:c",
        "board": "Td9d6h2c",
        "street": "turn",
        "hand": "AsKs",
        "player": "ip",
        "pot": None,
        "facing": "nothing",
        "pot_chips": 1000,
        "big_blind": 100,
        "history": [],
        "actions": [
            MistakeAction(token="c", label="check", frequency=0.9, ev_chips=500.0),
            MistakeAction(token="b750", label="bet 750", frequency=0.0, ev_chips=450.0),
        ],
        "chosen": "b750",
        "best": "c",
        "grade": "mistake",
        "loss_chips": 50.0,
        "loss_percent_of_pot": 5.0,
        "to_call_chips": 0,
        "behind_chips": 900,
        "accuracy_chips": 1.0,
    }
    return MistakeRecord(**(values | other))  # type: ignore[arg-type]


def test_a_mistake_of_the_drill_is_a_card() -> None:
    found = card_of_mistake(mistake())
    assert found is not None
    assert (found.key, found.origin, found.mistake, found.estimated) == ("drill:m-1", "drill", "m-1", False)
    assert card_verdict(found, "c")["grade"] == "best"
    assert card_verdict(found, "b750")["loss_percent_of_pot"] == 5.0
    assert card_verdict(found, "c")["link"] == {"solve": "example", "blueprint": None, "line": "r:0:c"}
    assert card_of_mistake(mistake(to_call_chips=None)) is None  # of an older version
