"""The PettingZoo environment of a table, and RLCard's agents at our tables."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import pytest

from overbet.agents.protocol import Observation
from overbet.bridges import ActionMenu, RlcardAgent, pettingzoo_env, table_numbers
from overbet.errors import ConfigError, IllegalActionError
from overbet.games.holdem import HoldemGame
from overbet.interfaces.bridges.rlcard_agent import rlcard_actions, rlcard_state

THREE = HoldemGame(3, stacks=[900, 400, 2_000], blinds=(50, 100))


@pytest.mark.parametrize("game", [HoldemGame(), THREE], ids=["two", "three"])
def test_pettingzoos_own_tests_pass(game: HoldemGame, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("pettingzoo")
    from pettingzoo.test import api_test, seed_test

    api_test(pettingzoo_env(game), num_cycles=300)
    seed_test(lambda: pettingzoo_env(game), num_cycles=20)
    assert "Passed API test" in capsys.readouterr().out


def test_an_episode_is_a_hand_and_pays_in_big_blinds() -> None:
    pytest.importorskip("pettingzoo")
    env = pettingzoo_env(THREE, render_mode="ansi")
    draw = np.random.default_rng(1)
    hands = set()
    env.reset(seed=7)
    for _ in range(20):
        hands.add(env.state_of_hand.hole)
        total = 0.0
        for name in env.agent_iter():
            told, reward, over, cut, _ = env.last()
            total += reward
            assert not cut
            assert env.observation_space(name).contains(told)
            env.step(None if over else int(draw.choice(np.flatnonzero(told["action_mask"]))))
        assert total == pytest.approx(0.0, abs=1e-9)
        assert "over" in env.render()
        env.reset()
    assert len(hands) == 20


def test_an_illegal_entry_is_refused() -> None:
    pytest.importorskip("pettingzoo")
    env = pettingzoo_env()
    env.reset(seed=1)
    for entry in (-1, 9, None):
        with pytest.raises(IllegalActionError, match=r"possible: \[0, 1, 2, 3, 4\]"):
            env.step(entry)
    with pytest.raises(ConfigError, match="render_mode"):
        pettingzoo_env(render_mode="human")


def test_numbers_hide_the_others() -> None:
    state = THREE.initial_state().with_cards(["AhKh", "QsQd", "7c2d"], board="Td6h3sJc2h")
    seen = table_numbers(state, 2)
    assert seen[:52].sum() == 2
    assert seen[52:104].sum() == 0
    other = THREE.initial_state().with_cards(["3c3d", "QsQh", "7c2d"], board="9d9h3sJc2h")
    np.testing.assert_array_equal(seen, table_numbers(other, 2))
    flop = state.follow("c:c:c")
    assert table_numbers(flop, 2)[52:104].sum() == 3
    assert table_numbers(flop, 0)[104:107] == pytest.approx([800 / 3300, 300 / 3300, 1900 / 3300])


def test_the_menu_is_legal_and_says_what_is_not_possible() -> None:
    menu = ActionMenu((0.5, 1.0, 2.0))
    state = THREE.initial_state().with_cards(["AhKh", "QsQd", "7c2d"])
    # 150 in the pot, 100 to call: half of 250 on top of the call is 225
    assert menu.actions(state) == [-1, 0, 225, 350, 600, 2_000]
    # 450 in the pot, 250 to call: half of 700 makes 650, all of it 1000 where there are 900
    assert menu.actions(state.apply(300)) == [-1, 0, 650, None, None, 900]
    assert menu.mask(state.apply(300)).tolist() == [1, 1, 1, 0, 0, 1]
    for wrong in ((0.0,), (1.0, 0.5), (0.5, 0.5), (float("nan"),)):
        with pytest.raises(ConfigError, match="shares of the pot"):
            ActionMenu(wrong)


def test_without_pettingzoo_one_line_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    from overbet.interfaces.bridges import pettingzoo_env as module

    monkeypatch.setitem(sys.modules, "pettingzoo", None)
    module._env_class.cache_clear()
    with pytest.raises(ConfigError, match="pip install pettingzoo"):
        pettingzoo_env()


def test_an_rlcard_agent_sees_rlcards_state() -> None:
    game = HoldemGame(2, stacks=100, blinds=(1, 2))
    state = game.initial_state().with_cards(["AhKh", "QsQd"], board="Td6h3sJc2h").follow("c:c")
    possible = rlcard_actions(state)
    assert possible == {1: 0, 2: 2, 3: 4, 4: 98}  # pot 4: half of it, all of it, all-in
    told = rlcard_state(state, possible)
    assert told["raw_obs"]["hand"] == ["HA", "HK"]
    assert sorted(np.flatnonzero(told["obs"][:52])) == sorted([2, 13, 18, 25, 35])  # S3 HA H6 HK DT
    assert told["obs"][52:].tolist() == [2.0, 2.0]
    deep = HoldemGame(2, stacks=10_000, blinds=(50, 100)).initial_state().with_cards(["AhKh", "QsQd"])
    assert rlcard_state(deep, rlcard_actions(deep))["obs"][52:].tolist() == [1.0, 2.0]


def test_rlcards_own_numbers_are_the_same() -> None:
    rlcard = pytest.importorskip("rlcard")
    env = rlcard.make("no-limit-holdem", config={"seed": 5})
    theirs, _ = env.reset()
    hand = theirs["raw_obs"]["hand"]
    cards = "".join(card[1] + card[0].lower() for card in hand)
    game = HoldemGame(2, stacks=100, blinds=(1, 2))
    state = game.initial_state().with_cards([None, cards])
    np.testing.assert_array_equal(rlcard_state(state, rlcard_actions(state))["obs"], theirs["obs"])


@pytest.mark.parametrize("raw", [False, True])
def test_rlcards_random_agent_plays_hands(raw: bool) -> None:
    agents = pytest.importorskip("rlcard.agents")

    class Raw(agents.RandomAgent):  # type: ignore[misc,name-defined]
        use_raw = True

        def eval_step(self, state: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
            return state["raw_legal_actions"][-1], {}

    theirs = RlcardAgent(Raw(5) if raw else agents.RandomAgent(5))
    assert theirs.name == ("rlcard:Raw" if raw else "rlcard:RandomAgent")
    for hand in range(40):
        state = THREE.deal(1, hand)
        while not state.is_terminal():
            action = theirs.act(Observation.of(state, 1, hand))
            assert action in state.legal_actions()
            state = state.apply(action)
        assert sum(state.returns()) == 0.0


def test_an_agent_that_answers_nonsense_is_told() -> None:
    class Nonsense:
        def step(self, state: dict[str, Any]) -> int:
            return 77

    state = HoldemGame().deal(1)
    with pytest.raises(IllegalActionError, match=r"plays 77, and possible are \[0, 1, 2, 3, 4\]"):
        RlcardAgent(Nonsense()).act(Observation.of(state))
    with pytest.raises(ConfigError, match="neither eval_step nor step"):
        RlcardAgent(3)
