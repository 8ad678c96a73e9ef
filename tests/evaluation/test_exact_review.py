"""Values of a blueprint's decisions on the turn and the river, summed: the same as playing on very often."""

from __future__ import annotations

import pytest

from overbet.agents.registry import make_agent
from overbet.evaluation.match_review import Effort, MatchDecision, review_hand
from overbet.games.holdem import HoldemGame
from overbet.study.review import how_known, reviewed, why_unclear

HANDS = ["KhTh", "AcTc"]
BOARD = "Td9d6h2cAs"


RUNS = 8_000
RIVER, TURN = "b200:c:c:c:c:c:c:b400:c", "b200:c:c:c:c:b400:c"


def decision(line: str, *, play_on: bool = False, chips: int = 1) -> MatchDecision:
    """The last decision of who acts last in a heads-up hand of the blueprint against itself."""
    agent = make_agent("blueprint:heads-up")
    game = HoldemGame(2, 10_000 * chips, (50 * chips, 100 * chips))
    final = game.initial_state().with_cards(HANDS, BOARD).follow(line)
    player = final.history[-1][1]
    only = sum(who == player for _, who, _ in final.history) - 1
    while not final.is_terminal():
        final = final.apply(0)
    effort = Effort(RUNS, RUNS, lambda _: True, play_on)
    return review_hand(final, player, [agent, agent], seed=3, hand=0, effort=effort, only=only)[0]


@pytest.mark.parametrize(("line", "street"), [(RIVER, "river"), (TURN, "turn")])
def test_sums_agree_with_playing_on(line: str, street: str) -> None:
    exact, played = decision(line), decision(line, play_on=True)
    assert (exact.runs, played.runs) == (0, RUNS)
    assert exact.state.street == street
    for summed, drawn in zip(exact.choices, played.choices, strict=True):
        assert (summed.action, summed.share, summed.error_bb) == (drawn.action, drawn.share, 0.0)
        assert summed.ev_bb == pytest.approx(drawn.ev_bb, abs=4.5 * drawn.error_bb + 1e-9)
    assert how_known(exact) == "exact: all hands and cards added up"
    assert how_known(played) == "estimated from 8,000 simulated hands for each action"
    assert reviewed(exact).accuracy_bb == 0.0


def test_a_raise_that_leaves_less_than_a_bet_is_all_in_in_the_sum_too() -> None:
    agent = make_agent("blueprint:heads-up")
    hands, board = ["7s6h", "8d6d"], "5h3d2d9s2s"
    final = HoldemGame(2, 10_000, (50, 100)).initial_state().with_cards(hands, board)
    final = final.follow("b200:c:c:b332:c:c:b664:c:b3320:f")
    one, many = (
        review_hand(
            final,
            0,
            [agent, agent],
            seed=3,
            hand=0,
            effort=Effort(32_000, 32_000, lambda _: True, play_on),
            only=5,
        )[0]
        for play_on in (False, True)
    )
    assert (one.taken, one.runs) == (2656, 0)
    for summed, drawn in zip(one.choices, many.choices, strict=True):
        assert summed.ev_bb == pytest.approx(drawn.ev_bb, abs=4.5 * drawn.error_bb + 1e-9), summed.name


def test_chips_are_a_matter_of_scale() -> None:
    one, ten = (decision(RIVER), decision("b2000:c:c:c:c:c:c:b4000:c", chips=10))
    assert ten.runs == 0
    assert [c.ev_bb for c in ten.choices] == pytest.approx([c.ev_bb for c in one.choices])


@pytest.mark.parametrize(
    "line", ["b200:c:c:c:c:c:c:b433:c", "b200:c:c:b332:c"], ids=["a bet it does not have", "the flop"]
)
def test_what_cannot_be_summed_is_played_on(line: str) -> None:
    found = decision(line)
    assert found.runs == RUNS
    assert why_unclear(found) == "8,000 simulated hands do not tell how good this is"
