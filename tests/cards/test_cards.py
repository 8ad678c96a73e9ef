"""Cards: the order, the names, and what is refused."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from overbet.cards.cards import (
    DECK,
    board,
    card,
    card_name,
    cards,
    cards_name,
    check_distinct,
    rank_of,
    suit_of,
)
from overbet.errors import CardError


def test_the_order_is_rank_then_suit() -> None:
    names = [rank + suit for rank in "23456789TJQKA" for suit in "cdhs"]
    assert [card_name(index) for index in range(DECK)] == names
    assert [card(name) for name in names] == list(range(DECK))
    assert card("2c") == 0
    assert card("As") == 51
    assert rank_of(card("Th")) == 8
    assert suit_of(card("Th")) == 2


@pytest.mark.parametrize("text", ["AH", "ah", "aH", "Ah"])
def test_case_does_not_matter(text: str) -> None:
    assert card(text) == card("Ah")


def test_a_ten_may_be_written_with_two_digits() -> None:
    assert card("10h") == card("Th")
    assert cards("10s8d3c") == cards("10S 8d, 3c") == cards("Ts8d3c")
    assert board("Ah10d10c") == board("AhTdTc")


@pytest.mark.parametrize("text", ["", "A", "Ahh", "1h", "10", "110h", "10x", "Ax", "hA", "A♥"])
def test_what_is_not_a_card_is_refused(text: str) -> None:
    with pytest.raises(CardError, match="is not a card"):
        card(text)


@pytest.mark.parametrize("index", [-1, 52, 1000])
def test_card_numbers_out_of_the_deck_are_refused(index: int) -> None:
    with pytest.raises(CardError, match="cards are 0"):
        card_name(index)
    with pytest.raises(CardError, match="cards are 0"):
        cards([index])


@given(st.lists(st.integers(0, 51), unique=True, max_size=9))
def test_lists_of_cards_read_back(indices: list[int]) -> None:
    written = cards_name(indices)
    assert cards(written) == tuple(indices)
    spaced = " ".join(written[i : i + 2] for i in range(0, len(written), 2))
    assert cards(spaced) == cards(spaced.replace(" ", ", ")) == tuple(indices)
    assert cards(indices) == tuple(indices)


def test_bad_lists_of_cards_are_refused() -> None:
    with pytest.raises(CardError, match="two characters a card"):
        cards("Td9d6")
    with pytest.raises(CardError, match="9d appears twice"):
        cards("Td9d9d")
    with pytest.raises(CardError, match="Td appears twice"):
        check_distinct([card("Td"), card("Td")])


@pytest.mark.parametrize("text", ["", "Td9d6h", "Td9d6h2c", "Td9d6h2cAs"])
def test_boards_have_a_street(text: str) -> None:
    assert cards_name(board(text)) == text


@pytest.mark.parametrize("text", ["Td", "Td9d", "Td9d6h2cAsKs"])
def test_impossible_boards_are_refused(text: str) -> None:
    with pytest.raises(CardError, match="0, 3, 4 or 5 cards"):
        board(text)
