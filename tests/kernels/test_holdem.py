"""The transition kernel: pots against a plain oracle, and the same rules with and without Python."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from overbet.cards.evaluator import tables
from overbet.games.holdem import HoldemGame
from overbet.kernels.holdem.layout import (
    ACTIVE,
    ACTOR,
    DEAD,
    HOLE,
    NO_CARD,
    PLAYERS,
    POT,
    PUT_IN,
    RAKE_CAP,
    RAKE_PPM,
    RAKED,
    SHOWDOWN,
    SIZE,
    STACK,
    TERMINAL,
)
from overbet.kernels.holdem.play import deal_cards, play_hands, random_action
from overbet.kernels.holdem.pots import pay
from overbet.kernels.rng import stream_key
from tests.reference.pots import payouts


@st.composite
def showdowns(draw):
    players = draw(st.integers(2, 9))
    live = draw(st.lists(st.integers(0, 12), min_size=players, max_size=players))
    dead = draw(st.lists(st.integers(0, 3), min_size=players, max_size=players))
    strength = draw(st.lists(st.none() | st.integers(1, 4), min_size=players, max_size=players))
    # the rules never let everybody who put in most fold
    strength[live.index(max(live))] = draw(st.integers(1, 4))
    return live, dead, strength


@given(
    showdowns(),
    st.sampled_from((0.0, 0.05, 0.333)),
    st.none() | st.integers(0, 5),
)
@settings(max_examples=300, deadline=None)
def test_pots_are_paid_like_the_chip_by_chip_oracle(hands, share, cap):
    live, dead, strength = hands
    players = len(live)
    put_in = [a + b for a, b in zip(live, dead, strict=True)]
    state = np.zeros(SIZE, np.int64)
    state[PLAYERS], state[POT], state[ACTOR] = players, sum(put_in), SHOWDOWN
    state[ACTIVE] = sum(1 << p for p in range(players) if strength[p] is not None)
    state[PUT_IN : PUT_IN + players] = put_in
    state[DEAD : DEAD + players] = dead
    state[RAKE_PPM], state[RAKE_CAP] = round(share * 1_000_000), -1 if cap is None else cap
    strengths = np.array([hand or 0 for hand in strength] + [0] * (9 - players), np.int64)
    pay(state, strengths)
    expected, rake = payouts(put_in, dead, strength, share, cap)
    assert list(state[STACK : STACK + players]) == expected
    assert state[RAKED] == rake
    assert state[ACTOR] == TERMINAL
    assert sum(expected) + rake == sum(put_in)


@pytest.mark.parametrize("players", [2, 3, 6, 9])
def test_the_kernel_loop_and_the_python_state_play_the_same_hands(players):
    game = HoldemGame(players, [300 + 170 * p for p in range(players)], ante=7, rake=0.03, rake_cap=40)
    stacks = np.zeros((60, players), np.int64)
    decisions = play_hands(game.root, tables(), 11, 100, stacks)
    count = 0
    for hand in range(60):
        state = game.deal(11, 100 + hand)
        key, step = np.uint64(stream_key(11, 100 + hand, 1)), 0
        while not state.is_terminal():
            state = state.apply(random_action(state.vector, key, 2 * step))
            step += 1
        count += step
        assert state.stacks == tuple(stacks[hand])
    assert count == decisions


def test_a_deal_has_no_card_twice_and_every_card_about_equally_often():
    seen = np.zeros((23, 52), np.int64)
    cards = np.zeros(23, np.int64)
    for hand in range(5200):
        deal_cards(3, hand, cards)
        assert len(set(cards.tolist())) == 23
        seen[np.arange(23), cards] += 1
    # 100 expected in each cell, standard deviation 10; 1,196 cells
    assert abs(seen - 100).max() < 50
    assert abs(seen.sum(0) - 2300).max() < 250


def test_undealt_cards_are_marked():
    root = HoldemGame(4).root
    assert (root[HOLE:SIZE] == NO_CARD).all()
    with pytest.raises(ValueError, match="read-only"):
        root[0] = 1
