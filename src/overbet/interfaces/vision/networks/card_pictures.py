"""Pictures to train the card network: decks of the training themes and random ones, as a profile's box
cuts them.

A random deck has any of the fonts, suits, colours and places of rank and suit; half a card may lie under the
next one, and its foot behind a plate. Backs and empty felt are the other two kinds.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw

from overbet.interfaces.vision.cutting import cut
from overbet.interfaces.vision.drawn.backs import random_back
from overbet.interfaces.vision.drawn.faces import (
    FOUR_COLOURS,
    TWO_COLOURS,
    CardDesign,
    Mark,
    card_back,
    card_face,
    rounded,
)
from overbet.interfaces.vision.drawn.fonts import font_at, suit_fonts, training_fonts
from overbet.interfaces.vision.drawn.suits import SuitStyle
from overbet.interfaces.vision.drawn.themes import THEMES, TRAINING
from overbet.interfaces.vision.needs import cv2
from overbet.interfaces.vision.networks.disturbing import disturbed
from overbet.interfaces.vision.networks.layers import CARD_SIZE, KINDS

Bytes = npt.NDArray[np.uint8]
BACKS = ("lattice", "stripes", "dots", "rings", "medal", "plain")


class CardCanvas(NamedTuple):
    """A card on its table: the picture, the box that a profile would have, and what it is."""

    picture: Bytes
    box: tuple[float, float, float, float]
    kind: int
    card: int


def _colour(rng: np.random.Generator, low: int, high: int) -> tuple[int, int, int]:
    red, green, blue = (int(v) for v in rng.integers(low, high, 3))
    return red, green, blue


def random_design(rng: np.random.Generator) -> CardDesign:
    """Return a deck that no theme has."""
    fonts = training_fonts()
    path = str(fonts[rng.integers(len(fonts))])
    how = rng.random()
    if how < 0.4:  # a corner
        x, y, size = rng.uniform(0.16, 0.28), rng.uniform(0.13, 0.24), rng.uniform(0.17, 0.34)
        marks = [
            Mark("rank", x, y, size),
            Mark("suit", x, y + 0.5 * size + rng.uniform(0.08, 0.14), rng.uniform(0.13, 0.24)),
        ]
        if rng.random() < 0.75:
            marks.append(Mark("suit", rng.uniform(0.5, 0.7), rng.uniform(0.55, 0.72), rng.uniform(0.3, 0.5)))
        elif rng.random() < 0.5:
            marks.append(
                Mark("rank", rng.uniform(0.55, 0.72), rng.uniform(0.6, 0.75), rng.uniform(0.3, 0.45))
            )
    elif how < 0.65:  # side by side
        y, size = rng.uniform(0.15, 0.32), rng.uniform(0.22, 0.42)
        marks = [
            Mark("rank", rng.uniform(0.2, 0.32), y, size),
            Mark("suit", rng.uniform(0.64, 0.78), y + rng.uniform(-0.06, 0.06), rng.uniform(0.2, 0.36)),
        ]
        if rng.random() < 0.6:
            marks.append(
                Mark(
                    str(rng.choice(["suit", "rank"])),
                    rng.uniform(0.4, 0.7),
                    rng.uniform(0.62, 0.75),
                    rng.uniform(0.3, 0.48),
                )
            )
    elif how < 0.85:  # large rank and large suit
        size = rng.uniform(0.34, 0.5)
        flip = rng.random() < 0.4
        ys = (
            (rng.uniform(0.62, 0.74), rng.uniform(0.22, 0.32))
            if flip
            else (rng.uniform(0.24, 0.36), rng.uniform(0.66, 0.78))
        )
        marks = [
            Mark("rank", rng.uniform(0.28, 0.5), ys[0], size),
            Mark("suit", rng.uniform(0.3, 0.72), ys[1], rng.uniform(0.24, 0.46)),
        ]
    else:  # anywhere
        y = rng.uniform(0.2, 0.75)
        other = y + rng.uniform(0.32, 0.4) if y < 0.45 else y - rng.uniform(0.32, 0.4)
        marks = [
            Mark("rank", rng.uniform(0.26, 0.6), y, rng.uniform(0.25, 0.42)),
            Mark("suit", rng.uniform(0.24, 0.72), other, rng.uniform(0.2, 0.4)),
        ]
    pips = how < 0.4 and len(marks) == 2 and rng.random() < 0.7
    if rng.random() < 0.15:
        marks.append(Mark("rank", 0.82, 0.86, 0.18))
    draw = rng.random()
    colours = TWO_COLOURS if draw < 0.5 else FOUR_COLOURS
    if draw > 0.75:
        hues = [tuple(int(v) for v in rng.integers(0, 200, 3)) for _ in range(4)]
        colours = (hues[0], hues[1], hues[2], hues[3])  # type: ignore[assignment]
    shift = rng.integers(-32, 33, (4, 3))
    jittered: Any = tuple(
        tuple(int(np.clip(c + s, 0, 235)) for c, s in zip(colour, row)) for colour, row in zip(colours, shift)
    )
    filled, share, ink = "", 0.35, None
    paper: Any = tuple(int(v) for v in 255 - rng.integers(0, 26, 3))
    fill = rng.random()
    if fill < 0.16:
        filled, ink = "all", (255, 255, 255)
    elif fill < 0.3:
        filled, ink, share = (
            str(rng.choice(["strip", "top", "foot"])),
            (255, 255, 255),
            rng.uniform(0.34, 0.52),
        )
    elif fill < 0.38:  # a dark deck
        paper = tuple(int(v) for v in rng.integers(10, 60, 3))
        jittered = tuple(tuple(min(255, c + 70) for c in colour) for colour in jittered)
    elif fill < 0.42:
        ink = (15, 15, 20)
    style = SuitStyle(
        int(rng.integers(3)), rng.uniform(0.82, 1.12), rng.uniform(-0.25, 0.35), rng.uniform(0.5, 1.4)
    )
    if rng.random() < 0.25 and suit_fonts():
        style = style._replace(font=str(suit_fonts()[rng.integers(len(suit_fonts()))]))
    return CardDesign(
        tuple(marks),
        font_file=path,
        colours=jittered,
        paper=paper,
        ink=ink,
        filled=filled,
        share=share,
        border=_colour(rng, 20, 240),
        radius=rng.uniform(0.03, 0.2),
        ten="T" if rng.random() < 0.3 else "10",
        suits=style,
        court=bool(rng.random() < 0.12),
        back=str(rng.choice(BACKS)),
        squeeze=rng.uniform(0.72, 1.1),
        stroke=rng.uniform(0.0, 0.07) if rng.random() < 0.35 else 0.0,
        pips=pips,
        back_colours=(_colour(rng, 10, 245), _colour(rng, 10, 245)),
    )


def _edge_of_a_table(rng: np.random.Generator, field: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Return a piece of felt with the rail and the room beyond it, straight or round."""
    high, wide = field.shape[:2]
    y, x = np.mgrid[0:high, 0:wide].astype(np.float64)
    turn = rng.uniform(0, 2 * np.pi) if rng.random() < 0.5 else rng.choice([0.5, 1.0, 1.5, 2.0]) * np.pi
    x0, y0 = rng.uniform(0.1, 0.9) * wide, rng.uniform(0.1, 0.9) * high
    along = (x - x0) * np.cos(turn) + (y - y0) * np.sin(turn)
    across = (y - y0) * np.cos(turn) - (x - x0) * np.sin(turn)
    far = along + rng.choice([0.0, rng.uniform(-1, 1)]) * across**2 / (4.0 * high)
    rail, room = rng.integers(0, 256, (2, 3)).astype(np.float64)
    if rng.random() < 0.5:  # dark on dark, as most tables are
        rail, room = 0.5 * rail, 0.2 * room
    thick = rng.uniform(0.08, 0.7) * high
    found = np.where((far > 0)[:, :, None], rail, field)
    return np.where((far > thick)[:, :, None], room, found)


