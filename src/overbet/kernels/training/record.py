"""The record of a node of the betting tree, [N, 4] int64: the one place where it is packed and taken apart.

    column    at a decision                             at the end of a hand
    0, head   player | street << 8 | children << 16     how it ended, below 0
    1         first child                               first pot
    2         first entry of bucket 0                   number of the end
    3         entries from one bucket to the next       pots

One line of memory a node is all that a walk reads of the tree.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from overbet.kernels.holdem.layout import SHOWDOWN, TERMINAL
from overbet.kernels.jit import lean_inlined

FIELDS = 4

FOLDED = TERMINAL  # how a hand ended: all but one folded
LATE_SHOWDOWN = SHOWDOWN
EARLY_SHOWDOWN = -6  # all in before the flop


class PackedDecision(NamedTuple):
    """A decision's record, for callers outside kernels. Bucket b has entries first + step * b and on."""

    player: int
    street: int
    actions: int
    first: int
    step: int


def decision_at(record: Any, node: int) -> PackedDecision:
    """Return the record of a decision; whether the node is one, `is_end(head_of(record, node))` says."""
    head, _, first, step = record[node].tolist()
    return PackedDecision(player_of(head), street_of(head), count_of(head), first, step)


@lean_inlined
def head_of(record: Any, n: Any) -> Any:
    """Return what the functions below take apart."""
    return record[n, 0]


@lean_inlined
def is_end(head: Any) -> Any:
    """Return whether the hand is over; then the head says how it ended."""
    return head < 0


@lean_inlined
def player_of(head: Any) -> Any:
    """Return the player to act."""
    return head & 255


@lean_inlined
def street_of(head: Any) -> Any:
    """Return the street of a decision."""
    return head >> 8 & 255


@lean_inlined
def count_of(head: Any) -> Any:
    """Return how many actions there are: as many as children."""
    return head >> 16


@lean_inlined
def first_child(record: Any, n: Any) -> Any:
    """Return the first child of a decision; the others follow it."""
    return record[n, 1]


@lean_inlined
def row_at(record: Any, n: Any, bucket: Any) -> Any:
    """Return the first entry of a bucket's row at a decision."""
    return record[n, 2] + record[n, 3] * bucket


@lean_inlined
def end_at(record: Any, n: Any) -> Any:
    """Return the number of an end of the hand."""
    return record[n, 2]


@lean_inlined
def first_pot(record: Any, n: Any) -> Any:
    """Return the first pot of an end."""
    return record[n, 1]


@lean_inlined
def pots_at(record: Any, n: Any) -> Any:
    """Return how many pots an end has."""
    return record[n, 3]


@lean_inlined
def write_decision(record: Any, n: Any, player: Any, street: Any, count: Any, child: Any) -> None:
    """Write all of a decision but its place in the tables."""
    record[n, 0] = player | street << 8 | np.int64(count) << 16
    record[n, 1] = child


@lean_inlined
def write_place(record: Any, n: Any, first: Any, step: Any) -> None:
    """Write a decision's place in the tables."""
    record[n, 2], record[n, 3] = first, step


@lean_inlined
def write_end(record: Any, n: Any, kind: Any, number: Any, pot: Any, pots: Any) -> None:
    """Write the end of a hand."""
    record[n, 0], record[n, 1], record[n, 2], record[n, 3] = kind, pot, number, pots
