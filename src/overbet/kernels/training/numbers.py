"""The two kinds of numbers a training table is made of, and how each is added to and discounted.

float32: big blinds as they are. int32: fixed point, whole 512ths of a big blind (averages: of a whole share).
A sum that would leave the range stays at its end instead of wrapping round; integers are added without
rounding, so the order of additions within a batch would not matter either. Which of the two is meant is
decided when a kernel is compiled, by the table's type: the loops have no branch for it.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from numba.core import types
from numba.extending import overload

from overbet.kernels.jit import kernel, lean_inlined
from overbet.kernels.regret import RuleStep, accumulated, averaged
from overbet.kernels.training.record import count_of, head_of, is_end, row_at, street_of

FIXED_UNIT = 512.0  # steps of an int32 table in a big blind, or in a share of 1
MOST = 2147483647
_CROWDED = MOST // 4

STRIDE = 2  # regret and average of an entry stand side by side


@lean_inlined
def regret_slot(entry: Any) -> Any:
    """Return where the regret of an entry stands in a table."""
    return STRIDE * entry


@lean_inlined
def average_slot(entry: Any) -> Any:
    """Return where the average of an entry stands in a table."""
    return STRIDE * entry + 1


@lean_inlined
def is_regret(slot: Any) -> Any:
    """Return whether a slot of a table without baselines holds a regret."""
    return slot & 1 == 0


def number_unit(table: npt.NDArray[Any]) -> float:
    """Return how many steps of this table are one big blind."""
    return FIXED_UNIT if table.dtype == np.int32 else 1.0


def added(table: Any, slot: Any, amount: Any, floor: Any) -> None:
    """Add `amount`, in big blinds or shares, to table[slot], which never falls under `floor`."""
    raise NotImplementedError("only inside kernels")


def discounted(table: Any, entry: Any, step: Any) -> None:
    """Apply a rule's discounts to regret and average of an entry."""
    raise NotImplementedError("only inside kernels")


@overload(added)
def _added(table: Any, slot: Any, amount: Any, floor: Any) -> Any:
    if isinstance(table.dtype, types.Float):

        def floating(table: Any, slot: Any, amount: Any, floor: Any) -> None:
            table[slot] = max(table[slot] + amount, floor)

        return floating

    def fixed(table: Any, slot: Any, amount: Any, floor: Any) -> None:
        steps = np.rint(np.float64(amount) * FIXED_UNIT)
        least = max(np.float64(floor) * FIXED_UNIT, -np.float64(MOST))
        table[slot] = np.int32(min(max(np.float64(table[slot]) + steps, least), np.float64(MOST)))

    return fixed


@overload(discounted)
def _discounted(table: Any, entry: Any, step: Any) -> Any:
    if isinstance(table.dtype, types.Float):

        def floating(table: Any, entry: Any, step: Any) -> None:
            nothing = table[0] * 0
            regret, average = regret_slot(entry), average_slot(entry)
            table[regret] = accumulated(table[regret], nothing, step)
            table[average] = averaged(table[average], nothing, step)

        return floating

    def fixed(table: Any, entry: Any, step: Any) -> None:
        regret = np.float64(table[regret_slot(entry)])
        factor = step.positive if regret > 0 else step.negative
        least = max(np.float64(step.floor) * FIXED_UNIT, -np.float64(MOST))
        table[regret_slot(entry)] = np.int32(max(np.rint(regret * np.float64(factor)), least))
        average = np.float64(table[average_slot(entry)]) * np.float64(step.average_discount)
        table[average_slot(entry)] = np.int32(np.rint(average))

    return fixed


@kernel
def discount(table: Any, step: RuleStep, low: int, high: int) -> None:
    """Apply the rule's discounts and floor to entries low .. high-1."""
    for entry in range(low, high):
        discounted(table, entry, step)


@kernel
def ease_row(table: Any, row: int, count: int) -> bool:
    """Halve the averages of an int32 row that fill a quarter of the range: their shares stay as they are."""
    crowded = False
    for a in range(count):
        crowded |= table[average_slot(row + a)] > _CROWDED
    if crowded:
        for a in range(count):
            table[average_slot(row + a)] //= 2
    return crowded


@kernel
def ease_rows(record: npt.NDArray[np.int64], table: Any, buckets: npt.NDArray[np.int64]) -> int:
    """Do so for every row of a dense int32 table; return how many rows were halved."""
    eased = 0
    for n in range(len(record)):
        head = head_of(record, n)
        if is_end(head):
            continue
        for bucket in range(buckets[street_of(head)]):
            eased += ease_row(table, row_at(record, n, bucket), count_of(head))
    return eased
