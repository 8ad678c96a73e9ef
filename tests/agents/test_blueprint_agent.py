"""A blueprint at the table: in the tree it plays its rows; outside it maps, waits, or plays tag."""

from __future__ import annotations

import shutil
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from overbet.agents.blueprint import BlueprintAgent, find_blueprint, shipped_names
from overbet.agents.compiled import match_of
from overbet.agents.protocol import Observation, PublicState, pick
from overbet.agents.registry import make_agent
from overbet.cards.combos import COMBOS
from overbet.errors import ArtefactError, ConfigError
from overbet.evaluation.aivat import match_estimator
from overbet.games.holdem import HoldemGame
from overbet.games.holdem_state import HoldemState
from overbet.kernels.agents.blueprint import in_step
from overbet.kernels.match.play import new_space, stand
from tests.agents.blueprints import SMALL, blueprint_agent, even_blueprint, random_blueprint

GAME = HoldemGame(2, 10_000, (50, 100))


def node_of(agent: BlueprintAgent, state: HoldemState, seed: int = 0, hand: int = 0) -> tuple[str, bool]:
    """Return the line of the tree where the agent believes the hand to be, and whether it may act on it."""
    match, space = match_of([agent], state.game, seed), new_space(1)
    actions = np.array([action for _, _, action in state.history], np.int64)
    stand(match, space, state.vector, actions, hand)
    node = int(space.nodes[0])
    step = in_step(match.one, node, space.inner[0], space.state)
    return agent.blueprint.tree.line(node), bool(step)


def test_in_the_tree_it_plays_its_rows() -> None:
    agent, blueprint = blueprint_agent(), random_blueprint()
    rng = np.random.default_rng(2)
    decisions = 0
    for hand in range(12):
        state = GAME.deal(4, hand)
        while not state.is_terminal():
            line = state.line
            expected = blueprint.strategy_for_all_hands(line)
            strategy = agent.strategy_for_all_hands(PublicState.of(state, 1, hand))
            assert strategy.actions == blueprint.actions(line)
            np.testing.assert_allclose(strategy.shares, expected, atol=1e-12)
            observation = Observation.of(state, 1, hand)
            row = strategy.of_hand(observation.combo)
            assert agent.act(observation) == strategy.actions[pick(row, observation.uniform())]
            state = state.apply(int(rng.choice(blueprint.actions(line))))
            decisions += 1
    assert decisions > 30


def test_the_same_table_in_other_chips_is_the_same_table() -> None:
    agent = blueprint_agent()
    small = HoldemGame(2, 200, (1, 2))
    agent.prepare(small)
    state, large = small.deal(3).apply(8).apply(0), GAME.deal(3).apply(400).apply(0)
    one, two = (agent.strategy_for_all_hands(PublicState.of(at, 5, 6)) for at in (state, large))
    assert one.actions == (0, 8, 16, 192)
    assert two.actions == (0, 400, 800, 9_600)
    np.testing.assert_array_equal(one.shares, two.shares)


def test_bets_between_two_sizes_are_mapped_in_proportion() -> None:
    agent = blueprint_agent()
    state = GAME.deal(1).apply(300)
    # 2bb is half of the pot of 200 after calling, 4bb one and a half, 3bb one: (1.5-1)(1.5)/((1)(2)) = 3/8
    taken = Counter(node_of(agent, state, 9, hand)[0] for hand in range(2000))
    assert set(taken) == {"r:0:b200", "r:0:b400"}
    assert taken["r:0:b200"] / 2000 == pytest.approx(0.375, abs=0.04)
    # and the strategy shown for the same hand is always the same
    public = PublicState.of(state, 9, 17)
    first, again = agent.strategy_for_all_hands(public), agent.strategy_for_all_hands(public)
    np.testing.assert_array_equal(first.shares, again.shares)


def test_its_own_bets_are_never_mapped_to_others() -> None:
    agent = blueprint_agent()
    for hand in range(200):
        state = GAME.deal(1).apply(333).apply(0)  # off the tree, pots differ from now on
        strategy = agent.strategy_for_all_hands(PublicState.of(state, 1, hand))
        before, step = node_of(agent, state, 1, hand)
        assert step
        own = agent.blueprint.tokens(before)
        assert len(own) == len(strategy.actions)
        for action, token in zip(strategy.actions, own):
            after = node_of(agent, state.apply(action), 1, hand)[0]
            assert after == f"{before}:{token}"


