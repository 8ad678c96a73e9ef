"""Made hands and draws of a range, EV by percentile, and how two nodes differ: on the shipped example."""

from __future__ import annotations

import numpy as np
import pytest

from overbet import study
from overbet.cards.categories import MADE, categories
from overbet.interfaces.web.example import SAVED
from overbet.solvers.vector.locking import Lock
from overbet.solvers.vector.solution import Solution
from overbet.solvers.vector.store import load


@pytest.fixture(scope="module")
def turn() -> Solution:
    return load(SAVED)


@pytest.mark.parametrize("line", ["r:0", "r:0:c"])
def test_made_hands_add_up_to_the_range_and_to_its_totals(turn: Solution, line: str) -> None:
    found, node = study.category_breakdown(turn, line), turn.node(line)
    seat = node.seat()
    shares = np.array([row["share"] for row in found["made"]])
    assert shares.sum() == pytest.approx(1, abs=0.002)
    mixes = np.array([row["frequencies"] for row in found["made"]])
    np.testing.assert_allclose(shares @ mixes, seat.frequencies(), atol=0.002)
    assert shares @ [row["ev_chips"] for row in found["made"]] == pytest.approx(seat.mean_ev_chips, rel=0.01)
    assert sum(row["combos"] for row in found["made"]) == pytest.approx(seat.reach.sum(), rel=0.01)


def test_a_row_is_the_mean_of_its_hands(turn: Solution) -> None:
    seat = turn.node().seat()
    assert seat.strategy is not None
    row = next(row for row in study.category_breakdown(turn)["made"] if row["key"] == "top-pair")
    held = categories(turn.spot.board).made[seat.combos] == list(MADE).index("top-pair")
    weight = seat.weight[held]
    assert row["combos"] == pytest.approx(seat.reach[held].sum())
    assert row["frequencies"] == pytest.approx((weight @ seat.strategy[held] / weight.sum()).tolist())
    assert row["equity"] == pytest.approx(weight @ seat.equity[held] / weight.sum())


def test_the_other_player_has_rows_without_actions(turn: Solution) -> None:
    found = study.category_breakdown(turn, "r:0", "ip")
    assert found["actions"] == []
    assert all(row["frequencies"] == [] for row in found["made"])
    frame = study.breakdown_frame(found, turn.node())
    assert {"category", "share", "ev_bb"} <= set(frame.columns)


def test_ev_by_percentile_runs_from_the_worst_hand_to_the_best(turn: Solution) -> None:
    found = study.equity_distribution(turn, "r:0:c", 501)
    for seat in (turn.node("r:0:c").oop, turn.node("r:0:c").ip):
        curve = found[seat.player]["ev_chips"]
        here = seat.ev_chips[seat.weight > 0]
        assert curve == sorted(curve)
        assert (curve[0], curve[-1]) == (pytest.approx(np.nanmin(here)), pytest.approx(np.nanmax(here)))
        assert np.mean(curve) == pytest.approx(seat.mean_ev_chips, rel=0.01)


def test_two_nodes_differ_by_strategy(turn: Solution) -> None:
    first, second = study.node_header(turn, "r:0:c"), study.node_header(turn, "r:0:b73")
    view = study.compare_nodes(first, second)
    tokens = [row["token"] for row in view.facts["mix"]]
    assert tokens == sorted({*tokens}, key=tokens.index)
    assert tokens[:2] == ["f", "c"]  # folding is possible in one of them alone
    fold = view.facts["mix"][0]
    assert fold["left"] == 0.0 < fold["right"]
    assert sum(row["left"] for row in view.facts["mix"]) == pytest.approx(1)
    one, two = (node.seat() for _, node in (first, second))
    assert one.strategy is not None
    assert two.strategy is not None
    place = tokens.index("c")
    calls = dict(zip(two.combos.tolist(), two.strategy[:, 1]))
    expected = [row[0] - calls[combo] for combo, row in zip(one.combos.tolist(), one.strategy)]
    np.testing.assert_allclose(view.arrays["mix_difference"][place][one.combos], expected, atol=1e-6)
    assert 0 < view.facts["changed"] <= 1
    same = study.compare_nodes(first, first)
    assert same.facts["changed"] == 0.0
    assert np.nanmax(np.abs(same.arrays["class_mix_difference"])) == 0.0
    nobody = study.compare_nodes(first, study.node_header(turn))  # another player acts
    assert nobody.facts["mix"] == []
    assert nobody.facts["changed"] is None


def test_the_preview_of_a_lock_has_the_grid(turn: Solution) -> None:
    node = turn.node()
    tokens = [action.token for action in node.actions]
    mix = dict(zip(tokens, (0.9, 0.0, 0.1)))
    view = study.lock_preview(turn, Lock(line="r:0", hands={"AA": mix}))
    now = node.seat().class_mix().T
    np.testing.assert_allclose(view.arrays["class_mix"][:, 0], list(mix.values()), atol=1e-6)
    np.testing.assert_allclose(view.arrays["class_mix"][:, 1:], now[:, 1:], atol=1e-6)  # free hands as now
    assert view.facts["frequencies"][0] > node.seat().frequencies()[0]  # aces always bet large before