def _felt(rng: np.random.Generator, size: tuple[int, int]) -> Image.Image:
    """Return some table without a card: plain, shaded, with parts of plates, lines, letters."""
    colour = rng.integers(0, 256, 3) if rng.random() < 0.6 else np.full(3, rng.integers(0, 256))
    shade = np.linspace(rng.uniform(0.85, 1.1), rng.uniform(0.85, 1.1), size[1])[:, None, None]
    field = np.broadcast_to(colour.astype(np.float64), (size[1], size[0], 3))
    if rng.random() < 0.6:
        field = _edge_of_a_table(rng, field)
    held = np.clip(field * shade, 0, 255).astype(np.uint8)
    picture = Image.fromarray(np.ascontiguousarray(held))
    draw = ImageDraw.Draw(picture)
    for _ in range(int(rng.integers(0, 3))):
        x, y, w, h = (int(v) for v in rng.integers(-40, 100, 4))
        other = tuple(int(np.clip(c + s, 0, 255)) for c, s in zip(colour, rng.integers(-60, 61, 3)))
        what = rng.random()
        if what < 0.4:
            draw.rounded_rectangle((x, y, x + 20 + abs(w), y + 10 + abs(h)), 8, fill=other)
        elif what < 0.6:
            draw.line((x, y, x + w, y + h), fill=other, width=int(rng.integers(1, 8)))
        elif what < 0.8:
            draw.ellipse((x, y, x + 40 + abs(w), y + 30 + abs(h)), fill=other)
        else:
            fonts = training_fonts()
            face = font_at(str(fonts[rng.integers(len(fonts))]), int(rng.integers(10, 30)))
            draw.text((x, y), "".join(rng.choice(list("OVERBTAHKQJS0123456789"), 5)), font=face, fill=other)
    return picture


