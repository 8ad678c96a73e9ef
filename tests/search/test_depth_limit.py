"""The flop searched to its end: leaves that are matrices of hand pairs, one a continuation."""

from functools import lru_cache

import numpy as np
import pytest

from overbet.blueprint.pair_values import _exact_equity
from overbet.cards.combos import COMBOS, live_combos
from overbet.errors import ConfigError
from overbet.games.holdem_state import HoldemState
from overbet.search.beliefs import Baseline
from overbet.search.depth_limit import Floats, Limit, LimitLeaves, with_later_cards
from overbet.search.searcher import Searcher
from overbet.search.settings import SearchSettings
from overbet.search.street_start import before_street, street_start
from overbet.search.subgame import SubgameTree, subgame_tree
from overbet.solvers.rules import dcfr
from overbet.solvers.vector.engine import VectorEngine
from overbet.solvers.vector.leaves import EquityLeaves
from overbet.solvers.vector.response import FOLLOW
from overbet.solvers.vector.subgame import LeafBatch, leaf_places
from overbet.tree.betting import DepthLimit
from tests.search.test_searcher import even, state

FLOP = "r:0:b250:c:Td9d6h"
exact = lru_cache(2)(_exact_equity)


class Skewed:
    """A future in which the pot is checked down, and each continuation moves it to one of the players."""

    identity = "skewed"

    def __init__(self, moved: tuple[float, ...] = (0.0, -0.1, 0.05, 0.1)) -> None:
        self.moved, self.asked = moved, list[str]()

    def equity(self, flop: tuple[int, ...]) -> Floats:
        return exact(flop)

    def at(self, state: HoldemState, chooser: int, boards: int) -> Floats | None:
        assert state.street == "turn"
        self.asked.append(state.line)
        whole = exact(state.board[:3])
        met = whole + whole.T
        share = whole if chooser == 0 else np.ascontiguousarray(whole.T)
        return np.stack([share + move * met for move in self.moved])


def settings(*changes: str) -> SearchSettings:
    start = ["streets=[flop, turn, river]", "flop.future=limit", "threads=1", "turn.iterations=20"]
    return SearchSettings.changed([*start, *changes])


def cut(future: Skewed, count: int, chooser: int = 1) -> tuple[SubgameTree, LimitLeaves]:
    flop = state(FLOP)
    start = street_start(flop)
    limit = Limit(chooser, with_later_cards(before_street(flop, 1)), "", future)
    subgame = subgame_tree(start, np.ones((2, COMBOS)), (), settings(), DepthLimit(0, count, chooser))
    return subgame, LimitLeaves(subgame.tree, limit, 4)


@pytest.mark.parametrize("chooser", [0, 1])
def test_hands_that_are_checked_down_are_worth_their_equity(chooser: int) -> None:
    (tree, _), leaves = cut(Skewed((0.0,)), 1, chooser)
    other, places = EquityLeaves(tree), leaf_places(tree)
    rng = np.random.default_rng(5)
    for player in (0, 1):
        reach = rng.random((1, len(places.above), 1176)).astype(np.float32)
        batch = LeafBatch(player, tree.boards[0].cards, places.put, places.continuation, reach, None)
        found, expected = leaves.values(batch), other.values(batch)
        assert np.allclose(found, expected, rtol=1e-4, atol=1e-4 * np.abs(expected).max())


def test_every_open_end_of_the_flop_is_followed_with_its_real_bets() -> None:
    future = Skewed()
    (tree, _), leaves = cut(future, 4)
    assert len(set(future.asked)) == len(future.asked)
    assert any(":c:c:" in line for line in future.asked)
    places = leaf_places(tree)
    stack = tree.spot.effective_stack
    open_ends = {path for path, put in zip(places.path, places.put) if put.max() < stack}
    assert len(future.asked) == len(open_ends)
    assert len(leaves.tables) == len(places.above)


def test_the_opponent_chooses_the_continuation_that_suits_it() -> None:
    """The pot moves to player 1, who chooses, by a tenth: checks alone are worth so much more to it."""
    values = {}
    for count in (1, 4):
        (tree, _), leaves = cut(Skewed(), count)
        engine = VectorEngine(tree, dcfr(gamma=4.0), leaves=leaves)
        engine.run(60)
        assert engine.judged_exploitability() < 0.005 * tree.spot.pot
        values[count] = engine.judge.expected(1, FOLLOW) / tree.spot.pot
    assert 0.07 < values[4] - values[1] < 0.15


def test_a_searched_flop_adds_up_is_judged_and_believed() -> None:
    baseline = even._replace(future=Skewed)
    flop = state(f"{FLOP}:b377")
    searcher = Searcher(settings("flop.target=0.5"))
    first = searcher.answer(flop, baseline)
    again = Searcher(settings("flop.target=0.5")).answer(flop, baseline)
    assert np.array_equal(first.strategy.shares, again.strategy.shares, equal_nan=True)
    assert np.allclose(first.strategy.shares[live_combos(flop.board)].sum(1), 1.0, atol=1e-5)
    assert first.search.cost.exploitability is not None
    assert first.search.cost.exploitability <= 0.5
    worth = first.search.action_values(first.edges)
    live = live_combos(flop.board)
    assert np.allclose(worth[live, 0], 0.0, atol=1e-3)  # folding
    played = (first.strategy.shares * worth)[live].sum(1)
    assert (played > worth[live].max(1) - 0.25 * flop.pot).mean() > 0.95
    with pytest.raises(ConfigError, match="to the end of the flop"):
        first.search.solution.node()
    turn = state(f"{FLOP}:b377:c:2c")
    calls = first.search.reach((127, 0))[1]
    ranges = searcher.ranges(turn.apply(0), baseline)
    live = live_combos(turn.board)
    assert np.allclose(ranges[1, live], calls[live] / calls[live].max(), rtol=1e-6)


def test_who_searches_makes_a_difference_and_is_another_question() -> None:
    searcher = Searcher(settings("flop.iterations=20"))
    baseline = even._replace(future=Skewed)
    first = searcher.answer(state(FLOP), baseline)
    second = searcher.answer(state(f"{FLOP}:c"), baseline)
    assert second.new
    assert not np.allclose(
        np.nan_to_num(first.search.strategy.at(0)), np.nan_to_num(second.search.strategy.at(0)), atol=0.01
    )


def test_what_is_missing_or_out_of_place_is_said() -> None:
    with pytest.raises(ConfigError, match=r"flop\.future=limit: a depth limit needs a blueprint's values"):
        Searcher(settings()).answer(state(FLOP), Baseline(even.shares))
    with pytest.raises(ConfigError, match="limit is for the flop"):
        settings("turn.future=limit")
