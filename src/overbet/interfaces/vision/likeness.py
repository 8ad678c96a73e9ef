"""How like pieces of a picture are to what the calibration picture of that site showed: the back of its
cards, an empty seat, the plate of a seat with and without the mark of the turn.

A profile is made for one site, so what its one picture shows is how the site looks. Light and contrast of a
picture are fitted before two pieces are compared, and a piece may lie a pixel or two beside its place.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from overbet.interfaces.vision.cutting import Floats, cut, square
from overbet.interfaces.vision.needs import cv2
from overbet.interfaces.vision.networks.layers import CARD_SIZE
from overbet.interfaces.vision.profile import PLATE, WORDS, SeatBoxes

Bytes = npt.NDArray[np.uint8]
Soft = npt.NDArray[np.float32]
_WORDED = 2.0  # shades of grey
_BESIDE = 3  # pixels of a plate's piece
_MOVES = [(y, x) for y in (-2, -1, 0, 1, 2) for x in (-2, -1, 0, 1, 2)]


def back_pieces(picture: Bytes, matrix: Floats, seat: SeatBoxes) -> Bytes:
    """Return both cards of a seat side by side, as a profile keeps its back."""
    return np.concatenate([cut(picture, matrix, square(box), CARD_SIZE) for box in seat.cards], axis=1)


def unlike_back(pieces: Sequence[Bytes], back: Bytes) -> float:
    """Return how far the two cards of a hand are from the back of a profile: 0 the same, 1 nothing in
    common.
    """
    wide = CARD_SIZE[1]
    return max(
        _unlike(piece, back[:, place * wide : (place + 1) * wide]) for place, piece in enumerate(pieces)
    )


def _unlike(piece: Bytes, known: Bytes) -> float:
    """Return the mean difference that is left once light and contrast are fitted, as a share of what
    varies; more where the pattern is another, which matters for one of little contrast.
    """
    one, other = (cv2.GaussianBlur(held.astype(np.float32), (0, 0), 1.6) for held in (piece, known))
    rows, columns = one.shape[:2]
    middle = other[6 : rows - 12, 5 : columns - 5]
    fine, finer = (cv2.GaussianBlur(held.astype(np.float32), (0, 0), 0.9) for held in (piece, known))
    wanted = finer[6 : rows - 12, 5 : columns - 5]
    pattern = cv2.matchTemplate(fine[4:-10, 3:-3], wanted, cv2.TM_CCOEFF_NORMED)
    spread = float(wanted.std(axis=(0, 1)).mean())
    other_pattern = max(0.0, 0.6 - float(np.nan_to_num(pattern).max())) if spread > 4.0 else 0.0
    found = []
    for down, right in _MOVES:
        held = one[6 + down : rows - 12 + down, 5 + right : columns - 5 + right]
        found.append(float(np.abs(in_the_light_of(held, middle) - middle).mean()))
    return min(found) / (float(middle.std()) + 12.0) + 0.5 * other_pattern


def in_the_light_of(piece: Soft, known: Soft) -> Soft:
    """Return a piece with the gain and shift, within what pictures differ by, that bring it nearest to
    another.
    """
    a, b = piece.reshape(-1), known.reshape(-1)
    mean, wanted = float(a.mean()), float(b.mean())
    spread = float(((a - mean) ** 2).mean()) + 1.0
    gain = float(np.clip(float(((a - mean) * (b - wanted)).mean()) / spread, 0.7, 1.4))
    shift = float(np.clip(wanted - gain * mean, -45.0, 45.0))
    found: Soft = piece * np.float32(gain) + np.float32(shift)
    return found


def words_piece(picture: Bytes, matrix: Floats, seat: SeatBoxes) -> Bytes:
    """Return the inside of a seat's plate in grey: where an empty seat has its words."""
    left, top, right, bottom = seat.turn
    dx, dy = 0.07 * (right - left), 0.13 * (bottom - top)
    piece = cut(picture, matrix, square((left + dx, top + dy, right - dx, bottom - dy)), WORDS)
    return np.asarray(cv2.cvtColor(piece, cv2.COLOR_RGB2GRAY), np.uint8)


def has_words(empty: Bytes) -> bool:
    """Return whether the inside of an empty seat's plate shows words or a sign, not an edge or a shade
    alone.
    """
    soft = cv2.GaussianBlur(empty.astype(np.float32), (0, 0), 1.2)
    return float((soft - cv2.GaussianBlur(soft, (0, 0), 5.0))[5:-5, 8:-8].std()) >= _WORDED


def like_empty(piece: Bytes, empty: Bytes) -> float:
    """Return the correlation of the inside of a plate with that of the empty seat, at the best of a few
    moves.
    """
    one, other = (cv2.GaussianBlur(held, (0, 0), 1.2).astype(np.float32) for held in (piece, empty))
    middle = other[3:-3, 5:-5]
    found = cv2.matchTemplate(one, middle, cv2.TM_CCOEFF_NORMED)
    return float(np.nan_to_num(found).max())


