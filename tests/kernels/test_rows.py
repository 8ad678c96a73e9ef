"""Rows of tables and records of nodes against plain numpy, in every layout that we store."""

from __future__ import annotations

import numpy as np
import pytest

from overbet.kernels.jit import kernel
from overbet.kernels.sampling import rows
from overbet.kernels.training import record as records
from overbet.kernels.training.numbers import STRIDE, average_slot, is_regret, regret_slot
from overbet.kernels.training.walks import WalkWork

COUNT, AT = 4, 3
LAYOUTS = [
    (1, 5, np.float64, np.float64),
    (STRIDE, 6, np.float32, np.float32),
    (STRIDE, 6, np.int32, np.float32),
]


@kernel
def note_both(log, first, stride, value, share, weight):  # type: ignore[no-untyped-def]
    logged = rows.note_regrets(log, first, stride, value, 1, 4, 0.5, weight, 0)
    return logged, rows.note_shares(log, first + 1, stride, share, 3, 4, weight, 2.0, logged)


def table_with(regrets: list[float], stride: int, first: int, kind: type) -> np.ndarray:
    """Return a table whose other numbers are large: reading one of them is seen."""
    table = np.full(first + stride * COUNT + 3, 1000, kind)
    table[first : first + stride * COUNT : stride] = regrets
    return table


@pytest.mark.parametrize(("stride", "first", "kind", "number"), LAYOUTS)
@pytest.mark.parametrize("regrets", [[3, -2, 0, 7], [-1, -2, 0, -3]])
def test_regret_matching_in_every_layout(
    stride: int, first: int, kind: type, number: type, regrets: list[float]
) -> None:
    table = table_with(regrets, stride, first, kind)
    out = np.full(10, -1, number)
    rows.matched(table, first, stride, COUNT, out, AT)
    positive = np.maximum(np.array(regrets, number), 0)
    expected = positive / positive.sum() if positive.any() else np.full(COUNT, 0.25)
    np.testing.assert_allclose(out[AT : AT + COUNT], expected, rtol=1e-6)
    assert (out[:AT] == -1).all()
    assert (out[AT + COUNT :] == -1).all()
    assert rows.best_of(table, first, stride, COUNT) == np.argmax(regrets)
    assert rows.total_of(table, first, stride, COUNT) == sum(regrets)
    under = [bool(rows.prunable(table, first, stride, a, -1.5)) for a in range(COUNT)]
    assert under == [regret < -1.5 for regret in regrets]


def test_actions_are_picked_and_explored_as_often_as_said() -> None:
    share = np.array([9.0, 0.1, 0.0, 0.6, 0.3])
    draws = (np.arange(2000) + 0.5) / 2000
    picked = np.bincount([rows.picked(share, 1, COUNT, u) for u in draws], minlength=COUNT) / 2000
    np.testing.assert_allclose(picked, share[1:], atol=1e-3)
    explored = np.bincount([rows.explored(share, 1, COUNT, u, 0.4) for u in draws], minlength=COUNT) / 2000
    chances = [rows.explored_chance(share[1 + a], COUNT, 0.4) for a in range(COUNT)]
    np.testing.assert_allclose(explored, chances, atol=1e-3)
    assert sum(chances) == pytest.approx(1)


def test_skipped_actions_are_left_out() -> None:
    share, value = np.array([0, 0, 0, 0.5, 0.25, 0.25, 0.0]), np.array([99, 2.0, np.nan, 4.0, -1.0])
    assert rows.expected(share, AT, value, 1, COUNT) == 0.5 * 2 + 0.25 * 4
    places, numbers = np.zeros(10, np.int64), np.zeros(10, np.float32)
    log = WalkWork(places, places, places, numbers, numbers, np.zeros(10, np.int64), np.zeros(10, np.float32))
    logged, after = note_both(log, 20, 2, value, share, 10.0)
    assert (logged, after) == (3, 7)
    assert log.slot[:7].tolist() == [20, 24, 26, 21, 23, 25, 27]
    np.testing.assert_allclose(log.amount[:7], [15, 35, -15, 10, 5, 5, 0])


def test_averages_weigh_values() -> None:
    table = table_with([1, 0, 2, 1], STRIDE, 7, np.float32)
    value = np.array([50.0, 4.0, 8.0, 2.0, 0.0])
    assert rows.average_value(table, 7, STRIDE, COUNT, value, 1) == (4 + 2 * 2) / 4
    assert rows.average_value(table, -2, STRIDE, COUNT, value, 1) == 14 / 4
    never = table_with([0, 0, 0, 0], STRIDE, 7, np.float32)
    assert rows.average_value(never, 7, STRIDE, COUNT, value, 1) == 14 / 4


def test_a_baseline_moves_towards_what_was_seen() -> None:
    numbers = np.array([0.0, 8.0])
    rows.moved_towards(numbers, 1, 4.0, 0.25)
    assert numbers.tolist() == [0.0, 7.0]


def test_records_are_read_as_they_were_written() -> None:
    record = np.full((3, records.FIELDS), -99, np.int64)
    records.write_decision(record, 1, np.int8(8), np.int8(3), np.int8(18), np.int32(77))
    records.write_place(record, 1, 1 << 40, 21)
    records.write_end(record, 2, records.EARLY_SHOWDOWN, 5, 11, 3)
    assert (record[0] == -99).all()
    head = records.head_of(record, 1)
    assert not records.is_end(head)
    assert (records.player_of(head), records.street_of(head), records.count_of(head)) == (8, 3, 18)
    assert records.first_child(record, 1) == 77
    assert records.row_at(record, 1, 10) == (1 << 40) + 210
    assert records.decision_at(record, 1) == records.PackedDecision(8, 3, 18, 1 << 40, 21)
    assert records.is_end(records.head_of(record, 2))
    assert records.head_of(record, 2) == records.EARLY_SHOWDOWN
    assert (records.end_at(record, 2), records.first_pot(record, 2), records.pots_at(record, 2)) == (5, 11, 3)


def test_regret_and_average_of_an_entry_have_their_own_slots() -> None:
    slots = [(regret_slot(entry), average_slot(entry)) for entry in range(5)]
    assert sorted(sum(slots, ())) == list(range(10))
    assert all(is_regret(regret) and not is_regret(average) for regret, average in slots)
