"""Sampled search of three players against plain Python: values, learning, leaves, frozen decisions."""

from collections.abc import Mapping
from functools import cache

import numpy as np
import pytest

from overbet.agents.registry import make_agent
from overbet.agents.searcher import SearchAgent
from overbet.cards.combos import COMBOS, combo
from overbet.errors import ConfigError
from overbet.games.holdem_state import STREETS, HoldemState
from overbet.kernels.holdem.layout import CALL, FOLD
from overbet.search.question import Frozen
from overbet.search.street_start import before_street
from overbet.search.table.followed import FollowedBlueprint
from overbet.search.table.sampled_search import SampledSearch
from overbet.search.table.searcher import TableSearcher
from overbet.search.table.settings import TableSettings
from overbet.search.table.street_table import TableQuestion
from tests.reference import table_street as plain

LIMPED = "c:c:c:Td9d6h"
RIVER = "c:c:c:Td9d6h:c:c:c:2c:c:c:c:As"
HANDS = (("AhKh", "8c7c", "5s4s"), ("TsTc", "AcQc", "KdJd"), ("9c9s", "Ad5d", "QhJh"))


@pytest.fixture(scope="module")
def agent() -> SearchAgent:
    found = make_agent("search:expresso,cache=false")
    assert isinstance(found, SearchAgent)
    return found


@pytest.fixture(scope="module")
def followed(agent: SearchAgent) -> FollowedBlueprint:
    assert isinstance(agent.searcher, TableSearcher)
    return agent.searcher.followed


def state_of(agent: SearchAgent, line: str) -> HoldemState:
    return agent.own_table.initial_state().with_cards([None] * 3).follow(line)


def weights_of(hands: tuple[tuple[str, ...], ...]) -> list[dict[int, float]]:
    return [{combo(text): 1.0 - 0.3 * place for place, text in enumerate(own)} for own in hands]


def as_rows(weights: list[dict[int, float]]) -> np.ndarray:
    found = np.zeros((len(weights), COMBOS))
    for player, own in enumerate(weights):
        found[player, list(own)] = list(own.values())
    return found


def settings(street: str, iterations: int, to: str = "river", **others: object) -> TableSettings:
    """Return settings that begin with nothing learned, unless `others` say so."""
    return TableSettings.model_validate({street: {"to": to, "iterations": iterations}, "trust": 0, **others})


def searched(
    state: HoldemState,
    followed: FollowedBlueprint,
    how: TableSettings,
    hands: tuple[tuple[str, ...], ...] = HANDS,
    frozen: tuple[Frozen, ...] = (),
) -> SampledSearch:
    street = STREETS.index(state.street)
    played = tuple(action for where, _, action in state.history if where == street)
    begun = before_street(state, street)
    return SampledSearch(TableQuestion(begun, as_rows(weights_of(hands)), played, frozen), followed, how)


def strategy_of(search: SampledSearch, before: int) -> plain.Strategy:
    """Return the search's strategy of its street; before: actions taken before the street."""

    @cache
    def at(edges: tuple[int, ...]) -> tuple[tuple[int, ...], np.ndarray]:
        node = search.strategy.node(edges)
        assert node is not None
        actions = tuple(int(search.strategy.edge[child]) for child in search.strategy.children(node))
        return actions, search.strategy.at(node)

    def strategy(state: HoldemState, hand: int) -> Mapping[int, float]:
        actions, shares = at(tuple(action for _, _, action in state.history[before:]))
        return dict(zip(actions, shares[hand].tolist()))

    return strategy


