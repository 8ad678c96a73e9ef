"""How many other hands a hand beats on a board, exactly and fast.

Where no flush is possible hands of the same two ranks are equal, so that 91 pairs of ranks stand for a
thousand hands, each as often as its cards are left. With three cards of a suit on the board the hands with
two more of it are taken one by one, at most 45. Boards with four or five of a suit, one in twenty, are gone
through hand by hand.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from overbet.kernels.cards.evaluator import START, EvaluatorTables, popcount, rank_key, suit_mask
from overbet.kernels.jit import lean, lean_inlined

U64 = np.uint64
_ONE, _ZERO = U64(1), U64(0)
_RANKS = 13


@lean_inlined
def _versus(rank: Any, other: Any) -> Any:
    """Return 2 for a win, 1 for a tie, 0 for a loss."""
    return np.int64(rank > other) + np.int64(rank >= other)


@lean_inlined
def _key_of(mask: np.uint64, tables: EvaluatorTables) -> np.uint64:
    """Return the sum of the keys of the cards in a mask."""
    key = _ZERO
    for card in range(52):
        if mask >> U64(card) & _ONE:
            key += tables.card_keys[card]
    return key


@lean
def _each_hand(rank: Any, key: np.uint64, board: np.uint64, live: np.uint64, tables: EvaluatorTables) -> Any:
    """Return the score against every pair of live cards; key: of the board."""
    score = np.int64(0)
    for high in range(1, 52):
        if not live >> U64(high) & _ONE:
            continue
        for low in range(high):
            if live >> U64(low) & _ONE:
                mask = board | _ONE << U64(high) | _ONE << U64(low)
                whole = key + tables.card_keys[high] + tables.card_keys[low]
                score += _versus(rank, rank_key(whole, mask, tables))
    return score


@lean
def hand_score(hole: np.uint64, board: np.uint64, tables: EvaluatorTables) -> Any:
    """Return 2 for every hand of two other cards that `hole` beats on a board of 3 to 5, 1 for every tie."""
    dead = hole | board
    live = ~dead & ((_ONE << U64(52)) - _ONE)
    key = START + _key_of(board, tables)
    rank = rank_key(key + _key_of(hole, tables), dead, tables)
    suit, most = U64(0), np.int64(0)
    for one in range(4):
        lying = popcount(suit_mask(board, U64(one)))
        if lying > most:
            suit, most = U64(one), lying
    if most > 3:
        return _each_hand(rank, key, board, live, tables)
    # two suits in which nobody makes a flush: not the one with three cards on the board
    first = (suit + _ONE) & U64(3)
    second = (suit + U64(2)) & U64(3)
    flushing = live & (U64(0x1111111111111) << suit) if most == 3 else _ZERO
    score = np.int64(0)
    for high in range(_RANKS):
        place = U64(4 * high)
        left, suited = popcount(live >> place & U64(15)), np.int64(flushing >> (place + suit) & _ONE)
        if left == 0:
            continue
        base = key + tables.card_keys[place + first]
        if left > 1:
            other = rank_key(base + tables.card_keys[place + second], board, tables)
            score += left * (left - 1) // 2 * _versus(rank, other)
        for low in range(high):
            under = U64(4 * low)
            ways = left * popcount(live >> under & U64(15))
            ways -= suited * np.int64(flushing >> (under + suit) & _ONE)
            if ways > 0:
                score += ways * _versus(
                    rank, rank_key(base + tables.card_keys[under + second], board, tables)
                )
    if flushing != _ZERO:
        score += _each_hand(rank, key, board, flushing, tables)
    return score
