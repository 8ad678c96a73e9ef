"""Hand ranks against phevaluator (Apache 2.0), whose ranks run from 1 (royal flush) to 7462."""

from __future__ import annotations

import numpy as np
import pytest

from overbet.cards.evaluator import evaluate_batch

pheval = pytest.importorskip("phevaluator._pheval")


@pytest.mark.parametrize(("cards", "hands"), [(5, 200_000), (6, 200_000), (7, 2_000_000)])
def test_a_million_random_pairs_in_the_same_order(cards: int, hands: int) -> None:
    """Hands 2i and 2i + 1 are a pair: a million of them with seven cards; both sides order each alike."""
    generator = np.random.default_rng(cards)
    rows = np.empty((hands, cards), np.int8)
    for start in range(0, hands, 100_000):
        deck = generator.random((100_000, 52), dtype=np.float32)
        rows[start : start + 100_000] = np.argpartition(deck, cards, axis=1)[:, :cards]
    ours = evaluate_batch(rows)
    theirs = np.fromiter(map(getattr(pheval, f"evaluate_{cards}cards"), *rows.T.tolist()), np.int32, hands)
    order_here, order_there = np.sign(ours[0::2] - ours[1::2]), np.sign(theirs[1::2] - theirs[0::2])
    assert (order_here == order_there).all()
    assert (ours == 7463 - theirs).all()
