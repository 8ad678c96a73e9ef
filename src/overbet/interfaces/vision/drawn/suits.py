"""Outlines of the four suits: curves of our own in three styles, and the symbols of a font.

Polygons lie in a square from -1 to 1, y down. `style` bends them: how fat, how pointed, how wide the foot.
"""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw, ImageFont

Points = npt.NDArray[np.float64]
SUIT_SYMBOLS = "♣♦♥♠"  # in the order of the cards: c d h s


class SuitStyle(NamedTuple):
    """How suits look: `curve` 0 to 2 chooses the heart, the others bend it; `font` (a file) takes its
    symbols."""

    curve: int = 0
    fat: float = 1.0
    bend: float = 0.0
    foot: float = 1.0
    font: str = ""


def _heart(style: SuitStyle) -> Points:
    t = np.linspace(0, 2 * np.pi, 60)
    if style.curve == 0:
        x, y = 16 * np.sin(t) ** 3, 13 * np.cos(t) - 5 * np.cos(2 * t) - 2 * np.cos(3 * t) - np.cos(4 * t)
        return np.stack([style.fat * x / 17, -(y + 2.5) / 15], axis=1)
    if style.curve == 1:  # two Bezier curves a side, mirrored
        s = np.linspace(0, 1, 20)[:, None]
        knots = (
            [(0, -0.5), (-0.15, -1.08), (-1.0, -1.0), (-0.93, -0.3)],
            [(-0.93, -0.3), (-0.86, 0.2), (-0.25, 0.5), (0, 0.97)],
        )
        left = np.concatenate([_bezier(np.array(four, float), s) for four in knots])
        return np.concatenate([left, left[::-1] * [-1, 1]]) * [style.fat, 1.0]
    turned = 2 - 2 * np.sin(t) + np.sin(t) * np.sqrt(np.abs(np.cos(t))) / (np.sin(t) + 1.4)  # one polar curve
    x, y = turned * np.cos(t), turned * np.sin(t)
    return np.stack([style.fat * x / 2.1, -(y + 1.6) / 2.3], axis=1)


def _bezier(four: Points, s: Points) -> Points:
    points: Points = (
        (1 - s) ** 3 * four[0]
        + 3 * s * (1 - s) ** 2 * four[1]
        + 3 * s**2 * (1 - s) * four[2]
        + s**3 * four[3]
    )
    return points


def _foot(style: SuitStyle, top: float) -> Points:
    s = np.linspace(0, 1, 10)
    right = np.stack([0.07 + 0.33 * style.foot * s**2.2, top + (0.97 - top) * s], axis=1)
    return np.concatenate([right, right[::-1] * [-1, 1]])


def polygons(suit: int, style: SuitStyle) -> list[Points]:
    """Return the outlines of suit 0 to 3 (c d h s)."""
    t = np.linspace(0, 2 * np.pi, 40)
    circle = np.stack([np.cos(t), np.sin(t)], axis=1)
    if suit == 0:
        r = 0.42 * (1 + 0.3 * (style.fat - 1))
        return [
            circle * r + [0, -0.52],
            circle * r + [-0.5, 0.18],
            circle * r + [0.5, 0.18],
            circle * 0.2,
            _foot(style, 0.0),
        ]
    if suit == 1:
        corners = np.array([[0, -1], [0.74 * style.fat, 0], [0, 1], [-0.74 * style.fat, 0], [0, -1]])
        sides = []
        for a, b in pairwise(corners):
            s = np.linspace(0, 1, 10)[:-1, None]
            middle = 4 * s * (1 - s)
            sides.append(a + (b - a) * s - middle * style.bend * (a + b) / 2)
        return [np.concatenate(sides)]
    heart = _heart(style)
    if suit == 2:
        return [heart]
    return [heart * [1.0, -0.82] + [0, -0.16], _foot(style, 0.1)]


def draw_suit(
    draw: ImageDraw.ImageDraw,
    suit: int,
    centre: tuple[float, float],
    size: float,
    colour: tuple[int, ...],
    style: SuitStyle,
) -> None:
    """Draw a suit `size` pixels high."""
    if style.font:
        face = ImageFont.truetype(style.font, max(4, int(1.35 * size)))
        draw.text(centre, SUIT_SYMBOLS[suit], font=face, fill=colour, anchor="mm")
        return
    for outline in polygons(suit, style):
        places = outline * (size / 2) + np.array(centre)
        draw.polygon([(float(x), float(y)) for x, y in places], fill=colour)


def suit_picture(suit: int, style: SuitStyle, size: int = 64) -> Image.Image:
    """Return one suit, black on white."""
    picture = Image.new("RGB", (size, size), "white")
    draw_suit(ImageDraw.Draw(picture), suit, (size / 2, size / 2), 0.9 * size, (0, 0, 0), style)
    return picture
