"""The 1,326 combos and the 169 classes: order, names, sizes."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from overbet.cards.cards import card, card_name, rank_of, suit_of
from overbet.cards.combos import (
    CLASSES,
    COMBOS,
    card_mask,
    class_index,
    class_name,
    class_of_combos,
    combo,
    combo_cards,
    combo_index,
    combo_masks,
    combo_name,
    combo_table,
    combos_of_class,
    live_combos,
)
from overbet.errors import CardError


def class_by_hand(first: int, second: int) -> str:
    """Return the class of two cards, spelled out."""
    high, low = sorted((first, second), reverse=True)
    ranks = card_name(high)[0] + card_name(low)[0]
    if rank_of(high) == rank_of(low):
        return ranks
    return ranks + ("s" if suit_of(high) == suit_of(low) else "o")


def test_the_order_of_combos() -> None:
    assert [combo_name(i) for i in range(4)] == ["2d2c", "2h2c", "2h2d", "2s2c"]
    assert combo_name(COMBOS - 1) == "AsAh"
    assert combo_table().shape == (COMBOS, 2)
    for index in range(COMBOS):
        high, low = combo_cards(index)
        assert high > low
        assert combo_index(high, low) == combo_index(low, high) == index
        assert combo(combo_name(index)) == index


def test_every_combo_is_in_its_class() -> None:
    names = [class_name(int(c)) for c in class_of_combos()]
    assert names == [class_by_hand(*combo_cards(i)) for i in range(COMBOS)]


def test_the_grid() -> None:
    assert class_name(0) == "AA"
    assert class_name(1) == "AKs"
    assert class_name(13) == "AKo"
    assert class_name(168) == "22"
    assert class_name(167) == "32o"
    assert class_name(155) == "32s"
    names = [class_name(i) for i in range(CLASSES)]
    assert len(set(names)) == CLASSES
    assert [class_index(name) for name in names] == list(range(CLASSES))
    assert class_index("akS") == 1
    sizes = {2: 6, "s": 4, "o": 12}
    for index, name in enumerate(names):
        assert len(combos_of_class(index)) == sizes[name[2] if len(name) == 3 else 2]
    assert sorted(i for index in range(CLASSES) for i in combos_of_class(index)) == list(range(COMBOS))


@given(st.sets(st.integers(0, 51), max_size=7))
def test_dead_cards_kill_the_combos_that_hold_them(dead: set[int]) -> None:
    live = live_combos(dead)
    assert live.sum() == (52 - len(dead)) * (51 - len(dead)) // 2
    for index in np.flatnonzero(live)[::97]:
        assert not set(combo_cards(int(index))) & dead
    assert card_mask(dead) == sum(1 << index for index in dead)


def test_masks_hold_two_bits() -> None:
    for index in range(0, COMBOS, 61):
        high, low = combo_cards(index)
        assert int(combo_masks()[index]) == (1 << high) | (1 << low)


def test_tables_are_read_only() -> None:
    for table in (combo_table(), class_of_combos(), combo_masks()):
        with pytest.raises(ValueError, match="read-only"):
            table[0] = 0


def test_what_is_not_a_combo_or_class_is_refused() -> None:
    with pytest.raises(CardError, match="As appears twice"):
        combo("AsAs")
    with pytest.raises(CardError, match="is not a combo"):
        combo("AsK")
    with pytest.raises(CardError, match="is not a combo"):
        combo_index(card("As"), 52)
    for index in (-1, COMBOS):
        with pytest.raises(CardError, match="combos are 0 to 1325"):
            combo_cards(index)
    for text in ("AK", "AAs", "KAs", "XX", ""):
        with pytest.raises(CardError, match="169 classes"):
            class_index(text)
    for index in (-1, CLASSES):
        with pytest.raises(CardError, match="classes are 0"):
            class_name(index)
        with pytest.raises(CardError, match="classes are 0"):
            combos_of_class(index)
