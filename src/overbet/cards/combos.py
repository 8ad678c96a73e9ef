"""The 1,326 combos and the 169 classes, in their one order.

Combo of cards high > low: `high * (high - 1) // 2 + low`, that is 2d2c, 2h2c, 2h2d, 2s2c, ..., AsAh:
the order PioSOLVER uses. Class: the cell of the 13 x 13 grid, row by row from AA at the top left, suited
hands above the diagonal: `13 * row + column` with row and column counted from the ace.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

import numpy as np
import numpy.typing as npt

from overbet.cards.cards import RANKS, card, card_name
from overbet.errors import CardError

COMBOS = 1326
CLASSES = 169


def combo_index(first: int, second: int) -> int:
    """Return the combo 0..1325 of two distinct cards, in either order."""
    if first == second:
        raise CardError(f"{card_name(first)} appears twice")
    high, low = (first, second) if first > second else (second, first)
    if not 0 <= low < high <= 51:
        raise CardError(f"({first}, {second}) is not a combo; cards are 0 to 51")
    return high * (high - 1) // 2 + low


def combo(text: str) -> int:
    """Return the combo of a text such as `AsKh`."""
    if len(text) != 4:
        raise CardError(f"{text!r} is not a combo; write two cards, such as AsKh")
    return combo_index(card(text[:2]), card(text[2:]))


def combo_cards(index: int) -> tuple[int, int]:
    """Return the combo's cards, higher first."""
    if not 0 <= index < COMBOS:
        raise CardError(f"{index} is not a combo; combos are 0 to {COMBOS - 1}")
    high, low = combo_table()[index]
    return int(high), int(low)


def combo_name(index: int) -> str:
    """Return the combo's text, higher card first, such as `AsKh`."""
    high, low = combo_cards(index)
    return card_name(high) + card_name(low)


@cache
def combo_table() -> npt.NDArray[np.int8]:
    """Return the cards of every combo: [1326, 2] int8, higher first; read only."""
    table = np.array([(high, low) for high in range(52) for low in range(high)], np.int8)
    table.setflags(write=False)
    return table


@cache
def class_of_combos() -> npt.NDArray[np.int16]:
    """Return the class of every combo: [1326] int16; read only."""
    ranks, suits = combo_table() >> 2, combo_table() & 3
    row, column = 12 - ranks[:, 0].astype(np.int16), 12 - ranks[:, 1].astype(np.int16)  # higher rank first
    suited = (suits[:, 0] == suits[:, 1]) | (row == column)
    table = np.where(suited, 13 * row + column, 13 * column + row)
    table.setflags(write=False)
    return table


@cache
def combos_of_class(index: int) -> tuple[int, ...]:
    """Return the combos of a class: 6 for a pair, 4 suited, 12 offsuit."""
    if not 0 <= index < CLASSES:
        raise CardError(f"{index} is not a class; classes are 0 (AA) to {CLASSES - 1} (22)")
    return tuple(int(i) for i in np.flatnonzero(class_of_combos() == index))


def class_name(index: int) -> str:
    """Return the class's text: `AA`, `AKs`, `AKo`."""
    if not 0 <= index < CLASSES:
        raise CardError(f"{index} is not a class; classes are 0 (AA) to {CLASSES - 1} (22)")
    row, column = divmod(index, 13)
    high, low = RANKS[12 - min(row, column)], RANKS[12 - max(row, column)]
    return high + low + ("" if row == column else "s" if column > row else "o")


@cache
def _class_numbers() -> dict[str, int]:
    return {class_name(index): index for index in range(CLASSES)}


def class_index(text: str) -> int:
    """Return the class of a text such as `AA`, `AKs` or `AKo`."""
    name = text[:2].upper() + text[2:].lower()
    if name not in _class_numbers():
        raise CardError(f"{text!r} is not one of the 169 classes, such as AA, AKs or AKo")
    return _class_numbers()[name]


@cache
def combo_masks() -> npt.NDArray[np.uint64]:
    """Return the two card bits of every combo: [1326] uint64; read only."""
    table = combo_table().astype(np.uint64)
    masks = (np.uint64(1) << table[:, 0]) | (np.uint64(1) << table[:, 1])
    masks.setflags(write=False)
    return masks


def card_mask(cards: Iterable[int]) -> int:
    """Return the bits of the cards in one int."""
    mask = 0
    for index in cards:
        mask |= 1 << index
    return mask


def live_combos(dead: Iterable[int]) -> npt.NDArray[np.bool_]:
    """Return which combos hold none of the dead cards: [1326] bool."""
    live: npt.NDArray[np.bool_] = (combo_masks() & np.uint64(card_mask(dead))) == 0
    return live
