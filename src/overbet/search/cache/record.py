"""What the cache keeps: a head that JSON can write, and arrays with named axes.

An axis named `hand` has the 1,326 combos in their order. When the suits are renamed, every array that has one
is renamed along it; the head and the other axes must say nothing about suits.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from overbet.cards.combos import COMBOS
from overbet.search.cache.suits import Renaming, rename_hands

HAND = "hand"


class CachedArray(NamedTuple):
    """An array and the names of its axes."""

    axes: tuple[str, ...]
    values: npt.NDArray[Any]


@dataclass(frozen=True, eq=False)
class CacheRecord:
    """A head and named arrays. Each array has one name for each axis; `hand` stands for 1,326 combos."""

    head: Mapping[str, Any]
    arrays: Mapping[str, CachedArray] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name, (axes, values) in self.arrays.items():
            if len(axes) != values.ndim or len({*axes}) != len(axes):
                raise ValueError(f"{name}: {len(axes)} names of axes for an array {list(values.shape)}")
            if HAND in axes and values.shape[axes.index(HAND)] != COMBOS:
                raise ValueError(f"{name}: the axis of hands must have {COMBOS}, not {list(values.shape)}")

    def __getitem__(self, name: str) -> npt.NDArray[Any]:
        return self.arrays[name].values

    def renamed(self, renaming: Renaming) -> CacheRecord:
        """Return the record with the suits renamed; arrays that have no hands are shared, not copied."""
        return CacheRecord(
            self.head,
            {
                name: CachedArray(
                    axes, rename_hands(values, renaming, axes.index(HAND)) if HAND in axes else values
                )
                for name, (axes, values) in self.arrays.items()
            },
        )

    def equals(self, other: CacheRecord) -> bool:
        """Return whether heads, names, types, shapes and all bits of the values are the same."""
        return (
            dict(self.head) == dict(other.head)
            and self.arrays.keys() == other.arrays.keys()
            and all(
                axes == other.arrays[name].axes
                and values.dtype == other[name].dtype
                and values.shape == other[name].shape
                and np.ascontiguousarray(values).tobytes() == np.ascontiguousarray(other[name]).tobytes()
                for name, (axes, values) in self.arrays.items()
            )
        )
