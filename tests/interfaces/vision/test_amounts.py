"""Amounts as sites write them, and texts that are none."""

from __future__ import annotations

import pytest

from overbet.interfaces.vision.amounts import Amount, amount_of, is_all_in, likely_amount
from overbet.interfaces.vision.drawn.states import ENGLISH_MONEY, FRENCH_BB, FRENCH_CHIPS, FRENCH_MONEY
from overbet.interfaces.vision.networks.text_pictures import folded


@pytest.mark.parametrize(
    ("text", "hundredths", "unit"),
    [
        ("1234,50€", 123450, "€"),
        ("$1,234.50", 123450, "$"),
        ("12,5bb", 1250, "bb"),
        ("12.5bb", 1250, "bb"),
        ("pot:12.5bb", 1250, "bb"),
        ("totalpot:£7", 700, "£"),
        ("14,928", 1492800, ""),
        ("1.234.567", 123456700, ""),
        ("0", 0, ""),
        ("0.05", 5, ""),
    ],
)
def test_numbers(text: str, hundredths: int, unit: str) -> None:
    assert amount_of(text) == Amount(hundredths, unit)


@pytest.mark.parametrize(
    "text", ["", "empty", "allin", "12,,5", "1.2.3", "12,3456", "$1€", "01,234", "1,23,456"]
)
def test_texts_that_are_no_amount(text: str) -> None:
    assert amount_of(text) is None


def test_letters_that_look_like_digits_are_digits_among_digits() -> None:
    said = {
        "$1o8.58": (10858, "$"),
        "totalpot1y.256": (1925600, ""),
        "16,50x€": (1650, "€"),
        "l2.5bb": (1250, "bb"),
    }
    for text, (hundredths, unit) in said.items():
        found = likely_amount(text)
        assert found is not None
        assert found[0] == Amount(hundredths, unit)
        assert found[1] < 1.0
    assert likely_amount("12.5bb") == (Amount(1250, "bb"), 1.0)
    assert all(likely_amount(text) is None for text in ("empty", "allin", "sit", "", "o0", "soil"))


def test_what_is_written_is_read_back() -> None:
    for style in (FRENCH_MONEY, FRENCH_BB, FRENCH_CHIPS, ENGLISH_MONEY):
        for hundredths in (5, 50, 1250, 99_999, 123_456_700):
            found = amount_of(folded(style.text(hundredths)))
            assert found is not None
            assert found.hundredths == style.rounded(hundredths)


def test_all_in_in_two_languages() -> None:
    assert all(is_all_in(folded(text)) for text in ("All-in", "ALL IN", "Tapis", "al1in"))
    assert not any(is_all_in(folded(text)) for text in ("Empty", "Libre", "Call", "", "Raise"))
