"""Which device searches: what is left open is settled by the machine, and a GPU without room is no end."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from overbet.cards.combos import COMBOS, live_combos
from overbet.errors import TooLargeError
from overbet.search import searcher as searching
from overbet.search.cache.search_cache import SearchCache
from overbet.search.gadgets import Promise, gadget_root
from overbet.search.searcher import Searcher
from overbet.search.settings import DRAWN, SearchSettings
from overbet.search.street_search import search_street
from overbet.search.street_start import street_start
from overbet.search.subgame import subgame_tree
from overbet.solvers.rules import dcfr
from overbet.solvers.vector.engine import VectorEngine
from tests.search.test_searcher import RIVER, even, settings, sharing, state

FULL = "the solve needs 2.30 GB of GPU memory and 0.10 GB are free; use fewer bet sizes, or device: cpu"
WHOLE = ("streets=[flop, turn, river]", "flop.iterations=6")


def test_a_flop_has_all_boards_on_a_gpu_and_drawn_ones_elsewhere() -> None:
    chosen = SearchSettings.of({"flop": {"whole_iterations": 33, "whole_target": 0.7}})
    assert chosen.flop.drawn is None
    there = chosen.settled(gpu=True).flop
    assert (there.drawn, there.iterations, there.target) == (0, 33, 0.7)
    here = chosen.settled(gpu=False).flop
    assert (here.drawn, here.iterations, here.target) == (DRAWN, 300, 0.25)


@pytest.mark.parametrize(
    "changes",
    [
        {"device": "cpu"},
        {"gadget": "resolve"},
        {"flop": {"anchor": 1}},
        {"flop": {"warm": 5}},
        {"flop": {"future": "limit"}},
    ],
)
def test_what_a_gpu_is_not_used_for_is_settled_as_without_one(changes: dict[str, Any]) -> None:
    chosen = SearchSettings.of(changes)
    assert chosen.settled(gpu=True) == chosen.settled(gpu=False)
    assert chosen.settled(gpu=True).flop.drawn == DRAWN


def test_what_is_said_about_boards_is_kept_on_any_machine() -> None:
    chosen = SearchSettings.of({"flop": {"drawn": 2}})
    assert chosen.settled(gpu=True) == chosen


def _no_room(*question: Any) -> Any:
    """Search as a machine does whose GPU is full."""
    if question[9].device != "cpu":
        raise TooLargeError(FULL)
    return search_street(*question)


def test_where_the_gpu_has_no_room_the_cpu_searches_and_says_so(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(searching, "has_gpu", lambda: True)
    monkeypatch.setattr(searching, "search_street", _no_room)
    flop = state("r:0:b250:c:Td9d6h:b377")
    with SearchCache(tmp_path) as cache:
        found = Searcher(settings(*WHOLE), cache)
        answer = found.answer(flop, sharing())
        assert np.allclose(answer.strategy.shares[live_combos(flop.board)].sum(1), 1.0, atol=1e-5)
        assert answer.search.cost.exploitability is None  # boards were drawn
        said = "device auto: the solve needs 2.30 GB of GPU memory and 0.10 GB are free; the CPU serves"
        assert (found.moved, found.note) == (1, said)
    with SearchCache(tmp_path) as cache:  # it is not what a GPU would have found: it is not kept
        again = Searcher(settings(*WHOLE), cache)
        again.answer(flop, sharing())
        assert (again.made, again.recalled) == (1, 0)


def test_a_gpu_that_was_asked_for_and_has_no_room_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(searching, "search_street", _no_room)
    with pytest.raises(TooLargeError, match="GB of GPU memory"):
        Searcher(settings("device=cuda")).answer(state(RIVER), even)


def test_drawn_boards_with_a_gpu_asked_for_say_that_the_cpu_serves() -> None:
    found = Searcher(settings(*WHOLE, "flop.drawn=1", "device=cuda"))
    found.answer(state("r:0:b250:c:Td9d6h:b377"), sharing())
    assert found.note == "device cuda: drawn boards are searched on the CPU; the CPU serves"


def test_sampled_promises_are_the_same_to_hands_that_are_alike() -> None:
    """Clubs and spades are alike on Td9d6h2h; values that were sampled tell them apart a little."""
    start = street_start(state("r:0:b250:c:Td9d6h:c:c:2h"))
    tree = subgame_tree(start, np.ones((2, COMBOS)), (), settings()).tree
    values = 200 + np.random.default_rng(1).normal(size=COMBOS)
    root = gadget_root(tree, Promise(0, values, np.zeros(COMBOS)), "resolve")
    engine = VectorEngine(tree, dcfr(gamma=4.0), root=root)  # refuses alternatives that tell suits apart
    assert engine.gadget is not None
    given = np.asarray(root.gadget.alternatives) if root.gadget else np.zeros(0)
    assert given.sum() == pytest.approx(float((values[tree.hands[0].combos] * _met(tree)).sum()), rel=1e-6)


def _met(tree: Any) -> Any:
    from overbet.solvers.vector.subgame import compatible

    return compatible(tree, 0, tree.hands[1].weights)
