"""Scripted agents: one hand and all hands, `act` and the strategy table, and what the names promise."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from overbet.agents.compiled import features_of, hand_tables
from overbet.agents.protocol import Observation, PublicState, StrategicAgent, pick
from overbet.agents.registry import make_agent
from overbet.cards.cards import cards
from overbet.cards.combos import combo, combo_table
from overbet.errors import ConfigError
from overbet.games.holdem import HoldemGame
from overbet.games.holdem_state import HoldemState
from overbet.kernels.agents.features import DRAW, EQUITY, RANK, draw_odds, hand_features
from tests.reference.evaluator import strength

SPECS = (
    "random",
    "always-fold",
    "always-call",
    "always-raise",
    "always-raise:0.5",
    "tag",
    "lag",
    "equity:0.6",
)


def mask(text: str) -> np.uint64:
    return np.uint64(sum(1 << card for card in cards(text)))


@pytest.mark.parametrize(
    ("hole", "board", "outs"),
    [
        ("AhKh", "7h2h9c5s", 9),  # flush draw
        ("JdTc", "9h8s2c2d", 8),  # open-ended
        ("JdTc", "9h7s2c2d", 4),  # one card inside
        ("Ad2c", "3h4s9c9d", 4),  # the wheel
        ("JhTh", "9h8h2c2d", 15),  # both: nine hearts and six more
        ("AcKd", "9h8h7h6h", 0),  # on the board for everybody
        ("AhKd", "9h8h7h2c", 9),
        ("AhKh", "7h2h9h5s", 0),  # made
        ("JdTc", "9h8s7c2d", 0),  # made
    ],
)
def test_draws(hole: str, board: str, outs: int) -> None:
    assert draw_odds(mask(hole), mask(board)) == pytest.approx(outs / 47)


def test_two_cards_to_come_and_none() -> None:
    assert draw_odds(mask("AhKh"), mask("7h2h9c")) == pytest.approx(1 - (38 / 47) ** 2)
    assert draw_odds(mask("AhKh"), mask("7h2h9c5s3d")) == 0.0


def test_features_of_one_hand_are_those_of_the_sweep() -> None:
    rng = np.random.default_rng(4)
    for size in (0, 3, 4, 5):
        board = tuple(int(card) for card in rng.permutation(52)[:size])
        every = features_of(board)
        bits = np.uint64(sum(1 << card for card in board))
        for number in rng.integers(0, 1326, 60).tolist():
            one = np.empty(3)
            first, second = combo_table()[number].tolist()
            if {first, second} & set(board):
                assert np.isnan(every[number]).all()
                continue
            hand_features(second, first, bits, hand_tables(), one)
            assert one.tolist() == every[number].tolist()


def test_rank_is_the_share_of_hands_beaten() -> None:
    board = cards("Td9d6h2c")
    own = combo("JdJc")
    held = strength([*combo_table()[own].tolist(), *board])
    dead = {*combo_table()[own].tolist(), *board}
    others = [pair for pair in combo_table().tolist() if not dead & set(pair)]
    points = sum(
        1.0 if held > other else 0.5 if held == other else 0.0
        for other in (strength([*pair, *board]) for pair in others)
    )
    assert features_of(board)[own, RANK] == pytest.approx(points / len(others), abs=1e-12)
    assert len(others) == 1035


def test_preflop_ranks_run_from_32_to_aces() -> None:
    every = features_of(())
    assert every[combo("AsAh"), RANK] == every[:, RANK].max() == pytest.approx(1 - 3 / 1326)
    assert every[combo("AsAh"), EQUITY] == pytest.approx(0.8520, abs=1e-4)
    assert every[:, RANK].mean() == pytest.approx(0.5)
    assert every[combo("3h2d"), EQUITY] == every[:, EQUITY].min()
    assert (every[:, DRAW] == 0).all()


def states(players: int, seed: int, hands: int) -> Iterator[HoldemState]:
    """Yield the decisions of hands of wild play with unequal stacks."""
    rng = np.random.default_rng(seed)
    wild = make_agent("random-chips")
    for hand in range(hands):
        game = HoldemGame(players, rng.integers(100, 8000, players).tolist(), (50, 100))
        state = game.deal(seed, hand)
        while not state.is_terminal():
            yield state
            state = state.apply(wild.act(Observation.of(state, seed, hand)))


@pytest.mark.parametrize("spec", SPECS)
@pytest.mark.parametrize("players", [2, 5])
def test_act_plays_the_strategy_it_shows(spec: str, players: int) -> None:
    agent = make_agent(spec)
    assert isinstance(agent, StrategicAgent)
    seen = 0
    for number, state in enumerate(states(players, 11, 12)):
        observation = Observation.of(state, 3, number)
        strategy = agent.strategy_for_all_hands(observation.public)
        assert list(strategy.actions) == sorted(set(strategy.actions))
        assert all(action in state.legal_actions() for action in strategy.actions)
        live = ~np.isnan(strategy.shares[:, 0])
        assert live.sum() == (52 - len(state.board)) * (51 - len(state.board)) // 2
        np.testing.assert_allclose(strategy.shares[live].sum(1), 1, atol=1e-12)
        assert (strategy.shares[live] >= 0).all()
        row = strategy.of_hand(observation.combo)
        assert agent.act(observation) == strategy.actions[pick(row, observation.uniform())]
        seen += 1
    assert seen > 25


def test_names_keep_their_promises() -> None:
    state = HoldemGame(2).deal(1)
    after_raise = state.apply(300)
    assert make_agent("always-fold").act(Observation.of(after_raise)) == -1
    assert make_agent("always-fold").act(Observation.of(state.apply(0))) == 0  # nothing to fold to
    assert make_agent("always-call").act(Observation.of(after_raise)) == 0
    assert make_agent("always-raise").act(Observation.of(after_raise)) == 900  # the pot after calling is 600
    shove = HoldemGame(2, [1000, 500]).deal(1).apply(500)
    assert make_agent("always-raise").act(Observation.of(shove)) == 0
    public = PublicState.of(state)
    tight, loose = (make_agent(name).strategy_for_all_hands(public) for name in ("tag", "lag"))  # type: ignore[attr-defined]
    assert tight.shares[:, -1].mean() < loose.shares[:, -1].mean() < 1
    nuts = HoldemGame(2).initial_state().with_cards(["AhKh", "2c2d"], board="QhJhTh").follow("c:c")
    assert make_agent("equity:0.9").act(Observation.of(nuts)) > 0


def test_equity_calls_at_the_right_price() -> None:
    game = HoldemGame(2)
    state = game.initial_state().with_cards(["7c2d", "AhAd"]).apply(10_000)
    agent = make_agent("equity:0.6")
    strategy = agent.strategy_for_all_hands(PublicState.of(state))  # type: ignore[attr-defined]
    calls = strategy.shares[:, strategy.actions.index(0)]
    price = 9_900 / 20_000
    assert (calls == (features_of(())[:, EQUITY] >= price)).all()


def test_what_agents_refuse() -> None:
    with pytest.raises(ConfigError, match="between 0 and 1"):
        make_agent("equity:1.5")
    with pytest.raises(ConfigError, match="share of the pot"):
        make_agent("always-raise:-1")
    public = PublicState.of(HoldemGame(2).deal(1))
    with pytest.raises(ConfigError, match="no table of its strategy"):
        make_agent("random-chips").strategy_for_all_hands(public)  # type: ignore[attr-defined]
