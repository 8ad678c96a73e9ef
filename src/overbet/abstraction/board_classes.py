"""Classes of boards: boards that help the same hands are alike.

    of_board = class_of_boards(5, 25, Search(seed=0))     # [134459] uint8, by canonical index

What a hand is worth depends on whom it meets, and that on the board: where a flush lies, equity 0.7 against
all hands is little against those that go on. Buckets by equity alone forget the board; a class of the board
beside the hand's own group remembers the part that matters (public classes as in Libratus and Slumbot;
Waugh et al., "A Practical Use of Imperfect Recall", 2009). A river is described by the mean equity of each of
the 169 classes of hole cards; a turn or a flop by the mean of that over the cards to come. Boards are grouped
by k-medians, weakest for the hands first.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, partial

import numpy as np
import numpy.typing as npt

from overbet.abstraction.clustering import Search, k_medians
from overbet.abstraction.features import Progress, deck, opponents, over_blocks
from overbet.cards.combos import CLASSES, class_of_combos
from overbet.cards.isomorphism import board_isomorphism, canonical_boards, hand_isomorphism
from overbet.kernels.abstraction import board_classes as kernels
from overbet.kernels.abstraction.features import LEVELS, RIVER_SCORES, FeatureBoards

MOST_CLASSES = 256  # a class is a byte
_BLOCK = 512


def class_of_boards(
    board_cards: int, classes: int, search: Search, progress: Progress | None = None
) -> npt.NDArray[np.uint8]:
    """Return the class of every canonical board of 3, 4 or 5 cards: [boards] uint8.

    classes: how many; search: of the k-medians. `progress(stage, done, total)` follows it.
    """
    if classes == 1:
        return np.zeros(board_isomorphism(board_cards).size, np.uint8)
    equity = board_equities(board_cards, progress)
    lost = np.rint((1.0 - equity) * LEVELS).astype(np.uint8)
    _, weights = canonical_boards(board_cards)

    def advance(done: int, total: int) -> None:
        if progress is not None:
            progress(f"classes of boards of {board_cards}", done, total)

    found = k_medians(lost, weights.astype(np.uint8), classes, search, advance)
    return found.labels.astype(np.uint8)


@lru_cache(3)
def _equities(board_cards: int) -> npt.NDArray[np.float32]:
    if board_cards == 5:
        cards, weights = canonical_boards(5)
        found = np.zeros((len(cards), CLASSES), np.float32)
        classes = class_of_combos().astype(np.int64)

        def work(rows: slice) -> None:
            kernels.class_equities(FeatureBoards(cards[rows], weights[rows]), deck(5), classes, found[rows])

        over_blocks(work, len(cards), _BLOCK)
        return found / np.float32(2 * opponents(5))
    return _mean_of_next(board_cards, _equities(board_cards + 1))


def board_equities(board_cards: int, progress: Progress | None = None) -> npt.NDArray[np.float32]:
    """Return the mean equity of each class of hole cards on every canonical board: [boards, 169] float32."""
    if progress is not None:
        progress(f"boards of {board_cards}", 0, 1)
    found = _equities(board_cards)
    if progress is not None:
        progress(f"boards of {board_cards}", 1, 1)
    return found


def _mean_of_next(board_cards: int, after: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """Return the mean over the next card; after: [boards of one more card, 169] float32."""
    cards, _ = canonical_boards(board_cards)
    index = board_isomorphism(board_cards + 1)
    total = np.zeros((len(cards), CLASSES), np.float32)
    for card in range(52):
        free = ~(cards == card).any(1)
        rows = np.concatenate([cards[free], np.full((int(free.sum()), 1), card, np.int8)], 1)
        total[free] += after[index.indices(rows)]
    return total / np.float32(52 - board_cards)


def class_weights(
    of_board: npt.NDArray[np.uint8], classes: int, progress: Progress | None = None
) -> npt.NDArray[np.int64]:
    """Return the real situations with each river score by class of the board: [class, score] int64."""
    cards, weights = canonical_boards(5)
    found = np.zeros((classes, RIVER_SCORES), np.int64)

    def work(rows: slice) -> None:
        own = np.zeros_like(found)
        kernels.scores_by_class(FeatureBoards(cards[rows], weights[rows]), of_board[rows], deck(5), own)
        found[:] += own  # one thread at a time holds the interpreter: the sum is complete

    over_blocks(work, len(cards), _BLOCK, _staged(progress, "river hands"))
    return found


def river_table_of(
    rule: npt.NDArray[np.uint16], of_board: npt.NDArray[np.uint8], progress: Progress | None = None
) -> npt.NDArray[np.uint16]:
    """Return the bucket of every river hand: [123156254] uint16; rule: [class * score] uint16."""
    cards, weights = canonical_boards(5)
    table = np.zeros(hand_isomorphism(5).size, np.uint16)
    rules = rule.reshape(-1, RIVER_SCORES)

    def work(rows: slice) -> None:
        boards = FeatureBoards(cards[rows], weights[rows])
        kernels.rule_table(boards, of_board[rows], deck(5), rules, table)

    over_blocks(work, len(cards), _BLOCK, _staged(progress, "river table"))
    return table


def add_classes(
    board_cards: int, of_board: npt.NDArray[np.uint8], groups: int, table: npt.NDArray[np.uint16]
) -> npt.NDArray[np.uint16]:
    """Return a table of groups, [index] uint16, as one of buckets: class of the board * groups + group."""
    cards, _ = canonical_boards(board_cards)
    found = table.copy()

    def work(rows: slice) -> None:
        kernels.class_table(cards[rows], of_board[rows], deck(board_cards), groups, found)

    over_blocks(work, len(cards), _BLOCK)
    return found


def _staged(progress: Progress | None, stage: str) -> Callable[[int, int], None] | None:
    return None if progress is None else partial(progress, stage)
