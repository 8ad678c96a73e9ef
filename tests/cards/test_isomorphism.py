"""Suit isomorphism: the counts, the bijection, the invariance, against trying all 24 renamings."""

from __future__ import annotations

from itertools import chain, combinations
from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from overbet.cards.cards import cards, cards_name
from overbet.cards.combos import class_of_combos, combo_cards, combo_table
from overbet.cards.isomorphism import (
    Isomorphism,
    board_isomorphism,
    board_symmetries,
    canonical_boards,
    canonical_flops,
    hand_isomorphism,
    rename_suits,
)
from overbet.errors import CardError
from tests.reference import isomorphism as reference

PUBLISHED = {
    (2, 0): 169,
    (2, 3): 1_286_792,
    (2, 4): 13_960_050,
    (2, 5): 123_156_254,
    (0, 3): 1_755,
    (0, 4): 16_432,
    (0, 5): 134_459,
}


def isomorphism(hole_cards: int, board_cards: int) -> Isomorphism:
    return hand_isomorphism(board_cards) if hole_cards else board_isomorphism(board_cards)


def all_boards(board_cards: int) -> np.ndarray:
    """Return every board: [n, cards] int8."""
    flat = chain.from_iterable(combinations(range(52), board_cards))
    return np.fromiter(flat, np.int8, board_cards * comb(52, board_cards)).reshape(-1, board_cards)


@st.composite
def deals(draw: st.DrawFn) -> tuple[Isomorphism, tuple[int, ...], tuple[int, ...]]:
    """An index, a board and hole cards; few ranks, so that symmetric situations are common."""
    hole_cards, board_cards = draw(st.sampled_from(sorted(PUBLISHED)))
    ranks = draw(st.sampled_from([2, 4, 13]))
    deck = st.integers(0, 4 * ranks - 1)
    count = hole_cards + board_cards
    found = tuple(draw(st.lists(deck, unique=True, min_size=count, max_size=count)))
    return isomorphism(hole_cards, board_cards), found[hole_cards:], found[:hole_cards]


@pytest.mark.parametrize("sizes", PUBLISHED)
def test_the_counts_are_the_published_ones(sizes: tuple[int, int]) -> None:
    assert isomorphism(*sizes).size == PUBLISHED[sizes] == reference.class_count(*sizes)


@settings(max_examples=400, deadline=None)
@given(deals(), st.sampled_from(reference.RENAMINGS))
def test_the_index_ignores_suits_and_order(
    deal: tuple[Isomorphism, tuple[int, ...], tuple[int, ...]], renaming: tuple[int, int, int, int]
) -> None:
    index, board, hole = deal
    number = index.index(board, hole)
    assert 0 <= number < index.size
    other_board, other_hole = rename_suits(board, renaming), rename_suits(hole, renaming)
    assert index.index(other_board[::-1], other_hole[::-1]) == number
    assert index.canonical(other_board, other_hole) == index.canonical(board, hole)


@settings(max_examples=100, deadline=None)
@given(deals())
def test_every_one_of_the_24_renamings(deal: tuple[Isomorphism, tuple[int, ...], tuple[int, ...]]) -> None:
    index, board, hole = deal
    boards = np.array([reference.rename(board, r) for r in reference.RENAMINGS], np.int8).reshape(24, -1)
    holes = np.array([reference.rename(hole, r) for r in reference.RENAMINGS], np.int8).reshape(24, -1)
    numbers = index.indices(boards, holes)
    assert (numbers == index.index(board, hole)).all()
    assert index.counts(numbers[:1])[0] == reference.orbit_size(board, hole)


@settings(max_examples=300, deadline=None)
@given(deals())
def test_the_representative_is_the_situation_with_its_suits_renamed(
    deal: tuple[Isomorphism, tuple[int, ...], tuple[int, ...]],
) -> None:
    index, board, hole = deal
    found = index.representative(index.index(board, hole))
    assert found == index.canonical(board, hole)
    assert reference.canonical(*found) == reference.canonical(board, hole)
    assert list(found[0]) == sorted(found[0], reverse=True)
    assert list(found[1]) == sorted(found[1], reverse=True)


@pytest.mark.parametrize("sizes", [(2, 0), (0, 3), (0, 4), (0, 5), (2, 3)])
def test_every_index_has_a_representative_of_that_index(sizes: tuple[int, int]) -> None:
    index = isomorphism(*sizes)
    everything = np.arange(index.size)
    boards, holes = index.representatives(everything)
    np.testing.assert_array_equal(index.indices(boards, holes), everything)
    assert index.counts(everything).sum(dtype=np.int64) == reference.situations(*sizes)
    together = np.sort(np.hstack([boards, holes]), axis=1)
    assert (np.diff(together, axis=1) > 0).all()  # the cards are distinct
    assert together.min() >= 0
    assert together.max() <= 51


@pytest.mark.parametrize("board_cards", [4, 5])
def test_sampled_indices_have_a_representative_of_that_index(board_cards: int) -> None:
    index = hand_isomorphism(board_cards)
    ends = np.concatenate([index.tables.offsets[:-1], index.tables.offsets[1:] - 1])
    sample = np.concatenate([ends, np.random.default_rng(5).integers(0, index.size, 300_000)])
    boards, holes = index.representatives(sample)
    np.testing.assert_array_equal(index.indices(boards, holes), sample)
    together = np.sort(np.hstack([boards, holes]), axis=1)
    assert (np.diff(together, axis=1) > 0).all()


