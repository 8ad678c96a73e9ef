"""Keys: the same for any names of the suits, different for anything else."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from overbet.cards.cards import cards_name
from overbet.cards.combos import combo_cards, combo_index
from overbet.errors import CardError, IllegalActionError, RangeError
from overbet.search.cache import CachedArray, CacheRecord, Key
from overbet.search.cache.suits import RENAMINGS, SAME_SUITS, inverse, rename_hands

BOARDS = ["", "Td9d6h", "AsKsQs", "7c7d2h", "8c8d8h", "Td9d6hTs", "AhKhQhJh", "2c3d4h5s9c", "JsJdJh4c4d"]


def some_ranges(seed: int) -> np.ndarray:
    return np.random.default_rng(seed).random((2, 1326))


def renamed_board(board: str, renaming: tuple[int, int, int, int]) -> str:
    return "".join(rank + "cdhs"[renaming["cdhs".index(suit)]] for rank, suit in zip(board[::2], board[1::2]))


def plainly_renamed(values: np.ndarray, renaming: tuple[int, int, int, int]) -> np.ndarray:
    """The same as `rename_hands`, one combo after the other."""
    found = np.empty_like(values)
    for combo in range(1326):
        first, second = (card - card % 4 + renaming[card % 4] for card in combo_cards(combo))
        found[..., combo_index(first, second)] = values[..., combo]
    return found


@pytest.mark.parametrize("renaming", [*permutations(range(4))][::5])
def test_hands_are_renamed_combo_by_combo(renaming: tuple[int, int, int, int]) -> None:
    values = some_ranges(3)
    assert np.array_equal(rename_hands(values, renaming), plainly_renamed(values, renaming))
    assert np.array_equal(rename_hands(values.T, renaming, 0), plainly_renamed(values, renaming).T)
    there = rename_hands(values, renaming)
    assert np.array_equal(rename_hands(there, inverse(renaming)), values)


@given(board=st.sampled_from(BOARDS), renaming=st.sampled_from(RENAMINGS), seed=st.integers(0, 5))
@settings(max_examples=30, deadline=None)
def test_other_suits_find_the_same_answer(board: str, renaming: tuple[int, int, int, int], seed: int) -> None:
    ranges, strategy = some_ranges(seed), np.random.default_rng(99).random((3, 1326))
    line = f"r:0:b250:c:{board[:6]}:c:b400" if board else "r:0:b250"
    one = Key.of(board, line, ranges, "hash", {"alternatives": ranges[0] - 0.5})
    other_line = line.replace(board[:6], renamed_board(board[:6], renaming)) if board else line
    other_ranges = plainly_renamed(ranges, renaming)
    other = Key.of(
        renamed_board(board, renaming),
        other_line,
        other_ranges,
        "hash",
        {"alternatives": other_ranges[0] - 0.5},
    )
    assert one.data == other.data
    kept = CacheRecord({}, {"strategy": CachedArray(("action", "hand"), strategy)}).renamed(one.renaming)
    assert np.array_equal(kept.renamed(one.back)["strategy"], strategy)
    assert np.array_equal(kept.renamed(other.back)["strategy"], plainly_renamed(strategy, renaming))


def test_every_axis_of_hands_is_renamed_and_nothing_else() -> None:
    table = some_ranges(1)
    record = CacheRecord(
        {},
        {
            "last": CachedArray(("player", "hand"), table),
            "first": CachedArray(("hand", "player"), table.T),
            "none": CachedArray(("player", "number"), table),
        },
    ).renamed((1, 2, 3, 0))
    assert np.array_equal(record["last"], plainly_renamed(table, (1, 2, 3, 0)))
    assert np.array_equal(record["first"], plainly_renamed(table, (1, 2, 3, 0)).T)
    assert np.array_equal(record["none"], table)


def test_the_order_of_the_cards_does_not_matter() -> None:
    ranges = some_ranges(1)
    key = Key.of("Td9d6h", "r:0:Td9d6h", ranges, "x")
    assert key == Key.of("6hTd9d", "r:0:9d6hTd", ranges, "x")
    assert key == Key.of([33, 29, 18], "r:Td9d6h", ranges, "x")
    assert cards_name([33, 29, 18]) == "Td9d6h"


def test_anything_else_is_another_key() -> None:
    ranges = some_ranges(1)
    base = ("Td9d6h", "r:0:b250:c", ranges, "x", None)
    nudged, doubled = ranges.copy(), ranges * [[1.0], [2.0]]
    nudged[1, 700] += 1e-5
    others = [
        ("Td9d6s", *base[1:]),
        ("Td9d6h2c", *base[1:]),
        (base[0], "r:0:b251:c", *base[2:]),
        (*base[:2], nudged, *base[3:]),
        (*base[:2], doubled, *base[3:]),
        (*base[:2], ranges[::-1], *base[3:]),
        (*base[:3], "y", None),
        (*base[:4], {"a": ranges[0]}),
        (*base[:4], {"b": ranges[0]}),
        (*base[:4], {"a": -ranges[0]}),
    ]
    keys = {Key.of(*given).data for given in [base, *others]}
    assert len(keys) == 1 + len(others)


def test_noise_in_the_last_bits_and_dead_hands_do_not_matter() -> None:
    ranges = some_ranges(1)
    ranges[0, :600] = 1.0 / 128.0
    ranges[0, 600:700] = 1.0
    key = Key.of("Td9d6h", "r:0", ranges, "x")
    noise = np.random.default_rng(5).choice([-1.0, 0.0, 1.0], ranges.shape) * 2.0**-52
    assert Key.of("Td9d6h", "r:0", ranges * (1.0 + noise), "x") == key
    ranges[:, combo_index(33, 0)] = np.nan  # Td2c cannot be held
    assert Key.of("Td9d6h", "r:0", ranges, "x") == key


def test_an_empty_range_has_a_key() -> None:
    assert (
        Key.of("Td9d6h", "r:0", np.zeros((2, 1326)), "x").data
        != Key.of("Td9d6h", "r:0", np.ones((2, 1326)), "x").data
    )
    assert Key.of("Td9d6h", "r:0", np.ones((3, 1326)), "x").renaming in RENAMINGS
    assert Key.of("2c3d4h", "r:0", np.ones((2, 1326)), "x").renaming == SAME_SUITS


@pytest.mark.parametrize(
    ("given", "error", "message"),
    [
        ({"ranges": np.ones(1326)}, RangeError, r"\[players, 1326\]"),
        ({"ranges": np.ones((2, 1325))}, RangeError, "1326 hands"),
        ({"ranges": -np.ones((2, 1326))}, RangeError, "negative"),
        ({"ranges": np.full((2, 1326), np.inf)}, RangeError, "finite"),
        ({"board": "TdTd6h"}, CardError, "twice"),
        ({"line": "r:0:x"}, IllegalActionError, "token 1"),
    ],
)
def test_what_is_no_search_has_no_key(given: dict, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        Key.of(**{"board": "Td9d6h", "line": "r:0", "ranges": np.ones((2, 1326)), "config_hash": "", **given})
