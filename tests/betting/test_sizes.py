"""Bet sizes and the menus they give."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from overbet.betting.sizes import Decision, Size, Thresholds, menu, parse_sizes
from overbet.errors import ConfigError

NONE = Thresholds()


def first_bet(pot: int = 100, stack: int = 500, streets_left: int = 1, min_bet: int = 1) -> Decision:
    return Decision(pot, 0, 0, stack, streets_left, min_bet, min_bet)


def facing(bet: int, pot: int = 100, stack: int = 500, own: int = 0) -> Decision:
    """pot: before the bet; the last raise was the whole bet."""
    return Decision(pot + bet + own, bet, own, stack, 1, 1, bet + max(bet - own, 1))


def amounts(text: str, at: Decision, thresholds: Thresholds = NONE) -> list[int]:
    return menu(parse_sizes(text, raising=at.faced > 0), at, thresholds)


def test_reading_sizes() -> None:
    assert parse_sizes("33%, 2.5x,20c , e,2e,a", raising=True) == (
        Size("%", 0.33),
        Size("x", 2.5),
        Size("c", 20),
        Size("e", 0),
        Size("e", 2),
        Size("a", 0),
    )
    assert parse_sizes("") == parse_sizes(" , ") == ()
    assert parse_sizes("12.5%") == (Size("%", 0.125),)


@pytest.mark.parametrize("text", ["33 75", "33,75", "33%, 75", "33 %; 75%", " 33,  75% "])
def test_sizes_as_people_type_them(text: str) -> None:
    assert parse_sizes(text) == (Size("%", 0.33), Size("%", 0.75))


def test_shares_multiples_and_all_in_as_people_type_them() -> None:
    assert parse_sizes("1/3 1 / 2, pot") == (Size("%", 1 / 3), Size("%", 0.5), Size("%", 1.0))
    assert parse_sizes("2.5X 3 x", raising=True) == (Size("x", 2.5), Size("x", 3.0))
    for text in ("a", "ai", "AI", "allin", "all-in", "all in", "All In"):
        assert parse_sizes(text) == (Size("a", 0.0),)


@pytest.mark.parametrize(
    ("text", "raising", "words"),
    [
        ("3", False, "write 3% of the pot"),
        ("2.5", True, "2.5x the bet"),
        ("1/0", False, "divided by 0"),
        ("1/x", False, "1/x"),
        ("75%%", False, "75%%"),
        ("-5%", False, "-5%"),
        ("2.5x", False, "needs a bet to raise"),
        ("1x", True, "above 1x"),
        ("0%", False, "positive"),
        ("0c", False, "positive"),
        ("1.5c", False, "1.5c"),
        ("everything", False, "everything"),
    ],
)
def test_sizes_that_cannot_be_read(text: str, raising: bool, words: str) -> None:
    with pytest.raises(ConfigError, match=words.replace(".", r"\.")):
        parse_sizes(text, raising=raising)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("33%", [33]),
        ("33%, 75%, 150%, a", [33, 75, 150, 500]),
        ("50%, 50c", [50]),  # equal amounts are one
        ("0.1%", [1]),  # at least the smallest bet
        ("900%", [500]),  # at most the stack
        ("12.5%", [13]),  # half a chip goes up: 12.5 -> 13
        ("20c, a", [20, 500]),
    ],
)
def test_first_bets(text: str, expected: list[int]) -> None:
    assert amounts(text, first_bet()) == expected


def test_geometric_bets_end_all_in() -> None:
    for text, streets in (("e", 3), ("3e", 1), ("2e", 3)):
        pot, stack = 100, 700
        left = 2 if text == "2e" else 3
        for remaining in range(left, 0, -1):
            size = text if remaining == left else f"{remaining}e"
            bet = amounts(size, first_bet(pot, stack, streets))[0]
            pot, stack = pot + 2 * bet, stack - bet
        assert abs(stack) <= 1  # up to rounding


def test_geometric_of_one_street_is_all_in() -> None:
    assert amounts("e", first_bet(streets_left=1)) == [500]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("60%", [50 + 120]),  # pot after calling is 200
        ("2.5x", [125]),
        ("20c", [100]),  # 70 would be under the smallest raise
        ("60c", [110]),
        ("1.1x", [100]),
        ("a", [500]),
        ("3x, a", [150, 500]),
        ("e", [500]),
    ],
)
def test_raises(text: str, expected: list[int]) -> None:
    assert amounts(text, facing(50)) == expected


def test_raise_after_own_bet() -> None:
    # own 20, raised to 80: the pot after calling is 100 + 160; the raise was 60, so at least 140
    at = Decision(200, 80, 20, 500, 1, 1, 140)
    assert amounts("50%", at) == [80 + 130]
    assert amounts("10%", at) == [140]


def test_nothing_left_to_raise() -> None:
    assert amounts("60%, a", facing(500, stack=500)) == []


def test_all_in_may_be_under_the_smallest_raise() -> None:
    assert amounts("60%", facing(400, stack=500)) == [500]


def test_all_in_is_added_when_near() -> None:
    at = first_bet(pot=100, stack=150)
    assert amounts("50%", at, Thresholds(add_all_in=1.5)) == [50, 150]
    assert amounts("50%", at, Thresholds(add_all_in=1.49)) == [50]
    assert amounts("50%", facing(50, stack=350), Thresholds(add_all_in=1.5)) == [150, 350]
    assert amounts("50%", facing(50, stack=351), Thresholds(add_all_in=1.5)) == [150]


def test_all_in_is_forced_when_little_would_be_left() -> None:
    # after a bet of 100 and a call the pot is 300: 45 left is 15 % of it
    assert amounts("100%", first_bet(stack=145), Thresholds(force_all_in=0.15)) == [145]
    assert amounts("100%", first_bet(stack=146), Thresholds(force_all_in=0.15)) == [100]
    assert amounts("100%", first_bet(stack=145)) == [100]


def test_close_sizes_are_merged_from_the_largest() -> None:
    # (1 + 1.0) / (1 + 0.85) = 1.081, (1 + 1.0) / (1 + 0.8) = 1.111
    at = first_bet(stack=1000)
    assert amounts("80%, 85%, 100%", at, Thresholds(merge=0.1)) == [80, 100]
    assert amounts("80%, 85%, 100%", at, Thresholds(merge=0.12)) == [100]
    assert amounts("80%, 85%, 100%", at) == [80, 85, 100]


SIZES = st.lists(st.sampled_from(["10%", "33%", "75%", "220%", "2x", "5x", "9c", "e", "2e", "a"]), max_size=5)


@given(
    SIZES,
    st.integers(1, 300),
    st.integers(0, 300),
    st.integers(0, 100),
    st.integers(1, 900),
    st.integers(1, 3),
    st.floats(0, 2),
    st.floats(0, 0.5),
    st.floats(0, 0.5),
)
def test_every_amount_is_legal(
    texts: list[str],
    pot: int,
    faced: int,
    own: int,
    stack: int,
    streets: int,
    add: float,
    force: float,
    merge: float,
) -> None:
    own = min(own, faced)
    min_raise = faced + max(faced - own, 2)
    at = Decision(pot + faced + own, faced, own, stack, streets, 2, min_raise)
    sizes = parse_sizes(", ".join(t for t in texts if faced or not t.endswith("x")), raising=True)
    found = menu(sizes, at, Thresholds(add, force, merge))
    assert found == sorted(set(found))
    least = min(min_raise if faced else 2, stack)
    assert all(least <= amount <= stack and amount > faced for amount in found)
    if stack <= faced:
        assert not found
    elif sizes:
        assert found


@pytest.mark.parametrize(
    "text", ["2000000000000%", "9" * 400 + "%", "2000000000c", "9" * 400 + "c", "9999999999e"]
)
def test_a_size_beyond_all_pots_is_refused(text: str) -> None:
    with pytest.raises(ConfigError, match=r"at most 1,000,000,000; write a \(all-in\) for more"):
        parse_sizes(text)
    with pytest.raises(ConfigError, match="at most"):
        parse_sizes(f"{'9' * 400}x", raising=True)
