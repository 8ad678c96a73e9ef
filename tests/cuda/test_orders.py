"""The order of hands for the GPU: walking it gives the sums that the definition gives."""

from __future__ import annotations

import numpy as np
import pytest

from overbet.cuda.orders import RankedHands, make_order
from overbet.solvers.vector.gpu.layout import _ranked
from overbet.tree.public import public_tree
from overbet.tree.spot import Spot


@pytest.mark.parametrize("lanes", [1, 5, 32, 64])
def test_sums_by_card_and_strength(lanes: int) -> None:
    spot = Spot.parse(
        {
            "board": "KsTh7s4d",
            "pot": 10,
            "stacks": 10,
            "ranges": {"oop": "22+,A2s+,QTo+", "ip": "99+,KTs+,65s,A9o+"},
            "bets": {"every": {"bet": "a"}},
        }
    )
    tree = public_tree(spot)
    own, opp = _ranked(tree, 0), _ranked(tree, 1)
    made = make_order(own, opp, lanes)
    generator = np.random.default_rng(1)
    for board in (0, 17, len(own.alive) - 1):
        reach = generator.random(opp.alive[board])
        _check_board(made.sequence[board], made.place[board], own, opp, board, reach, lanes)


def _check_board(
    words: np.ndarray,
    place: np.ndarray,
    own: RankedHands,
    opp: RankedHands,
    board: int,
    reach: np.ndarray,
    lanes: int,
) -> None:
    codes = words.reshape(-1, lanes)[:, None, :] >> (np.arange(4, dtype=np.uint64) * 16)[None, :, None]
    codes = (codes & 0xFFFF).astype(np.int64).reshape(-1, lanes)
    padded = np.concatenate([[0.0], reach, [0.0]])
    sums, total = [np.zeros(1)], np.zeros(lanes)
    for row in codes:
        total = np.where(row & 0x8000, 0.0, total) + padded[row & 0x7FFF]
        sums.append(total)
    table = np.concatenate(sums)
    by_hand = np.cumsum(np.concatenate([[0.0], reach, [0.0]]))
    n, m = own.alive[board], opp.alive[board]
    for i in range(n):
        cards = own.cards[board, i]
        shares = (opp.cards[board, :m, :, None] == cards).any((1, 2))
        weaker = opp.strength[board, :m] < own.strength[board, i]
        reached = opp.strength[board, :m] <= own.strength[board, i]
        twin = by_hand[place[4, i] + 1] - by_hand[place[4, i]]
        for which, part, again in ((1, weaker, 0.0), (2, reached, twin), (3, np.ones(m, bool), twin)):
            end = {1: place[0, i] & 0xFFFF, 2: place[0, i] >> 16, 3: m}[which]
            low, high = place[which, i] & 0xFFFF, place[which, i] >> 16
            found = by_hand[end] - table[low] - table[high] + again
            assert found == pytest.approx(reach[part & ~shares].sum(), abs=1e-9)