def test_values_are_those_of_all_hands_and_actions(agent: SearchAgent, followed: FollowedBlueprint) -> None:
    """After an odd bet, and with a player short of chips: side pots, folded hands and all."""
    state = state_of(agent, RIVER + ":b53")
    found = searched(state, followed, settings("river", 40))
    strategy, unit = strategy_of(found, len(found.question.begun.history)), state.game.big_blind
    ranges = weights_of(HANDS)
    # the first player has bet with some of its hands only
    ranges[0] = {hand: w * strategy(found.question.begun, hand)[33] for hand, w in ranges[0].items()}
    put_in = state.put_in[state.current_player()]
    exact = plain.action_values(state, ranges, strategy)
    walked = found.walked_values((33,), as_rows(ranges), walks=30_000)
    for hand, of in exact.items():
        for place, worth in enumerate(of.values()):
            assert walked[hand, place] == pytest.approx((worth + put_in) / unit, abs=0.12), (hand, place)


def test_what_is_learned_can_hardly_be_exploited(agent: SearchAgent, followed: FollowedBlueprint) -> None:
    state = state_of(agent, RIVER)
    ranges, gains = weights_of(HANDS), []
    for iterations in (1, 10_000):
        found = searched(state, followed, settings("river", iterations))
        strategy = strategy_of(found, len(state.history))
        gain = 0.0
        for player in range(3):
            mean, best = plain.best_response(state, ranges, strategy, player)
            assert best >= mean - 1e-9
            gain += best - mean
        gains.append(gain / state.pot)
    assert gains[0] > 0.2
    assert gains[1] < 0.06


def test_rivers_to_come_are_all_there(agent: SearchAgent, followed: FollowedBlueprint) -> None:
    """Nothing has been learned about the river: everybody plays it with equal chances."""
    hands = (("AhKh",), ("TsTc", "QcJc"), ("9c9s",))
    state = state_of(agent, LIMPED + ":c:c:c:2c")
    found = searched(
        state, followed, settings("turn", 1, menu={"river": {"sizes": ["a"], "raises": 1}}), hands
    )
    found.table.tables.regret[:] = 0.0
    known = strategy_of(found, len(state.history))

    def strategy(now: HoldemState, hand: int) -> Mapping[int, float]:
        if now.street == "turn":
            return known(now, hand)
        legal = now.legal_actions()
        raises = [legal.raise_max] if legal.raise_max and not any(now.bets) else []
        actions = [FOLD] * legal.fold + [CALL, *raises]
        return dict.fromkeys(actions, 1 / len(actions))

    exact = plain.action_values(state, weights_of(hands), strategy)
    walked = found.walked_values((), as_rows(weights_of(hands)), walks=20_000)
    [of] = exact.values()
    mine = walked[combo("AhKh"), : len(of)]
    worth = (np.array(list(of.values())) + state.put_in[0]) / state.game.big_blind
    assert mine == pytest.approx(worth, abs=0.1)


def leaning(shares: np.ndarray, actions: tuple[int, ...], way: int, factor: float) -> np.ndarray:
    if np.isnan(shares[0]):
        return np.array([float(action == CALL) for action in actions])
    kinds = np.array([1 if action == FOLD else 2 if action == CALL else 3 for action in actions])
    found = shares * np.where(kinds == way, factor, 1.0)
    return np.asarray(found / found.sum())


def test_below_a_leaf_the_blueprint_plays_in_every_way(
    agent: SearchAgent, followed: FollowedBlueprint
) -> None:
    """Two are left; nothing is learned about the leaf, so both choose each of the four ways alike."""
    hands = (("7h2s",), ("QsQc",), ("AhKh",))
    state = state_of(agent, "b40:f:c:Td9d6h:c:c:2c")
    found = searched(state, followed, settings("turn", 1, to="turn", lean=5.0), hands)
    found.table.tables.regret[:] = 0.0
    known, blueprint = strategy_of(found, len(state.history)), followed.blueprint

    @cache
    def rows(line: str) -> tuple[tuple[int, ...], np.ndarray]:
        return blueprint.actions(line), blueprint.strategy_for_all_hands(line, allow_missing=True)

    def values(ways: tuple[int, ...]) -> np.ndarray:
        def strategy(now: HoldemState, hand: int) -> Mapping[int, float]:
            if now.street == "turn":
                return known(now, hand)
            actions, every = rows(now.line)
            shares = every[hand]
            return dict(zip(actions, leaning(shares, actions, ways[now.current_player()], 5.0).tolist()))

        [of] = plain.action_values(state, weights_of(hands), strategy).values()
        return np.array(list(of.values()))

    me = state.current_player()
    exact = np.mean(
        [
            values(tuple(one if player == me else two for player in range(3)))
            for one in range(4)
            for two in range(4)
        ],
        axis=0,
    )
    [mine] = weights_of(hands)[me]
    walked = found.walked_values((), as_rows(weights_of(hands)), walks=20_000)[mine, : len(exact)]
    assert walked == pytest.approx((exact + state.put_in[me]) / state.game.big_blind, abs=0.1)


