from __future__ import annotations

import numpy as np
import pytest

from overbet.agents.protocol import DRAWS, Agent, Observation, PublicState, StrategicAgent, face_down, pick
from overbet.agents.registry import make_agent
from overbet.cards.combos import combo_index
from overbet.games.holdem import HoldemGame
from overbet.interfaces.cli.table_setup import table_of
from overbet.kernels.holdem import layout as at


def test_an_observation_holds_nothing_that_is_hidden() -> None:
    state = HoldemGame(4).deal(seed=3)
    while not state.is_terminal():
        seen = Observation.of(state, seed=1, hand=2)
        player = state.current_player()
        assert seen.hole == state.hole[player]
        assert seen.combo == combo_index(*state.hole[player])
        vector = seen.state.vector
        assert set(vector[at.COMING : at.COMING + 5]) == {at.NO_CARD}
        for other in range(4):
            held = vector[at.HOLE + 2 * other : at.HOLE + 2 * other + 2].tolist()
            assert held == (list(state.hole[player]) if other == player else [at.HIDDEN_CARD] * 2)
        assert seen.legal == state.legal_actions()
        assert seen.state.line == state.line
        public = seen.public
        assert all(cards == (at.HIDDEN_CARD, at.HIDDEN_CARD) for cards in public.state.hole)
        assert public == PublicState.of(state, 1, 2)
        state = state.apply(0)


def test_two_deals_that_differ_only_in_hidden_cards_look_the_same() -> None:
    game = HoldemGame(2)
    one = game.initial_state().with_cards(["AhKh", "QsQd"], board="Td6h3sJc2h")
    two = game.initial_state().with_cards(["AcKc", "QsQd"], board="2d2s3c4c5d")
    assert Observation.of(one) == Observation.of(two)
    assert face_down(one) == face_down(two)


def test_random_numbers_are_functions_of_the_hand_and_the_place() -> None:
    game = HoldemGame(2)
    state = game.deal(1)
    first = [Observation.of(state, 7, 9).uniform(number) for number in range(DRAWS)]
    assert first == [PublicState.of(game.deal(2), 7, 9).uniform(number) for number in range(DRAWS)]
    others = [Observation.of(state, 7, 10).uniform(), Observation.of(state, 8, 9).uniform()]
    others.append(Observation.of(state.apply(0), 7, 9).uniform())
    assert len({*first, *others}) == DRAWS + 3
    with pytest.raises(ValueError, match="4 random numbers"):
        Observation.of(state).uniform(DRAWS)


def test_pick_takes_each_place_in_proportion() -> None:
    shares = [0.0, 0.25, 0.0, 0.75]
    taken = np.bincount([pick(shares, (place + 0.5) / 1000) for place in range(1000)], minlength=4)
    assert taken.tolist() == [0, 250, 0, 750]
    assert pick([0.5, 0.5 - 1e-12, 0.0], 1.0 - 1e-16) == 1  # rounding never lands on an action not taken


def test_built_in_agents_keep_the_protocol() -> None:
    assert isinstance(make_agent("tag"), StrategicAgent)
    assert isinstance(make_agent("random-chips"), Agent)
    assert not isinstance(object(), Agent)


def test_anybodys_agent_may_name_its_own_table() -> None:
    class Specialist:
        own_table = HoldemGame(3, 1_500, (25, 50))

        def act(self, observation: Observation) -> int:
            return 0

    assert table_of([make_agent("tag"), Specialist()], None, "", "", None).start == (1_500,) * 3
    assert table_of([make_agent("tag"), make_agent("lag")], None, "", "", None) == HoldemGame(2)
