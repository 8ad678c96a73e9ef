"""The score of one hand by pairs of ranks against plain counting over every opponent."""

from itertools import combinations

import numpy as np
import pytest

from overbet.cards.cards import cards
from overbet.cards.evaluator import tables
from overbet.kernels.cards.hand_score import hand_score
from tests.reference.evaluator import strength

BOARDS = [
    "Td9d6h",  # two of a suit
    "AsKsQs",  # three: two more make a flush
    "7h7d7c",
    "5h4h3hAd",
    "AsKsQsJs",  # four: one more does
    "2c2d2h2s",
    "AhKdQcJsTh",  # everybody has the straight
    "5h4h3hAdAc",
    "8c8d4c4h2c",
    "AsKsQsJs2d",
    "9h7h5h4h3h",
]


def mask(chosen):
    return np.uint64(sum(1 << card for card in chosen))


def plain_score(own, lying):
    """Count 2 * wins + ties over all opponents with the plain evaluator."""
    rest = [card for card in range(52) if card not in own + lying]
    mine = strength(own + lying)
    theirs = [strength(pair + lying) for pair in combinations(rest, 2)]
    return sum(2 * (mine > other) + (mine == other) for other in theirs)


@pytest.mark.parametrize("board", BOARDS)
def test_against_every_opponent(board):
    lying = cards(board)
    free = [card for card in range(52) if card not in lying]
    rng = np.random.default_rng(len(board))
    for _ in range(4):
        own = tuple(int(card) for card in rng.choice(free, 2, replace=False))
        assert hand_score(mask(own), mask(lying), tables()) == plain_score(own, lying)


def test_chosen_hands():
    for hole, board in (
        ("AsTs", "KsQsJs"),
        ("2s3s", "KsQsJs"),
        ("6h2c", "5h4h3hAdAc"),
        ("As2d", "KsQsJs9s3c"),
    ):
        own, lying = cards(hole), cards(board)
        assert hand_score(mask(own), mask(lying), tables()) == plain_score(own, lying)
