"""What lies on the places of cards: backs look the same and faces never do; training goes on from weights."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from overbet.interfaces.vision.card_places import cards_seen, unlike
from overbet.interfaces.vision.drawn.faces import card_back, card_face
from overbet.interfaces.vision.drawn.themes import THEMES
from overbet.interfaces.vision.looking import COVER, FACE, NOTHING, CardShares
from overbet.interfaces.vision.networks.card_pictures import canvas, crop, random_back
from overbet.interfaces.vision.networks.layers import CARD_SIZE, CARD_STEPS
from overbet.interfaces.vision.networks.weights import _SHIPPED, MOST_BYTES, load

pytest.importorskip("cv2")
SIZE = (CARD_SIZE[1], CARD_SIZE[0])
DECK = THEMES["green"].deck


def face(card: int) -> np.ndarray:
    return np.asarray(card_face(DECK, card, SIZE))


def shares(kind: int, sure: float, card: int) -> CardShares:
    """Return what a network says that is sure of a kind, and nearly sure of a card."""
    kinds = np.full(3, (1 - sure) / 4, np.float32)
    kinds[COVER if kind == FACE else FACE] *= 3  # a face and a back are taken for one another
    kinds[kind] = sure
    cards = np.full(52, 0.002, np.float32)
    cards[card] = 1 - 51 * 0.002
    return CardShares(kinds, cards)


def read(hands: list[tuple[np.ndarray, np.ndarray]], said: list[CardShares], empty: float = 0.0) -> list[int]:
    """Return the kinds of the cards of hands behind a board of nothing."""
    felt = np.full((*CARD_SIZE, 3), 70, np.uint8)
    pieces = [felt] * 5 + [piece for hand in hands for piece in hand]
    board = [shares(NOTHING, 0.98, 0)] * 5
    found = cards_seen([*board, *said], pieces, [1.0] * len(hands), [empty] * len(hands))
    assert [one.kind for one in found[:5]] == [NOTHING] * 5
    return [one.kind for one in found[5:]]


def test_cards_that_look_the_same_are_no_faces() -> None:
    back = np.asarray(random_back(np.random.default_rng(3), SIZE))
    doubtful = [shares(FACE, 0.8, 12), shares(FACE, 0.7, 30)]
    assert read([(back, back)], doubtful) == [COVER, COVER]
    assert read([(face(12), face(30))], doubtful) == [FACE, FACE]
    # two hands that look alike: neither is of faces, though the cards of each differ
    hand = (face(12), face(30))
    assert FACE not in read([hand, hand], doubtful * 2)


def test_cards_that_look_different_are_no_backs() -> None:
    doubtful = [shares(COVER, 0.7, 5), shares(COVER, 0.6, 42)]
    one, other = (np.asarray(card_face(THEMES["night"].deck, card, SIZE)) for card in (5, 42))
    assert unlike(one.astype(np.float32), other.astype(np.float32)) > 0.6
    assert read([(one, other)], doubtful) == [FACE, FACE]
    back = np.asarray(card_back(DECK, SIZE))
    assert read([(back, back)], doubtful) == [COVER, COVER]


def test_an_empty_seat_has_no_cards() -> None:
    pieces = (np.full((*CARD_SIZE, 3), 50, np.uint8),) * 2
    doubtful = [shares(COVER, 0.7, 5), shares(COVER, 0.7, 6)]
    assert read([pieces], doubtful) == [COVER, COVER]
    assert read([pieces], doubtful, empty=0.99) == [NOTHING, NOTHING]


def test_pictures_of_training_are_of_all_kinds_and_come_again() -> None:
    kinds = set()
    for seed in range(30):
        one, other = (canvas(np.random.default_rng(seed)) for _ in range(2))
        assert np.array_equal(one.picture, other.picture)
        piece = crop(one, np.random.default_rng(seed))
        assert piece.shape == (*CARD_SIZE, 3)
        kinds.add(one.kind)
    assert kinds == {FACE, COVER, NOTHING}


def test_training_goes_on_from_weights_and_ends_by_the_clock(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    from overbet.interfaces.vision.networks import training

    module = training.network(CARD_STEPS, 3, 56, 40)
    shipped = load("cards")
    training.begun_with(CARD_STEPS, module.eval(), shipped)
    for name, array in training.exported(CARD_STEPS, module).items():
        np.testing.assert_allclose(array, shipped[name], rtol=1e-4, atol=1e-5)
    told: list[int] = []
    found = training.train_cards(
        tmp_path / "cards.h5",
        steps=10_000,
        minutes=0.005,
        drawn=16,
        start=_SHIPPED / "cards.h5",
        tell=lambda step, steps, loss: told.append(step),
    )
    assert 0 < found.steps == told[-1] < 1000
    assert found.bytes <= MOST_BYTES
    assert {*load("cards", tmp_path / "cards.h5")} == {*shipped}
