"""Blockers against counting by hand."""

import numpy as np

from overbet.cards.blockers import by_card, by_combo
from overbet.cards.cards import card
from overbet.cards.combos import COMBOS, combo, combo_cards

BOARD = tuple(card(name) for name in ("Ks", "7h", "2d"))


def sample() -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(5)
    reach = np.where(rng.random(COMBOS) < 0.3, rng.random(COMBOS), 0.0)
    for number in range(COMBOS):
        if set(combo_cards(number)) & set(BOARD):
            reach[number] = 0.0
    strategy = rng.random((3, COMBOS))
    return reach, strategy / strategy.sum(0)


def left_out(reach: np.ndarray, strategy: np.ndarray, held: set[int]) -> np.ndarray:
    free = np.array([not held & set(combo_cards(number)) for number in range(COMBOS)])
    return (strategy[:, free] @ reach[free]) / reach[free].sum()


def test_cards_and_combos_are_what_counting_gives() -> None:
    reach, strategy = sample()
    alone = by_card(reach, strategy, BOARD)
    both = by_combo(reach, strategy, BOARD)
    np.testing.assert_allclose(alone.frequencies, left_out(reach, strategy, set()))
    for name in ("As", "2c", "Td"):
        np.testing.assert_allclose(alone.given[:, card(name)], left_out(reach, strategy, {card(name)}))
    for name in ("AsAh", "3c2c", "QdJh"):
        held = set(combo_cards(combo(name)))
        np.testing.assert_allclose(both[:, combo(name)], left_out(reach, strategy, held))
    with_ace = np.array([card("As") in combo_cards(number) for number in range(COMBOS)])
    np.testing.assert_allclose(alone.removed[card("As")], reach[with_ace].sum() / reach.sum())


def test_dead_cards_and_empty_ranges_have_no_number() -> None:
    reach, strategy = sample()
    assert np.isnan(by_card(reach, strategy, BOARD).given[:, card("Ks")]).all()
    assert np.isnan(by_combo(reach, strategy, BOARD)[:, combo("KsKh")]).all()
    assert np.isnan(by_card(0 * reach, strategy).given).all()
    only = np.zeros(COMBOS)
    only[combo("AsAh")] = 1.0
    assert np.isnan(by_combo(only, strategy)[:, combo("AsKd")]).all()
