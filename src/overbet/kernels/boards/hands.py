"""The hands of a board: in order of strength, with the buckets they are in on every street.

Both players can hold every hand, so one order serves both. Place j of a board is its j-th weakest live hand.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from overbet.kernels.abstraction.buckets import BucketTables, bucket
from overbet.kernels.jit import kernel


class SweptHands(NamedTuple):
    """B boards, H live hands each.

    cards:  [B, H, 2] int16   the two cards
    combo:  [B, H] int16      number 0..1325 of the hand
    tied:   [B, H, 2] int16   the first place of equal strength, and the one after the last
    bucket: [B, 4, H] int32   bucket by street
    """

    cards: npt.NDArray[np.int16]
    combo: npt.NDArray[np.int16]
    tied: npt.NDArray[np.int16]
    bucket: npt.NDArray[np.int32]


def empty_hands(boards: int, live: int) -> SweptHands:
    """Return room for the hands of boards."""
    return SweptHands(
        np.zeros((boards, live, 2), np.int16),
        np.zeros((boards, live), np.int16),
        np.zeros((boards, live, 2), np.int16),
        np.zeros((boards, 4, live), np.int32),
    )


@kernel
def fill_hands(hands: SweptHands, order: Any, strength: Any, cards: Any, combos: Any, buckets: Any) -> None:
    """Fill the bundle.

    order, strength: [B, N] int16, of `showdown_orders.order_hands` for the N hands of the deck; cards: [N, 2]
    uint8 and combos: [N] int16, those hands; buckets: [B, 4, 1326] int32, by combo.
    """
    boards, live = hands.combo.shape
    for board in range(boards):
        first = 0
        for j in range(live):
            hand = order[board, j]
            hands.combo[board, j] = combos[hand]
            hands.cards[board, j, 0], hands.cards[board, j, 1] = cards[hand, 0], cards[hand, 1]
            if strength[board, j] != strength[board, first]:
                first = j
            hands.tied[board, j, 0] = first
            for street in range(4):
                hands.bucket[board, street, j] = buckets[board, street, combos[hand]]
        last = live
        for j in range(live - 1, -1, -1):
            hands.tied[board, j, 1] = last
            if hands.tied[board, j, 0] == j:
                last = j


@kernel
def bucket_boards(boards: Any, tables: BucketTables, cards: Any, out: Any) -> None:
    """Write the bucket of every combo after the flop to out: [B, 4, 1326] int32, with the river table.

    boards: [B, 5] int8; cards: [1326, 2] int8. Combos that share a card with the board are left as they are.
    """
    for board in range(len(boards)):
        dead = np.uint64(0)
        for card in boards[board]:
            dead |= np.uint64(1) << np.uint64(card)
        for combo in range(len(cards)):
            held = np.uint64(1) << np.uint64(cards[combo, 0]) | np.uint64(1) << np.uint64(cards[combo, 1])
            if held & dead == np.uint64(0):
                for street in range(1, 4):
                    out[board, street, combo] = bucket(street, cards[combo], boards[board], tables)
