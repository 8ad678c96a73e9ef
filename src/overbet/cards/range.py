"""Ranges: how often each of the 1,326 combos is held.

A `Range` is an immutable vector of weights in [0, 1] with the operations of (fuzzy) sets: `|` is the
larger weight, `&` the smaller, `-` what is left after taking away, `~` the rest, `*` the product with a
number or, combo by combo, with another range. It reads and writes the language of `range_grammar`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Self

import numpy as np
import numpy.typing as npt

from overbet.cards.cards import cards as read_cards
from overbet.cards.combos import CLASSES, COMBOS, class_of_combos, combo_name, live_combos
from overbet.cards.range_grammar import read_range
from overbet.cards.range_text import RangeForm, write_range
from overbet.errors import RangeError

_CLASS_SIZES = np.bincount(class_of_combos(), minlength=CLASSES)


class Range:
    """An immutable set of weighted combos; `overbet.Range.parse("AA,KQs,A5s-A2s,KTo+:0.5,AsKh:.25")`."""

    __slots__ = ("_text", "_weights")

    def __init__(self, weights: npt.ArrayLike) -> None:
        """Take `weights`: [1326] numbers in [0, 1], in the order of `overbet.cards.combos`."""
        given = np.asarray(weights)
        if given.shape != (COMBOS,) or given.dtype.kind not in "bfiu":
            raise RangeError(
                f"a range is {COMBOS} numbers, one for each combo; got shape {list(given.shape)}"
            )
        own = given.astype(np.float32) + np.float32(0)  # a copy; adding zero turns -0.0 into 0.0
        bad = np.flatnonzero(~((own >= 0) & (own <= 1)))
        if len(bad):
            first = int(bad[0])
            raise RangeError(f"weight {own[first]:g} of {combo_name(first)} is not in 0 to 1")
        own.setflags(write=False)
        self._weights = own
        self._text: str | None = None

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read a range text; a `RangeError` points at the place that cannot be read."""
        return cls(read_range(text))

    @classmethod
    def from_classes(cls, weights: npt.ArrayLike) -> Self:
        """Give every combo the weight of its class; `weights`: [169] or [13, 13], in grid order."""
        given = np.asarray(weights)
        if given.size != CLASSES:
            raise RangeError(
                f"{CLASSES} weights are needed, one for each class; got shape {list(given.shape)}"
            )
        return cls(given.reshape(CLASSES)[class_of_combos()])

    @classmethod
    def full(cls) -> Self:
        """Return the range that holds every combo."""
        return cls(np.ones(COMBOS, np.float32))

    @classmethod
    def empty(cls) -> Self:
        """Return the range that holds nothing."""
        return cls(np.zeros(COMBOS, np.float32))

    @property
    def weights(self) -> npt.NDArray[np.float32]:
        """The weight of every combo: [1326] float32; read only."""
        return self._weights

    @property
    def combos(self) -> float:
        """The number of combos, each counted by its weight: 1,326 for the full range."""
        return float(self._weights.sum(dtype=np.float64))

    @property
    def share(self) -> float:
        """The part of all 1,326 combos that the range holds, in 0..1."""
        return self.combos / COMBOS

    def classes(self) -> npt.NDArray[np.float32]:
        """Return the mean weight of each class: [169] float32, in grid order."""
        sums = np.bincount(class_of_combos(), self._weights, CLASSES)
        return (sums / _CLASS_SIZES).astype(np.float32)

    def matrix(self) -> npt.NDArray[np.float32]:
        """Return the mean weight of each grid cell: [13, 13] float32, AA top left, suited above."""
        return self.classes().reshape(13, 13)

    def weight(self, hand: str | int) -> float:
        """Return the weight of a combo (`AsKh` or its number), or the mean weight of a class (`AKs`)."""
        return float(self._weights[self._select(hand)].mean(dtype=np.float64))

    def without(self, dead: str | Iterable[int]) -> Self:
        """Return the range less the combos that hold a dead card: `without("Td9d6h")`."""
        return type(self)(np.where(live_combos(read_cards(dead)), self._weights, np.float32(0)))

    def text(self, form: RangeForm = "pio", *, decimals: int | None = None) -> str:
        """Return the range as other programs read it; it reads back to the same weights.

        form: `pio` for `AA,AKo:0.5`, `gto+` for `AA,[50.0]AKo[/50.0]`. decimals: round the weights to so many
        places; a hand whose weight becomes 0 is left out.
        """
        if form != "pio" or decimals is not None:
            return write_range(self._weights, form, decimals)
        if self._text is None:
            self._text = write_range(self._weights)
        return self._text

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        text = self.text()
        return f"Range({text if len(text) <= 80 else text[:77] + '...'!r}, {self.combos:g} combos)"

    def _repr_html_(self) -> str:
        from overbet.cards.grid import weights_html

        return weights_html(self.classes(), caption=f"{self.combos:g} combos, {self.share:.1%} of hands")

    def __contains__(self, hand: str | int) -> bool:
        """Return whether every combo of `hand` (a combo's number, or any range text) has some weight."""
        return bool((self._weights[self._select(hand)] > 0).all())

    def __bool__(self) -> bool:
        return bool(self._weights.any())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Range) and bool((self._weights == other._weights).all())

    def __hash__(self) -> int:
        return hash(self._weights.tobytes())

    def __or__(self, other: Range) -> Self:
        if not isinstance(other, Range):
            return NotImplemented
        return type(self)(np.maximum(self._weights, other._weights))

    def __and__(self, other: Range) -> Self:
        if not isinstance(other, Range):
            return NotImplemented
        return type(self)(np.minimum(self._weights, other._weights))

    def __sub__(self, other: Range) -> Self:
        if not isinstance(other, Range):
            return NotImplemented
        return type(self)(np.maximum(self._weights - other._weights, np.float32(0)))

    def __invert__(self) -> Self:
        return type(self)(np.float32(1) - self._weights)

    def __mul__(self, factor: float | Range) -> Self:
        if isinstance(factor, Range):
            return type(self)(self._weights * factor._weights)
        if isinstance(factor, (int, float, np.integer, np.floating)):
            return type(self)(self._weights * np.float32(factor))
        return NotImplemented

    __rmul__ = __mul__

    @staticmethod
    def _select(hand: str | int) -> npt.NDArray[np.int64]:
        if isinstance(hand, str):
            return np.flatnonzero(read_range(hand))
        combo_name(int(hand))  # raises on a number that is not a combo
        return np.array([int(hand)])
