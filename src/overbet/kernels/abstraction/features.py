"""Exact features of all hands of a board: strength now, and histograms of what the run-outs make of it.

A hand's *score* on a board is `2 * wins + ties` over all opponents that hold two of the other cards: an
integer, so equal hands have equal scores to the bit. Against `opponents` hands its equity is `score / (2 *
opponents)`; on a river that is `score / 1980`. One sort and one walk give the scores of all hands of a
board (`overbet.kernels.cards.equity` says how); here every opponent weighs one, so the walk counts.

A hand before the river is described by how its river equity is spread over the run-outs (Johanson et al.,
"Evaluating State-Space Abstractions in Extensive-Form Games", 2013), and on the flop also by how its turn
equity is spread over the turn cards, which tells early knowledge from late (Ganzfried & Sandholm,
"Potential-Aware Imperfect-Recall Abstraction with Earth Mover's Distance", 2014). Histograms are kept
cumulative, because there the earth mover's distance is the sum of absolute differences.

Every situation belongs to one canonical board, so shares of the boards write to different rows and threads
need no locks.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from overbet.kernels.cards.equity import EquityHands, SweepSpace, key_and_mask, rank_hands, sweep_space
from overbet.kernels.cards.evaluator import EvaluatorTables
from overbet.kernels.cards.hand_score import hand_score
from overbet.kernels.cards.isomorphism import SuitTables, index_hands_of_board
from overbet.kernels.jit import inlined, kernel, lean

RIVER_SCORES = 1981  # scores on a river are 0 .. 2 * C(45, 2)
RIVER_OPPONENTS, RIVERS, TURNS = 990, 46, 47  # for a hand: opponents, rivers after a turn, turns after a flop
RUNOUTS = 1081  # of a flop, for a hand: C(47, 2) = 23 * 47
TURN_WEIGHT = (
    2  # of the histogram over turns, where that over run-outs weighs one: what is known sooner counts
)
LEVELS = 250  # parts of equities against kinds of opponents

U64 = np.uint64
_ONE, _ZERO = U64(1), U64(0)
_HAND_BITS = 11
HAND_MASK = (1 << _HAND_BITS) - 1


class FeatureBoards(NamedTuple):
    """Canonical boards: cards: [b, k] int8; weights: [b] int8, how many boards each stands for."""

    cards: npt.NDArray[np.int8]
    weights: npt.NDArray[np.int8]


class Deck(NamedTuple):
    """What a sweep reads: all 1,326 hands, the evaluator, the index of the street, and the bins of scores.

    bins: [1981] uint8, the bin of each river score.
    """

    hands: EquityHands
    evaluator: EvaluatorTables
    suits: SuitTables
    bins: npt.NDArray[np.uint8]


@inlined
def count_scores(
    key: np.uint64, mask: np.uint64, deck: Deck, space: SweepSpace, scores: npt.NDArray[np.int32]
) -> Any:
    """Write the score of every hand alive to scores: [hand] int32; return how many are alive.

    The hands alive are the low bits of `space.packed` up to that number.
    """
    hands = deck.hands
    live = rank_hands(key, mask, hands, deck.evaluator, space)
    packed = space.packed
    held = space.digits[0]  # room for 52 counters, free again after the sort
    held[:52] = 0
    total = np.int32(0)
    first = 0
    while first < live:
        rank = packed[first] >> _HAND_BITS
        after = first
        while after < live and packed[after] >> _HAND_BITS == rank:
            hand = packed[after] & HAND_MASK
            scores[hand] = total - held[hands.cards[hand, 0]] - held[hands.cards[hand, 1]]
            after += 1
        for place in range(first, after):
            hand = packed[place] & HAND_MASK
            held[hands.cards[hand, 0]] += 1
            held[hands.cards[hand, 1]] += 1
        total += np.int32(after - first)
        for place in range(first, after):  # the hand itself was taken away twice: add it back
            hand = packed[place] & HAND_MASK
            scores[hand] += total - held[hands.cards[hand, 0]] - held[hands.cards[hand, 1]] + 1
        first = after
    return live


@kernel
def board_scores(board: npt.NDArray[np.int8], deck: Deck, scores: npt.NDArray[np.int32]) -> None:
    """Write every hand's score on a board of 3 to 5 cards as it lies to scores: [1326] int32; dead: -1."""
    scores[:] = -1
    key, mask = key_and_mask(board, deck.evaluator)
    count_scores(key, mask, deck, sweep_space(len(deck.hands.masks)), scores)


