from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from overbet.betting.mapping import legal_action, probability_of_smaller, translate_raise
from overbet.errors import ConfigError, IllegalActionError
from overbet.games.holdem import HoldemGame


@pytest.mark.parametrize(
    ("smaller", "larger", "bet", "share"),
    [
        (0.001, 1.0, 0.25, 0.601),
        (0.01, 1.0, 0.25, 0.612),
        (0.05, 1.0, 0.25, 0.663),
        (0.1, 1.0, 0.25, 0.733),
        (0.2, 0.5, 1 / 3, 0.5),
    ],
)
def test_published_values(smaller: float, larger: float, bet: float, share: float) -> None:
    assert probability_of_smaller(bet, smaller, larger) == pytest.approx(share, abs=5.5e-4)


def test_the_ends_are_taken_for_themselves() -> None:
    assert probability_of_smaller(0.5, 0.5, 1.0) == 1.0
    assert probability_of_smaller(1.0, 0.5, 1.0) == 0.0
    state = HoldemGame(2, 10_000, (50, 100)).deal(1).follow("b300:c")
    taken = [translate_raise(state, bet, [300, 600, 1200], 0.999) for bet in (100, 300, 600, 1200, 5400)]
    assert taken == [300, 300, 600, 1200, 1200]


def test_the_mapping_is_random_in_the_right_proportion() -> None:
    draws = np.random.default_rng(1).random(20_000)
    state = HoldemGame(2, 10_000, (50, 100)).deal(1).follow("b1000:c")
    taken = np.mean([translate_raise(state, 500, [200, 2000], u) == 200 for u in draws])
    assert taken == pytest.approx(0.733, abs=0.01)


def test_real_raises_are_measured_by_the_pot_after_calling() -> None:
    state = HoldemGame(2, 10_000, (50, 100)).deal(1).follow("b300:c")
    # pot 600: 200 and 600 are 1/3 and 1; (1 - x)(4/3) / ((2/3)(1 + x)) with x = 1/2 is 2/3
    assert translate_raise(state, 300, [200, 600], 0.66) == 200
    assert translate_raise(state, 300, [200, 600], 0.67) == 600
    assert translate_raise(state, 9700, [200, 600], 0.0) == 600


def test_bad_sizes() -> None:
    with pytest.raises(ConfigError, match="ascending"):
        probability_of_smaller(0.5, 1.0, 0.5)
    with pytest.raises(ConfigError, match="no size"):
        translate_raise(HoldemGame(2, 10_000, (50, 100)).deal(1), 300, [], 0.5)


def test_back_to_legal_actions() -> None:
    state = HoldemGame(2, 1000, (50, 100)).deal(1)
    assert legal_action(state, -1) == -1
    assert legal_action(state, 0) == 0
    assert legal_action(state, 120) == 200  # the minimum raise
    assert legal_action(state, 250.4) == 250
    assert legal_action(state, 950) == 1000  # what is left is not a bet
    assert legal_action(state, 5000) == 1000
    shoved = state.apply(1000)
    assert legal_action(shoved, 3000) == 0  # no raise is legal: call, never fold
    checked = state.apply(0)
    assert legal_action(checked, -1) == 0  # nothing to call: check
    with pytest.raises(IllegalActionError, match="not an action"):
        legal_action(state, -2)
    with pytest.raises(IllegalActionError, match="not an action"):
        legal_action(state, float("nan"))
    with pytest.raises(IllegalActionError, match="nobody is to act"):
        legal_action(state.apply(-1), 0)


@settings(max_examples=60, deadline=None)
@given(st.integers(2, 6), st.integers(0, 10**6), st.lists(st.floats(-1, 20_000), min_size=1, max_size=30))
def test_back_mapping_is_always_legal(players: int, seed: int, wishes: list[float]) -> None:
    stacks = [int(x) for x in np.random.default_rng(seed).integers(1, 5000, players)]
    state = HoldemGame(players, stacks, (50, 100)).deal(seed)
    for wish in wishes:
        if state.is_terminal():
            break
        if -1 < wish < 1:
            wish = 0
        action = legal_action(state, wish)
        assert action in state.legal_actions()
        assert wish < 0 or action >= 0
        state = state.apply(action)
