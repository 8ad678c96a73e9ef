"""What stands at a seat besides cards and text: plate, mark of the turn, chips, dealer button."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from PIL import ImageDraw

from overbet.interfaces.vision.drawn.fonts import font
from overbet.interfaces.vision.drawn.theme import Theme

if TYPE_CHECKING:
    from overbet.interfaces.vision.drawn.tables import SeatPlaces

Box = tuple[float, float, float, float]  # left, top, right, bottom, in pixels
OVER = 2  # shapes are drawn so many times as large


def _scaled(box: Box) -> Box:
    return (box[0] * OVER, box[1] * OVER, box[2] * OVER, box[3] * OVER)


def plate(theme: Theme, draw: ImageDraw.ImageDraw, place: SeatPlaces, active: bool, taken: bool) -> None:
    box = _scaled(place.plate)
    colour = (
        theme.plate_colour if taken else tuple((a + b) // 2 for a, b in zip(theme.plate_colour, theme.felt))
    )
    radius = {
        "box": 8,
        "pill": 40,
        "round": 20,
        "notch": 4,
        "card": 14,
        "bare": 2,
        "slant": 0,
        "tab": 12,
        "leaf": 6,
        "ticket": 0,
        "banner": 3,
        "shield": 10,
    }[theme.plate]
    lit = theme.turn_colour
    if active and theme.turn == "fill":
        colour = lit
    if theme.plate == "slant":
        left, top, right, bottom = box
        draw.polygon([(left + 14, top), (right, top), (right - 14, bottom), (left, bottom)], fill=colour)
    elif theme.plate == "leaf":
        draw.rounded_rectangle(box, 30, fill=colour, corners=(True, False, True, False))
    elif theme.plate == "ticket":
        draw.rectangle(box, fill=colour)
        for x in (box[0], box[2]):
            draw.ellipse(
                (x - 14, (box[1] + box[3]) / 2 - 14, x + 14, (box[1] + box[3]) / 2 + 14), fill=theme.felt
            )
    elif theme.plate == "banner":
        draw.rectangle(box, fill=colour)
        draw.rectangle((box[0], box[1], box[2], box[1] + 5), fill=theme.rail)
    elif theme.plate == "shield":
        left, top, right, bottom = box
        middle = (left + right) / 2
        draw.polygon(
            [(left, top), (right, top), (right, bottom - 12), (middle, bottom + 4), (left, bottom - 12)],
            fill=colour,
        )
        draw.line((left, top, right, top), fill=theme.rail, width=4)
    elif theme.plate != "bare" or (active and theme.turn == "fill"):
        draw.rounded_rectangle(box, radius, fill=colour)
        if theme.plate == "notch":
            draw.rectangle((box[0], box[1], box[0] + 8, box[3]), fill=theme.rail)
        elif theme.plate == "card":
            draw.rounded_rectangle(box, radius, outline=theme.rail, width=4)
            draw.line(
                (box[0] + 20, (box[1] + box[3]) / 2, box[2] - 20, (box[1] + box[3]) / 2),
                fill=(220, 226, 236),
                width=2,
            )
        elif theme.plate == "tab":
            draw.rectangle((box[0] + 30, box[3] - 3, box[2] - 30, box[3] + 5), fill=theme.rail)
    if not active:
        return
    if theme.turn == "glow":
        for grow in (4, 8, 11):
            draw.rounded_rectangle(
                (box[0] - grow, box[1] - grow, box[2] + grow, box[3] + grow),
                radius + grow,
                outline=lit,
                width=4,
            )
    elif theme.turn == "bar":
        draw.rounded_rectangle((box[0] + 8, box[3] + 3, box[2] - 40, box[3] + 15), 6, fill=lit)
    elif theme.turn == "dot":
        draw.ellipse((box[0] - 10, box[1] - 10, box[0] + 22, box[1] + 22), fill=lit)
    elif theme.turn == "corner":
        for x, y, sx, sy in (
            (box[0], box[1], 1, 1),
            (box[2], box[1], -1, 1),
            (box[0], box[3], 1, -1),
            (box[2], box[3], -1, -1),
        ):
            draw.line(
                [(x - 6 * sx, y + 30 * sy), (x - 6 * sx, y - 6 * sy), (x + 30 * sx, y - 6 * sy)],
                fill=lit,
                width=9,
            )
    elif theme.turn == "brackets":
        for x in (box[0] - 9, box[2] + 2):
            draw.rectangle((x, box[1] + 12, x + 7, box[3] - 12), fill=lit)
    elif theme.turn == "ribbon":
        draw.rectangle((box[0] + 24, box[1] - 6, box[2] - 24, box[1] + 5), fill=lit)
    elif theme.turn == "under":
        draw.rectangle((box[0] + 4, box[3] + 2, box[2] - 4, box[3] + 8), fill=lit)
    elif theme.turn == "halo":
        for grow in (8, 11):
            draw.rounded_rectangle(
                (box[0] - grow, box[1] - grow, box[2] + grow, box[3] + grow),
                radius + grow,
                outline=lit,
                width=3,
            )
    elif theme.turn == "stripe":
        draw.rectangle((box[2] - 14, box[1] + 4, box[2] - 4, box[3] - 4), fill=lit)
    elif theme.turn == "frame":
        draw.rounded_rectangle(box, radius, outline=lit, width=4)
    elif theme.turn == "chevron":
        x, y = (box[0] + box[2]) / 2, box[3] + 1
        draw.polygon([(x - 30, y + 14), (x, y - 4), (x + 30, y + 14), (x, y + 6)], fill=lit)
    elif theme.turn == "rails":
        for y in (box[1] + 6, box[3] + 3):
            draw.rectangle((box[0] - 4, y, box[2] + 4, y + 6), fill=lit)
    elif theme.turn == "crownlet":
        x, y = box[2] - 8, (box[1] + box[3]) / 2
        draw.polygon(
            [
                (x - 8, y + 14),
                (x - 8, y - 12),
                (x, y),
                (x + 6, y - 16),
                (x + 12, y),
                (x + 20, y - 12),
                (x + 20, y + 14),
            ],
            fill=lit,
        )
    elif theme.turn == "pins":
        for x in (box[0] + 4, box[2] - 4):
            draw.ellipse((x - 13, box[3] - 12, x + 13, box[3] + 14), fill=lit)
    elif theme.turn == "arrow":
        x, y = box[0] - 12, (box[1] + box[3]) / 2
        draw.polygon([(x, y - 22), (x + 30, y), (x, y + 22)], fill=lit)


def chips(theme: Theme, draw: ImageDraw.ImageDraw, bet: Box, rng: np.random.Generator) -> None:
    box = _scaled(bet)
    colour = tuple(int(c) for c in rng.integers(60, 240, 3))
    x, y = box[0] - 22, (box[1] + box[3]) / 2
    if theme.chip == "stack":
        for level in range(int(rng.integers(1, 4))):
            draw.ellipse(
                (x - 18, y - 8 - 8 * level, x + 18, y + 14 - 8 * level),
                fill=colour,
                outline=(250, 250, 250),
                width=2,
            )
    elif theme.chip == "flat":
        draw.ellipse((x - 14, y - 14, x + 14, y + 14), fill=colour, outline=(240, 240, 240), width=4)
    elif theme.chip == "pill":
        draw.rounded_rectangle(box, 20, fill=tuple(int(0.6 * c) for c in theme.felt))
    elif theme.chip == "coin":
        draw.ellipse((x - 16, y - 16, x + 16, y + 16), fill=(220, 170, 60), outline=(120, 80, 20), width=4)
        draw.ellipse((x - 8, y - 8, x + 8, y + 8), outline=(120, 80, 20), width=2)
    elif theme.chip == "triple":
        for px, py in ((x - 10, y + 5), (x + 6, y + 5), (x - 2, y - 8)):
            draw.ellipse((px - 9, py - 9, px + 9, py + 9), fill=colour, outline=(250, 250, 250), width=2)
    elif theme.chip == "ingot":
        draw.polygon(
            [(x - 20, y + 10), (x - 12, y - 10), (x + 10, y - 10), (x + 18, y + 10)], fill=(230, 180, 70)
        )
    elif theme.chip == "bead":
        for step in range(3):
            draw.ellipse((x - 18 + 11 * step, y - 6, x - 6 + 11 * step, y + 6), fill=colour)
    elif theme.chip == "slug":
        draw.rounded_rectangle((x - 20, y - 7, x + 16, y + 7), 7, fill=colour, outline=(40, 16, 10), width=2)
    elif theme.chip == "ticket":
        draw.rectangle((x - 18, y - 10, x + 16, y + 10), fill=colour, outline=(250, 246, 230), width=3)
    elif theme.chip == "tower":
        for level in range(4):
            draw.rounded_rectangle((x - 15, y + 8 - 8 * level, x + 15, y + 14 - 8 * level), 3, fill=colour)
    elif theme.chip == "bars":
        for level in range(3):
            draw.rectangle((x - 16, y + 10 - 9 * level, x + 16, y + 16 - 9 * level), fill=colour)


def button_disc(theme: Theme, draw: ImageDraw.ImageDraw, where: Box) -> None:
    x, y = (where[0] + where[2]) * OVER / 2, (where[1] + where[3]) * OVER / 2
    face = font(theme.bold, 26)
    round_box = (x - 24, y - 24, x + 24, y + 24)
    if theme.button == "disc":
        draw.ellipse(round_box, fill=(250, 250, 250), outline=(120, 120, 120), width=4)
        draw.text((x, y), "D", font=face, fill=(20, 20, 20), anchor="mm")
    elif theme.button == "ring":
        draw.ellipse(round_box, fill=(230, 180, 40), outline=(255, 240, 180), width=6)
        draw.text((x, y), "D", font=face, fill=(60, 30, 0), anchor="mm")
    elif theme.button == "square":
        draw.rounded_rectangle(round_box, 8, fill=(30, 40, 60))
        draw.text((x, y), "D", font=face, fill=(255, 255, 255), anchor="mm")
    elif theme.button == "star":
        points = []
        for corner in range(10):
            reach = 26 if corner % 2 == 0 else 12
            points.append(
                (x + reach * math.sin(corner * math.pi / 5), y - reach * math.cos(corner * math.pi / 5))
            )
        draw.polygon(points, fill=(255, 214, 80))
    elif theme.button == "tag":
        draw.rounded_rectangle((x - 28, y - 16, x + 28, y + 16), 14, fill=(230, 60, 60))
        draw.text((x, y), "BTN", font=font(theme.bold, 20), fill=(255, 255, 255), anchor="mm")
    elif theme.button == "wedge":
        draw.polygon(
            [(x - 24, y - 18), (x + 24, y - 18), (x, y + 26)], fill=(250, 200, 90), outline=(90, 40, 10)
        )
    elif theme.button == "hexagon":
        around = [
            (x + 26 * math.cos(corner * math.pi / 3), y + 26 * math.sin(corner * math.pi / 3))
            for corner in range(6)
        ]
        draw.polygon(around, fill=(250, 246, 230), outline=(90, 70, 30))
        draw.text((x, y), "B", font=face, fill=(150, 60, 20), anchor="mm")
    elif theme.button == "cross":
        draw.rectangle((x - 9, y - 26, x + 9, y + 26), fill=(250, 250, 250), outline=(90, 20, 30))
        draw.rectangle((x - 26, y - 9, x + 26, y + 9), fill=(250, 250, 250))
        draw.text((x, y), "D", font=face, fill=(190, 20, 40), anchor="mm")
    elif theme.button == "moon":
        draw.ellipse(round_box, fill=(250, 220, 120))
        draw.ellipse((x - 10, y - 26, x + 34, y + 18), fill=theme.felt)
    elif theme.button == "drop":
        draw.ellipse((x - 20, y - 10, x + 20, y + 26), fill=(246, 246, 250))
        draw.polygon([(x - 15, y - 2), (x, y - 30), (x + 15, y - 2)], fill=(246, 246, 250))
        draw.text((x, y + 8), "D", font=face, fill=(10, 60, 70), anchor="mm")
    elif theme.button == "diamond":
        draw.polygon(
            [(x, y - 28), (x + 26, y), (x, y + 28), (x - 26, y)], fill=(250, 250, 246), outline=(60, 30, 20)
        )
        draw.text((x, y), "DB", font=font(theme.bold, 22), fill=(150, 30, 20), anchor="mm")
    elif theme.button == "flag":
        draw.rectangle((x - 22, y - 24, x - 17, y + 26), fill=(60, 40, 90))
        draw.polygon([(x - 17, y - 24), (x + 26, y - 10), (x - 17, y + 6)], fill=(250, 130, 30))
    elif theme.button == "crown":
        draw.polygon(
            [
                (x - 24, y + 16),
                (x - 24, y - 16),
                (x - 10, y),
                (x, y - 20),
                (x + 10, y),
                (x + 24, y - 16),
                (x + 24, y + 16),
            ],
            fill=(240, 160, 20),
        )