def test_the_same_iterations_give_the_same_bits(agent: SearchAgent, followed: FollowedBlueprint) -> None:
    state = state_of(agent, LIMPED)
    one, two = (searched(state, followed, settings("flop", 20, to="flop")) for _ in range(2))
    assert np.array_equal(one.strategy.shares, two.strategy.shares, equal_nan=True)
    assert one.cost.iterations == 20


def test_frozen_decisions_stay_and_the_rest_is_learned(
    agent: SearchAgent, followed: FollowedBlueprint
) -> None:
    state = state_of(agent, RIVER)
    free = searched(state, followed, settings("river", 100))
    node = free.strategy.node(())
    assert node is not None
    rigid = np.zeros_like(free.strategy.at(node))
    rigid[:, 1] = 1.0
    fixed = searched(state, followed, settings("river", 100), frozen=(Frozen((), rigid),))
    live = ~np.isnan(free.strategy.shares[0])
    assert np.array_equal(fixed.strategy.at(node)[live], rigid[live])
    after = fixed.strategy.node((int(fixed.strategy.edge[1 + node + 1]),))
    assert after is not None
    assert not np.array_equal(fixed.strategy.at(after)[live], free.strategy.at(after)[live])


@pytest.mark.parametrize("line", [LIMPED, LIMPED + ":c:b50", LIMPED + ":c:b50:c:f:2c:c"])
def test_a_search_begins_with_what_the_blueprint_does(
    agent: SearchAgent, followed: FollowedBlueprint, line: str
) -> None:
    """Trusted far beyond what its one iteration finds, it is the blueprint's strategy for every hand."""
    state = state_of(agent, line)
    found = searched(state, followed, settings(state.street, 1, to=state.street, trust=100))
    street = STREETS.index(state.street)
    node = found.strategy.node(tuple(action for where, _, action in state.history if where == street))
    assert node is not None
    known = followed.blueprint.strategy_for_all_hands(state.line, allow_missing=True)
    there = ~np.isnan(known[:, 0])
    assert there.sum() > 500
    assert found.strategy.at(node)[there] == pytest.approx(known[there], abs=0.02)
    # where the sizes are others, the nearest one stands for the blueprint's
    wider = {"flop": {"sizes": ["33%, 55%, a"]}, "turn": {"sizes": ["33%, 70%, a"]}}
    other = searched(state, followed, settings(state.street, 1, to=state.street, trust=100, menu=wider))
    place = other.strategy.node(tuple(action for where, _, action in state.history if where == street))
    assert place is not None
    checks = [int(other.strategy.edge[child]) for child in other.strategy.children(place)].index(0)
    assert other.strategy.at(place)[there, checks] == pytest.approx(
        known[there, followed.blueprint.actions(state.line).index(0)], abs=0.02
    )


def test_a_search_of_three_is_no_solution(agent: SearchAgent, followed: FollowedBlueprint) -> None:
    with pytest.raises(ConfigError, match="cannot be opened"):
        _ = searched(state_of(agent, RIVER), followed, settings("river", 1)).solution