def plate_piece(picture: Bytes, matrix: Floats, seat: SeatBoxes) -> Bytes:
    """Return a seat's plate with some edge; name and stack on it are smeared until nobody can read them."""
    left, top, right, bottom = seat.turn
    dx, dy = 0.05 * (right - left), 0.08 * (bottom - top)
    whole = (left - dx, top - dy, right + dx, bottom + dy)
    piece = cut(picture, matrix, square(whole), PLATE).copy()
    rows, columns = PLATE
    smeared = cv2.GaussianBlur(piece, (0, 0), sigmaX=9.0, sigmaY=3.0)
    edge, rim = 0.09 * (right - left), 0.17 * (bottom - top)
    for x0, y0, x1, y1 in ((left + edge, top + rim, right - edge, bottom - rim), seat.stack):
        across = [round((x - whole[0]) / (whole[2] - whole[0]) * columns) for x in (x0, x1)]
        down = [round((y - whole[1]) / (whole[3] - whole[1]) * rows) for y in (y0, y1)]
        place = (slice(max(down[0], 0), max(down[1], 0)), slice(max(across[0], 0), max(across[1], 0)))
        piece[place] = smeared[place]
    return piece


def turn_shares(
    plates: Sequence[Bytes], active: Bytes, idle: Sequence[Bytes], colour: Sequence[int]
) -> npt.NDArray[np.float64]:
    """Return how much of the mark of the turn every seat shows: 0 nothing, 1 as much as the calibration
    picture.

    idle: the plate of every seat without the mark; colour: of the mark. Only places are looked at that have
    the mark's colour in the calibration picture; what differs between idle plates there (cards, felt) counts
    less. A place is lit as far as it is like the mark and unlike the seat's own plate and the usual one,
    and the whole mark may lie a few pixels beside its place: boxes of clicks do.
    """
    known = np.stack(idle).astype(np.float32)
    lit, usual = active.astype(np.float32), np.median(known, axis=0)
    length = ((lit - usual) ** 2).sum(axis=2)
    wanted = np.asarray(colour, np.float32)
    near = mark_places(active, wanted) & (
        ((lit - wanted) ** 2).sum(axis=2) < 0.5 * ((usual - wanted) ** 2).sum(axis=2)
    )
    weight = np.where(near, length, 0.0)
    weight[weight < 0.12 * weight.max()] = 0.0
    weight /= np.mean((known - usual) ** 2, axis=(0, 3)) + 200.0
    rows, columns = np.nonzero(weight)
    if not len(rows):
        return np.zeros(len(plates))
    mark, heavy, long = lit[rows, columns], weight[rows, columns], np.maximum(length[rows, columns], 400.0)
    heavy = heavy / heavy.sum()
    shares = []
    for plate, own in zip(_lit(np.stack(plates).astype(np.float32), known), known):
        idle_gap = np.minimum(_gap(plate, own), _gap(plate, usual))
        best = 0.0
        for down in range(-_BESIDE, _BESIDE + 1):
            for right in range(-_BESIDE, _BESIDE + 1):
                y, x = np.clip(rows + down, 0, PLATE[0] - 1), np.clip(columns + right, 0, PLATE[1] - 1)
                to_mark, to_idle = ((plate[y, x] - mark) ** 2).sum(axis=1), idle_gap[y, x]
                part = to_idle / (to_idle + to_mark + 30.0) * np.exp(-to_mark / long)
                best = max(best, float((heavy * part).sum()))
        shares.append(best)
    return np.array(shares)


def mark_places(active: Bytes, colour: npt.NDArray[np.float32]) -> npt.NDArray[np.bool_]:
    """Return where a plate has the colour of the mark of the turn."""
    far = ((active.astype(np.float32) - colour) ** 2).sum(axis=2)
    return np.asarray(far < max(2500.0, 2.5 * float(far.min())), np.bool_)


def without_mark(active: Bytes, colour: Sequence[int]) -> Bytes:
    """Return a plate with the mark painted over by what is around it: how the seat looks when it is not its
    turn.
    """
    places = mark_places(active, np.asarray(colour, np.float32)).astype(np.uint8)
    wider = cv2.dilate(places, np.ones((5, 5), np.uint8))
    return np.asarray(cv2.inpaint(active, wider, 3, cv2.INPAINT_TELEA), np.uint8)


def _gap(plate: Soft, known: Soft) -> Soft:
    """Return how far every pixel is from those of another plate around its place, squared."""
    moved = (np.roll(known, (down, right), axis=(0, 1)) for down in (-1, 0, 1) for right in (-1, 0, 1))
    found: Soft = np.min([((plate - held) ** 2).sum(axis=2) for held in moved], axis=0)
    return found


def _lit(seen: Soft, known: Soft) -> Soft:
    """Return plates in the light of those that are known, by what fits of all of them together."""
    a, b = seen.reshape(-1), known.reshape(-1)
    weights = np.ones_like(a)
    gain, shift = 1.0, 0.0
    for _ in range(3):
        mean, wanted = np.average(a, weights=weights), np.average(b, weights=weights)
        spread = np.average((a - mean) ** 2, weights=weights) + 1.0
        gain = float(np.clip(np.average((a - mean) * (b - wanted), weights=weights) / spread, 0.7, 1.4))
        shift = float(np.clip(wanted - gain * mean, -45.0, 45.0))
        miss = gain * a + shift - b
        weights = 1.0 / (1.0 + (miss / (2.0 * (np.median(np.abs(miss)) + 2.0))) ** 2) ** 2
    found: Soft = seen * np.float32(gain) + np.float32(shift)
    return found
