"""What the ends of hands are worth to every hand of a board against the opponent's reach.

With `below`, `upto` and `all` the opponent's reach that shares no card with the hand and is weaker, not
stronger, any: a showdown pays (win - tie) * below + (tie - lose) * upto + lose * all, a fold pays on `all`
alone. A hand shares a card with every hand of either of its cards; itself, which is among both, was taken
away twice and is added again.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from overbet.kernels.boards.hands import SweptHands
from overbet.kernels.jit import lean
from overbet.kernels.training.record import EARLY_SHOWDOWN, FOLDED

WIN, TIE, LOSE = 0, 1, 2
CARDS = 52


@lean
def folded(hands: SweptHands, board: int, reach: Any, pay: Any, by_card: Any, value: Any) -> None:
    """Write what a hand that is over is worth. pay: [3] float32, all alike; by_card: [52] float32, work."""
    total = _by_card(hands, board, reach, by_card)
    for j in range(len(value)):
        a, b = hands.cards[board, j, 0], hands.cards[board, j, 1]
        value[j] = pay[LOSE] * (total - by_card[a] - by_card[b] + reach[j])


@lean
def shown(hands: SweptHands, board: int, reach: Any, pay: Any, by_card: Any, value: Any) -> None:
    """Write what a showdown on this board is worth, hands in order of strength."""
    total = _by_card(hands, board, reach, by_card)
    for j in range(len(value)):
        a, b = hands.cards[board, j, 0], hands.cards[board, j, 1]
        value[j] = pay[LOSE] * (total - by_card[a] - by_card[b] + reach[j])
    by_card[:] = 0.0
    total, j = np.float32(0.0), 0
    more, less = pay[WIN] - pay[TIE], pay[TIE] - pay[LOSE]
    while j < len(value):
        last = hands.tied[board, j, 1]
        for k in range(j, last):
            below = total - by_card[hands.cards[board, k, 0]] - by_card[hands.cards[board, k, 1]]
            value[k] += more * below
        for k in range(j, last):
            total += reach[k]
            by_card[hands.cards[board, k, 0]] += reach[k]
            by_card[hands.cards[board, k, 1]] += reach[k]
        for k in range(j, last):
            upto = total - by_card[hands.cards[board, k, 0]] - by_card[hands.cards[board, k, 1]] + reach[k]
            value[k] += less * upto
        j = last


@lean
def all_in_before_flop(
    hands: SweptHands, board: int, reach: Any, pay: Any, by_card: Any, equity: Any, value: Any
) -> None:
    """Write what an all-in before the flop is worth over all boards; equity: [1326, 1326] float32, ties half,
    0 for hands that share a card."""
    total = _by_card(hands, board, reach, by_card)
    for j in range(len(value)):
        a, b = hands.cards[board, j, 0], hands.cards[board, j, 1]
        own, won = hands.combo[board, j], np.float32(0.0)
        for k in range(len(value)):
            won += reach[k] * equity[own, hands.combo[board, k]]
        left = total - by_card[a] - by_card[b] + reach[j]
        value[j] = pay[LOSE] * left + (pay[WIN] - pay[LOSE]) * won


@lean
def end_values(
    hands: SweptHands,
    board: int,
    kind: int,
    reach: Any,
    pay: Any,
    by_card: Any,
    equity: npt.NDArray[np.float32],
    value: Any,
) -> None:
    """Write what an end is worth to every hand of a player, value: [H] float32.

    reach: [H] float32, the opponent's; equity: [0, 0] where all-ins before the flop are shown on the board.
    """
    if kind == FOLDED:
        folded(hands, board, reach, pay, by_card, value)
    elif kind == EARLY_SHOWDOWN and len(equity) > 0:
        all_in_before_flop(hands, board, reach, pay, by_card, equity, value)
    else:
        shown(hands, board, reach, pay, by_card, value)


@lean
def _by_card(hands: SweptHands, board: int, reach: Any, by_card: Any) -> Any:
    """Add up the reach by card; return all of it."""
    by_card[:] = 0.0
    total = np.float32(0.0)
    for j in range(len(reach)):
        total += reach[j]
        by_card[hands.cards[board, j, 0]] += reach[j]
        by_card[hands.cards[board, j, 1]] += reach[j]
    return total
