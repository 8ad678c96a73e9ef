"""What scripted agents look at in a hand: three numbers, cheap for one hand and for all hands of a board.

    rank    before the flop the share of hands that the class beats by equity against a random hand;
            later the share of all opponents' hands that the hand beats as the board lies, ties by half
    draw    the chance that one of the cards to come makes a straight or a flush with a hole card
    equity  before the flop the exact equity against a random hand; later rank + (1 - rank) * draw

Ranks after the flop are `overbet.kernels.abstraction.features` scores over twice the number of opponents:
`hand_score` counts that of one hand, `board_scores` those of a board in one sweep, and both are whole
numbers.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from overbet.kernels.abstraction.features import Deck, board_scores
from overbet.kernels.cards.evaluator import EvaluatorTables, popcount, suit_mask
from overbet.kernels.cards.hand_score import hand_score
from overbet.kernels.jit import kernel, lean, lean_inlined

RANK, DRAW, EQUITY = 0, 1, 2
FEATURES = 3

U64 = np.uint64
_ONE, _ZERO = U64(1), U64(0)
_OPPONENTS = (1225.0, 0.0, 0.0, 1081.0, 1035.0, 990.0)  # by cards on the board


class HandTables(NamedTuple):
    """What is known of hands: evaluator; preflop: [2, 1326] float64, rank and equity of every combo."""

    evaluator: EvaluatorTables
    preflop: npt.NDArray[np.float64]


@lean_inlined
def _straight(ranks: np.uint64) -> bool:
    """Return whether 13 rank bits hold five in a row, the ace counting below the deuce too."""
    line = (ranks << _ONE) | (ranks >> U64(12))
    line &= line >> _ONE
    return bool(line & (line >> U64(2)) & (line >> U64(3)) != _ZERO)


@lean_inlined
def _ranks_of(mask: np.uint64) -> np.uint64:
    found = _ZERO
    for suit in range(4):
        found |= suit_mask(mask, U64(suit))
    return found


@lean
def draw_odds(hole: np.uint64, board: np.uint64) -> float:
    """Return the chance to complete a straight or flush; hole, board: card bits, 3 to 5 on the board."""
    to_come = 5 - popcount(board)
    if to_come <= 0:
        return 0.0
    both = hole | board
    flush = False
    for suit in range(4):
        held = popcount(suit_mask(both, U64(suit)))
        if held >= 5:
            return 0.0
        if held == 4 and popcount(suit_mask(hole, U64(suit))) > 0:
            flush = True
    ranks, lying = _ranks_of(both), _ranks_of(board)
    if _straight(ranks):
        return 0.0
    outs = 9 if flush else 0
    for rank in range(13):
        bit = _ONE << U64(rank)
        if _straight(ranks | bit) and not _straight(lying | bit):
            outs += 3 if flush else 4
    miss = 1.0 - min(outs, 47) / 47.0
    return 1.0 - (miss * miss if to_come == 2 else miss)


@lean_inlined
def hand_rank(hole: np.uint64, board: np.uint64, tables: EvaluatorTables) -> float:
    """Return the share of opponents' hands that `hole` beats on a board of 3 to 5 cards, ties by half."""
    return float(hand_score(hole, board, tables) / (2.0 * _OPPONENTS[popcount(board)]))


@lean
def hand_features(first: int, second: int, board: np.uint64, hand_tables: HandTables, out: Any) -> None:
    """Write the features of one hand to out: [FEATURES] float64; board: bits of 0, 3, 4 or 5 cards."""
    if board == _ZERO:
        high, low = max(first, second), min(first, second)
        combo = high * (high - 1) // 2 + low
        out[RANK], out[DRAW], out[EQUITY] = hand_tables.preflop[0, combo], 0.0, hand_tables.preflop[1, combo]
        return
    hole = _ONE << U64(first) | _ONE << U64(second)
    rank, draw = hand_rank(hole, board, hand_tables.evaluator), draw_odds(hole, board)
    out[RANK], out[DRAW], out[EQUITY] = rank, draw, rank + (1.0 - rank) * draw


@kernel
def board_features(board: npt.NDArray[np.int8], deck: Deck, hand_tables: HandTables, out: Any) -> None:
    """Write the features of all hands on a board to out: [1326, FEATURES] float64; NaN where dead."""
    lying = _ZERO
    for card in board:
        lying |= _ONE << U64(card)
    scores = np.empty(1326, np.int32)
    if lying != _ZERO:
        board_scores(board, deck, scores)
    opponents = 2.0 * _OPPONENTS[len(board)]
    for combo in range(1326):
        if lying == _ZERO:
            out[combo, RANK], out[combo, DRAW] = hand_tables.preflop[0, combo], 0.0
            out[combo, EQUITY] = hand_tables.preflop[1, combo]
        elif scores[combo] < 0:
            out[combo, :] = np.nan
        else:
            rank, draw = scores[combo] / opponents, draw_odds(deck.hands.masks[combo], lying)
            out[combo, RANK], out[combo, DRAW], out[combo, EQUITY] = rank, draw, rank + (1.0 - rank) * draw
