"""Sampled equities: random deals and boards, each number a function of (seed, block, trial).

A deal must come with probability proportional to the product of its hands' weights among the deals whose
hands share no card. By rejection: draw every player's hand on its own and throw the lot away when two
share a card; what remains has exactly that law. Where that hardly ever succeeds, deal in turn: each
player's hand from those left, and weight the trial by the parts of the ranges that were left (importance
sampling with a self-normalised mean). Both feed the same sums; the blocks can run on any threads and in any
order.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from overbet.kernels.cards.equity import key_and_mask
from overbet.kernels.cards.equity_multiway import PLAYERS, Field, share_pot
from overbet.kernels.cards.evaluator import EvaluatorTables, rank_key
from overbet.kernels.jit import inlined, kernel
from overbet.kernels.rng import below, stream_key, uniform

U64 = np.uint64
_ONE, _ZERO = U64(1), U64(0)
# columns of the sums: win, tie and share as in equity_multiway, then weight^2 * share and weight^2 * share^2
SUMS = 5


class RankTable(NamedTuple):
    """What lies open: board: [0..5] int8; deck: [d] int8, the cards that may still come."""

    board: npt.NDArray[np.int8]
    deck: npt.NDArray[np.int8]


@inlined
def _draw_hand(field: Field, player: int, number: float) -> np.int64:
    """Return a hand of the player by Walker's alias table from one uniform number."""
    start, end = field.starts[player], field.starts[player + 1]
    scaled = number * (end - start)
    place = start + np.int64(scaled)
    if scaled - np.int64(scaled) < field.cut[place]:
        return np.int64(place)
    return np.int64(field.alias[place])


@kernel
def _deal_by_rejection(
    field: Field, key: np.uint64, counter: int, tries: int, dealt: npt.NDArray[np.int64]
) -> tuple[int, float]:
    """Fill dealt: [players] int64; return the next counter and 1.0, or 0.0 when all tries failed."""
    players = field.starts.shape[0] - 1
    for _ in range(tries):
        used = _ZERO
        player = 0
        while player < players:
            hand = _draw_hand(field, player, uniform(key, counter))
            counter += 1
            if used & field.hands.masks[hand] != _ZERO:
                break
            used |= field.hands.masks[hand]
            dealt[player] = hand
            player += 1
        if player == players:
            return counter, 1.0
    return counter, 0.0


@kernel
def _deal_in_turn(
    field: Field, key: np.uint64, counter: int, dealt: npt.NDArray[np.int64]
) -> tuple[int, float]:
    """Fill dealt: [players] int64; return the next counter and the trial's weight, 0.0 at a dead end."""
    players = field.starts.shape[0] - 1
    used, weight = _ZERO, 1.0
    for player in range(players):
        left, total = 0.0, 0.0
        for hand in range(field.starts[player], field.starts[player + 1]):
            total += field.weights[hand]
            if used & field.hands.masks[hand] == _ZERO:
                left += field.weights[hand]
        if left == 0.0:
            return counter, 0.0
        rest = left * uniform(key, counter)
        counter += 1
        chosen = np.int64(-1)
        for hand in range(field.starts[player], field.starts[player + 1]):
            if used & field.hands.masks[hand] == _ZERO and field.weights[hand] > 0.0:
                chosen = np.int64(hand)
                rest -= field.weights[hand]
                if rest < 0.0:
                    break
        used |= field.hands.masks[chosen]
        dealt[player] = chosen
        weight *= left / total
    return counter, weight


@kernel
def sample_block(
    seed: int,
    block: int,
    trials: int,
    tries: int,
    table: RankTable,
    field: Field,
    tables: EvaluatorTables,
    out: npt.NDArray[np.float64],
) -> int:
    """Play `trials` deals of one block and add them up; return how many came about.

    tries: how often a trial may be dealt by rejection before it counts as failed; 0 deals in turn instead.
    out: [players + 1, 5] float64; a player's row is the sums of weight where he wins, where he ties, of
    weight * share, weight^2 * share and weight^2 * share^2; the last row starts with the sums of weight and
    weight^2.
    """
    players = field.starts.shape[0] - 1
    dealt = np.empty(PLAYERS, np.int64)
    ranks = np.empty(PLAYERS, np.int32)
    board_key, board_mask = key_and_mask(table.board, tables)
    to_come = 5 - table.board.shape[0]
    deck = table.deck.shape[0]
    played = 0
    for trial in range(trials):
        stream = stream_key(seed, block, trial)
        if tries > 0:
            counter, weight = _deal_by_rejection(field, stream, 0, tries, dealt)
        else:
            counter, weight = _deal_in_turn(field, stream, 0, dealt)
        if weight == 0.0:
            continue
        played += 1
        used = board_mask
        for player in range(players):
            used |= field.hands.masks[dealt[player]]
        key, mask = board_key, board_mask
        picked = 0
        while picked < to_come:
            card = table.deck[below(stream, counter, deck)]
            counter += 1
            bit = _ONE << U64(card)
            if used & bit == _ZERO:
                used |= bit
                mask |= bit
                key += tables.card_keys[card]
                picked += 1
        for player in range(players):
            hand = dealt[player]
            ranks[player] = rank_key(key + field.hands.keys[hand], mask | field.hands.masks[hand], tables)
        bits = share_pot(ranks, players, weight, out)
        winners = np.int64(0)
        for player in range(players):
            winners += bits >> player & 1
        share = 1.0 / winners
        for player in range(players):
            if bits >> player & 1:
                out[player, 3] += weight * weight * share
                out[player, 4] += weight * weight * share * share
        out[players, 0] += weight
        out[players, 1] += weight * weight
    return played
