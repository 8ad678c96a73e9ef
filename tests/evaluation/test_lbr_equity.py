"""The row of equities against every single hand, against plain enumeration."""

import numpy as np
import pytest

from overbet.cards.cards import cards, cards_name
from overbet.cards.combos import combo_name, combo_table
from overbet.cards.equity import equity
from overbet.cards.evaluator import tables
from overbet.cards.preflop import BOARDS, matchups
from overbet.kernels.lbr.equity import equity_work, hand_equities

BOARDS_TRIED = ["Td9d6h", "AsAhAd", "2c2d2h2s", "KsQsJs", "KsQsJsTs", "5c6c7c8c9c", "Td9d6h2c", "Td9d6h2c2d"]


@pytest.mark.parametrize("board", BOARDS_TRIED)
def test_every_opponent_as_enumeration_says(board):
    rng = np.random.default_rng(len(board))
    lying = set(cards(board))
    live = [i for i, pair in enumerate(combo_table().tolist()) if not lying & set(pair)]
    for _ in range(2):
        own = combo_table()[rng.choice(live)].tolist()
        found = np.empty(1326)
        hand_equities(own[0], own[1], np.array(cards(board)), tables(), equity_work(tables()), found)
        dead = [bool(set(pair) & (lying | set(own))) for pair in combo_table().tolist()]
        np.testing.assert_array_equal(found < 0, dead)
        for combo in rng.choice(np.flatnonzero(~np.array(dead)), 12, replace=False):
            expected = equity(cards_name(own), combo_name(combo), board=board).equity[0]
            assert found[combo] == pytest.approx(expected, abs=1e-12), combo_name(combo)


def test_a_flop_adds_up_to_the_equity_before_it():
    """The mean over all flops is the table's equity: here on a sample of flops, for one pair of hands."""
    own, other = cards("AhKd"), cards("7c7s")
    left = [card for card in range(52) if card not in (*own, *other)]
    rng = np.random.default_rng(5)
    combo = max(other) * (max(other) - 1) // 2 + min(other)
    work, out, found = equity_work(tables()), np.empty(1326), []
    for _ in range(300):
        hand_equities(*own, rng.choice(left, 3, replace=False), tables(), work, out)
        found.append(out[combo])
    table = matchups()
    mine = max(own) * (max(own) - 1) // 2 + min(own)
    expected = (table.wins[mine, combo] + 0.5 * table.ties[mine, combo]) / BOARDS
    assert np.mean(found) == pytest.approx(expected, abs=4 * np.std(found) / np.sqrt(300))
