"""Push or fold: the reference values, an evaluation by combos, and the game as a tree."""

from __future__ import annotations

import csv

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from overbet.cards.combos import CLASSES, class_index
from overbet.errors import ConfigError, RulesError
from overbet.games.pushfold import PushFoldGame
from overbet.solvers.pushfold import PushFold, evaluate_pushfold, solve_pushfold
from tests.reference.pushfold import values
from tests.shared_data import shared


def test_the_reference_table() -> None:
    with open(shared("heads-up-push-fold.csv"), newline="") as handle:
        rows = list(csv.DictReader(handle))
    assert len(rows) == 4
    for row in rows:
        found = solve_pushfold(float(row["stack_bb"]))
        assert found.exploitability_bb <= 1e-12
        assert found.value_bb == pytest.approx(float(row["sb_value_bb"]), abs=1e-5)
        assert found.push_share == pytest.approx(float(row["push_share"]), abs=1e-4)
        assert found.call_share == pytest.approx(float(row["call_share"]), abs=1e-4)
        assert found.push_share == pytest.approx(float(row["push_share"]), abs=5.1e-6)  # its printed digits
        assert found.call_share == pytest.approx(float(row["call_share"]), abs=5.1e-6)


@pytest.mark.parametrize(("stack", "ante"), [(2.5, 0.0), (10.0, 0.125), (40.0, 1.0)])
def test_an_evaluation_by_combos_agrees(stack: float, ante: float) -> None:
    rng = np.random.default_rng(3)
    charts = [rng.random(CLASSES), rng.random(CLASSES)]
    for found in (solve_pushfold(stack, ante), evaluate_pushfold(PushFoldGame(stack, ante), *charts)):
        value, small, big = values(stack, ante, found.push, found.call)
        assert found.value_bb == pytest.approx(value, abs=1e-12)
        assert found.exploitability_bb == pytest.approx((small + big) / 2, abs=1e-12)


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 2**32), st.floats(1.5, 200), st.floats(0, 0.4))
def test_exploitability_is_never_negative(seed: int, stack: float, ante: float) -> None:
    rng = np.random.default_rng(seed)
    charts = rng.integers(0, 2, (2, CLASSES)).astype(float)
    found = evaluate_pushfold(PushFoldGame(stack, ante), *charts)
    assert found.exploitability_bb >= 0
    assert solve_pushfold(stack, ante, max_iterations=20).exploitability_bb <= found.exploitability_bb


@settings(max_examples=25, deadline=None)
@given(st.floats(1.2, 120), st.sampled_from([0.0, 0.1, 0.125]))
def test_every_stack_is_solved_exactly(stack: float, ante: float) -> None:
    found = solve_pushfold(stack, ante)
    assert found.exploitability_bb <= 1e-12
    fold, big_fold = found.fold_ev_bb
    assert (found.push[found.push_ev_bb > fold + 1e-9] == 1).all()
    assert (found.push[found.push_ev_bb < fold - 1e-9] == 0).all()
    assert (found.call[found.call_ev_bb > big_fold + 1e-9] == 1).all()
    assert (found.call[found.call_ev_bb < big_fold - 1e-9] == 0).all()


def test_nearly_indifferent_hands_do_not_stall_it() -> None:
    """With an ante of 1 bb, KTo and QTo are so alike that 200,000 iterations alone leave 9e-9 bb."""
    found = solve_pushfold(100, 1, max_iterations=2000)
    assert found.exploitability_bb <= 1e-12


def test_other_rules_reach_the_same_value() -> None:
    value = solve_pushfold(12).value_bb
    for rule in ("cfr+", "dcfr"):
        assert solve_pushfold(12, rule=rule, max_iterations=4000).value_bb == pytest.approx(value, abs=1e-6)


def test_what_the_ante_and_the_stack_do() -> None:
    shares = [solve_pushfold(10, ante).push_share for ante in (0, 0.125, 0.5)]
    assert shares == sorted(shares)
    shares = [solve_pushfold(stack).call_share for stack in (3, 6, 12, 24, 48)]
    assert shares == sorted(shares, reverse=True)
    deep = solve_pushfold(100_000)
    assert deep.push_range.text() == "AA"
    assert deep.call_range.text() == "AA"


def test_the_chart_at_ten_big_blinds() -> None:
    found = solve_pushfold(10)
    assert found.push_range.text().startswith("22+,A2s+,K2s+,Q2s+")
    assert 0 < found.push[class_index("43s")] < 1
    assert 0 < found.call[class_index("Q6s")] < 1
    mixing = class_index("43s")
    assert found.push_ev_bb[mixing] == pytest.approx(found.fold_ev_bb[0], abs=1e-12)
    frame = found.to_polars()
    assert frame.shape == (CLASSES, 8)
    assert frame["combos"].sum() == 1326
    assert frame.filter(frame["hand"] == "AA")["push"].item() == 1
    html = found._repr_html_()
    assert html.count("<td") == 2 * CLASSES
    assert "Small blind pushes 58.3%" in html
    assert repr(found).startswith("PushFold(stack 10 bb: the small blind's value is -0.04537 bb a hand")


def test_progress_is_reported() -> None:
    seen: list[tuple[int, float]] = []
    solve_pushfold(10, rule="cfr", max_iterations=700, progress=lambda n, gain: seen.append((n, gain)))
    assert [n for n, _ in seen] == [250, 500, 700]
    assert all(gain > 0 for _, gain in seen)


@pytest.mark.parametrize(
    ("stack", "ante", "message"),
    [
        (0, 0, "positive number of big blinds, not 0"),
        (-3, 0, "not -3"),
        (float("nan"), 0, "not nan"),
        (float("inf"), 0, "not inf"),
        (0.5, 0, "give more than 1 bb"),
        (1, 0, "give more than 1 bb"),
        (2, 1, "give more than 2 bb"),
        (10, -0.1, "the ante must be"),
        (10, float("nan"), "the ante must be"),
    ],
)
def test_impossible_stacks_are_refused(stack: float, ante: float, message: str) -> None:
    with pytest.raises(RulesError, match=message):
        solve_pushfold(stack, ante)


def test_other_bad_input_is_refused() -> None:
    with pytest.raises(ConfigError, match="unknown rule"):
        solve_pushfold(10, rule="cfrr")
    with pytest.raises(ConfigError, match="at least 1"):
        solve_pushfold(10, max_iterations=0)
    with pytest.raises(ConfigError, match="not be negative"):
        solve_pushfold(10, tolerance_bb=-1)
    with pytest.raises(ConfigError, match="169 frequencies"):
        evaluate_pushfold(PushFoldGame(10), np.full(CLASSES, 2.0), np.zeros(CLASSES))
    assert isinstance(evaluate_pushfold(PushFoldGame(10), np.ones(CLASSES), np.zeros(CLASSES)), PushFold)
