"""Answers that are kept: the same bits as when they were searched for, for any names of the suits."""

from pathlib import Path

import numpy as np

from overbet.cards.cards import cards_name
from overbet.cards.isomorphism import rename_suits
from overbet.games.holdem_state import HoldemState
from overbet.search.cache import SearchCache
from overbet.search.cache.suits import rename_hands
from overbet.search.searcher import Searcher
from tests.search.test_searcher import RIVER, even, settings, state

RENAMING = (2, 0, 3, 1)


def same(one: np.ndarray, other: np.ndarray) -> bool:
    return bool(np.array_equal(one, other, equal_nan=True))


def test_an_answer_from_the_disk_is_the_answer(tmp_path: Path) -> None:
    asked = state(f"{RIVER}:c:b471")
    with SearchCache(tmp_path) as cache:
        first = Searcher(settings("streets=[river]"), cache)
        found = first.answer(asked, even)
    with SearchCache(tmp_path) as cache:
        second = Searcher(settings("streets=[river]", "threads=2"), cache)
        again = second.answer(asked, even)
        assert (second.made, second.recalled) == (0, 2)  # the check before the bet, and the answer to it
        assert same(again.strategy.shares, found.strategy.shares)
        assert again.search.cost == found.search.cost
        assert same(again.search.reach((0, 221)), found.search.reach((0, 221)))
        solution = again.search.solution  # nothing of that is kept: it is solved again
        assert second.made == 1
        assert solution.node("r:0:c").ip.strategy is not None


def test_suits_may_have_other_names(tmp_path: Path) -> None:
    asked = state(f"{RIVER}:b377")
    board = rename_suits(asked.board, RENAMING)
    other: HoldemState = asked.game.initial_state().with_cards([None, None], cards_name(board))
    for _, _, action in asked.history:
        other = other.apply(action)
    with SearchCache(tmp_path) as cache:
        searcher = Searcher(settings("streets=[river]"), cache)
        one, two = searcher.answer(asked, even), searcher.answer(other, even)
        assert (searcher.made, searcher.recalled) == (1, 1)
        renamed = rename_hands(one.strategy.shares.T, RENAMING, 1).T
        assert same(two.strategy.shares, renamed)
        fresh = Searcher(settings("streets=[river]")).answer(other, even)
        assert np.allclose(fresh.strategy.shares, two.strategy.shares, atol=2e-3, equal_nan=True)


def test_other_settings_are_another_question(tmp_path: Path) -> None:
    with SearchCache(tmp_path) as cache:
        for change in ("river.iterations=40", "river.iterations=41"):
            searcher = Searcher(settings("streets=[river]", change), cache)
            searcher.answer(state(RIVER), even)
            assert (searcher.made, searcher.recalled) == (1, 0)
