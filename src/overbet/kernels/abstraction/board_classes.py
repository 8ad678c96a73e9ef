"""Boards told apart by whom they help, and buckets that know the class of their board.

A board is described by the mean equity, on it, of each of the 169 classes of hole cards: two boards that help
the same hands are alike (`overbet.abstraction.board_classes` groups them). A bucket of a hand is then the
class of its board and the group of the hand within it.

    bucket = class of the board * groups + group of the hand
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from overbet.kernels.abstraction.features import HAND_MASK, Deck, FeatureBoards, count_scores
from overbet.kernels.cards.equity import key_and_mask, sweep_space
from overbet.kernels.cards.isomorphism import index_hands_of_board
from overbet.kernels.jit import kernel


@kernel
def class_equities(
    boards: FeatureBoards, deck: Deck, classes: npt.NDArray[np.int64], out: npt.NDArray[np.float32]
) -> None:
    """Write the mean score of each class of hole cards on these rivers to out: [b, 169] float32.

    classes: [1326] int64, the class of each combo. A class of which the board leaves no hand has the mean of
    the others.
    """
    hands, count = len(deck.hands.masks), out.shape[1]
    space = sweep_space(hands)
    scores, alive = np.empty(hands, np.int32), np.empty(count, np.int64)
    sums = np.empty(count, np.int64)
    for board in range(len(boards.cards)):
        key, mask = key_and_mask(boards.cards[board], deck.evaluator)
        live = count_scores(key, mask, deck, space, scores)
        alive[:] = 0
        sums[:] = 0
        for entry in space.packed[:live]:
            hand = entry & HAND_MASK
            alive[classes[hand]] += 1
            sums[classes[hand]] += scores[hand]
        total, some = np.float32(0.0), 0
        for k in range(count):
            if alive[k] > 0:
                out[board, k] = np.float32(sums[k] / alive[k])
                total += out[board, k]
                some += 1
        for k in range(count):
            if alive[k] == 0:
                out[board, k] = total / np.float32(some)


@kernel
def scores_by_class(
    boards: FeatureBoards, of_board: npt.NDArray[np.uint8], deck: Deck, weights: npt.NDArray[np.int64]
) -> None:
    """Add the real situations with each score on these rivers to weights: [class, score] int64.

    of_board: [b] uint8, the class of each board.
    """
    hands = len(deck.hands.masks)
    space = sweep_space(hands)
    scores = np.empty(hands, np.int32)
    for board in range(len(boards.cards)):
        key, mask = key_and_mask(boards.cards[board], deck.evaluator)
        live = count_scores(key, mask, deck, space, scores)
        for entry in space.packed[:live]:
            weights[of_board[board], scores[entry & HAND_MASK]] += boards.weights[board]


@kernel
def rule_table(
    boards: FeatureBoards,
    of_board: npt.NDArray[np.uint8],
    deck: Deck,
    rules: npt.NDArray[np.uint16],
    table: npt.NDArray[np.uint16],
) -> None:
    """Write the bucket of every situation on these rivers to table: [index] uint16.

    of_board: [b] uint8; rules: [class, score] uint16.
    """
    hands = len(deck.hands.masks)
    space = sweep_space(hands)
    scores, places = np.empty(hands, np.int32), np.empty(hands, np.int64)
    for board in range(len(boards.cards)):
        key, mask = key_and_mask(boards.cards[board], deck.evaluator)
        live = count_scores(key, mask, deck, space, scores)
        index_hands_of_board(deck.hands.cards, boards.cards[board], deck.suits, places)
        for entry in space.packed[:live]:
            hand = entry & HAND_MASK
            table[places[hand]] = rules[of_board[board], scores[hand]]


@kernel
def class_table(
    boards: npt.NDArray[np.int8],
    of_board: npt.NDArray[np.uint8],
    deck: Deck,
    groups: int,
    table: Any,
) -> None:
    """Add the class of the board, times `groups`, to the group of every situation on these boards.

    boards: [b, 3 or 4] int8; of_board: [b] uint8; table: [index] uint16, changed.
    """
    places = np.empty(len(deck.hands.masks), np.int64)
    seen = np.empty(len(deck.hands.masks), np.int64)
    for board in range(len(boards)):
        index_hands_of_board(deck.hands.cards, boards[board], deck.suits, places)
        seen[:] = np.sort(places)
        before = np.int64(-1)
        for place in seen:  # hands that mirror each other have one place
            if place > before:
                table[place] += np.uint16(of_board[board] * groups)
                before = place
