"""What the two networks say of pieces of a picture: cards with shares, texts with probabilities."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from overbet.interfaces.vision.networks.layers import CARD_STEPS, KINDS, TEXT_ROWS, TEXT_STEPS, run, softmax
from overbet.interfaces.vision.networks.spelling import spelled
from overbet.interfaces.vision.networks.weights import load

Bytes = npt.NDArray[np.uint8]
FACE, COVER, NOTHING = range(len(KINDS))
_TOGETHER = 12  # lines of text run at once


class CardShares(NamedTuple):
    """How likely a piece is a face, a back, nothing; and each of the 52 cards if it is a face."""

    kinds: npt.NDArray[np.float32]
    cards: npt.NDArray[np.float32]


def see_cards(pieces: Sequence[Bytes]) -> list[CardShares]:
    """Return what pieces of 56 x 40 pixels are."""
    if not pieces:
        return []
    said = run(CARD_STEPS, load("cards"), np.stack(pieces).astype(np.float32) / 127.5 - 1.0)
    kinds, ranks, suits = softmax(said[:, :3]), softmax(said[:, 3:16]), softmax(said[:, 16:])
    joint = (ranks[:, :, None] * suits[:, None, :]).reshape(len(said), 52)
    return [CardShares(kind, cards) for kind, cards in zip(kinds, joint)]


def see_texts(lines: Sequence[npt.NDArray[np.float32]]) -> list[list[tuple[str, float]]]:
    """Return the likely texts of lines `TEXT_ROWS` high, levelled; lines of like width are run together."""
    found: list[list[tuple[str, float]]] = [[] for _ in lines]
    by_width: dict[int, list[int]] = defaultdict(list)
    for place, line in enumerate(lines):
        by_width[-(-line.shape[1] // 16) * 16].append(place)
    for width, places in by_width.items():
        for start in range(0, len(places), _TOGETHER):
            some = places[start : start + _TOGETHER]
            batch = np.zeros((len(some), TEXT_ROWS, width, 1), np.float32)
            for row, place in enumerate(some):
                batch[row, :, : lines[place].shape[1], 0] = lines[place]
            shares = softmax(run(TEXT_STEPS, load("text"), batch)[:, 0])
            for row, place in enumerate(some):
                found[place] = spelled(shares[row, : max(1, lines[place].shape[1] // 2)])
    return found


def averaged(seen: Sequence[CardShares], looks: int) -> list[CardShares]:
    """Return the means of every `looks` answers about one card."""
    found = []
    for start in range(0, len(seen), looks):
        some = seen[start : start + looks]
        kinds = np.mean([one.kinds for one in some], axis=0)
        weights = np.array([float(one.kinds[FACE]) + 1e-6 for one in some])
        found.append(CardShares(kinds, np.average([one.cards for one in some], axis=0, weights=weights)))
    return found


def mixed(said: Sequence[Sequence[tuple[str, float]]], looks: int) -> list[list[tuple[str, float]]]:
    """Return the texts of every `looks` answers about one line, with the means of their probabilities."""
    found = []
    for start in range(0, len(said), looks):
        shares: dict[str, float] = defaultdict(float)
        for texts in said[start : start + looks]:
            for text, share in texts:
                shares[text] += share / looks
        found.append(sorted(shares.items(), key=lambda item: -item[1]))
    return found
