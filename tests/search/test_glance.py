"""A glance: one rough search that has all bets, close to what the searches of each would answer."""

import numpy as np
import pytest

from overbet.errors import RulesError
from overbet.search.glance import ITERATIONS, glance, settings_of
from overbet.search.searcher import Searcher
from overbet.search.settings import SearchSettings
from overbet.search.street_start import edges_on, street_start
from overbet.search.street_strategy import node_after
from overbet.search.subgame import spot_of
from overbet.tree.betting import build_tree
from tests.search.test_searcher import RIVER, even, settings, state

BETS = [100, 250, 500, 1300]


def test_bets_beside_are_in_the_tree_where_they_may_be_made_and_nowhere_else() -> None:
    asked = state(f"{RIVER}:c")
    start = street_start(asked)
    played, beside = edges_on(asked, start.stack), (111, 333)
    spot = spot_of(start, settings())
    tree = build_tree(spot, played=played, beside=beside)
    plain = build_tree(spot)
    assert all(node_after(tree, (*played, bet)) is not None for bet in beside)
    assert all(node_after(plain, (*played, bet)) is None for bet in beside)
    first = [int(tree.edge[child]) for child in tree.children(0)]
    assert first == [int(plain.edge[child]) for child in plain.children(0)]  # the root is as it was


def test_a_glance_is_near_the_searches_of_each_bet() -> None:
    asked = state(RIVER)
    searcher = Searcher(settings("river.iterations=200", "river.target=0.5"))
    rough = glance(searcher, asked, BETS, even)
    folds = []
    for amount, found in zip(BETS, rough):
        after = asked.apply(amount)
        exact = searcher.answer(after, even).strategy
        assert found.actions[:2] == exact.actions[:2] == (-1, 0)
        live = ~np.isnan(exact.shares[:, 0])
        assert np.allclose(found.shares[live].sum(1), 1.0, atol=1e-5)
        both = [float(np.nanmean(shares[live, 0])) for shares in (found.shares, exact.shares)]
        assert both[0] == pytest.approx(both[1], abs=0.12)
        folds.append(both[0])
    assert folds == sorted(folds)  # the larger the bet the more is folded
    assert folds[-1] > folds[0] + 0.2


def test_a_glance_keeps_decisions_as_they_were_made_and_leaves_no_search_behind() -> None:
    searcher = Searcher(settings())
    asked = state(f"{RIVER}:c")  # the one who is asked has checked
    made = searcher.decided(asked.apply(200), even)
    assert [decision.edges for decision in made] == [()]
    before = searcher.made
    glance(searcher, asked, [200, 700], even)
    assert searcher.made == before


def test_settings_of_a_glance_have_no_bets_on_later_streets() -> None:
    found = settings_of(SearchSettings())
    assert found.turn.bets.river is not None
    assert not found.turn.bets.river.menu(0).bet
    assert found.turn.bets.turn == SearchSettings().turn.bets.turn
    assert found.turn.iterations == ITERATIONS["turn"]


def test_what_is_not_searched_has_no_glance() -> None:
    with pytest.raises(RulesError, match="ask the blueprint"):
        glance(Searcher(settings()), state("r:0:b250:c:Td9d6h"), [100], even)