def canvas(rng: np.random.Generator) -> CardCanvas:
    """Return one card, back or nothing on a table."""
    draw = rng.random()
    kind = 0 if draw < 0.6 else 1 if draw < 0.81 else 2
    design = random_design(rng) if rng.random() < 0.8 else THEMES[str(rng.choice(TRAINING))].deck
    width = int(rng.integers(30, 76))
    height = int(width * rng.uniform(1.28, 1.5))
    edge = int(0.35 * width)
    table = _felt(rng, (int(2.7 * width), height + 2 * edge))
    card = int(rng.integers(52))
    visible, foot = 1.0, float(rng.choice([1.0, 1.0, rng.uniform(0.78, 1.0)]))
    if kind < 2:
        mask = rounded((width, height), design.radius)
        if kind == 0:
            drawn = card_face(design, card, (width, height))
        else:
            own = rng.random() < 0.25
            drawn = card_back(design, (width, height)) if own else random_back(rng, (width, height))
        table.paste(drawn, (edge, edge), mask)
        beside = rng.random()
        reaches = max((m.x for m in design.marks[:2]), default=0.5) + 0.16
        over = beside < 0.35 and reaches < 0.8
        if over:
            visible = rng.uniform(max(0.55, min(reaches, 1.0)), 1.0)
        if over or beside < 0.7:
            place = edge + int(visible * width) if over else edge + width + int(rng.integers(1, 8))
            second = replace(design)
            next_card = card_face(second, int(rng.integers(52)), (width, height)) if kind == 0 else drawn
            table.paste(next_card, (place, edge), mask)
        if rng.random() < 0.15:  # dimmed
            veil = Image.new("RGB", table.size, (0, 0, 0))
            table = Image.blend(table, veil, rng.uniform(0.1, 0.4))
        if foot < 1.0:
            plate = tuple(int(v) for v in rng.integers(0, 256, 3))
            ImageDraw.Draw(table).rectangle(
                (0, edge + int(foot * height), table.size[0], table.size[1]), fill=plate
            )
    box = (edge, edge, edge + visible * width, edge + foot * height)
    return CardCanvas(np.asarray(table), box, kind, card)


def crop(made: CardCanvas, rng: np.random.Generator) -> Bytes:
    """Return a canvas as a reader cuts it: a box that is a little off, in a worse picture."""
    picture = made.picture
    scale = rng.uniform(0.65, 1.3)
    if scale < 0.95:
        picture = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    else:
        scale = 1.0
    picture = disturbed(picture, rng)
    left, top, right, bottom = (scale * v for v in made.box)
    wide, high = right - left, bottom - top
    corners = np.array([[left, top], [right, top], [right, bottom], [left, bottom]])
    corners += rng.uniform(-0.045, 0.045, (4, 2)) * [wide, high] + rng.uniform(-0.05, 0.05, (1, 2)) * [
        wide,
        high,
    ]
    found = cut(picture, np.eye(3), corners, CARD_SIZE)
    return _bent(found, rng) if rng.random() < 0.6 else found


def _bent(piece: Bytes, rng: np.random.Generator) -> Bytes:
    """Return a piece whose letters and suits are of another shape: bent softly, leaning, fatter or
    thinner."""
    rows, columns = CARD_SIZE
    field = rng.normal(0, 0.9, (2, 5, 4)).astype(np.float32)
    across, down = (cv2.resize(part, (columns, rows), interpolation=cv2.INTER_CUBIC) for part in field)
    y, x = np.mgrid[0:rows, 0:columns].astype(np.float32)
    lean, wide, tall = rng.uniform(-0.1, 0.1), rng.uniform(0.92, 1.08), rng.uniform(0.94, 1.06)
    u = (x - columns / 2) * wide + lean * (y - rows / 2) + columns / 2 + across
    v = (y - rows / 2) * tall + rows / 2 + down
    held = cv2.remap(piece, u, v, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    how = rng.random()
    if how < 0.24:
        other = (cv2.erode if how < 0.12 else cv2.dilate)(held, np.ones((2, 2), np.uint8))
        held = cv2.addWeighted(held, 0.5, other, 0.5, 0)
    if rng.random() < 0.3:  # light from one side
        ramp = np.linspace(rng.uniform(0.75, 1.1), rng.uniform(0.75, 1.1), columns)[None, :, None]
        held = np.clip(held * ramp, 0, 255).astype(np.uint8)
    return np.asarray(held, np.uint8)


def label_of(made: CardCanvas) -> tuple[int, int, int]:
    """Return kind, rank and suit."""
    assert KINDS[made.kind]
    return made.kind, made.card // 4, made.card % 4
