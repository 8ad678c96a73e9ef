"""The review of a hand: values that can be worked out otherwise."""

from __future__ import annotations

import numpy as np
import pytest

from overbet.agents.human import HumanAgent
from overbet.agents.registry import make_agent
from overbet.cards.combos import combo
from overbet.cards.preflop import hand_equities
from overbet.errors import ConfigError
from overbet.evaluation.match_review import review_hand
from overbet.games.holdem import HoldemGame
from tests.agents.blueprints import blueprint_agent

YOU = HumanAgent(lambda _: 0)


def test_all_in_is_worth_the_equity() -> None:
    game = HoldemGame(2, 1_000, (50, 100))
    final = game.initial_state().with_cards(["2c2d", "AhKs"], board="7h8hTd3c4d").follow("b1000:c")
    (decision,) = review_hand(final, 1, [make_agent("always-call"), YOU], seed=1, hand=2, runs=8_000)
    values = {choice.action: choice for choice in decision.choices}
    assert set(values) == {-1, 0, 1_000}
    assert values[-1].ev_bb == -0.5
    assert values[-1].error_bb == 0
    expected = 20 * hand_equities(np.ones(1326))[combo("AhKs")] - 10
    assert values[1_000].ev_bb == pytest.approx(expected, abs=4 * values[1_000].error_bb)
    assert values[0].share == 1  # the adviser always calls
    assert decision.taken == 1_000


def test_ranges_are_narrowed_by_what_opponents_did() -> None:
    # a tight player who raises before the flop has better hands than any two
    game = HoldemGame(2, 1_000, (50, 100))
    final = game.initial_state().with_cards(["8c8d", "AhAs"], board="7h9hTd3c4d").follow("b300:b1000:c")
    tag, calls = make_agent("tag"), make_agent("always-call")
    (against_tag,) = review_hand(final, 0, [YOU, tag], seed=1, hand=1, adviser=calls, runs=6_000)  # type: ignore[arg-type]
    (against_any,) = review_hand(final, 0, [YOU, calls], seed=1, hand=1, adviser=calls, runs=6_000)  # type: ignore[arg-type]
    shove = [next(c for c in d.choices if c.action == 1_000).ev_bb for d in (against_tag, against_any)]
    assert shove[0] < shove[1] - 1


def test_a_bet_of_another_size_narrows_a_range_too() -> None:
    game = HoldemGame(2, 1_000, (50, 100))
    dealt = game.initial_state().with_cards(["8c8d", "AhAs"], board="7h9hTd3c4d")
    tag, calls = make_agent("tag"), make_agent("always-call")
    final = dealt.follow("b260:b1000:c")  # tag raises to 300
    (decision,) = review_hand(final, 0, [YOU, tag], seed=1, hand=1, adviser=calls, runs=6_000)  # type: ignore[arg-type]
    call = next(choice for choice in decision.choices if choice.action == 0)
    assert call.ev_bb + 3 * call.error_bb < 0.35  # against any two cards it would be worth 0.6


def test_folding_the_best_hand_gives_up_the_pot() -> None:
    game = HoldemGame(2, 2_000, (50, 100))
    start = game.initial_state().with_cards(["AhKh", "2c2d"], board="QhJhTh3c4d")
    final = start.follow("c:c:c:b300:f")
    reviewed = review_hand(final, 0, [YOU, make_agent("always-raise")], seed=3, hand=1, runs=400)
    assert [decision.state.street for decision in reviewed] == ["preflop", "flop", "flop"]
    last = reviewed[-1]
    assert last.taken == -1
    assert last.best != -1
    assert last.loss_bb > 5
    assert last.loss_bb - 1.96 * last.loss_error_bb > 0
    assert reviewed == review_hand(final, 0, [YOU, make_agent("always-raise")], seed=3, hand=1, runs=400)


def test_blueprints_review_in_their_own_tree() -> None:
    arrays = blueprint_agent()
    state = HoldemGame(2).deal(1, 5).follow("b333:c")  # a bet it does not have
    while not state.is_terminal():
        state = state.apply(0)
    reviewed = review_hand(state, 0, [YOU, arrays], seed=1, hand=5, runs=50)
    assert len(reviewed) == 4
    for decision in reviewed:
        assert sum(choice.share for choice in decision.choices) == pytest.approx(1)
        assert all(np.isfinite(choice.ev_bb) for choice in decision.choices)


def test_who_cannot_be_reviewed() -> None:
    final = HoldemGame(2).deal(1).apply(-1)
    with pytest.raises(ConfigError, match="scripted agents and blueprints only"):
        review_hand(final, 1, [YOU, YOU], seed=1, hand=1)
    with pytest.raises(ConfigError, match="at least 4 runs"):
        review_hand(final, 1, [make_agent("tag"), YOU], seed=1, hand=1, runs=2)
