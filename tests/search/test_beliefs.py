"""Ranges by Bayes: exact sums, bets between two sizes, never empty."""

import numpy as np
import pytest

from overbet.cards.cards import cards
from overbet.cards.combos import COMBOS, combo_index, live_combos
from overbet.games.holdem import HoldemGame
from overbet.search.beliefs import HandShares, after_action, likelihood, on_board

GAME = HoldemGame()


def shares(*rows: float) -> HandShares:
    """Everybody folds, calls, raises to 300 and to 900 with these chances, but hand 0 always calls."""
    found = np.tile(np.array(rows), (COMBOS, 1))
    found[0] = [0, 1, 0, 0]
    return HandShares((-1, 0, 300, 900), found)


def at_root():  # type: ignore[no-untyped-def]
    return GAME.initial_state().with_cards([None, None])


def test_an_action_of_the_strategy_has_its_own_chance() -> None:
    found = likelihood(shares(0.1, 0.2, 0.3, 0.4), at_root(), 900)
    assert found[1] == 0.4
    assert found[0] == 0.0


def test_a_bet_between_two_sizes_is_mixed_as_the_mapping_chooses() -> None:
    state = at_root()
    found = likelihood(shares(0.1, 0.2, 0.3, 0.4), state, 500)
    # shares of the pot after calling, which is 200: 300 is 1, 900 is 4, 500 is 2
    small = (4 - 2) * (1 + 1) / ((4 - 1) * (1 + 2))
    assert found[1] == pytest.approx(small * 0.3 + (1 - small) * 0.4)


def test_bets_beyond_the_sizes_are_the_nearest_size() -> None:
    state, known = at_root(), shares(0.1, 0.2, 0.3, 0.4)
    assert likelihood(known, state, 200)[1] == 0.3
    assert likelihood(known, state, 10_000)[1] == 0.4


def test_a_range_is_never_emptied() -> None:
    weights = np.linspace(0.0, 1.0, COMBOS)
    assert np.array_equal(after_action(weights, np.zeros(COMBOS)), weights)
    halved = after_action(weights, np.full(COMBOS, 0.5))
    assert np.allclose(halved, weights)  # scaled to a largest weight of 1


def test_a_board_kills_hands_and_never_a_whole_range() -> None:
    board = tuple(cards("AsKdQh"))
    ranges = np.zeros((2, COMBOS))
    ranges[0] = 1.0
    ranges[1, combo_index(*cards("AsKs"))] = 1.0  # dead on this board
    found = on_board(ranges, board)
    live = live_combos(board)
    assert np.array_equal(found[0] > 0, live)
    assert np.array_equal(found[1] > 0, live)
