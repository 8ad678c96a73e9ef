"""Search as an agent: by name, in matches, the same strategy asked and played, and what happens in need."""

import numpy as np
import pytest

from overbet.agents.protocol import Observation, PublicState, StrategicAgent, pick
from overbet.agents.registry import make_agent
from overbet.agents.searcher import SearchAgent, search
from overbet.blueprint.hand_values import BlueprintValues
from overbet.cards.combos import live_combos
from overbet.errors import ConfigError, RulesError
from overbet.evaluation.matches import play_match
from overbet.games.holdem import HoldemGame
from overbet.kernels.match.play import OFF_TREE
from overbet.search.settings import SearchSettings
from overbet.solvers.vector.solver import Progress

QUICK = "search:heads-up,flop.iterations=3,turn.iterations=10,river.iterations=10,threads=1"
LATE = f"{QUICK},streets=[turn,river]"  # the flop is the blueprint's


@pytest.fixture(scope="module")
def agent() -> SearchAgent:
    found = make_agent(QUICK)
    assert isinstance(found, SearchAgent)
    return found


def test_settings_stand_in_the_name(agent: SearchAgent) -> None:
    assert isinstance(agent, StrategicAgent)
    assert agent.searcher.settings.river.iterations == 10
    assert agent.name == QUICK
    with pytest.raises(ConfigError, match=r"search:heads-up,second=1: unknown key 'second'.*seconds"):
        make_agent("search:heads-up,second=1")
    with pytest.raises(ConfigError, match="seconds"):
        make_agent("search:heads-up,seconds=0")


def test_what_is_left_open_follows_from_the_blueprint(agent: SearchAgent) -> None:
    odd = HoldemGame().initial_state().with_cards([None, None]).follow("b270")
    flop = HoldemGame().initial_state().with_cards([None, None]).follow("b250:c:Td9d6h")
    assert agent.searcher.covers(odd)  # what its classes are worth came with the package
    assert agent.searcher.covers(flop)
    assert not agent.searcher.covers(HoldemGame().initial_state().with_cards([None, None]).follow("b200"))
    plain = SearchAgent(agent.blueprint, SearchSettings.of({"preflop": {"search": False}}))
    assert not plain.searcher.covers(odd)
    other = make_agent("search:heads-up-12bb,cache=false")
    short = HoldemGame(2, 1200).initial_state().with_cards([None, None])
    assert isinstance(other, SearchAgent)
    assert not other.searcher.covers(short.follow("b270"))  # 27 seconds of work; only where it is asked for
    assert other.searcher.covers(short.follow("b200:c:Td9d6h"))
    three = make_agent("search:expresso,cache=false")
    assert isinstance(three, SearchAgent)
    table = three.own_table.initial_state().with_cards([None] * 3)
    assert not three.searcher.covers(table.follow("c:c:c:Td9d6h"))
    assert three.searcher.covers(table.follow("c:c:c:Td9d6h:c:c:c:2c"))


def test_what_is_played_is_what_is_asked(agent: SearchAgent) -> None:
    game = agent.own_table
    for hand in range(3):
        now = game.deal(5, hand)
        while not now.is_terminal():
            seen = Observation.of(now, 5, hand)
            found = agent.strategy_for_all_hands(PublicState.of(now, 5, hand))
            assert agent.act(seen) == found.actions[pick(found.of_hand(seen.combo), seen.uniform())]
            now = now.apply(0)


def test_every_look_is_told_and_the_last_answer_kept(agent: SearchAgent) -> None:
    fresh = make_agent(LATE)
    assert isinstance(fresh, SearchAgent)
    looks: list[Progress] = []
    fresh.searcher.watch = looks.append
    now = fresh.own_table.deal(1, 0).apply(0).apply(0)
    assert fresh.act(Observation.of(now, 1, 0)) in now.legal_actions()
    assert (fresh.last, looks) == (None, [])  # the flop is the blueprint's
    turn = now.apply(0).apply(0)
    fresh.act(Observation.of(turn, 1, 0))
    assert fresh.last is not None
    assert looks == fresh.last.search.history
    assert looks[-1].iteration == 10


def test_a_match_is_the_same_twice(agent: SearchAgent) -> None:
    tag = make_agent("tag")
    first, second = (play_match([make_agent(QUICK), tag], agent.own_table, hands=6, seed=3) for _ in range(2))
    assert np.array_equal(first.won, second.won)


def test_any_heads_up_stack_is_played_legally(agent: SearchAgent) -> None:
    rng = np.random.default_rng(4)
    for hand in range(5):
        game = HoldemGame(stacks=[int(chips) for chips in rng.integers(120, 40_000, 2)])
        agent.prepare(game)
        now = game.deal(9, hand)
        while not now.is_terminal():
            action = agent.act(Observation.of(now, 9, hand))
            assert action in now.legal_actions()
            legal = now.legal_actions()
            odd = int(rng.integers(legal.raise_min, legal.raise_max + 1)) if legal.raise_max else 0
            now = now.apply(odd if legal.raise_min and rng.random() < 0.3 else 0)


def test_three_players_are_refused(agent: SearchAgent) -> None:
    with pytest.raises(ConfigError, match="plays heads up, not with 3"):
        agent.prepare(HoldemGame(3))


def test_without_memory_the_blueprint_plays_and_it_is_counted(
    agent: SearchAgent, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_memory(*_: object) -> None:
        raise MemoryError

    now = agent.own_table.deal(1, 0).apply(0).apply(0)  # a limped flop
    now = now.apply(0).apply(0)
    assert now.street == "turn"
    monkeypatch.setattr(agent.searcher, "answer", no_memory)
    assert agent.act(Observation.of(now, 1, 0)) == agent.blueprint.act(Observation.of(now, 1, 0))
    assert agent.counted[OFF_TREE] == 1
    assert agent.last is None
    assert agent.fault == "there was not enough memory"
    shares = agent.strategy_for_all_hands(PublicState.of(now, 1, 0)).shares
    assert np.allclose(shares[live_combos(now.board)].sum(1), 1.0)


def test_settings_of_a_street_are_changed_one_by_one() -> None:
    found = SearchSettings.of({"turn": {"target": 0.7}, "gadget": "reach"})
    assert found.turn.target == 0.7
    assert found.turn.bets == SearchSettings().turn.bets
    assert found.river == SearchSettings().river
    with pytest.raises(ConfigError, match=r"settings: unknown key 'turn\.targets'"):
        SearchSettings.of({"turn": {"targets": 1}})


def test_a_street_that_is_not_searched_is_told() -> None:
    preflop = HoldemGame().initial_state().with_cards([None, None])
    with pytest.raises(RulesError, match="preflop is not searched: settings name flop, turn, river"):
        search(preflop)


@pytest.mark.parametrize("gadget", ["unsafe", "reach-estimates"])
def test_the_time_of_a_decision_is_its_own(
    agent: SearchAgent, gadget: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither the search of the turn before it nor a first solve, which estimates, uses up its time."""
    values = BlueprintValues.at  # still slower than the time allowed, on an eighth of the boards
    monkeypatch.setattr(BlueprintValues, "at", lambda *given, **how: values(*given, **{**how, "boards": 8}))
    now = agent.own_table.deal(1, 0)
    while now.street != "river":
        now = now.apply(0)
    endless = {"target": 0, "iterations": 100_000}
    options = {"gadget": gadget, "seconds": 0.4, "turn": endless, "river": endless, "cache": False}
    made = (search(now, **options).search.cost.iterations for _ in range(5))  # the machine may be busy
    assert any(iterations > 20 for iterations in made)
