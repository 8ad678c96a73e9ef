"""Card faces and backs in many designs.

A design says where rank and suit stand, in which font, which colours the suits have, and what the back looks
like. Rank and suit are drawn twice as large and scaled down, so that edges are smooth.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from overbet.cards.cards import RANKS
from overbet.interfaces.vision.drawn.backs import random_back
from overbet.interfaces.vision.drawn.fonts import font
from overbet.interfaces.vision.drawn.suits import SuitStyle, draw_suit

Colour = tuple[int, int, int]
BLACK, RED, BLUE, GREEN = (20, 20, 24), (200, 24, 32), (24, 80, 200), (20, 130, 50)
TWO_COLOURS = (BLACK, RED, RED, BLACK)
FOUR_COLOURS = (GREEN, BLUE, RED, BLACK)
WHITE = (255, 255, 255)
_OVER = 2  # drawn so many times as large
_BACK_SIZE = (60, 84)  # at which a random back is drawn, to look the same at every size


@dataclass(frozen=True)
class Mark:
    """Something on a face: `what` rank or suit, its centre and height as shares of the card's size."""

    what: str
    x: float
    y: float
    size: float


@dataclass(frozen=True)
class CardDesign:
    """How a deck looks. colours: of c d h s; filled: the colours fill the card and the marks are `ink`."""

    marks: tuple[Mark, ...]
    font: str = "Roboto-Bold"
    font_file: str = ""  # instead of `font`: any file, in training
    colours: tuple[Colour, Colour, Colour, Colour] = TWO_COLOURS
    paper: Colour = WHITE
    ink: Colour | None = None  # of the marks, where it is not the suit's colour
    filled: str = ""  # "all", "strip" (left), "top", "foot": the part that the suit's colour fills
    share: float = 0.35  # of the card that a strip takes
    border: Colour = (120, 120, 120)
    radius: float = 0.1
    ten: str = "10"
    suits: SuitStyle = field(default_factory=SuitStyle)
    court: bool = False  # a frame with an ornament on J, Q, K
    back: str = "lattice"  # or random:NUMBER
    back_colours: tuple[Colour, Colour] = ((150, 30, 40), (240, 240, 240))
    squeeze: float = 1.0  # width of the rank's letters
    stroke: float = 0.0  # how much fatter they are, as a share of their height
    pips: bool = False  # as many suits as the rank says, in columns


def rounded(size: tuple[int, int], radius: float) -> Image.Image:
    """Return the mask of a card's outline."""
    big = Image.new("L", (size[0] * _OVER, size[1] * _OVER), 0)
    reach = radius * big.size[0]
    ImageDraw.Draw(big).rounded_rectangle((0, 0, big.size[0] - 1, big.size[1] - 1), reach, fill=255)
    return big.resize(size, Image.Resampling.LANCZOS)


