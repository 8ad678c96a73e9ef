"""The agent for any stacks: what plays where, that `act` is its strategy, and exact push or fold."""

from __future__ import annotations

import numpy as np
import pytest

from overbet.agents.any_stacks import AnyStacksAgent, tournament_player
from overbet.agents.blueprint import BlueprintAgent
from overbet.agents.protocol import Observation, PublicState, pick
from overbet.agents.push_or_fold import push_decision, push_strategy
from overbet.agents.registry import make_agent
from overbet.blueprint.catalogue import find_blueprint, shipped_blueprints
from overbet.blueprint.query import Blueprint
from overbet.cards.combos import class_of_combos
from overbet.errors import ConfigError
from overbet.games.holdem import HoldemGame
from overbet.solvers.pushfold import solve_pushfold


def table(*bb: float) -> HoldemGame:
    return HoldemGame(len(bb), stacks=[round(20 * one) for one in bb], blinds=(10, 20), full_blind=True)


@pytest.mark.parametrize(
    ("stacks", "actions", "pushes", "depth"),
    [
        ((8, 30), [], True, 8),
        ((8, 30), [160], False, 8),
        ((8, 30), [600], False, 8),
        ((5, 9, 40), [-1], True, 5),
        ((5, 9, 40), [-1, 100], False, 5),
        ((8, 30), [40], None, 0),  # a raise that leaves something behind
        ((8, 30), [0], None, 0),  # a limp
        ((5, 9, 40), [], None, 0),  # the button decides
        ((5, 9, 40), [40, -1], None, 0),  # the small blind lies dead in the pot
    ],
)
def test_where_push_or_fold_applies(stacks, actions, pushes, depth) -> None:
    state = table(*stacks).deal(1)
    for action in actions:
        state = state.apply(action)
    found = push_decision(state)
    if pushes is None:
        assert found is None
        return
    assert found is not None
    assert (found.pushes, found.stack_bb) == (pushes, depth)
    strategy = push_strategy(PublicState.of(state), found)
    exact = solve_pushfold(depth)
    chart = (exact.push if pushes else exact.call)[class_of_combos()]
    np.testing.assert_array_equal(strategy.shares[:, 1], chart)
    small = 1 if len(stacks) == 2 else 0
    assert strategy.actions == (-1, state.game.start[small] if pushes else 0)
    for action in strategy.actions:
        state.apply(action)


def test_nobody_folds_who_is_all_in_by_posting() -> None:
    for stacks in ((0.8, 30), (30, 0.9)):
        state = table(*stacks).deal(1)
        decision = push_decision(state)
        assert decision is not None
        strategy = push_strategy(PublicState.of(state), decision)
        assert (strategy.shares[:, 1] == 1).all()
        assert state.apply(strategy.actions[1]).is_terminal()


def test_what_plays_by_the_table() -> None:
    agent = AnyStacksAgent()
    sources = {}
    for stacks in ((25, 25, 25), (100, 100), (6, 20), (30, 30), (10, 25, 40)):
        agent.act(Observation.of(table(*stacks).deal(3)))
        sources[stacks] = agent.source
    assert sources == {
        (25, 25, 25): "trained",
        (100, 100): "trained",
        (6, 20): "push or fold",
        (30, 30): "nearest depth",
        (10, 25, 40): "nearest depth",
    }
    assert agent.report == (
        "any-stacks: 5 decisions: 40% by a strategy trained for the stacks, 20% by exact push or fold, "
        "40% by a strategy of another depth"
    )
    with pytest.raises(ConfigError, match="no blueprint for 5 players"):
        agent.prepare(HoldemGame(5))


def test_act_plays_its_strategy() -> None:
    agent = make_agent("any-stacks")
    assert isinstance(agent, AnyStacksAgent)
    for seed in range(12):
        state = table(*((5, 9) if seed % 2 else (14, 21, 33))).deal(seed)
        while not state.is_terminal():
            seen = Observation.of(state, seed, seed)
            strategy = agent.strategy_for_all_hands(seen.public)
            wanted = strategy.actions[pick(strategy.of_hand(seen.combo), seen.uniform())]
            assert agent.act(seen) == wanted
            state = state.apply(wanted)
    assert agent.sources["push or fold"] > 0


def test_an_agent_that_plays_anywhere_stays_itself_and_others_are_helped_out() -> None:
    tag = make_agent("tag")
    assert tournament_player(tag) is tag
    made = tournament_player(make_agent("blueprint:expresso"))
    assert isinstance(made, AnyStacksAgent)
    assert made.name == "blueprint:expresso"
    made.act(Observation.of(table(20, 30).deal(1)))  # heads up, where that blueprint knows nothing
    assert made.source == "nearest depth"


def test_short_stacks_play_for_the_places_that_are_paid() -> None:
    agent = AnyStacksAgent()
    short, deep = HoldemGame(3, [160, 170, 150], (10, 20)), HoldemGame(3, [500] * 3, (10, 20))

    def plays(game: HoldemGame, prizes: tuple[float, ...]) -> str:
        agent.play_for(prizes)
        seated = agent.seated(game).agent
        assert isinstance(seated, BlueprintAgent)
        return seated.name

    assert plays(short, (3.0, 0.0, 0.0)) == "blueprint:expresso-8bb"
    assert plays(short, (8.0, 2.0, 0.0)) == "blueprint:expresso-8bb-two-paid"
    assert plays(short, (20.0, 3.0, 2.0)) == "blueprint:expresso-8bb-three-paid"
    # of 25 big blinds there is one, and chips are nearly what counts
    assert plays(deep, (20.0, 3.0, 2.0)) == "blueprint:expresso"
    assert plays(short, (2.0, 0.0, 0.0)) == "blueprint:expresso-8bb"


def test_what_is_trained_for_prizes_was_told_so_and_plays_otherwise() -> None:
    members = [one for paid in (2, 3) for one in shipped_blueprints("expresso", paid)]
    assert len(members) == 16
    for one in members:
        names = one.name, one.name.split("bb")[0] + "bb"
        blueprint, chips = (Blueprint.load(find_blueprint(name)) for name in names)
        assert blueprint.config.game.prizes == {2: (0.8, 0.2), 3: (0.8, 0.12, 0.08)}[one.paid]
        assert chips.config.game.prizes is None
        assert blueprint.config.menu == chips.config.menu
        assert tuple(stack / 20 for stack in blueprint.game.start) == one.stacks_bb
