"""What a network sees of cards: for every hand of a board and every street, one row of each of these.

    card      [7] int8      hole cards, flop, turn, river, suits renamed; NO_CARD where none lies yet
    bucket    int32         the hand's bucket on the street, -1 where it shares a card with the board
    strength  [3] float32   rank, draw, equity of `kernels.agents.features`

Suits are renamed so that hands that differ in the names of suits alone have one row: the suit whose ranks on
the flop, the turn, the river and in the hand, read as one number in that order, are largest becomes suit 3,
and so on down. Cards of the hand and of the flop are then put in descending order. The row says all about the
cards but the names of the suits.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from overbet.kernels.abstraction.buckets import BucketTables, bucket, rule_begin
from overbet.kernels.abstraction.features import Deck, board_scores
from overbet.kernels.agents.features import FEATURES, HandTables, board_features
from overbet.kernels.jit import kernel, lean

NO_CARD = 52
PLACES = 7  # two hole cards, three of the flop, turn, river
COMBOS = 1326
_CARDS_BY = (0, 3, 4, 5)


class CardRows(NamedTuple):
    """B boards, 1,326 hands.

    card: [B, 4, 1326, 7] int8; bucket: [B, 4, 1326] int32; strength: [B, 4, 1326, 3] float32;
    shown: [B, 1326] int32, twice the hands that a hand beats on the river, ties once; -1 where dead.
    """

    card: npt.NDArray[np.int8]
    bucket: npt.NDArray[np.int32]
    strength: npt.NDArray[np.float32]
    shown: npt.NDArray[np.int32]


@lean
def rename_suits(hole: Any, board: Any, count: int, out: Any) -> None:
    """Write the row of a hand to out: [7] int8. hole: [2] int8; board: at least `count` cards, int8."""
    keys = (np.int64(0), np.int64(0), np.int64(0), np.int64(0))
    k0, k1, k2, k3 = keys
    for place in range(count + 2):
        card = np.int64(hole[place]) if place < 2 else np.int64(board[place - 2])
        group = 0 if place < 2 else (3 if place < 5 else (2 if place == 5 else 1))
        bit = np.int64(1) << (13 * group + (card >> 2))
        suit = card & 3
        if suit == 0:
            k0 |= bit
        elif suit == 1:
            k1 |= bit
        elif suit == 2:
            k2 |= bit
        else:
            k3 |= bit
    # the place of a suit is how many keys are smaller; equal keys are told apart by their number
    s0 = np.int64(k1 < k0) + np.int64(k2 < k0) + np.int64(k3 < k0)
    s1 = np.int64(k0 <= k1) + np.int64(k2 < k1) + np.int64(k3 < k1)
    s2 = np.int64(k0 <= k2) + np.int64(k1 <= k2) + np.int64(k3 < k2)
    s3 = np.int64(k0 <= k3) + np.int64(k1 <= k3) + np.int64(k2 <= k3)
    for place in range(7):
        out[place] = NO_CARD
    for place in range(count + 2):
        card = np.int64(hole[place]) if place < 2 else np.int64(board[place - 2])
        suit = card & 3
        renamed = s0 if suit == 0 else (s1 if suit == 1 else (s2 if suit == 2 else s3))
        out[place] = np.int8((card >> 2) * 4 + renamed)
    if out[0] < out[1]:
        out[0], out[1] = out[1], out[0]
    if count >= 3:
        if out[2] < out[3]:
            out[2], out[3] = out[3], out[2]
        if out[3] < out[4]:
            out[3], out[4] = out[4], out[3]
        if out[2] < out[3]:
            out[2], out[3] = out[3], out[2]


@kernel
def encode_boards(
    boards: Any,
    streets: Any,
    combos: Any,
    deck: Deck,
    hand_tables: HandTables,
    tables: BucketTables,
    rows: CardRows,
) -> None:
    """Fill the rows of boards: [B, 5] int8 on streets: [4] bool; a street's later cards are not looked at.

    combos: [1326, 2] int8; deck: of five cards. Without the river's table, a river's bucket is its rule's.
    """
    found = np.empty((COMBOS, FEATURES), np.float64)
    scores = np.empty(COMBOS, np.int32)
    for number in range(len(boards)):
        board = boards[number]
        if streets[3]:
            board_scores(board, deck, scores)
            rows.shown[number, :] = scores
        begin = rule_begin(board, tables.river_class, tables.board_suits) if streets[3] else np.int64(0)
        for street in range(4):
            if not streets[street]:
                continue
            count = _CARDS_BY[street]
            board_features(board[:count], deck, hand_tables, found)
            for combo in range(COMBOS):
                if np.isnan(found[combo, 0]):
                    rows.bucket[number, street, combo] = -1
                    rows.card[number, street, combo, :] = NO_CARD
                    rows.strength[number, street, combo, :] = 0.0
                    continue
                for part in range(FEATURES):
                    rows.strength[number, street, combo, part] = found[combo, part]
                rename_suits(combos[combo], board, count, rows.card[number, street, combo])
                if street == 3 and len(tables.river) == 0:
                    rows.bucket[number, street, combo] = tables.river_rule[begin + scores[combo]]
                else:
                    rows.bucket[number, street, combo] = bucket(street, combos[combo], board, tables)