@kernel
def strength_table(
    boards: FeatureBoards,
    deck: Deck,
    table: npt.NDArray[np.uint16],
    weights: npt.NDArray[np.int64],
) -> None:
    """Write the score of every situation on these boards, as they lie, to table: [index] uint16.

    weights: [score] int64 gains the number of real situations with each score.
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
            table[places[hand]] = scores[hand]
            weights[scores[hand]] += boards.weights[board]


@kernel
def score_weights(boards: FeatureBoards, deck: Deck, weights: npt.NDArray[np.int64]) -> None:
    """Add the number of real situations with each score on these boards to weights: [score] int64."""
    hands = len(deck.hands.masks)
    space = sweep_space(hands)
    scores = np.empty(hands, np.int32)
    for board in range(len(boards.cards)):
        key, mask = key_and_mask(boards.cards[board], deck.evaluator)
        live = count_scores(key, mask, deck, space, scores)
        for entry in space.packed[:live]:
            weights[scores[entry & HAND_MASK]] += boards.weights[board]


@inlined
def _accumulate(histogram: Any, row: Any) -> None:
    """Write the running sums of histogram: [bins] to row: [bins]."""
    total = histogram[0] - histogram[0]
    for place in range(len(row)):
        total += histogram[place]
        row[place] = total


@kernel
def turn_features(
    boards: FeatureBoards,
    deck: Deck,
    table: npt.NDArray[np.uint8],
    weights: npt.NDArray[np.uint8],
) -> None:
    """Write the cumulative histogram of river equity of every situation on these turns.

    table: [index, bins] uint8, how many of the 46 rivers lead to this bin or a lower one;
    weights: [index] uint8, how many real situations it stands for.
    """
    hands = len(deck.hands.masks)
    space = sweep_space(hands)
    scores, places = np.empty(hands, np.int32), np.empty(hands, np.int64)
    histograms = np.empty((hands, table.shape[1]), np.int32)
    for board in range(len(boards.cards)):
        key, mask = key_and_mask(boards.cards[board], deck.evaluator)
        histograms[:] = 0
        for river in range(52):
            bit = _ONE << U64(river)
            if mask & bit == _ZERO:
                live = count_scores(key + deck.evaluator.card_keys[river], mask | bit, deck, space, scores)
                for entry in space.packed[:live]:
                    hand = entry & HAND_MASK
                    histograms[hand, deck.bins[scores[hand]]] += 1
        index_hands_of_board(deck.hands.cards, boards.cards[board], deck.suits, places)
        for hand in range(hands):
            if places[hand] >= 0:
                _accumulate(histograms[hand], table[places[hand]])
                weights[places[hand]] += boards.weights[board]


@kernel
def flop_features(
    boards: FeatureBoards,
    deck: Deck,
    table: npt.NDArray[np.uint16],
    weights: npt.NDArray[np.uint8],
) -> None:
    """Write two cumulative histograms of every situation on these flops.

    table: [index, 2 * bins] uint16: of river equity over the run-outs, in parts of 1,081, then of turn equity
    over the turns, in parts of twice as many;
    weights: [index] uint8, how many real situations it stands for.
    """
    hands, bins = len(deck.hands.masks), table.shape[1] // 2
    cards = deck.hands.cards
    space = sweep_space(hands)
    scores, places = np.empty(hands, np.int32), np.empty(hands, np.int64)
    histograms = np.empty((hands, 2, bins), np.int32)
    sums = np.empty((52, hands), np.int32)
    for board in range(len(boards.cards)):
        key, mask = key_and_mask(boards.cards[board], deck.evaluator)
        histograms[:] = 0
        sums[:] = 0
        for high in range(52):
            high_bit = _ONE << U64(high)
            if mask & high_bit != _ZERO:
                continue
            for low in range(high):
                low_bit = _ONE << U64(low)
                if mask & low_bit != _ZERO:
                    continue
                full = key + deck.evaluator.card_keys[high] + deck.evaluator.card_keys[low]
                live = count_scores(full, mask | high_bit | low_bit, deck, space, scores)
                for entry in space.packed[:live]:
                    hand = entry & HAND_MASK
                    histograms[hand, 0, deck.bins[scores[hand]]] += 1
                    sums[high, hand] += scores[hand]
                    sums[low, hand] += scores[hand]
        index_hands_of_board(cards, boards.cards[board], deck.suits, places)
        for hand in range(hands):
            if places[hand] < 0:
                continue
            for turn in range(52):
                dead = mask & (_ONE << U64(turn)) != _ZERO
                if not dead and turn != cards[hand, 0] and turn != cards[hand, 1]:
                    bin_ = deck.bins[sums[turn, hand] // RIVERS]
                    histograms[hand, 1, bin_] += TURN_WEIGHT * RUNOUTS // TURNS
            row = table[places[hand]]
            _accumulate(histograms[hand, 0], row[:bins])
            _accumulate(histograms[hand, 1], row[bins:])
            weights[places[hand]] += boards.weights[board]


@kernel
def opponent_features(
    boards: FeatureBoards,
    deck: Deck,
    kinds: npt.NDArray[np.uint8],
    table: npt.NDArray[np.uint8],
    weights: npt.NDArray[np.uint8],
) -> None:
    """Write what every situation on these rivers loses to each kind of opponent, in parts of 250.

    "Opponent cluster hand strength" of Johanson et al. (2013). kinds: [1326] uint8, the kind of each hand;
    table: [index, kind] uint8, one less the equity; weights: [index] uint8, real situations each stands for.
    A kind that the cards leave no hand of counts as lost.
    """
    hands, count = len(deck.hands.masks), table.shape[1]
    cards = deck.hands.cards
    space = sweep_space(hands)
    places = np.empty(hands, np.int64)
    scores, held = np.empty((hands, count), np.int32), np.empty((52, count), np.int32)
    total = np.empty(count, np.int32)
    for board in range(len(boards.cards)):
        key, mask = key_and_mask(boards.cards[board], deck.evaluator)
        live = rank_hands(key, mask, deck.hands, deck.evaluator, space)
        packed = space.packed
        held[:] = 0
        total[:] = 0
        first = 0
        while first < live:
            rank = packed[first] >> _HAND_BITS
            after = first
            while after < live and packed[after] >> _HAND_BITS == rank:
                hand = packed[after] & HAND_MASK
                for kind in range(count):
                    scores[hand, kind] = total[kind] - held[cards[hand, 0], kind] - held[cards[hand, 1], kind]
                after += 1
            for place in range(first, after):
                hand = packed[place] & HAND_MASK
                total[kinds[hand]] += 1
                held[cards[hand, 0], kinds[hand]] += 1
                held[cards[hand, 1], kinds[hand]] += 1
            for place in range(first, after):
                hand = packed[place] & HAND_MASK
                scores[hand, kinds[hand]] += 1
                for kind in range(count):
                    scores[hand, kind] += (
                        total[kind] - held[cards[hand, 0], kind] - held[cards[hand, 1], kind]
                    )
            first = after
        index_hands_of_board(cards, boards.cards[board], deck.suits, places)
        for entry in packed[:live]:
            hand = entry & HAND_MASK
            for kind in range(count):
                met = total[kind] - held[cards[hand, 0], kind] - held[cards[hand, 1], kind]
                met += kind == kinds[hand]
                won = (LEVELS * scores[hand, kind] + met) // (2 * met) if met > 0 else 0
                table[places[hand], kind] = LEVELS - won
            weights[places[hand]] += boards.weights[board]


@lean
def river_score(hole: Any, board: Any, tables: EvaluatorTables) -> Any:
    """Return the score of one hand on a river: for a few hands, not for all of a board.

    hole: [2] int8, board: [5] int8.
    """
    held, lying = _ZERO, _ZERO
    for card in hole:
        held |= _ONE << U64(card)
    for card in board:
        lying |= _ONE << U64(card)
    return hand_score(held, lying, tables)


@kernel
def runout_scores(
    hole: npt.NDArray[np.int8], board: npt.NDArray[np.int8], tables: EvaluatorTables
) -> npt.NDArray[np.int32]:
    """Return the river score of one hand for each pair of cards to come: [52, 52] int32, -1 where none.

    hole: [2] int8, board: [3..5] int8. Entry (turn, river), both ways; after a turn only row 0 is filled, at
    the river only entry (0, 0).
    """
    found = np.full((52, 52), -1, np.int32)
    full = np.empty(5, np.int8)
    lying = len(board)
    full[:lying] = board
    dead = key_and_mask(board, tables)[1] | key_and_mask(hole, tables)[1]
    for river in range(52):
        if lying < 5 and dead & (_ONE << U64(river)) != _ZERO:
            continue
        for turn in range(river):
            if lying == 3 and dead & (_ONE << U64(turn)) == _ZERO:
                full[3], full[4] = turn, river
                found[turn, river] = found[river, turn] = river_score(hole, full, tables)
        if lying == 4:
            full[4] = river
            found[0, river] = river_score(hole, full, tables)
    if lying == 5:
        found[0, 0] = river_score(hole, full, tables)
    return found