def test_a_raise_too_many_waits_for_the_table() -> None:
    agent, tag = blueprint_agent(), make_agent("tag")
    state = GAME.deal(1).follow("b400:b1200:b4000")  # the tree has two raises before the flop
    line, step = node_of(agent, state)
    assert (line, step) == ("r:0:b400:b1200:c", False)
    public = PublicState.of(state, 2, 3)
    fallback, own = tag.strategy_for_all_hands(public), agent.strategy_for_all_hands(public)  # type: ignore[attr-defined]
    assert own.actions == fallback.actions
    np.testing.assert_array_equal(own.shares, fallback.shares)
    # once the raise is called the table has caught up
    assert node_of(agent, state.apply(0)) == ("r:0:b400:b1200:c", True)
    assert agent.strategy_for_all_hands(PublicState.of(state.apply(0))).actions == (0, 4000, 6000)


def test_a_limp_where_the_tree_has_none_is_its_smallest_raise() -> None:
    menu = {**SMALL, "preflop": {"sizes": ["3bb, a"], "raises": 1, "limp": False}}
    agent = BlueprintAgent(even_blueprint(menu))
    line, step = node_of(agent, GAME.deal(1).apply(0))
    assert line == "r:0:b300"
    assert not step  # the big blind may check on the table and faces a raise in the tree: tag decides
    assert node_of(agent, GAME.deal(1).apply(0).apply(0)) == ("r:0:b300:c", True)


def test_rows_training_never_reached_are_played_as_tag_and_counted() -> None:
    from overbet.evaluation.matches import play_match

    agent, tag = blueprint_agent(missing=0.3), make_agent("tag")
    state = GAME.deal(1)
    public = PublicState.of(state, 1, 1)
    strategy, fallback = agent.strategy_for_all_hands(public), tag.strategy_for_all_hands(public)  # type: ignore[attr-defined]
    rows = agent.blueprint.strategy_for_all_hands("r:0", allow_missing=True)
    lost = np.isnan(rows[:, 0])
    assert 0.1 < lost.mean() < 0.5
    np.testing.assert_allclose(strategy.shares.sum(1), 1, atol=1e-12)
    for action, column in zip(fallback.actions, fallback.shares.T):
        np.testing.assert_allclose(strategy.shares[lost, strategy.actions.index(action)], column[lost])
    for action, column in zip(agent.blueprint.actions("r:0"), rows.T):
        np.testing.assert_allclose(strategy.shares[~lost, strategy.actions.index(action)], column[~lost])
    result = play_match([agent, tag], GAME, 400, seed=1)
    assert result.counts[0, 2] > 50
    assert result.counts[1, 1:].sum() == 0
    assert "rows training never reached" in result.notes()[0]
    assert play_match([blueprint_agent(), blueprint_agent()], GAME, 400).notes() == []


def test_all_hands_of_a_dead_board_are_marked() -> None:
    state = GAME.deal(1).apply(0).apply(0)
    shares = blueprint_agent().strategy_for_all_hands(PublicState.of(state)).shares
    assert np.isnan(shares[:, 0]).sum() == COMBOS - 49 * 48 // 2


def test_tables_that_do_not_fit_are_refused_with_what_would() -> None:
    agent = blueprint_agent()
    with pytest.raises(
        ConfigError, match=r"trained for 2 players, stacks of 100 bb.*this table is 3 players"
    ):
        agent.prepare(HoldemGame(3))
    with pytest.raises(ConfigError, match="Use --seats 2 --stacks 10000 --blinds 50,100"):
        agent.prepare(HoldemGame(2, 5_000))
    with pytest.raises(ConfigError, match="antes"):
        agent.prepare(HoldemGame(2, ante=10))
    with pytest.raises(ConfigError, match=r"blinds 0\.1/1"):
        agent.prepare(HoldemGame(2, blinds=(10, 100)))
    agent.prepare(HoldemGame(2, [10_000, 30_000]))  # nobody can lose more than 100 big blinds


def test_blueprints_that_are_not_there() -> None:
    with pytest.raises(ArtefactError, match="there is no blueprint runs/none"):
        find_blueprint("runs/none/blueprint.h5")
    with pytest.raises(ArtefactError, match=r"blueprint 'heds-up'.*or give a file"):
        find_blueprint("heds-up")
    with pytest.raises(ConfigError, match="say which blueprint"):
        make_agent("blueprint")


@pytest.mark.skipif("expresso" not in shipped_names(), reason="no expresso blueprint is shipped")
def test_agents_of_one_file_share_it_and_three_files_have_no_aivat(tmp_path: Path) -> None:
    agents = [make_agent("blueprint:expresso") for _ in range(3)]
    game = agents[0].blueprint.tree.game
    assert agents[0].arrays is agents[2].arrays
    match_estimator(agents, game)
    for name in ("one", "two"):
        shutil.copy(find_blueprint("expresso"), tmp_path / f"{name}.h5")
    others = [agents[0], *(make_agent(f"blueprint:{tmp_path / name}.h5") for name in ("one", "two"))]
    with pytest.raises(ConfigError, match="3 different blueprints at a table"):
        match_estimator(others, game)
