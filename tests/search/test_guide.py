"""Strategies that a search goes by: the blueprint in the tree's actions, as anchor and as beginning."""

import numpy as np
import pytest

from overbet.cards.combos import COMBOS, live_combos
from overbet.errors import ConfigError
from overbet.games.holdem_state import HoldemState
from overbet.search.beliefs import Baseline, HandShares
from overbet.search.guide import guide_of, mapped_shares
from overbet.search.searcher import Searcher
from overbet.search.settings import SearchSettings
from overbet.search.street_start import before_street, real_action, street_start
from overbet.search.street_strategy import node_after
from overbet.search.subgame import spot_of
from overbet.solvers.vector.response import FOLLOW
from overbet.tree.betting import build_tree
from tests.search.test_searcher import RIVER, settings, state


def leaning(asked: HoldemState) -> HandShares:
    """A blueprint whose every hand mixes in a way of its own, and whose only bet is the pot."""
    legal = asked.legal_actions()
    actions = [-1, 0] if legal.fold else [0]
    if legal.raise_max is not None:
        actions.append(min(asked.pot + asked.to_call, legal.raise_max))
    rng = np.random.default_rng(len(asked.history))
    found = rng.random((COMBOS, len(actions))) + 0.2
    found /= found.sum(1, keepdims=True)
    found[~live_combos(asked.board)] = np.nan
    return HandShares(tuple(actions), found)


blueprint = Baseline(leaning)


def test_the_same_actions_are_the_same_strategy() -> None:
    asked = state(f"{RIVER}:b377")
    found = leaning(asked)
    live = live_combos(asked.board)
    mapped = mapped_shares(found, asked, list(found.actions))
    assert np.allclose(mapped[live], found.shares[live])
    assert np.allclose(mapped.sum(1), 1.0)


def test_what_is_raised_altogether_is_shared_out_over_the_trees_raises() -> None:
    asked = state(RIVER)
    shares = np.tile([0.5, 0.3, 0.2], (COMBOS, 1))
    found = HandShares((0, 250, 1000), shares)
    mapped = mapped_shares(found, asked, [0, 250, 500, 1000])
    assert np.allclose(mapped[:, 0], 0.5)
    assert np.allclose(mapped[:, 1:].sum(1), 0.5)
    assert (mapped[:, 2] > 0).all()
    assert np.allclose(mapped[:, 1] / mapped[:, 3], 1.5)  # sizes that both have keep their proportion
    assert np.allclose(mapped_shares(found, asked, [0]), 1.0)  # nobody can raise: raises call
    one = mapped_shares(found, asked, [0, 777])
    assert np.allclose(one, [0.5, 0.5])


@pytest.mark.parametrize("street", ["river", "turn"])
def test_a_strong_anchor_plays_the_blueprint(street: str) -> None:
    asked = state(RIVER if street == "river" else "r:0:b250:c:Td9d6h:c:c:2c")
    pot = ("river.bets.river.bet=100%", "turn.bets.turn.bet=100%")  # the blueprint's own size
    strong = settings(f"{street}.anchor=1000000", f"streets=[{street}]", f"{street}.iterations=5", *pot)
    found = Searcher(strong).answer(asked, blueprint)
    expected = mapped_shares(leaning(asked), asked, list(found.strategy.actions))
    live = live_combos(asked.board)
    assert np.allclose(found.strategy.shares[live], expected[live], atol=2e-3)


def test_a_weak_anchor_plays_as_well_as_none() -> None:
    asked = state(RIVER)
    given = ("streets=[river]", "river.iterations=200", "river.target=0")
    weak = Searcher(settings(*given, "river.anchor=0.001")).answer(asked, blueprint).search
    free = Searcher(settings(*given)).answer(asked, blueprint).search
    assert weak.cost.exploitability < 1.0
    strong = Searcher(settings(*given, "river.anchor=30")).answer(asked, blueprint).search
    assert strong.cost.exploitability > weak.cost.exploitability > free.cost.exploitability


def test_own_decisions_stay_frozen_under_an_anchor() -> None:
    searcher = Searcher(settings("streets=[river]", "river.anchor=2"))
    before = searcher.answer(state(RIVER), blueprint)
    after = searcher.answer(state(f"{RIVER}:c:b471"), blueprint)
    live = live_combos(state(RIVER).board)
    assert np.allclose(after.search.strategy.at(0)[live], before.search.strategy.at(0)[live], atol=1e-4)


def test_a_warm_search_ends_where_a_cold_one_does() -> None:
    asked = state(RIVER)
    costs, values = [], []
    for warm in (0, 30):
        searcher = Searcher(
            settings("streets=[river]", f"river.warm={warm}", "river.iterations=300", "river.target=0.5")
        )
        found = searcher.answer(asked, blueprint).search
        costs.append(found.cost)
        values.append(found.engine.judge.expected(0, FOLLOW))
    assert all(cost.exploitability <= 0.5 for cost in costs)
    assert costs[0].exploitability != costs[1].exploitability
    assert values[0] == pytest.approx(values[1], abs=0.01 * 500)


def test_a_search_of_the_same_street_is_begun_with_where_both_have_the_decision() -> None:
    searcher = Searcher(settings("streets=[river]", "river.warm=10"))
    last = searcher.answer(state(RIVER), blueprint).search
    start, begun = street_start(state(RIVER)), before_street(state(RIVER), 3)
    betting = build_tree(spot_of(start, searcher.settings), played=(0, 221))
    found = {each.edges: each.shares for each in guide_of(betting, begun, start.stack, leaning, last)}
    live = live_combos(state(RIVER).board)
    assert np.allclose(found[()][live], last.strategy.at(0)[live])
    assert (0, 221) in found  # the last search does not have the bet: the blueprint's, in the tree's actions
    here = state(f"{RIVER}:c:b471")
    edges = betting.edge[list(betting.children(node_after(betting, (0, 221))))]
    expected = mapped_shares(leaning(here), here, [real_action(here, int(edge), 1750) for edge in edges])
    assert np.allclose(found[0, 221], expected)


def test_settings_that_make_no_sense_are_refused() -> None:
    for change in ("turn.anchor=-1", "turn.anchor=.inf", "turn.warm=-1"):
        with pytest.raises(ConfigError, match=change.split("=")[0].split(".")[1]):
            SearchSettings.changed([change])
