"""A blueprint without a tree at the table: push or fold for three, and bets it does not know."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from overbet.agents.keyed import KeyedAgent
from overbet.agents.protocol import Observation, PublicState, pick
from overbet.agents.registry import make_agent
from overbet.blueprint.config import BlueprintConfig
from overbet.blueprint.keyed import KeyedTrainer
from overbet.blueprint.store import save_blueprint
from overbet.errors import ConfigError
from overbet.evaluation.matches import play_match
from overbet.games.holdem import HoldemGame

GAME = HoldemGame(3, 1_000, (50, 100))


@pytest.fixture(scope="module")
def agent(tmp_path_factory: pytest.TempPathFactory) -> KeyedAgent:
    config = BlueprintConfig.parse(
        {
            "game": {"players": 3, "stack_bb": 10},
            "menu": {"preflop": {"sizes": "a", "raises": 1, "limp": False}},
            "cards": {"kind": "preflop"},
            "solver": {"tables": "keyed", "capacity": 4000, "discount_every": 1000},
        }
    )
    trainer = KeyedTrainer(config)
    trainer.run(40_000, workers=1)
    path: Path = save_blueprint(trainer, tmp_path_factory.mktemp("keyed") / "push.h5")
    made = make_agent(f"blueprint:{path}")
    assert isinstance(made, KeyedAgent)
    return made


def test_it_plays_its_rows(agent: KeyedAgent) -> None:
    state = GAME.deal(1)
    strategy = agent.strategy_for_all_hands(PublicState.of(state, 1, 1))
    assert strategy.actions == agent.blueprint.actions("r:0") == (-1, 1_000)
    np.testing.assert_allclose(strategy.shares, agent.blueprint.strategy_for_all_hands("r:0"), atol=1e-12)
    observation = Observation.of(state, 1, 1)
    row = strategy.of_hand(observation.combo)
    assert agent.act(observation) == strategy.actions[pick(row, observation.uniform())]
    assert agent.counted.tolist() == [1, 0, 0, 0]
    small = HoldemGame(3, 20, (1, 2)).deal(1)
    assert agent.strategy_for_all_hands(PublicState.of(small)).actions == (-1, 20)


def test_what_it_cannot_follow_is_played_as_tag(agent: KeyedAgent) -> None:
    # a limp is taken for the push, which the big blind could not check
    state = GAME.deal(1).apply(0).apply(-1)
    public = PublicState.of(state, 1, 1)
    tag = make_agent("tag").strategy_for_all_hands(public)  # type: ignore[attr-defined]
    assert agent.strategy_for_all_hands(public).actions == tag.actions
    np.testing.assert_array_equal(agent.strategy_for_all_hands(public).shares, tag.shares)
    agent.act(Observation.of(state, 1, 1))
    assert agent.counted.tolist() == [1, 1, 0, 1]
    agent.act(Observation.of(state, 1, 1))  # the same hand again: its bet has been counted
    assert agent.counted.tolist() == [1, 1, 0, 0]


def test_a_match_against_anybody(agent: KeyedAgent) -> None:
    result = play_match([agent, make_agent("random-chips"), make_agent("tag")], GAME, 90, seed=1)
    assert (result.won.sum(1) == 0).all()
    assert result.counts[0, 1] > 0
    assert "were played as tag" in result.notes()[0]
    assert f"{result.counts[0, 3]:,} bets were mapped to the tree's" in result.notes()[0]
    assert result.counts[0, 3] > 0
    with pytest.raises(ConfigError, match="was trained for 3 players, stacks of 10 bb"):
        agent.prepare(HoldemGame(3))
