"""Recorded hands as data: results, hands that fit the heads-up table, and agreement."""

from itertools import islice

import pytest

from overbet.agents.registry import make_agent
from overbet.errors import ConfigError
from overbet.evaluation.pluribus import RecordedHand, agreement, decisions, heads_up, results
from overbet.games.holdem import HoldemGame
from overbet.interfaces.history.replay import Replay, replay_all
from overbet.interfaces.history.sources import read_hands
from tests.shared_data import shared

NAMES = ("sb", "bb", "utg", "hj", "co", "btn")


def played(line, hole=("AhKh", "QsQd", "7c2d", "8c3d", "JcTc", "9s9c"), board="Td9d6h2c2s"):
    state = HoldemGame(6).initial_state().with_cards(hole, board).follow(line)
    assert state.is_terminal()
    return RecordedHand(NAMES, state)


def test_the_opener_in_position_becomes_the_button():
    hand = played("f:f:b250:f:f:c:c:b550:c:c:b1450:f")  # the cutoff opens, the big blind calls
    state, names = heads_up(hand)
    assert names == ("bb", "co")
    assert state.num_players == 2
    found = decisions([hand])
    assert [(d.name, d.kind) for d in found] == [
        ("bb", 1),
        ("co", 2),
        ("bb", 1),
        ("bb", 1),
        ("co", 2),
        ("bb", 0),
    ]
    assert found[0].state.pot == 500  # without the small blind's 50
    assert found[1].state.hole[1] == hand.final.hole[4]


@pytest.mark.parametrize(
    "line",
    [
        "f:f:f:f:c:c:c:c:c:c:c:c",  # nobody opened
        "b250:f:f:c:f:f:c:c:c:c:c:c",  # opened out of position
        "f:f:b250:f:c:c:c:c:c:c:c:c:c:c:c",  # three players
        "f:f:b250:f:f:f",  # over before the flop
    ],
)
def test_hands_that_do_not_fit_are_left_out(line):
    try:
        hand = played(line)
    except AssertionError:
        pytest.fail("the hand of the test is not over")
    assert decisions([hand]) == []


def test_results_are_by_player_in_thousandths_of_a_blind():
    found = results([played("f:f:f:f:f"), played("f:f:f:f:f"), played("f:f:f:f:b300:f")])
    assert found["bb"].mean == pytest.approx((500 + 500 - 1000) / 3)
    assert found["utg"].mean == 0.0
    assert found["sb"].groups == 3
    assert sum(estimate.mean for estimate in found.values()) == pytest.approx(0.0)


def test_agreement_is_what_the_agent_plays():
    hand = played("f:f:b250:f:f:c:c:b550:c:c:b1450:f")
    groups = dict.fromkeys(NAMES, "people")
    (caller,) = agreement(make_agent("always-call"), decisions([hand]), groups)
    assert caller.share.mean == pytest.approx(3 / 6)
    assert caller.decisions == 6
    assert caller.hands == 1
    (folder,) = agreement(make_agent("always-fold"), decisions([hand]), groups)
    assert folder.same.mean == pytest.approx(3 / 6)  # checks are not folded, the one bet too few is
    with pytest.raises(ConfigError, match="no hand fits"):
        agreement(make_agent("tag"), [], groups)


def test_real_hands():
    replays = (r for r in replay_all(read_hands(shared("pluribus-hands.tar.gz"))) if isinstance(r, Replay))
    hands = [
        RecordedHand(r.record.players, r.final) for r in islice(replays, 400) if len(r.record.players) == 6
    ]
    assert sum(estimate.mean * estimate.groups for estimate in results(hands).values()) == pytest.approx(
        0, abs=1e-6
    )
    asked = decisions(hands)
    assert len(asked) > 50
    assert {d.state.street for d in asked} == {"flop", "turn", "river"}
    for row in agreement(make_agent("tag"), asked, {"Pluribus": "Pluribus"}):
        assert 0.0 <= row.share.mean <= 1.0
