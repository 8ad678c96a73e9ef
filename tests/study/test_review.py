"""One verdict on a decision of a played hand, and who gives it."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from typer.main import get_command

from overbet.agents.compiled import CompiledAgent
from overbet.agents.registry import make_agent, name_of
from overbet.evaluation.match_review import Choice, MatchDecision, review_hand
from overbet.games.holdem import HoldemGame
from overbet.interfaces.cli.app import build
from overbet.interfaces.web.limits import Settings
from overbet.study.drill import verdict
from overbet.study.drill_hands import _of_hand
from overbet.study.review import MOST_RUNS, full_effort, reviewed, total_loss
from overbet.study.sitting import Sitting

GAME, GAME_100 = HoldemGame(2), HoldemGame(2, stacks=10_000, blinds=(50, 100))
STATE = GAME.deal(1, 0)  # the pot is 1.5 big blinds
FOLDED = MatchDecision(
    STATE, -1, (Choice(-1, "fold", 0.0, -0.5, 0.0), Choice(0, "call", 1.0, 0.5, 0.1)), 0, 1.0, 0.1
)


def test_a_decision_is_graded_by_what_it_gives_up() -> None:
    found = reviewed(FOLDED)
    assert (found.grade, found.loss_bb) == ("blunder", 1.0)
    assert found.accuracy_bb == pytest.approx(0.3)
    best = reviewed(replace(FOLDED, taken=0, loss_bb=0.0, loss_error_bb=0.0))
    assert (best.grade, best.share) == ("best", 1.0)
    mixed = (Choice(-1, "fold", 0.2, -0.5, 0.0), Choice(0, "call", 0.8, 0.5, 0.1))
    assert reviewed(replace(FOLDED, choices=mixed)).grade == "correct"


def test_nothing_is_best_beside_an_action_that_is_worth_more() -> None:
    """The strategy never raises: raising is not best, and neither is the call that is worth less."""
    choices = (Choice(0, "call", 1.0, 1.3, 0.01), Choice(300, "raise", 0.0, 1.66, 0.01))
    called = MatchDecision(STATE, 0, choices, 0, 0.0, 0.0)
    assert (reviewed(called).grade, reviewed(called).loss_bb) == ("correct", 0.0)
    raised = MatchDecision(STATE, 300, choices, 0, -0.36, 0.01)
    assert reviewed(raised).grade == "unclear"


def test_an_action_that_is_seldom_taken_is_best_only_where_that_is_clear() -> None:
    choices = (Choice(0, "call", 0.97, 1.30, 0.02), Choice(300, "raise", 0.03, 1.34, 0.02))
    raised = MatchDecision(STATE, 300, choices, 300, 0.0, 0.0, 16_000, 0.04, 0.02)
    assert reviewed(raised).grade == "unclear"
    assert reviewed(replace(raised, lead_error_bb=0.01)).grade == "best"


@pytest.mark.parametrize(
    ("loss", "error", "grade"),
    [
        (1.0, 0.6, "unclear"),  # noise could make it
        (-0.3, 0.01, "unclear"),  # worth more than what the strategy does, which never does it
        (0.05, 0.01, "inaccuracy"),  # a pot of 1.5 counts as 4: up to 0.1 and up to 0.4 bb
        (0.3, 0.03, "mistake"),
        (0.105, 0.01, "unclear"),  # on the limit
        (0.105, 0.001, "mistake"),
        (0.5, 0.03, "blunder"),
    ],
)
def test_what_the_strategy_never_does_is_a_fault_or_unclear(loss: float, error: float, grade: str) -> None:
    found = reviewed(replace(FOLDED, loss_bb=loss, loss_error_bb=error))
    assert (found.grade, found.loss_bb) == (grade, max(0.0, loss))


def test_losses_add_up_and_none_makes_up_for_another() -> None:
    loss, accuracy = total_loss([reviewed(FOLDED), reviewed(replace(FOLDED, loss_bb=-0.3))])
    assert loss == 1.0
    assert accuracy == pytest.approx(0.3 * 2**0.5)
    assert total_loss([]) == (0.0, 0.0)


def test_the_drill_on_a_blueprint_calls_no_folded_ace_right() -> None:
    """SB with ATo: the strategy never folds it, and folding gives up a big blind."""
    agent = make_agent("blueprint:heads-up")
    assert isinstance(agent, CompiledAgent)
    state = GAME_100.initial_state().with_cards(["7c2d", "AhTs"])
    question = _of_hand(agent, "heads-up", state, 5, 1)
    found = verdict(question, "f")
    assert found["grade"] == "blunder"
    evs = {action["token"]: action["ev_chips"] for action in found["actions"]}
    assert found["loss_chips"] == pytest.approx(evs[found["best"]] - evs["f"])
    shares = {action["token"]: action["frequency"] for action in found["actions"]}
    assert shares[found["best"]] > 0.01
    assert "simulated hands" in found["note"]
    for runs in (400, 4_000):  # as often as is allowed, and no more
        told = re.search(r"([\d,]+) simulated hands", verdict(question, "b200", runs)["note"])
        assert told
        assert int(told[1].replace(",", "")) <= runs


def test_the_loss_is_the_difference_of_the_values_shown() -> None:
    agent = make_agent("blueprint:heads-up")
    final = (
        GAME_100.initial_state().with_cards(["7c7d", "AhTs"], board="Jd9d6h2c3s").follow("b200:c:c:c:c:c:c:c")
    )
    for decision in review_hand(final, 0, [agent, agent], seed=3, hand=0, effort=full_effort(16_000)):
        values = {choice.action: choice for choice in decision.choices}
        gap = values[decision.best].ev_bb - values[decision.taken].ev_bb
        assert decision.loss_bb == pytest.approx(gap, abs=1e-9)
        assert values[decision.best].share > 0.01


def test_who_sits_where() -> None:
    sitting = Sitting(HoldemGame(3), 5, [make_agent("tag"), make_agent("lag")])
    assert [sitting.hero(number) for number in range(4)] == [0, 2, 1, 0]
    assert [sitting.dice(number) for number in range(4)] == [0, 4, 8, 9]
    for number in range(4):
        assert sitting.players(number)[sitting.hero(number)] == 0
        assert sitting.agents(number)[sitting.hero(number)] is sitting.slots[0]


def test_the_adviser_is_a_blueprint_where_one_fits() -> None:
    tag = make_agent("tag")
    fitting = Sitting(HoldemGame(2, stacks=10_000, blinds=(50, 100)), 5, [tag])
    assert name_of(fitting.adviser) == "blueprint:heads-up"  # type: ignore[arg-type]
    assert Sitting(HoldemGame(2, stacks=1_000, blinds=(50, 100)), 5, [tag]).adviser is tag


def test_terminal_and_page_play_on_equally_often() -> None:
    verbs = get_command(build()).commands  # type: ignore[attr-defined]
    for verb in ("play", "serve"):
        [option] = [option for option in verbs[verb].params if option.name == "review"]
        assert option.default == MOST_RUNS
    assert Settings(data=Path()).review == MOST_RUNS
