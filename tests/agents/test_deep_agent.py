from __future__ import annotations

import builtins
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from overbet.agents.deep import DeepAgent, load_deep_agent
from overbet.agents.protocol import Observation, PublicState, pick
from overbet.agents.registry import make_agent
from overbet.blueprint.network.files import shipped_networks
from overbet.cards.combos import combo_index
from overbet.errors import ArtefactError, ConfigError
from overbet.evaluation import matches
from overbet.evaluation.aivat import match_estimator
from overbet.evaluation.lbr import run_lbr
from overbet.evaluation.matches import play_match
from overbet.games.holdem import HoldemGame
from tests.blueprint.networks import write_small

GAME = HoldemGame(stacks=2_000)


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_small(tmp_path_factory.mktemp("networks") / "small.h5")


@pytest.fixture(scope="module")
def agent(path: Path) -> DeepAgent:
    return load_deep_agent(str(path))


def test_what_it_plays_is_its_strategy(agent: DeepAgent) -> None:
    for hand in range(30):
        state = GAME.deal(3, hand)
        while not state.is_terminal():
            seen = Observation.of(state, 8, hand)
            strategy = agent.strategy_for_all_hands(PublicState.of(state, 8, hand))
            row = strategy.of_hand(combo_index(*seen.hole))
            live = ~np.isnan(strategy.shares[:, 0])
            np.testing.assert_allclose(strategy.shares[live].sum(1), 1.0)
            assert live.sum() == {0: 1326, 3: 1176, 4: 1128, 5: 1081}[len(state.board)]
            assert set(strategy.actions) <= {action for action in strategy.actions if action in seen.legal}
            action = agent.act(seen)
            assert action == strategy.actions[pick(row, seen.uniform())]
            state = state.apply(action)


@pytest.mark.parametrize("other", ["random-chips", "tag", "deep"])
def test_hands_played_together_are_those_played_alone(
    agent: DeepAgent, path: Path, other: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    opponent = DeepAgent(agent.file, "deep:other") if other == "deep" else make_agent(other)
    together = play_match([agent, opponent], GAME, 200, seed=4, workers=1)
    monkeypatch.setattr(matches, "_networks", lambda *_: None)
    alone = play_match([agent, opponent], GAME, 200, seed=4, workers=1)
    assert np.array_equal(together.won, alone.won)
    assert np.array_equal(together.counts, alone.counts)
    if other == "random-chips":
        assert together.counts[0, 3] > 0  # bets were mapped


def test_workers_do_not_change_a_match(agent: DeepAgent) -> None:
    two, one = (
        play_match([agent, make_agent("lag")], GAME, 9_000, seed=4, workers=count) for count in (2, 1)
    )
    assert np.array_equal(two.won, one.won)


def test_aivat_and_the_local_best_response_take_it(agent: DeepAgent) -> None:
    tag = make_agent("tag")
    result = play_match(
        [agent, tag], GAME, 400, seed=4, workers=1, estimators=[match_estimator([agent, tag], GAME)]
    )
    raw, estimate = result.mbb(0), result.mbb(0, "aivat")
    assert abs(estimate.mean - raw.mean) < raw.half + estimate.half
    found = run_lbr(agent, GAME, hands=8, bets="fcpa", seed=1, workers=1)
    assert np.isfinite(found.aivat.mean)


def test_tables_and_names_that_do_not_fit_are_said(agent: DeepAgent) -> None:
    with pytest.raises(ConfigError, match="was trained for 2 players, stacks of 20 bb"):
        agent.prepare(HoldemGame())
    agent.prepare(agent.own_table)
    with pytest.raises(ArtefactError, match=r"there is no network 'none\.h5'"):
        make_agent("deep:none.h5")
    with pytest.raises(ConfigError, match="say which network"):
        make_agent("deep")


def test_it_plays_without_pytorch(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither reading nor asking a network imports it, and training without it says what to install."""
    from overbet.blueprint.network.self_play import SelfPlay, SelfPlayConfig
    from tests.blueprint.networks import PUSH, encoder_called

    real = builtins.__import__

    def without(name: str, *rest: Any, **named: Any) -> Any:
        if name.split(".")[0] == "torch":
            raise ImportError(name)
        return real(name, *rest, **named)

    monkeypatch.delitem(sys.modules, "torch", raising=False)
    monkeypatch.setattr(builtins, "__import__", without)
    played = play_match([load_deep_agent(str(path)), make_agent("tag")], GAME, 20, seed=1, workers=1)
    assert played.won.shape == (20, 2)
    with pytest.raises(ConfigError, match="PyTorch, which is not installed: pip install"):
        SelfPlay(SelfPlayConfig.parse({"network": PUSH}), encoder_called("push"))


@pytest.mark.parametrize("name", shipped_networks())
def test_shipped_networks_play(name: str) -> None:
    shipped = make_agent(f"deep:{name}")
    result = play_match([shipped, make_agent("always-call")], HoldemGame(), 2_000, seed=9, workers=1)
    assert result.mbb(0).mean > 0.0
    assert load_deep_agent(name).file.manifest["seconds"] > 0
