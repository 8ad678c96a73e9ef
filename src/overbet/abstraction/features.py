"""Exact features of every canonical hand, by sweeps over canonical boards on all cores.

Three tables, each one pass: strengths (the score of every hand on a board as it lies), and the cumulative
histograms of turns and flops (`overbet.kernels.abstraction.features`). 134,459 river boards, 16,432 turns
with 48 rivers each, 1,755 flops with 1,176 run-outs each; nothing is sampled. `features_of_hand` describes
one hand, worked out the slow way and on its own, for people to look at and for tests.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt

from overbet import machine
from overbet.cards import preflop
from overbet.cards.cards import board as read_board
from overbet.cards.cards import cards as read_cards
from overbet.cards.cards import cards_name, check_distinct
from overbet.cards.combos import COMBOS, class_of_combos
from overbet.cards.equity_engines import hands_of
from overbet.cards.evaluator import tables
from overbet.cards.isomorphism import canonical_boards, hand_isomorphism
from overbet.errors import CardError
from overbet.kernels.abstraction import features as kernels
from overbet.kernels.abstraction.clustering import cut_line
from overbet.kernels.abstraction.features import (
    RIVER_SCORES,
    RIVERS,
    RUNOUTS,
    TURN_WEIGHT,
    TURNS,
    Deck,
    FeatureBoards,
)

Progress = Callable[[str, int, int], None]
Floats = npt.NDArray[np.float64]

TURN_PARTS = TURN_WEIGHT * RUNOUTS  # the histogram over turns is kept in so many parts

_BOARDS_A_BLOCK = {3: 4, 4: 32, 5: 512}  # blocks of some hundredths of a second, so that Ctrl-C is answered


@dataclass(frozen=True)
class HandFeatures:
    """One hand on one board: its equity, and how it is spread over the cards to come.

    river: [bins] float64, the shares of run-outs by river equity; turn: [bins] float64, the shares of turn
    cards by turn equity (flops only, else empty).
    """

    hole: tuple[int, ...]
    board: tuple[int, ...]
    equity: float
    river: Floats
    turn: Floats


def score_bins(bins: int) -> npt.NDArray[np.uint8]:
    """Return the bin of every river score: [1981] uint8; bins have equal widths in equity."""
    return (np.arange(RIVER_SCORES) * bins // RIVER_SCORES).astype(np.uint8)


def opponents(board_cards: int) -> int:
    """Return how many hands an opponent can hold, once hole cards and board are known."""
    return math.comb(50 - board_cards, 2)


@cache
def deck(board_cards: int, bins: int = 64) -> Deck:
    """Return what the sweeps of a street read."""
    return Deck(hands_of(np.arange(COMBOS)), tables(), hand_isomorphism(board_cards).tables, score_bins(bins))


def strengths(
    board_cards: int, progress: Progress | None = None, stage: str = "strength"
) -> tuple[npt.NDArray[np.uint16], npt.NDArray[np.int64]]:
    """Return the score of every hand on the board as it lies: [index] uint16, and [score] int64.

    The second counts the real situations (suits told apart) with each score 0 .. 2 * opponents.
    """
    table = np.zeros(hand_isomorphism(board_cards).size, np.uint16)
    weights = np.zeros(2 * opponents(board_cards) + 1, np.int64)

    def work(boards: FeatureBoards) -> None:
        own = np.zeros_like(weights)
        kernels.strength_table(boards, deck(board_cards), table, own)
        weights[:] += own  # one thread at a time holds the interpreter: the sum is complete

    _over_boards(board_cards, work, progress, stage)
    return table, weights


def score_weights(
    board_cards: int, progress: Progress | None = None, stage: str = "strength"
) -> npt.NDArray[np.int64]:
    """Return the second half of `strengths` alone: no table, no index, a fraction of the time."""
    weights = np.zeros(2 * opponents(board_cards) + 1, np.int64)

    def work(boards: FeatureBoards) -> None:
        own = np.zeros_like(weights)
        kernels.score_weights(boards, deck(board_cards), own)
        weights[:] += own

    _over_boards(board_cards, work, progress, stage)
    return weights


def turn_table(
    bins: int, progress: Progress | None = None
) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.uint8]]:
    """Return the features of all turn hands: [13960050, bins] uint8 in 46ths, and how many each is."""
    size = hand_isomorphism(4).size
    table, weights = np.zeros((size, bins), np.uint8), np.zeros(size, np.uint8)
    _over_boards(4, lambda b: kernels.turn_features(b, deck(4, bins), table, weights), progress, "turn hands")
    return table, weights


def flop_table(
    bins: int, progress: Progress | None = None
) -> tuple[npt.NDArray[np.uint16], npt.NDArray[np.uint8]]:
    """Return the features of all flop hands: [1286792, 2 * bins] uint16, and how many each is."""
    size = hand_isomorphism(3).size
    table, weights = np.zeros((size, 2 * bins), np.uint16), np.zeros(size, np.uint8)
    _over_boards(3, lambda b: kernels.flop_features(b, deck(3, bins), table, weights), progress, "flop hands")
    return table, weights


def kinds_of_opponents(count: int) -> npt.NDArray[np.uint8]:
    """Return the kind of every combo: [1326] uint8: classes of near equity before the flop, weakest first."""
    classes = class_of_combos()
    equities = preflop.hand_equities(np.ones(COMBOS))
    of_class = np.bincount(classes, equities) / np.bincount(classes)
    order = np.argsort(of_class, kind="stable")
    numbers = np.bincount(classes)[order].astype(np.float64)
    begins = cut_line(of_class[order], numbers, count)
    kinds = np.empty(len(order), np.uint8)
    kinds[order] = np.searchsorted(begins, np.arange(len(order)), side="right") - 1
    return kinds[classes]


def opponent_shares(count: int) -> Floats:
    """Return which part of all hands each kind of opponent is: [count] float64."""
    return np.bincount(kinds_of_opponents(count), minlength=count) / COMBOS


def opponent_table(
    count: int, progress: Progress | None = None
) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.uint8]]:
    """Return what river hands lose to each kind of opponent: [123156254, count] uint8, and their numbers."""
    size = hand_isomorphism(5).size
    table, weights = np.zeros((size, count), np.uint8), np.zeros(size, np.uint8)
    kinds = kinds_of_opponents(count)
    _over_boards(
        5, lambda b: kernels.opponent_features(b, deck(5), kinds, table, weights), progress, "river hands"
    )
    return table, weights


def features_of_hand(hole: str | Iterable[int], board: str | Iterable[int], bins: int = 64) -> HandFeatures:
    """Return the features of one hand, counted over its own run-outs and opponents."""
    own, lying = read_cards(hole), read_board(board)
    if len(own) != 2 or len(lying) < 3:
        raise CardError(f"two hole cards and a flop, turn or river are needed; got {cards_name(own)!r}")
    check_distinct(own + lying)
    scores = kernels.runout_scores(np.array(own, np.int8), np.array(lying, np.int8), tables())
    seen = scores[scores >= 0]
    river = np.bincount(score_bins(bins)[seen], minlength=bins) / len(seen)
    turn = np.empty(0)
    if len(lying) == 3:
        rows = scores[(scores >= 0).any(1)]
        means = np.where(rows >= 0, rows, 0).sum(1) // RIVERS
        turn = np.bincount(score_bins(bins)[means], minlength=bins) / TURNS
    return HandFeatures(own, lying, float(seen.mean() / (RIVER_SCORES - 1)), river, turn)


def cumulative(features: HandFeatures) -> npt.NDArray[np.int64]:
    """Return the row of the turn or flop table that these features are."""
    if len(features.board) == 4:
        return np.cumsum(np.rint(features.river * RIVERS)).astype(np.int64)
    rows = [np.cumsum(np.rint(features.river * RUNOUTS)), np.cumsum(np.rint(features.turn * TURN_PARTS))]
    return np.concatenate(rows).astype(np.int64)


def distance_unit(bins: int, board_cards: int) -> int:
    """Return the distance of rows that is an earth mover's distance of one: all moved over all bins."""
    return bins * (RUNOUTS + TURN_PARTS if board_cards == 3 else RIVERS)


def over_blocks(
    work: Callable[[slice], None], count: int, block: int, progress: Callable[[int, int], None] | None = None
) -> None:
    """Call `work(rows)` for slices that together are range(count), on all cores; count them to `progress`.

    An interrupt drops the blocks that have not begun and is raised at once.
    """
    slices = [slice(start, min(start + block, count)) for start in range(0, count, block)]
    done = 0
    with ThreadPoolExecutor(machine.core_count()) as pool:
        try:
            waiting = {pool.submit(work, rows): rows for rows in slices}
            for future in as_completed(waiting):
                future.result()
                done += waiting[future].stop - waiting[future].start
                if progress is not None:
                    progress(done, count)
        finally:
            pool.shutdown(cancel_futures=True)


def _over_boards(
    board_cards: int, work: Callable[[FeatureBoards], None], progress: Progress | None, stage: str
) -> None:
    cards, weights = canonical_boards(board_cards)

    def share(rows: slice) -> None:
        work(FeatureBoards(cards[rows], weights[rows]))

    def report(done: int, total: int) -> None:
        if progress is not None:
            progress(stage, done, total)

    over_blocks(share, len(cards), _BOARDS_A_BLOCK[board_cards], report)
