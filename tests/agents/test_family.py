"""A family at the stacks of the table: which blueprint plays, in matches, LBR, search and tournaments."""

from __future__ import annotations

import pytest

from overbet.agents.any_stacks import AnyStacksAgent
from overbet.agents.blueprint import BlueprintAgent
from overbet.agents.family import PUSH_BB
from overbet.agents.keyed import KeyedAgent
from overbet.agents.protocol import Observation, pick, prepare
from overbet.agents.registry import make_agent
from overbet.agents.searcher import SearchAgent
from overbet.blueprint.catalogue import nearest
from overbet.errors import ConfigError
from overbet.evaluation.matches import play_match
from overbet.games.holdem import HoldemGame
from overbet.kernels.match.play import DECISIONS, OFF_TREE, UNTRAINED


def table(bb: float) -> HoldemGame:
    return HoldemGame(2, stacks=round(100 * bb))


def member(agent: object) -> str:
    assert isinstance(agent, BlueprintAgent)
    return agent.blueprint.config.name


def test_the_family_plays_at_any_stacks_and_says_which() -> None:
    agent = make_agent("blueprint:heads-up")
    assert prepare(agent, HoldemGame(2)) is agent
    seated = prepare(agent, table(21))
    assert seated.name == "blueprint:heads-up"
    assert member(seated) == nearest("heads-up", (21, 21)).name
    assert (
        seated.report == f"blueprint:heads-up: at 21 bb played by {member(seated)}, the nearest of its family"
    )
    assert agent.report == ""
    assert isinstance(prepare(agent, table(PUSH_BB)), AnyStacksAgent)
    for stacks in (3, 21):
        state, seated = table(stacks).deal(5), prepare(agent, table(stacks))
        while not state.is_terminal():
            seen = Observation.of(state, 5, 5)
            strategy = seated.strategy_for_all_hands(seen.public)
            wanted = strategy.actions[pick(strategy.of_hand(seen.combo), seen.uniform())]
            assert seated.act(seen) == wanted
            state = state.apply(wanted)


def test_a_member_stays_at_its_own_table() -> None:
    one = nearest("heads-up", (20, 20))
    agent = make_agent(f"blueprint:{one.name}")
    prepare(agent, table(one.depth_bb))
    with pytest.raises(ConfigError, match="was trained for 2 players, stacks of"):
        prepare(agent, table(one.depth_bb + 1))


@pytest.mark.parametrize(
    "game",
    [
        HoldemGame(3),
        HoldemGame(2, ante=10),
        HoldemGame(2, blinds=(30, 100)),
        HoldemGame(2, blinds=(0, 0), ante=50),
        HoldemGame(2, rake=0.05),
    ],
)
def test_other_seats_and_blinds_are_refused(game: HoldemGame) -> None:
    with pytest.raises(ConfigError, match="was trained for"):
        prepare(make_agent("blueprint:heads-up"), game)


def test_a_match_at_other_stacks_is_compiled_and_reported() -> None:
    result = play_match([make_agent("blueprint:heads-up"), make_agent("tag")], table(21), 400, workers=1)
    assert result.counts[0, 0] > 400
    assert result.counts[0, 2] < 0.02 * result.counts[0, 0]


def test_six_players_at_any_stacks_and_no_other_table() -> None:
    agent = make_agent("blueprint:six-max")
    assert prepare(agent, HoldemGame(6)) is agent
    short = prepare(agent, HoldemGame(6, stacks=(4000, 6000, 9000, 10000, 5000, 20000)))
    assert isinstance(short, KeyedAgent)
    assert short.report == "blueprint:six-max: at 100 bb played by six-max, the nearest of its family"
    played = play_match([short, *[make_agent("tag")] * 5], HoldemGame(6, stacks=4000), 60, workers=1)
    assert played.counts[0, DECISIONS] > 0.8 * 60  # most hands have a decision or more
    assert played.counts[0, OFF_TREE] + played.counts[0, UNTRAINED] < 0.2 * played.counts[0, DECISIONS]
    for game in (HoldemGame(5), HoldemGame(6, ante=10)):
        with pytest.raises(ConfigError, match="was trained for 6 players, stacks of 100 bb"):
            prepare(make_agent("blueprint:six-max"), game)


def test_search_follows_the_nearest() -> None:
    agent = make_agent("search:heads-up,seconds=1")
    assert isinstance(agent, SearchAgent)
    seated = agent.at_table(table(21))
    assert member(seated.blueprint) == nearest("heads-up", (21, 21)).name
    assert agent.at_table(table(21.5)) is seated  # one searcher a blueprint, whatever the stacks
    assert agent.at_table(HoldemGame(2)) is agent