def test_all_flop_deals_fill_the_index_evenly() -> None:
    """All 25,989,600 deals: every index is hit as often as its class has deals, so none is shared."""
    index = hand_isomorphism(3)
    hits = np.zeros(index.size, np.int64)
    for flops in np.array_split(all_boards(3), 8):
        numbers = np.concatenate([index.hands_of_board(flop) for flop in flops])
        hits += np.bincount(numbers[numbers >= 0], minlength=index.size)
    assert hits.sum() == 25_989_600
    np.testing.assert_array_equal(hits, index.counts(np.arange(index.size)))


def test_all_boards_fill_the_index_evenly() -> None:
    for board_cards in (3, 4, 5):
        index = board_isomorphism(board_cards)
        hits = np.bincount(index.indices(all_boards(board_cards)), minlength=index.size)
        np.testing.assert_array_equal(hits, canonical_boards(board_cards)[1])


def test_preflop_classes_are_the_169() -> None:
    index = hand_isomorphism(0)
    numbers = index.hands_of_board("")
    pairs = {(int(n), int(c)) for n, c in zip(numbers, class_of_combos())}
    assert len(pairs) == 169 == len({n for n, _ in pairs}) == len({c for _, c in pairs})


def test_hands_of_a_board_agree_with_one_at_a_time() -> None:
    index = hand_isomorphism(4)
    board = cards("AsKs7d7c")
    numbers = index.hands_of_board(board)
    for number in range(0, 1326, 53):
        hole = combo_cards(number)
        if set(hole) & set(board):
            assert numbers[number] == -1
        else:
            assert numbers[number] == index.index(board, hole)
    live = numbers >= 0
    rows = np.tile(np.array(board, np.int8), (int(live.sum()), 1))
    np.testing.assert_array_equal(index.indices(rows, combo_table()[live]), numbers[live])


def test_canonical_flops() -> None:
    flops = canonical_flops()
    assert len(flops) == 1755
    assert sum(flop.weight for flop in flops) == 22_100
    by_name = {cards_name(flop.cards): flop.weight for flop in flops}
    assert by_name["AsKsQs"] == 4
    assert len(by_name) == 1755
    assert sorted(set(by_name.values())) == [4, 12, 24]


@pytest.mark.parametrize(
    ("board", "symmetries"),
    [("", 24), ("AsKsQs", 6), ("AsKsQh", 2), ("AsKhQd", 1), ("AsAhAd", 6), ("AsAhKd", 2), ("2c2d2h2s", 24)],
)
def test_symmetries_of_a_board(board: str, symmetries: int) -> None:
    found = board_symmetries(board)
    assert len(found) == symmetries
    assert found[0] == (0, 1, 2, 3)
    for renaming in found:
        assert set(rename_suits(cards(board), renaming)) == set(cards(board))


def test_bad_input_is_refused() -> None:
    flop = hand_isomorphism(3)
    with pytest.raises(CardError, match="As appears twice"):
        flop.index("AsKsQs", "As2d")
    with pytest.raises(CardError, match="a board of 3 cards is needed"):
        flop.index("AsKs", "QsJs")
    with pytest.raises(CardError, match="2 hole cards are needed"):
        flop.index("AsKsQs", "2d")
    with pytest.raises(CardError, match="not in 0 to 1286791"):
        flop.representative(1_286_792)
    with pytest.raises(CardError, match=r"boards \[n, 3\]"):
        flop.indices(np.zeros((5, 4), np.int8), np.zeros((5, 2), np.int8))
    with pytest.raises(CardError, match="boards alone"):
        board_isomorphism(3).hands_of_board("AsKsQs")
    for wrong in (1, 2, 6):
        with pytest.raises(CardError, match=f"not {wrong}"):
            hand_isomorphism(wrong)
        with pytest.raises(CardError, match=f"not {wrong}"):
            board_isomorphism(wrong)
    assert repr(flop) == "Isomorphism(hole cards and a board of 3 cards, 1,286,792 classes)"


@pytest.mark.parametrize("wrong", [-1, 52, 100, 127, 300, 10**12])
def test_rows_with_what_is_no_card_are_refused(wrong: int) -> None:
    index = hand_isomorphism(3)
    with pytest.raises(CardError, match=r"row 1: .* are not 5 different cards 0..51"):
        index.indices(np.array([[0, 1, 2], [3, wrong, 5]]), np.array([[10, 11], [12, 13]]))
    with pytest.raises(CardError, match=r"row 0: .* are not 5 different cards 0..51"):
        index.indices([[0, 1, 2]], [[10, wrong]])


def test_rows_with_a_card_twice_are_refused() -> None:
    with pytest.raises(CardError, match=r"row 0: \[10, 1, 0, 1, 2\] are not 5 different cards"):
        hand_isomorphism(3).indices([[0, 1, 2]], [[10, 1]])
