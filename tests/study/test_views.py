"""The views of a solution from Python: plain values and arrays, as the page and the terminal render them."""

from __future__ import annotations

import json

import numpy as np
import pytest

from overbet import study
from overbet.errors import ConfigError
from overbet.solvers.vector.api import solve
from overbet.solvers.vector.locking import Lock
from overbet.solvers.vector.solution import Solution
from tests.solvers.vector.spots import RIVER


@pytest.fixture(scope="module")
def river() -> Solution:
    return solve(RIVER, target=0.5, threads=1)


def test_a_view_is_plain_values_and_arrays_that_travel(river: Solution) -> None:
    view = study.node_view(river, "r:0:c")
    node = river.node("r:0:c")
    assert json.loads(json.dumps(view.to_json(), allow_nan=False))["player"] == "ip"
    assert view.facts["pot_chips"] == node.pot
    np.testing.assert_allclose(
        np.nan_to_num(view.arrays["class_mix"].T), node.grid().mix, rtol=1e-5, atol=1e-6
    )
    facts, arrays = study.unpacked(view.packed())
    assert facts["actions"] == view.to_json()["actions"]
    assert set(arrays) == set(view.arrays)
    np.testing.assert_array_equal(arrays["strategy"], view.arrays["strategy"])


def test_terminal_and_page_say_the_same_of_a_node(river: Solution) -> None:
    shown, printed = study.node_view(river).to_json(), study.node_values(river.node())
    for player in ("oop", "ip"):
        for name in ("ev_chips", "equity", "realisation", "combos"):
            assert shown["players"][player][name] == printed["players"][player][name]
    assert [action["frequency"] for action in shown["actions"]] == [
        action["frequency"] for action in printed["actions"]
    ]


def test_a_lock_is_seen_before_it_is_solved(river: Solution) -> None:
    view = study.lock_preview(river, Lock(line="r:0", frequencies={"c": 0.25, "b30": 0.75}))
    seat = river.node().oop
    total = seat.reach @ view.arrays["strategy"][:, seat.combos].T.astype(np.float64) / seat.reach.sum()
    np.testing.assert_allclose(total, [0.25, 0.75], atol=1e-4)
    assert view.facts["hands"] == len(seat.combos)


def test_comparisons(river: Solution) -> None:
    view = study.compare_actions(river, "r:0", "c", "b30")
    assert view.facts["difference_chips"] == pytest.approx(
        view.facts["first"]["ev_chips"] - view.facts["second"]["ev_chips"]
    )
    with pytest.raises(ConfigError, match="unknown action"):
        study.compare_actions(river, "r:0", "c", "b31")
    here = study.node_header(river)
    same = study.compare_nodes(here, here)
    assert np.nanmax(np.abs(same.arrays["oop.class_difference"])) == 0


def test_a_question_and_its_verdict(river: Solution) -> None:
    question = study.from_solution(river, line="r:0")
    tokens = [action["token"] for action in question.shown["actions"]]
    found = [study.verdict(question, token) for token in tokens]
    assert min(one["loss_chips"] for one in found) == 0.0
    assert {one["grade"] for one in found} <= set(study.GRADES)
    assert any(one["grade"] == "best" for one in found)
    score = study.DrillScore()
    for one in found:
        score.add(one["grade"], one["loss_percent_of_pot"], within=one["within_solver_error"])
    assert score.shown()["answered"] == len(tokens)
    with pytest.raises(study.StudyError, match="not possible here") as caught:
        study.verdict(question, "b1")
    assert caught.value.where == "token"
    with pytest.raises(study.StudyError, match="nobody decides"):
        study.from_solution(river, line="r:0:c:c")
