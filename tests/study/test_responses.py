"""Restricted responses: what they win from a model, what they risk, and that none is better."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest

import overbet
from overbet.errors import ConfigError
from overbet.kernels.vector.response import BEST, FOLLOW, OBEY
from overbet.solvers.vector.layout import rows_of
from overbet.solvers.vector.locking import Lock, fixed
from overbet.solvers.vector.reader import TreeReader
from overbet.solvers.vector.response import Judge
from overbet.solvers.vector.solution import Solution
from overbet.solvers.vector.view import action_values, hand_values
from overbet.study.responses import RestrictedResponse, model_lock, restricted_response
from tests.solvers.vector.spots import RIVER

LINE = "r:0:b30"
STATION = {"fold": 0.25, "call": 0.7, "raise": 0.05}


@pytest.fixture(scope="module")
def equilibrium() -> Solution:
    return overbet.solve(RIVER, target=0.02, iterations=2000, threads=1)


@pytest.fixture(scope="module")
def answers(equilibrium: Solution) -> dict[float, RestrictedResponse]:
    lock = model_lock(equilibrium, LINE, STATION)
    return {p: restricted_response(equilibrium, [lock], p, target=0.05) for p in (0.0, 0.5, 0.75, 1.0)}


def test_the_more_the_model_is_trusted_the_more_is_won_and_risked(
    answers: dict[float, RestrictedResponse],
) -> None:
    found = [answers[p] for p in sorted(answers)]
    assert all(answer.unsolved <= 0.05 for answer in found)
    assert {answer.player for answer in found} == {"oop"}
    for less, more in pairwise(found):
        assert more.gain > less.gain - 0.2
        assert more.risk > less.risk - 0.2
    assert found[0].gain == pytest.approx(0.0, abs=0.3)
    assert found[0].risk == pytest.approx(0.0, abs=0.1)
    assert found[-1].gain > 5.0
    assert found[-1].risk > 20.0
    assert found[1].gain > 1.0
    assert found[1].risk < 3.0
    assert all(answer.gain <= answer.most + 1e-6 for answer in found)


def restricted_value(equilibrium: Solution, hero: Solution, lock: Lock, p: float) -> float:
    """Return what the opponent wins from a strategy at most when bound to a lock with probability p.

    By the judge alone: the free part takes its best action, everything else is a best response.
    """
    tree, layout = equilibrium.tree, equilibrium.layout
    model = fixed(tree, lock, equilibrium.reader)
    node, board = model.place.node, model.place.board
    reader = TreeReader(tree, layout, [hero.reader.average[0], equilibrium.reader.average[1]])
    met = hand_values(reader, 1, BEST, node, board).met
    best = np.nan_to_num(action_values(reader, 1, BEST, node, board, met), nan=-1e9).argmax(1)
    table, mask = equilibrium.reader.average[1].copy(), np.zeros(layout.table_size[1], np.uint8)
    rows, places = rows_of(tree, layout, node, board)
    live = places >= 0
    for action, row in enumerate(rows):
        bound = (p * model.strategy[action] + (1 - p) * (best == action))[live]
        table[row + places[live]] = np.where(model.hands[live], bound, table[row + places[live]])
        mask[row + places[live]] = model.hands[live]
    none = np.zeros(layout.table_size[0], np.uint8)
    return Judge(tree, layout, [hero.reader.average[0], table], [none, mask]).expected(1, OBEY)


@pytest.mark.parametrize("p", [0.5, 0.75])
def test_an_answer_gives_the_restricted_opponent_least(
    p: float, equilibrium: Solution, answers: dict[float, RestrictedResponse]
) -> None:
    lock = model_lock(equilibrium, LINE, STATION)
    own = restricted_value(equilibrium, answers[p].solution, lock, p)
    others = [equilibrium, *(answer.solution for other, answer in answers.items() if other != p)]
    slack = 2 * answers[p].unsolved / 100 * equilibrium.spot.pot
    values = [restricted_value(equilibrium, other, lock, p) for other in others]
    assert own <= min(values) + slack
    assert max(values) > own + 1.0  # trusting the model wholly, or not at all, is worse


def test_a_model_of_some_hands_leaves_the_others_free(equilibrium: Solution) -> None:
    """Somebody who never folds three pairs: the answer is solved as well, and wins from it."""
    lock = Lock(line=LINE, hands={"JJ,99,88": {"c": 1.0}})
    answer = restricted_response(equilibrium, [lock], 0.5, target=0.05)
    assert answer.unsolved <= 0.05
    assert answer.gain > 0.0
    own = restricted_value(equilibrium, answer.solution, lock, 0.5)
    assert (
        own <= restricted_value(equilibrium, equilibrium, lock, 0.5) + 2 * 0.05 / 100 * equilibrium.spot.pot
    )


def test_full_trust_is_the_solve_with_the_lock(
    equilibrium: Solution, answers: dict[float, RestrictedResponse]
) -> None:
    lock = model_lock(equilibrium, LINE, STATION)
    locked = overbet.solve(RIVER, locks=[lock], before=equilibrium, target=0.05, iterations=2000, threads=1)
    value = Judge(equilibrium.tree, equilibrium.layout, answers[1.0].solution.reader.average).expected(
        0, FOLLOW
    )
    assert value == pytest.approx(locked.ev("oop"), abs=0.1)


def test_a_lock_has_the_models_frequencies_or_its_deviation(equilibrium: Solution) -> None:
    lock = model_lock(equilibrium, LINE, STATION)
    assert lock.frequencies == pytest.approx({"f": 0.25, "c": 0.7, "b150": 0.05})
    shares = equilibrium.node(LINE).seat().frequencies()
    same = model_lock(equilibrium, LINE, STATION, usual=STATION)
    assert [*(same.frequencies or {}).values()] == pytest.approx(shares.tolist())
    less = model_lock(
        equilibrium, LINE, {"fold": 0.3, "call": 0.6, "raise": 0.1}, {"fold": 0.5, "call": 0.4, "raise": 0.1}
    )
    wanted = shares * np.array([0.6, 1.5, 1.0])
    assert [*(less.frequencies or {}).values()] == pytest.approx((wanted / wanted.sum()).tolist())


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda sol: model_lock(sol, "r:0:c:c", STATION), "nobody decides"),
        (lambda sol: model_lock(sol, LINE, {"bet": 1.0}), "does none of the actions"),
        (lambda sol: model_lock(sol, LINE, {"fold": -1.0, "call": 2.0}), "below 0"),
        (lambda sol: restricted_response(sol, [model_lock(sol, LINE, STATION)], 1.5), "a probability"),
        (
            lambda sol: restricted_response(
                sol, [model_lock(sol, LINE, STATION), model_lock(sol, "r:0", {"check": 1.0})], 0.5
            ),
            "of one player",
        ),
    ],
)
def test_what_cannot_be_answered_is_refused(equilibrium: Solution, call: Any, words: str) -> None:
    with pytest.raises(ConfigError, match=words):
        call(equilibrium)
