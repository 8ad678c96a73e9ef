"""One verdict on a decision of a played hand, and who gives it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from overbet.agents.registry import make_agent, name_of
from overbet.evaluation.match_review import Choice, MatchDecision
from overbet.games.holdem import HoldemGame
from overbet.study.review import reviewed, total_loss
from overbet.study.sitting import Sitting

GAME = HoldemGame(2)
STATE = GAME.deal(1, 0)  # the pot is 1.5 big blinds
FOLDED = MatchDecision(
    STATE, -1, (Choice(-1, "fold", 0.0, -0.5, 0.0), Choice(0, "call", 1.0, 0.5, 0.1)), 0, 1.0, 0.1
)


def test_a_decision_is_graded_by_what_it_gives_up() -> None:
    found = reviewed(FOLDED)
    assert (found.grade, found.within, found.loss_bb) == ("blunder", False, 1.0)
    assert found.accuracy_bb == pytest.approx(0.2)
    unsure = reviewed(replace(FOLDED, loss_error_bb=0.6))
    assert (unsure.grade, unsure.within) == ("correct", True)
    lucky = reviewed(replace(FOLDED, loss_bb=-0.3))  # better than the best on the other half of the runs
    assert (lucky.grade, lucky.loss_bb) == ("best", 0.0)
    best = reviewed(replace(FOLDED, taken=0, loss_bb=0.0))
    assert (best.grade, best.share) == ("best", 1.0)


def test_losses_add_up_and_none_makes_up_for_another() -> None:
    loss, accuracy = total_loss([reviewed(FOLDED), reviewed(replace(FOLDED, loss_bb=-0.3))])
    assert loss == 1.0
    assert accuracy == pytest.approx(0.2 * 2**0.5)
    assert total_loss([]) == (0.0, 0.0)


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