def card_face(design: CardDesign, card: int, size: tuple[int, int]) -> Image.Image:
    """Return a card of the deck, `size` pixels, without its rounded corners cut out."""
    width, height = size[0] * _OVER, size[1] * _OVER
    rank, suit = RANKS[card // 4], card % 4
    colour = design.colours[suit]
    picture = Image.new("RGB", (width, height), colour if design.filled == "all" else design.paper)
    draw = ImageDraw.Draw(picture)
    if design.filled == "strip":
        draw.rectangle((0, 0, design.share * width, height), fill=colour)
    elif design.filled == "top":
        draw.rectangle((0, 0, width, design.share * height), fill=colour)
    elif design.filled == "foot":
        draw.rectangle((0, (1 - design.share) * height, width, height), fill=colour)
    if design.court and rank in "JQK":
        left, top = 0.36 * width, 0.2 * height
        draw.rectangle((left, top, 0.93 * width, 0.93 * height), outline=(190, 160, 60), width=3)
        for step in range(3):
            reach = (0.22 - 0.06 * step) * width
            x, y = 0.645 * width, (0.38 + 0.16 * step) * height
            draw.ellipse(
                (x - reach, y - reach / 2, x + reach, y + reach / 2),
                fill=[(210, 180, 90), (70, 90, 160), (180, 60, 60)][step],
            )
    if design.pips and rank not in "JQK":
        for x, y in _pips(14 if rank == "A" else card // 4 + 2):
            draw_suit(draw, suit, (x * width, y * height), 0.16 * height, colour, design.suits)
    for mark in design.marks:
        if design.court and rank in "JQK" and mark.x > 0.45:
            continue
        inside = (
            design.filled == "all"
            or (design.filled == "strip" and mark.x < design.share)
            or (design.filled == "top" and mark.y < design.share)
            or (design.filled == "foot" and mark.y > 1 - design.share)
        )
        fill = (
            (design.ink or design.paper)
            if inside
            else (colour if design.filled or not design.ink else design.ink)
        )
        centre, tall = (mark.x * width, mark.y * height), mark.size * height
        if mark.what == "suit":
            draw_suit(draw, suit, centre, tall, fill, design.suits)
        else:
            _rank(picture, design, design.ten if rank == "T" else rank, centre, tall, fill)
    draw.rounded_rectangle(
        (0, 0, width - 1, height - 1), design.radius * width, outline=design.border, width=_OVER
    )
    return picture.resize(size, Image.Resampling.LANCZOS)


def _pips(count: int) -> list[tuple[float, float]]:
    """Return where the suits of a card with `count` of them stand: two columns, the odd ones between."""
    if count == 14:
        return [(0.58, 0.55)]
    sides = 0 if count < 4 else 2 if count < 6 else 3 if count < 9 else 4
    middle = count - 2 * sides
    found = [(x, 0.2 + 0.62 * row / (sides - 1)) for x in (0.42, 0.78) for row in range(sides)]
    return found + [(0.6, 0.22 + 0.6 * (place + 0.5) / middle) for place in range(middle)]


def _rank(
    picture: Image.Image,
    design: CardDesign,
    text: str,
    centre: tuple[float, float],
    tall: float,
    fill: Colour,
) -> None:
    """Draw a rank whose capital letters are `tall` pixels high; "10" is made as narrow as there is room."""
    points = max(6, int(tall * 1.38))
    face = ImageFont.truetype(design.font_file, points) if design.font_file else font(design.font, points)
    fatter = round(design.stroke * tall)
    box = face.getbbox(text, anchor="lt")
    wide, high = max(1, int(box[2])) + 2 * fatter, max(1, int(box[3])) + 2 * fatter
    letters = Image.new("L", (wide + 2, high + 2), 0)
    ImageDraw.Draw(letters).text(
        (1 + fatter, 1 + fatter), text, font=face, fill=255, anchor="lt", stroke_width=fatter
    )
    squeeze = design.squeeze
    room = 2 * min(centre[0], picture.size[0] - centre[0]) * 0.96
    if wide * squeeze > room:
        squeeze = room / wide
    scale = tall / max(high, 1) if text not in ("Q", "J") else min(1.0, 1.1 * tall / max(high, 1))
    letters = letters.resize(
        (max(1, int(letters.size[0] * squeeze * scale)), max(1, int(letters.size[1] * scale))),
        Image.Resampling.LANCZOS,
    )
    place = (int(centre[0] - letters.size[0] / 2), int(centre[1] - letters.size[1] / 2))
    picture.paste(Image.new("RGB", letters.size, fill), place, letters)


def card_back(design: CardDesign, size: tuple[int, int]) -> Image.Image:
    """Return the back of the deck."""
    width, height = size[0] * _OVER, size[1] * _OVER
    main, other = design.back_colours
    if design.back.startswith("random:"):
        rng = np.random.default_rng([int(design.back[7:]), 3])
        return random_back(rng, _BACK_SIZE).resize(size, Image.Resampling.LANCZOS)
    picture = Image.new("RGB", (width, height), main)
    draw = ImageDraw.Draw(picture)
    step = max(6, width // 7)
    if design.back == "lattice":
        for shift in range(-height, width + height, step):
            draw.line((shift, 0, shift + height, height), fill=other, width=_OVER)
            draw.line((shift, height, shift + height, 0), fill=other, width=_OVER)
    elif design.back == "stripes":
        for shift in range(-height, width + height, 2 * step):
            draw.polygon(
                [(shift, 0), (shift + step, 0), (shift + step + height, height), (shift + height, height)],
                fill=other,
            )
    elif design.back == "dots":
        for row, y in enumerate(range(step // 2, height, step)):
            for x in range(step // 2 + (row % 2) * step // 2, width, step):
                draw.ellipse((x - step / 4, y - step / 4, x + step / 4, y + step / 4), fill=other)
    elif design.back == "chevrons":
        for y in range(-width, height, step):
            draw.line(
                [(0, y + width // 2), (width // 2, y), (width, y + width // 2)], fill=other, width=2 * _OVER
            )
    elif design.back == "rings":
        middle, centre = width / 2, height / 2
        for ring in range(step // 2, height, step):
            draw.ellipse(
                (middle - ring, centre - ring, middle + ring, centre + ring), outline=other, width=_OVER
            )
    elif design.back == "weave":
        for y in range(0, height, step):
            for x in range((y // step % 2) * step, width, 2 * step):
                draw.rectangle((x, y, x + step, y + step), fill=other)
    elif design.back == "sunburst":
        far = width + height
        for ray in range(16):
            turn = math.pi * ray / 8
            ends = [(math.cos(turn + off) * far, math.sin(turn + off) * far) for off in (-0.1, 0.1)]
            draw.polygon(
                [(width / 2, height / 2)] + [(width / 2 + x, height / 2 + y) for x, y in ends], fill=other
            )
        reach = 0.16 * width
        draw.ellipse(
            (width / 2 - reach, height / 2 - reach, width / 2 + reach, height / 2 + reach), fill=main
        )
    elif design.back == "argyle":
        wide, tall = width / 3, height / 4
        for row in range(-1, 5):
            for column in range(-1, 4):
                u, v = column * wide + (row % 2) * wide / 2, row * tall
                if (row + column) % 2:
                    draw.polygon(
                        [(u, v), (u + wide / 2, v + tall / 2), (u, v + tall), (u - wide / 2, v + tall / 2)],
                        fill=other,
                    )
        for shift in range(-height, width + height, int(wide)):
            draw.line((shift, 0, shift + 0.67 * height, height), fill=(250, 230, 120), width=1)
    elif design.back == "scales":
        scale = width / 6
        for row in range(int(height / scale) + 2, -1, -1):
            for column in range(-1, 5):
                u, v = (2 * column + row % 2) * scale, row * scale
                draw.ellipse((u - scale, v - scale, u + scale, v + scale), fill=main, outline=other, width=3)
    elif design.back == "leaves":
        for row in range(5):
            for column in range(3):
                u, v = (column + 0.5) * width / 3, (row + 0.5) * height / 5
                lean = 0.08 * width if (row + column) % 2 else -0.08 * width
                draw.polygon(
                    [
                        (u - lean, v - height / 11),
                        (u + 0.1 * width, v),
                        (u + lean, v + height / 11),
                        (u - 0.1 * width, v),
                    ],
                    fill=other,
                )
    elif design.back == "keys":
        for row in range(6):
            v = (row + 0.5) * height / 6
            draw.line((0, v, width, v), fill=other, width=4)
            for column in range(4):
                u = (column + 0.3 + 0.5 * (row % 2)) * width / 4
                draw.line((u, v, u, v + height / 6), fill=other, width=4)
    elif design.back == "mosaic":
        side = width / 4
        for row in range(6):
            for column in range(4):
                u, v = column * side, row * side
                corner = [(u, v), (u + side, v), (u, v + side), (u + side, v + side)]
                draw.polygon([corner[n] for n in range(4) if n != (row * 3 + column) % 4], fill=other)
    elif design.back == "medal":
        wide_reach = 0.3 * width
        draw.ellipse(
            (
                width / 2 - wide_reach,
                height / 2 - wide_reach,
                width / 2 + wide_reach,
                height / 2 + wide_reach,
            ),
            fill=other,
        )
    inset = 0.07 * width
    draw.rectangle((0, 0, width, height), outline=other, width=int(inset))
    draw.rounded_rectangle(
        (0, 0, width - 1, height - 1), design.radius * width, outline=design.border, width=_OVER
    )
    return picture.resize(size, Image.Resampling.LANCZOS)
