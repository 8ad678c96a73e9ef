"""What holds in every hand: chips are conserved, nobody goes below zero, the bounds are exact."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from overbet.cards.evaluator import tables
from overbet.errors import IllegalActionError
from overbet.games.holdem import HoldemGame
from overbet.games.holdem_state import HoldemState
from overbet.kernels.holdem.play import play_hands


@st.composite
def games(draw, rake=False):
    players = draw(st.integers(2, 10))
    big = draw(st.sampled_from((2, 3, 10, 100)))
    stacks = draw(st.lists(st.integers(1, 30 * big), min_size=players, max_size=players))
    antes = draw(
        st.just(0)
        | st.integers(0, 2 * big)
        | st.lists(st.integers(0, big), min_size=players, max_size=players)
    )
    blinds = draw(
        st.just((big // 2, big)) | st.tuples(st.integers(0, big), st.just(big)) | st.just((1, big, 2 * big))
    )
    return HoldemGame(
        players,
        stacks,
        blinds[:players],
        antes,
        dead_antes=draw(st.booleans()),
        full_blind=draw(st.booleans()),
        rake=draw(st.sampled_from((0.0, 0.05, 0.5))) if rake else 0.0,
        rake_cap=draw(st.none() | st.integers(0, 50)) if rake else None,
        no_flop_no_drop=draw(st.booleans()),
    )


def check_bounds(state: HoldemState) -> None:
    """The bounds and everything between is accepted, one chip beside them is not."""
    legal = state.legal_actions()
    edges = {-2, -1, 0, 1}
    if legal.raise_min is not None and legal.raise_max is not None:
        assert 0 < legal.raise_min <= legal.raise_max
        edges |= {legal.raise_min - 1, legal.raise_min, legal.raise_max, legal.raise_max + 1}
        edges.add((legal.raise_min + legal.raise_max) // 2)
    for action in edges:
        if action in legal:
            after = state.apply(action)
            assert sum(after.stacks) + after.raked + (0 if after.is_terminal() else after.pot) == sum(
                state.game.start
            )
            assert min(after.stacks) >= 0
        else:
            with pytest.raises(IllegalActionError, match="legal"):
                state.apply(action)


@given(games(rake=True), st.integers(0, 2**31), st.data())
@settings(max_examples=150, deadline=None)
def test_chips_are_conserved_and_bounds_are_exact(game, seed, data):
    state = game.deal(seed)
    steps = 0
    while not state.is_terminal():
        check_bounds(state)
        legal = state.legal_actions()
        assert state.to_call == legal.call
        assert state.pot == sum(state.put_in)
        choice = data.draw(st.integers(0, len(legal) - 1) | st.integers(0, min(3, len(legal) - 1)))
        state = state.apply(legal[choice])
        steps += 1
        assert steps < 1000
    assert sum(state.stacks) == sum(game.start) - state.raked
    assert sum(state.returns()) == -state.raked
    assert state.raked <= state.pot
    if not game.rake:
        assert sum(state.returns()) == 0


@given(games(), st.integers(0, 2**31))
@settings(max_examples=100, deadline=None)
def test_random_hands_in_the_kernel_conserve_chips(game, seed):
    stacks = np.zeros((200, game.num_players), np.int64)
    play_hands(game.root, tables(), seed, 0, stacks)
    assert (stacks.sum(1) == sum(game.start)).all()
    assert (stacks >= 0).all()


@given(games(), st.integers(0, 2**31), st.data())
@settings(max_examples=50, deadline=None)
def test_dealing_card_by_card_is_the_same_hand_as_a_fixed_deal(game, seed, data):
    fixed = game.deal(seed)
    deck = [int(card) for card in fixed.vector[-5:]]
    slow = game.initial_state()
    for pair in fixed.hole:
        for card in pair:
            slow = slow.apply(card)
    while True:
        while slow.current_player() == -1:
            slow = slow.apply(deck[len(slow.board)])
        assert slow.line == fixed.line
        assert slow.stacks == fixed.stacks
        assert slow.current_player() == fixed.current_player()
        if fixed.is_terminal():
            return
        assert slow.information_state(0) == fixed.information_state(0)
        legal = fixed.legal_actions()
        assert legal == slow.legal_actions()
        action = legal[data.draw(st.integers(0, min(3, len(legal) - 1)))]
        slow, fixed = slow.apply(action), fixed.apply(action)
