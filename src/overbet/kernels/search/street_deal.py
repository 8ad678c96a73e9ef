"""Hands and a board for one walk, drawn as everybody believes they lie.

A board is drawn from those that were prepared, and a hand for every player but the walking one from its
range; where two of them share a card all are drawn again, so that what comes has the chance of its hands
together. Players who have folded are dealt to as well: what they threw away is in nobody's hand.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from overbet.kernels.jit import lean
from overbet.kernels.rng import uniform
from overbet.kernels.search.street_game import StreetGame, WalkRoom

_TRIES = 200
_ONE = np.uint64(1)
_SPARE = 1e-9  # weight of any hand, where no hands of the ranges go together


@lean
def _found(reach: Any, wanted: float) -> int:
    """Return the first hand whose running sum exceeds `wanted`."""
    low, high = 0, len(reach) - 1
    while low < high:
        middle = (low + high) // 2
        if reach[middle] > wanted:
            high = middle
        else:
            low = middle + 1
    return low


@lean
def _mask(cards: Any, hand: int) -> Any:
    return _ONE << np.uint64(cards[hand, 0]) | _ONE << np.uint64(cards[hand, 1])


@lean
def _one_by_one(game: StreetGame, player: int, taken: Any, room: WalkRoom, key: np.uint64, drawn: int) -> int:
    """Draw hands one after another, each from what is left to it; any hand where its range leaves none."""
    cards, reach = game.hands.cards, game.hands.reach
    for other in range(len(room.hand)):
        if other == player:
            continue
        total, before = 0.0, 0.0
        for h in range(len(cards)):
            weight = reach[other, h] - before + _SPARE
            before = reach[other, h]
            total += weight if _mask(cards, h) & taken == 0 else 0.0
        wanted, before, running = uniform(key, drawn) * total, 0.0, 0.0
        drawn += 1
        for h in range(len(cards)):
            weight = reach[other, h] - before + _SPARE
            before = reach[other, h]
            if _mask(cards, h) & taken == 0:
                room.hand[other] = h
                running += weight
                if running > wanted:
                    break
        taken |= _mask(cards, room.hand[other])
    return drawn


@lean
def deal_hands(game: StreetGame, player: int, room: WalkRoom, key: np.uint64) -> Any:
    """Draw a board and the others' hands to room.hand, and mark the hands that are left to a player.

    Return the number of the board and the next random number.
    """
    cards, reach, boards = game.hands.cards, game.hands.reach, game.boards
    drawn, tries, board = 0, 0, 0
    taken, coming = np.uint64(0), np.uint64(0)
    while True:
        board = min(int(uniform(key, drawn) * len(boards.cards)), len(boards.cards) - 1)
        drawn += 1
        coming = np.uint64(0)
        for place in range(boards.known, 5):
            coming |= _ONE << np.uint64(boards.cards[board, place])
        taken = coming
        if tries == _TRIES:
            drawn = _one_by_one(game, player, taken, room, key, drawn)
            for other in range(len(room.hand)):
                if other != player:
                    taken |= _mask(cards, room.hand[other])
            break
        tries += 1
        clear = True
        for other in range(len(room.hand)):
            if other != player:
                hand = _found(reach[other], uniform(key, drawn) * reach[other, len(cards) - 1])
                drawn += 1
                mask = _mask(cards, hand)
                clear = clear and mask & taken == 0
                taken |= mask
                room.hand[other] = hand
        if clear:
            break
    for h in range(len(cards)):
        room.live[h] = np.float32(1 if _mask(cards, h) & taken == 0 else 0)
    return board, drawn
