"""Rows of a keyed table by their keys, many at a time: what shards learned is added to them."""

from __future__ import annotations

from typing import Any

from overbet.kernels.jit import kernel
from overbet.kernels.training.keys import KeyedTable, give_row


@kernel
def give_rows(table: KeyedTable, keys: Any, rows: Any) -> bool:
    """Write the row of every key, a free one where it had none, to rows: [R] int64; return whether there was
    room."""
    for place in range(len(keys)):
        rows[place] = give_row(table, keys[place])
        if rows[place] < 0:
            return False
    return True
