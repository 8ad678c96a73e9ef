"""Fixed-point tables: whole steps, ends of the range instead of overflow, discounts that round."""

from __future__ import annotations

import numpy as np
import pytest

from overbet.kernels.jit import kernel
from overbet.kernels.regret import RuleStep, single
from overbet.kernels.training.numbers import FIXED_UNIT, MOST, added, discount, ease_row, number_unit

NO_FLOOR = np.float32(-np.inf)


@kernel
def add_all(table, slots, amounts, floor):  # type: ignore[no-untyped-def]
    for e in range(len(slots)):
        added(table, slots[e], amounts[e], floor)


def step(
    positive: float = 1.0, negative: float = 1.0, average: float = 1.0, floor: float = -np.inf
) -> RuleStep:
    return single(RuleStep(positive, negative, 1.0, floor, 1.0, 0.0, average, 1.0))


@pytest.mark.parametrize("kind", [np.float32, np.int32])
def test_sums_are_those_of_plain_arithmetic(kind: type) -> None:
    rng = np.random.default_rng(3)
    slots, amounts = rng.integers(0, 8, 500), rng.normal(0, 20, 500).astype(np.float32)
    table = np.zeros(8, kind)
    add_all(table, slots, amounts, NO_FLOOR)
    exact = np.bincount(slots, amounts.astype(float), 8)
    np.testing.assert_allclose(table / number_unit(table), exact, atol=500 * 0.5 / FIXED_UNIT)
    backwards = np.zeros(8, kind)
    add_all(backwards, slots[::-1].copy(), amounts[::-1].copy(), NO_FLOOR)
    if kind is np.int32:
        np.testing.assert_array_equal(table, backwards)  # whole steps: the order does not matter


def test_sums_stop_at_the_ends_of_the_range() -> None:
    table = np.array([MOST - 100, 100 - MOST, 0, 0], np.int32)
    large = np.array([1e6, -1e6, 3e38, -3e38], np.float32)
    add_all(table, np.arange(4), large, NO_FLOOR)
    assert table.tolist() == [MOST, -MOST, MOST, -MOST]
    add_all(table, np.array([0, 1]), np.array([-1, 1], np.float32), NO_FLOOR)
    assert table[:2].tolist() == [MOST - FIXED_UNIT, FIXED_UNIT - MOST]


def test_floors_are_in_big_blinds() -> None:
    for kind in (np.float32, np.int32):
        table = np.zeros(2, kind)
        add_all(table, np.array([0, 1]), np.array([-50, -3], np.float32), np.float32(-10))
        np.testing.assert_array_equal(table / number_unit(table), [-10, -3])


def test_discounts_round_to_whole_steps() -> None:
    table = np.array([1001, 1001, -1001, 7], np.int32)
    discount(table, step(0.5, 0.25, 0.5), 0, 2)
    assert table.tolist() == [500, 500, -250, 4]
    discount(table, step(floor=0.0), 0, 2)
    assert table.tolist() == [500, 500, 0, 4]


def test_crowded_averages_are_halved_and_keep_their_shares() -> None:
    table = np.array([5, MOST // 2, -5, MOST // 8, 1, 40], np.int32)
    assert ease_row(table, 0, 2)
    assert table.tolist() == [5, MOST // 4, -5, MOST // 16, 1, 40]
    assert not ease_row(table, 0, 2)
