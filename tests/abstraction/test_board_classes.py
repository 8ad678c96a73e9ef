"""Classes of boards: what they are made of, and that every way to a bucket knows the class of the board."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from overbet import artefact
from overbet.abstraction.board_classes import add_classes, board_equities, class_of_boards
from overbet.abstraction.bucket_build import build_buckets
from overbet.abstraction.bucket_config import BucketsConfig, preset
from overbet.abstraction.bucket_files import KIND, load_buckets, save_buckets
from overbet.abstraction.bucket_view import view_hand
from overbet.abstraction.buckets import Buckets
from overbet.abstraction.clustering import Search
from overbet.abstraction.features import deck
from overbet.abstraction.grouping import grouped
from overbet.cards.cards import cards
from overbet.cards.combos import class_of_combos, combo_table
from overbet.cards.isomorphism import board_isomorphism, canonical_boards, hand_isomorphism
from overbet.errors import ArtefactError, ConfigError
from overbet.kernels.abstraction.board_classes import rule_table
from overbet.kernels.abstraction.buckets import deal_buckets, rule_bucket
from overbet.kernels.abstraction.features import FeatureBoards, board_scores

QUICK = Search(0, 1, 2_000, 6)
BOARDS = ("Td9d6h", "AsAhAd", "Td9d6h2c", "7h6h5h4h", "Td9d6h2c3s", "AsKsQsJsTs")


@pytest.fixture(scope="module")
def classed() -> Buckets:
    """Return ten buckets a street: five classes of boards, two groups in each."""
    config = BucketsConfig(
        flop=10, turn=10, river=10, feature="strength", restarts=1, sample=2_000, iterations=6,
        flop_classes=5, turn_classes=5, river_classes=5,
    )  # fmt: skip
    return build_buckets(config, river_table=False)


def test_a_river_is_described_by_the_mean_equity_of_each_class() -> None:
    boards, _ = canonical_boards(5)
    scores = np.empty(1326, np.int32)
    for place in (0, 77_777, 134_458):
        board_scores(boards[place], deck(5), scores)
        live = scores >= 0
        total = np.bincount(class_of_combos()[live], scores[live] / 1980, 169)
        count = np.bincount(class_of_combos()[live], minlength=169)
        expected = total[count > 0] / count[count > 0]
        np.testing.assert_allclose(board_equities(5)[place][count > 0], expected, atol=1e-6)
        np.testing.assert_allclose(board_equities(5)[place][count == 0], expected.mean(), atol=1e-5)


def test_a_turn_is_described_by_the_mean_over_its_rivers() -> None:
    turn = cards("Td9d6h2c")
    rivers = [[*turn, card] for card in range(52) if card not in turn]
    expected = board_equities(5)[board_isomorphism(5).indices(rivers)].mean(0)
    np.testing.assert_allclose(board_equities(4)[board_isomorphism(4).index(turn)], expected, atol=1e-5)


def test_boards_that_help_the_same_hands_are_alike() -> None:
    found = class_of_boards(5, 12, QUICK)
    assert np.bincount(found, minlength=12).min() > 0
    of_board = [int(found[board_isomorphism(5).index(text)]) for text in ("AsKs9s5s2d", "AsKs9s5s3d")]
    assert of_board[0] == of_board[1]
    assert of_board[0] != found[board_isomorphism(5).index("7h7d4c4s2s")]
    equity = board_equities(5)
    means = np.array([equity[found == k].mean(0) for k in range(12)])
    inside = ((equity - means[found]) ** 2).sum()
    assert inside < 0.75 * ((equity - equity.mean(0)) ** 2).sum()  # a quarter of all differences at least
    assert (class_of_boards(5, 1, QUICK) == 0).all()


@pytest.mark.parametrize("board", BOARDS)
def test_every_lookup_knows_the_class(classed: Buckets, board: str) -> None:
    lying = cards(board)
    found = classed.of_board(board)
    live = np.flatnonzero(found >= 0)
    of_board = class_of_boards(len(lying), 5, QUICK)[board_isomorphism(len(lying)).index(lying)]
    assert (found[live] // 2 == of_board).all()
    rows = classed.lookup(combo_table()[live], np.tile(lying, (len(live), 1)))
    assert (rows == found[live]).all()
    renamed = [card - card % 4 + (3, 0, 1, 2)[card % 4] for card in lying]
    for number in live[::151]:
        hole = [card - card % 4 + (3, 0, 1, 2)[card % 4] for card in combo_table()[number].tolist()]
        assert classed.lookup([hole[::-1]], [renamed[::-1]])[0] == found[number]


def test_deals_and_the_table_agree_with_the_rule(classed: Buckets) -> None:
    boards, weights = canonical_boards(5)
    some = slice(0, len(boards), 9_000)
    index, table = hand_isomorphism(5), np.full(hand_isomorphism(5).size, 999, np.uint16)
    rules = classed.river_rule.reshape(5, -1)
    rule_table(FeatureBoards(boards[some], weights[some]), classed.river_class[some], deck(5), rules, table)
    for board in boards[some].tolist():
        found, places = classed.of_board(board), index.hands_of_board(board)
        assert (table[places[places >= 0]] == found[places >= 0]).all()
        one, two = np.flatnonzero(found >= 0)[[0, -1]].tolist()
        assert rule_bucket(combo_table()[one], np.array(board, np.int8), classed.tables) == found[one]
        deal = np.array([[*combo_table()[one], *combo_table()[two], *board]], np.int8)
        dealt = np.empty((1, 2, 4), np.int32)
        deal_buckets(deal, classed.tables, dealt)
        assert dealt[0, :, 3].tolist() == [found[one], found[two]]


def test_a_group_is_counted_up_by_its_class() -> None:
    boards, _ = canonical_boards(3)
    of_board = (np.arange(len(boards)) % 7).astype(np.uint8)
    groups = (np.arange(hand_isomorphism(3).size) % 4).astype(np.uint16)
    found = add_classes(3, of_board, 4, groups)
    assert (found % 4 == groups).all()
    for place in (0, 1_000, 1_754):
        own = hand_isomorphism(3).hands_of_board(boards[place].tolist())
        assert (found[own[own >= 0]] // 4 == of_board[place]).all()


def test_files_keep_the_classes(classed: Buckets, tmp_path: Path) -> None:
    path = save_buckets(classed, tmp_path / "classed.h5", compact=True)
    back = load_buckets(path)
    assert back.hash == classed.hash
    assert (back.river_class == classed.river_class).all()
    assert (back.of_board("Td9d6h2c3s") == classed.of_board("Td9d6h2c3s")).all()
    other = classed.river_class.copy()
    other[0] = (other[0] + 1) % 5
    changed = Buckets(
        classed.config,
        classed.flop,
        classed.turn,
        classed.river_rule,
        report=classed.report,
        river_class=other,
    )
    assert changed.hash != classed.hash
    with artefact.opened(path, KIND) as file:
        head = dict(file.head)
    assert head["config"]["river_classes"] == 5
    assert 0 <= view_hand(back, "AhKh", "Td9d6h2c").bucket < 10


def test_classes_that_do_not_fit_are_refused(classed: Buckets) -> None:
    with pytest.raises(ConfigError, match="river: 10 buckets cannot be shared out evenly among 3 classes"):
        BucketsConfig.parse({"river": 10, "river_classes": 3}, "buckets")
    with pytest.raises(ConfigError, match="buckets by kinds of opponents know the board"):
        BucketsConfig.parse({"opponents": 8, "river_classes": 2}, "buckets")
    tables = (classed.config, classed.flop, classed.turn, classed.river_rule)
    for wrong in (np.zeros(3, np.uint8), np.full(134_459, 5, np.uint8)):
        with pytest.raises(
            ArtefactError, match="the classes of river boards are not 134,459 numbers below 5"
        ):
            Buckets(*tables, river_class=wrong)


def test_buckets_that_know_the_board_are_not_put_together(classed: Buckets) -> None:
    with pytest.raises(ConfigError, match="buckets that know classes of boards are not put together"):
        grouped(classed, (2, 2, 2))


def test_buckets_without_classes_keep_their_hash() -> None:
    """What was built before there were classes is found again: the digest says nothing of them."""
    assert preset("standard").digest().startswith("653bcc97c245f928")
