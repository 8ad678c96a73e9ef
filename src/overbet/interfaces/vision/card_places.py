"""What lies on the places of cards: a face, a back, nothing. All places of a picture are weighed together.

The network looks at each place for itself. What it cannot see is that backs look the same and faces never do:
the two cards of a hand, or two hands, that look alike are no faces, and two cards that look different are no
backs. Nor has an empty seat cards. Where the profile knows the back of the site, a hand that looks like it
is one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from overbet.interfaces.vision.looking import COVER, FACE, NOTHING, CardShares
from overbet.interfaces.vision.needs import cv2

Bytes = npt.NDArray[np.uint8]
BOARD = 5
# unlikeness at which cards turn from one kind to another, and how fast; measured on the themes to tune with
_HAND, _HANDS, _BACKS = (0.11, 0.015), (0.24, 0.012), (0.42, 0.04)
_KNOWN_BACK = (0.36, 0.02)  # the same of the back that the calibration picture showed
_LEAST = 0.004


class CardSeen(NamedTuple):
    """A place: its likeliest kind, how sure that is, and the card that lies there if it is a face."""

    kind: int
    confidence: float
    card: int


def cards_seen(
    seen: Sequence[CardShares],
    pieces: Sequence[Bytes],
    visible: Sequence[float],
    empty: Sequence[float],
    from_back: Sequence[float] = (),
) -> list[CardSeen]:
    """Return what lies on every place: five of the board, then two a seat.

    pieces: of every place, 56 x 40 pixels; visible: how much of the first card of every seat can be seen, as
    a share of the second one's width; empty: how sure it is that nobody sits there; from_back: how far
    every hand is from the back of the profile, where it has one.
    """
    kinds = [shares.kinds.astype(np.float64) for shares in seen]
    looks = [_soft(piece) for piece in pieces]
    hands = range(BOARD, len(seen), 2)
    for seat, first in enumerate(hands):
        # both cards of a hand lie the same way; the root, as what deceives about one deceives about the other
        both = np.sqrt(kinds[first] * kinds[first + 1]) + 1e-9
        far = unlike(looks[first], _left(looks[first + 1], visible[seat]))
        others = [
            max(unlike(looks[first], looks[other]), unlike(looks[first + 1], looks[other + 1]))
            for other in hands
            if other != first
        ]
        both[FACE] *= _rising(far, _HAND) * _rising(min(others, default=9.0), _HANDS, 0.0)
        both[COVER] *= 1.0 - _rising(far, _BACKS) + _LEAST
        if from_back:
            other = _rising(from_back[seat], _KNOWN_BACK, 1e-4)
            both *= other
            both[COVER] = (both[COVER] / other + 0.02) * (1.0 - other + 1e-4)
        both[[FACE, COVER]] *= max(1.0 - empty[seat], _LEAST)
        kinds[first] = kinds[first + 1] = both / both.sum()
    for number in range(BOARD):  # a board has no backs
        kinds[number][NOTHING] += kinds[number][COVER]
        kinds[number][COVER] = 0.0
    _board_in_order(kinds)
    chosen = _no_card_twice(kinds, seen)
    found = []
    for kind, shares, card in zip(kinds, seen, chosen):
        best = int(kind.argmax())
        sure = float(kind[best]) * (float(shares.cards[card]) if best == FACE else 1.0)
        found.append(CardSeen(best, sure, card))
    return found


def _rising(far: float, turn: tuple[float, float], least: float = _LEAST) -> float:
    """Return a share between `least` and 1 that rises at `turn[0]`."""
    return least + (1.0 - least) / (1.0 + float(np.exp(np.clip((turn[0] - far) / turn[1], -60, 60))))


def _soft(piece: Bytes) -> npt.NDArray[np.float32]:
    """Return a piece without its edges and its finest lines."""
    blurred: npt.NDArray[np.float32] = cv2.GaussianBlur(piece.astype(np.float32)[4:-10, 3:-3], (0, 0), 2.0)
    return blurred


def _left(look: npt.NDArray[np.float32], share: float) -> npt.NDArray[np.float32]:
    """Return the left share of a card, as wide as the whole."""
    if share > 0.97:
        return look
    rows, columns = look.shape[:2]
    cut = look[:, : max(2, round(share * columns))]
    wide: npt.NDArray[np.float32] = cv2.resize(cut, (columns, rows), interpolation=cv2.INTER_LINEAR)
    return wide


def unlike(one: npt.NDArray[np.float32], other: npt.NDArray[np.float32]) -> float:
    """Return how far two pieces differ, as a share of how much each varies; moved by up to a pixel."""
    vary = 0.5 * float(one.std() + other.std()) + 4.0
    inner = one[1:-1, 1:-1]
    rows, columns = inner.shape[:2]
    moved = [other[y : y + rows, x : x + columns] for y, x in ((1, 1), (0, 1), (2, 1), (1, 0), (1, 2))]
    return min(float(np.abs(inner - held).mean()) for held in moved) / vary


def _board_in_order(kinds: list[Any]) -> None:
    """A board has 0, 3, 4 or 5 cards, from the left: weigh the four together."""
    faces = np.array([min(max(float(kind[FACE]), 1e-6), 1 - 1e-6) for kind in kinds[:BOARD]])
    weights = np.array(
        [np.prod(np.where(np.arange(BOARD) < count, faces, 1 - faces)) for count in (0, 3, 4, 5)]
    )
    weights /= weights.sum()
    for place in range(BOARD):
        share = float(sum(w for w, count in zip(weights, (0, 3, 4, 5)) if place < count))
        kinds[place] = np.array([share, 0.0, 1.0 - share])


def _no_card_twice(kinds: list[Any], seen: Sequence[CardShares]) -> list[int]:
    """Return a card for every place, the surest first; a card that is taken goes to nobody else."""
    chosen = [0] * len(seen)
    taken: set[int] = set()
    order = sorted(range(len(seen)), key=lambda n: -float(kinds[n][FACE] * seen[n].cards.max()))
    for number in order:
        ranked = np.argsort(-seen[number].cards)
        chosen[number] = next(int(card) for card in ranked if int(card) not in taken)
        if int(kinds[number].argmax()) == FACE:
            taken.add(chosen[number])
    return chosen
