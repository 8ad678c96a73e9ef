"""Hand ranks: counts of every category, order against the plain-Python oracle, and bad input."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from overbet.cards.cards import cards as parse_cards
from overbet.cards.evaluator import (
    CATEGORIES,
    RANKS_OF_HANDS,
    category,
    category_name,
    evaluate,
    evaluate_batch,
    tables,
)
from overbet.errors import CardError
from overbet.kernels.cards.evaluator import count_ranks
from tests.reference.evaluator import strength

# straight flush first, as the tables in the literature print them
FIVE = (40, 624, 3_744, 5_108, 10_200, 54_912, 123_552, 1_098_240, 1_302_540)
SIX = (1_844, 14_664, 165_984, 205_792, 361_620, 732_160, 2_532_816, 9_730_740, 6_612_900)
SEVEN = (41_584, 224_848, 3_473_184, 4_047_644, 6_180_020, 6_461_620, 31_433_400, 58_627_800, 23_294_460)


def counts_by_category(cards: int) -> tuple[tuple[int, ...], int]:
    """Return the hands of each category, best first, and the number of ranks that occur."""
    counts = np.zeros(RANKS_OF_HANDS + 1, np.int64)
    for first in range(cards - 1, 52):
        count_ranks(cards, tables(), first, counts)
    assert counts[0] == 0
    totals = [0] * len(CATEGORIES)
    for rank in range(1, RANKS_OF_HANDS + 1):
        totals[category(rank)] += int(counts[rank])
    return tuple(reversed(totals)), int((counts > 0).sum())


def random_hands(cards: int, hands: int, seed: int) -> np.ndarray:
    deck = np.argsort(np.random.default_rng(seed).random((hands, 52)), axis=1)
    return np.ascontiguousarray(deck[:, :cards].astype(np.int8))


def test_every_five_card_hand() -> None:
    assert counts_by_category(5) == (FIVE, 7462)


def test_every_six_card_hand() -> None:
    assert counts_by_category(6)[0] == SIX


@pytest.mark.slow
def test_every_seven_card_hand() -> None:
    totals, ranks = counts_by_category(7)
    assert totals == SEVEN
    assert sum(totals) == 133_784_560
    assert ranks == 4824


@pytest.mark.parametrize("cards", [5, 6, 7])
def test_same_order_as_the_oracle(cards: int) -> None:
    hands = random_hands(cards, 1500, seed=cards)
    ranks = evaluate_batch(hands)
    strengths = [strength(hand) for hand in hands.tolist()]
    order = sorted(range(len(hands)), key=lambda index: strengths[index])
    for before, after in pairwise(order):
        if strengths[before] == strengths[after]:
            assert ranks[before] == ranks[after]
        else:
            assert ranks[before] < ranks[after]
    assert [category(int(rank)) for rank in ranks] == [best[0] for best in strengths]


def test_rare_hands_follow_the_oracle() -> None:
    texts = [
        "AsKsQsJsTs2c2d",
        "As2s3s4s5s6h7h",
        "5s4s3s2sAs6s7c",
        "AcAdAhAsKcKdKh",
        "2c2d2h2sAcAdAh",
        "KcKdKhQcQdQhAs",
    ]
    texts += [
        "AhKhQhJh9h8h7h",
        "As2d3h4c5s5d5h",
        "2c3d4h5s7c7d7h",
        "AcKcQcJc9cAdAh",
        "6c5c4c3c2cAcAd",
        "7c5d4h3s2c",
    ]
    cards = [tuple(parse_cards(text)) for text in texts]
    strengths = [strength(hand) for hand in cards]
    ranks = [evaluate(text) for text in texts]
    assert sorted(range(len(texts)), key=lambda i: strengths[i]) == sorted(
        range(len(texts)), key=lambda i: ranks[i]
    )
    assert max(ranks) == RANKS_OF_HANDS
    assert min(ranks) == 1


def test_masks_cards_and_threads_agree() -> None:
    for cards in (5, 6, 7):
        hands = random_hands(cards, 20_000, seed=10 + cards)
        masks = np.bitwise_or.reduce(np.uint64(1) << hands.astype(np.uint64), axis=1)
        ranks = evaluate_batch(hands)
        assert ranks.dtype == np.int32
        assert (evaluate_batch(masks) == ranks).all()
        assert (evaluate_batch(hands.astype(np.int64)) == ranks).all()
        assert (evaluate_batch(hands, parallel=True) == ranks).all()
        assert (evaluate_batch(masks, parallel=True) == ranks).all()


def test_the_order_of_the_cards_does_not_matter() -> None:
    hands = random_hands(7, 5_000, seed=3)
    assert (evaluate_batch(hands) == evaluate_batch(hands[:, ::-1])).all()


def test_names() -> None:
    assert evaluate("2c3d4h5s7c") == 1
    assert category_name(evaluate("AsKsQsJsTs")) == "straight flush"
    assert category_name(evaluate("AsAhQsJsTs9d")) == "pair"
    assert category_name(evaluate("AsAhQsQdTsTd9d")) == "two pair"
    for wrong in (0, 7463):
        with pytest.raises(CardError, match="1 to 7462"):
            category(wrong)


@pytest.mark.parametrize(
    ("cards", "message"),
    [
        ("AsKsQsJs", "5 to 7 cards"),
        ("AsKsQsJsTs9s8s7s", "5 to 7 cards"),
        ("AsAsQsJsTs", "As appears twice"),
        ("AsXsQsJsTs", "not a card"),
        ([0, 1, 2, 3, 52], "52 is not a card"),
    ],
)
def test_bad_hands(cards: object, message: str) -> None:
    with pytest.raises(CardError, match=message):
        evaluate(cards)  # type: ignore[arg-type]


@pytest.mark.parametrize("parallel", [False, True])
def test_bad_batches(parallel: bool) -> None:
    good = random_hands(7, 4, seed=1)
    repeated = good.copy()
    repeated[2, 0] = repeated[2, 1]
    outside = good.copy()
    outside[3, 6] = 52
    negative = good.copy()
    negative[1, 3] = -1
    for hands, row in ((repeated, 2), (outside, 3), (negative, 1)):
        with pytest.raises(CardError, match=f"hand {row} "):
            evaluate_batch(hands, parallel=parallel)
    with pytest.raises(CardError, match="hand 0 has a card outside 0"):
        evaluate_batch(np.array([[0, 1, 2, 3, 300]]), parallel=parallel)
    for masks in ([0b1111], [0b11111, 1 << 52 | 0b1111], [(1 << 8) - 1]):
        with pytest.raises(CardError, match=f"mask {len(masks) - 1} "):
            evaluate_batch(np.array(masks, np.uint64), parallel=parallel)
    for shape in ((3, 4), (3, 8), (3,)):
        with pytest.raises(CardError, match="shape"):
            evaluate_batch(np.zeros(shape, np.int8), parallel=parallel)
    assert evaluate_batch(np.zeros((0, 7), np.int8), parallel=parallel).shape == (0,)
