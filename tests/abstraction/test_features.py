"""Features against plain counting, and the tables against the features of single hands."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from overbet.abstraction.features import (
    cumulative,
    deck,
    features_of_hand,
    kinds_of_opponents,
    opponent_shares,
    opponents,
    over_blocks,
    score_bins,
    score_weights,
    strengths,
)
from overbet.cards.cards import cards
from overbet.cards.combos import combo, combo_table, combos_of_class
from overbet.cards.equity import hand_equities
from overbet.cards.evaluator import evaluate
from overbet.cards.isomorphism import hand_isomorphism
from overbet.errors import CardError
from overbet.kernels.abstraction.features import (
    FeatureBoards,
    board_scores,
    flop_features,
    opponent_features,
    turn_features,
)
from tests.reference.evaluator import strength


def naive_score(hole: str, board: str) -> int:
    """Count 2 * wins + ties over all opponents with the plain evaluator."""
    own, lying = cards(hole), cards(board)
    rest = [card for card in range(52) if card not in own + lying]
    mine = strength(own + lying)
    theirs = [strength(pair + lying) for pair in combinations(rest, 2)]
    return sum(2 * (mine > other) + (mine == other) for other in theirs)


@pytest.mark.parametrize(
    ("hole", "board"),
    [("AhKh", "Td9d6h2c3s"), ("2c2d", "AsKsQsJsTs"), ("7h6h", "5h4h3hAdAc"), ("QdTc", "7h9hQh2s2d")],
)
def test_river_scores_are_counts(hole: str, board: str) -> None:
    scores = np.empty(1326, np.int32)
    board_scores(np.array(cards(board), np.int8), deck(5), scores)
    expected = naive_score(hole, board)
    assert scores[combo(hole)] == expected
    assert features_of_hand(hole, board).equity == expected / 1980
    dead = [i for i, pair in enumerate(combo_table().tolist()) if set(pair) & set(cards(board))]
    assert (scores[dead] == -1).all()
    assert (np.delete(scores, dead) >= 0).all()


def test_two_hands_of_one_equity_and_two_futures() -> None:
    top_pair, flush_draw = features_of_hand("TcQd", "7h9hQh"), features_of_hand("5c9d", "3d5d7d")
    assert top_pair.equity == pytest.approx(0.683, abs=5e-4)
    assert flush_draw.equity == pytest.approx(0.679, abs=5e-4)
    apart = np.abs(np.cumsum(top_pair.turn) - np.cumsum(flush_draw.turn)).sum() / 64
    assert apart > 0.06  # as far as two hands whose equities differ by 0.06 at the least
    made, waiting = (hand.turn.reshape(16, 4).sum(1) for hand in (top_pair, flush_draw))
    assert made.max() > 0.7  # most turn cards leave it as it is
    assert waiting.max() < 0.3  # the others make it or break it


@pytest.mark.parametrize("board", ["Td9d6h", "Td9d6h2c", "Td9d6h2c3s"])
def test_equity_is_the_exact_equity(board: str) -> None:
    equities = hand_equities("22+,A2+,K2+,Q2+,J2+,T2+,92+,82+,72+,62+,52+,42+,32", board=board)
    for hole in ("AhKh", "7c2d", "TcTh"):
        assert features_of_hand(hole, board).equity == pytest.approx(equities[combo(hole)], abs=1e-12)


def test_histograms_hold_all_cards_to_come() -> None:
    flop, turn = features_of_hand("AhKh", "Td9d6h"), features_of_hand("AhKh", "Td9d6h2c")
    assert flop.river.sum() == pytest.approx(1.0)
    assert flop.turn.sum() == pytest.approx(1.0)
    assert turn.river.sum() == pytest.approx(1.0)
    assert len(turn.turn) == 0
    assert (turn.river * 46 == np.rint(turn.river * 46)).all()
    centres = (np.arange(64) + 0.5) / 64
    for part in (flop.river, flop.turn):
        assert np.dot(part, centres) == pytest.approx(flop.equity, abs=1 / 64)


@pytest.mark.parametrize("board", ["Td9d6h", "7h9hQh", "AsAhAd"])
def test_flop_table_is_that_of_single_hands(board: str) -> None:
    index, bins = hand_isomorphism(3), 64
    table = np.zeros((index.size, 2 * bins), np.uint16)
    weights = np.zeros(index.size, np.uint8)
    lying = np.array([index.canonical(board, "2c2d" if board != "AsAhAd" else "KcKd")[0]], np.int8)
    flop_features(FeatureBoards(lying, np.array([4], np.int8)), deck(3, bins), table, weights)
    places = index.hands_of_board(lying[0])
    for number in np.flatnonzero(places >= 0)[::97]:
        hole = combo_table()[number].tolist()
        assert (table[places[number]] == cumulative(features_of_hand(hole, lying[0].tolist()))).all()
    assert weights.sum(dtype=int) == 4 * 1176


def test_turn_table_is_that_of_single_hands() -> None:
    index, bins = hand_isomorphism(4), 32
    lying = np.array([cards("Td9d6h2d")], np.int8)
    table = np.zeros((index.size, bins), np.uint8)
    weights = np.zeros(index.size, np.uint8)
    turn_features(FeatureBoards(lying, np.array([1], np.int8)), deck(4, bins), table, weights)
    places = index.hands_of_board(lying[0])
    for number in np.flatnonzero(places >= 0)[::61]:
        hole = combo_table()[number].tolist()
        assert (table[places[number]] == cumulative(features_of_hand(hole, lying[0].tolist(), bins))).all()
    assert weights.sum(dtype=int) == 1128


def test_weights_count_all_situations() -> None:
    table, weights = strengths(3)
    assert weights.sum() == 22_100 * 1176
    assert (weights == score_weights(3)).all()
    assert table.max() == 2 * opponents(3)
    index = hand_isomorphism(3)
    counts = index.counts(np.arange(index.size)).astype(np.int64)
    assert (np.bincount(table, counts, len(weights)) == weights).all()


def test_bins_are_equal_parts() -> None:
    bins = score_bins(64)
    assert bins[0] == 0
    assert bins[-1] == 63
    assert set(np.bincount(bins).tolist()) <= {30, 31}


def test_blocks_cover_all_and_raise() -> None:
    seen = np.zeros(1000, int)
    steps: list[int] = []

    def work(rows: slice) -> None:
        seen[rows] += 1

    over_blocks(work, 1000, 64, lambda done, total: steps.append(done))
    assert (seen == 1).all()
    assert steps[-1] == 1000

    def fail(rows: slice) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        over_blocks(fail, 1000, 64)


def test_bad_cards() -> None:
    with pytest.raises(CardError, match="two hole cards"):
        features_of_hand("Ah", "Td9d6h")
    with pytest.raises(CardError, match="twice"):
        features_of_hand("AhTd", "Td9d6h")


def test_kinds_of_opponents_are_classes_of_near_equity() -> None:
    kinds = kinds_of_opponents(8)
    assert sorted(np.unique(kinds).tolist()) == list(range(8))
    assert kinds[combo("AhAs")] == 7
    assert kinds[combo("3c2d")] == 0
    for number in range(169):
        assert len({int(kinds[i]) for i in combos_of_class(number)}) == 1
    assert opponent_shares(8) == pytest.approx(np.bincount(kinds) / 1326)


@pytest.mark.parametrize("board", ["Td9d6h2c3s", "AsAhAd7c7d"])
def test_equity_against_kinds_of_opponents(board: str) -> None:
    index, kinds = hand_isomorphism(5), kinds_of_opponents(5)
    lying = np.array([cards(board)], np.int8)
    table, weights = np.zeros((index.size, 5), np.uint8), np.zeros(index.size, np.uint8)
    opponent_features(FeatureBoards(lying, np.array([1], np.int8)), deck(5), kinds, table, weights)
    assert weights.sum(dtype=int) == 1081
    places = index.hands_of_board(board)
    ranks = {i: evaluate([*combo_table()[i].tolist(), *cards(board)]) for i in np.flatnonzero(places >= 0)}
    for number in list(ranks)[::173]:
        own = set(combo_table()[number].tolist())
        others = [i for i in ranks if not own & set(combo_table()[i].tolist())]
        for kind in range(5):
            met = [ranks[i] for i in others if kinds[i] == kind]
            won = sum((ranks[number] > rank) + 0.5 * (ranks[number] == rank) for rank in met)
            expected = 1.0 - won / len(met) if met else 1.0
            assert table[places[number], kind] / 250 == pytest.approx(expected, abs=0.5 / 250 + 1e-9)
