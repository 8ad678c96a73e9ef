"""A table drawn in a theme, and where everything on it lies.

Shapes are drawn twice as large and scaled down; text and cards are drawn as large as they are shown, as
programs do. `layout` says where things stand before anything is drawn; profiles of the themes are made of it.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from PIL import Image, ImageDraw

from overbet.interfaces.vision.drawn.faces import card_back, card_face, rounded
from overbet.interfaces.vision.drawn.fonts import font
from overbet.interfaces.vision.drawn.ornaments import OVER, Box, button_disc, chips, plate
from overbet.interfaces.vision.drawn.states import BACK, ShownState
from overbet.interfaces.vision.drawn.theme import Theme


class SeatPlaces(NamedTuple):
    """Where the things of a seat are."""

    cards: tuple[Box, Box]
    plate: Box
    stack: Box
    bet: Box
    button: Box
    turn: Box


class TablePlaces(NamedTuple):
    """Where everything is."""

    seats: tuple[SeatPlaces, ...]
    board: tuple[Box, ...]
    pot: Box


def _around(x: float, y: float, width: float, height: float) -> Box:
    return (x - width / 2, y - height / 2, x + width / 2, y + height / 2)


def layout(theme: Theme) -> TablePlaces:
    """Return where everything stands on a theme's table."""
    width, height = theme.size
    cx, cy = width / 2, height / 2 + 6
    rx, ry = theme.radii[0] * width, theme.radii[1] * height
    line = 1.65 * theme.text_px
    seats = []
    for seat in range(theme.seats):
        angle = math.pi / 2 + 2 * math.pi * seat / theme.seats
        x, y = cx + rx * math.cos(angle), cy + ry * math.sin(angle)
        wide, high = theme.plate_size
        card = theme.hero_card if seat == 0 else theme.card
        x = min(max(x, 10 + wide / 2), width - 10 - wide / 2)
        y = min(max(y, 12 + high / 2 + 0.9 * theme.card[1]), height - 14 - high / 2)
        plate = _around(x, y, wide, high)
        gap = 3.0 if not theme.overlap else -theme.overlap * card[0]
        left, top = x - card[0] - gap / 2, plate[1] - 0.86 * card[1]
        first = (left, top, left + card[0] + min(gap, 0.0), top + 0.86 * card[1])
        second = (left + card[0] + gap, top, left + 2 * card[0] + gap, top + 0.86 * card[1])
        stack = _around(x, plate[3] - 0.27 * high, wide - 12, 0.5 * high)
        bx, by = cx + (x - cx) * theme.bet_at, cy + (y - cy) * theme.bet_at
        if seat == 0:
            by = top - 0.85 * line
        elif y < cy - 0.25 * height:
            by = max(by, plate[3] + 0.9 * line)
        bet = _around(bx, by, 7.4 * theme.text_px, line)
        dx, dy = cx - x, cy - y
        long = math.hypot(dx, dy)
        ux, uy = dx / long, dy / long
        reach = (1 - theme.button_at) * long
        gx, gy = x + ux * reach - uy * (theme.side + 14), y + uy * reach + ux * (theme.side + 14)
        if seat == 0:
            gx, gy = x + 1.35 * theme.hero_card[0] + 26, top + 20
        elif abs(gx - bx) < 0.5 * (bet[2] - bet[0]) + 16 and abs(gy - by) < 24:
            gy = by + (30 if by < cy + 80 else -30)
        button = _around(gx, gy, 34, 34)
        turn = (plate[0] - 7, plate[1] - 7, plate[2] + 7, plate[3] + 9)
        seats.append(SeatPlaces((first, second), plate, stack, bet, button, turn))
    wide, high = theme.board_card
    step = wide + 5
    board = tuple(_around(cx + (place - 2) * step, cy - 0.02 * height, wide, high) for place in range(5))
    pot_y = board[0][3] + 0.95 * line if theme.pot_below else board[0][1] - 0.95 * line
    return TablePlaces(tuple(seats), board, _around(cx, pot_y, 15 * theme.text_px, line))


def draw_table(theme: Theme, state: ShownState, seed: int = 0) -> Image.Image:
    """Return the picture of a state; `seed` gives names and chips."""
    rng = np.random.default_rng([seed, 77])
    places = layout(theme)
    width, height = theme.size
    big = Image.new("RGB", (width * OVER, height * OVER), theme.room)
    _felt(theme, big)
    draw = ImageDraw.Draw(big)
    for seat, place in enumerate(places.seats):
        plate(theme, draw, place, state.turn == seat, state.occupied[seat])
        if state.bets[seat]:
            chips(theme, draw, place.bet, rng)
        if state.button == seat:
            button_disc(theme, draw, place.button)
    picture = big.resize(theme.size, Image.Resampling.LANCZOS)
    draw = ImageDraw.Draw(picture)
    if theme.logo:
        mid = ((places.board[0][0] + places.board[4][2]) / 2, places.board[0][3] + 3.6 * theme.text_px)
        tone = tuple(min(255, int(1.22 * c + 8)) for c in theme.felt)
        draw.text(mid, theme.logo, font=font(theme.bold, int(1.9 * theme.text_px)), fill=tone, anchor="mm")
    for where, card in zip(places.board, state.board):
        _card(theme, picture, where, card)
    if state.pot:
        text = theme.pot_label.format(state.style.text(state.pot))
        _text(draw, theme.bold, theme.text_px + 1, places.pot, text, theme.bet_ink)
    for seat, place in enumerate(places.seats):
        held = state.hole[seat]
        if held is not None:
            size = theme.hero_card if seat == 0 else theme.card
            for which, box in enumerate(place.cards):
                whole = (box[0], box[1], box[0] + size[0], box[1] + size[1])
                _card(theme, picture, whole, -1 if held == BACK else held[which], place.plate[1])
        if state.bets[seat]:
            _text(
                draw, theme.bold, theme.text_px, place.bet, state.style.text(state.bets[seat]), theme.bet_ink
            )
        _names(theme, draw, place, state, seat, rng)
    return picture


_NAMES = (
    "lea_77",
    "Marc",
    "river.rat",
    "Zoé",
    "bigslick",
    "nuts2",
    "Olaf",
    "Kim",
    "tex",
    "moose",
    "A. Petit",
    "dr_fold",
)


def _names(
    theme: Theme,
    draw: ImageDraw.ImageDraw,
    place: SeatPlaces,
    state: ShownState,
    seat: int,
    rng: np.random.Generator,
) -> None:
    name = str(rng.choice(_NAMES))
    if not state.occupied[seat]:
        _text(draw, theme.font, theme.text_px, place.stack, theme.empty, theme.ink)
        return
    top = (place.plate[0], place.plate[1], place.plate[2], place.stack[1] + 1)
    _text(draw, theme.font, theme.text_px - 2, top, name, theme.ink)
    text = state.style.text(state.stacks[seat]) if state.stacks[seat] else theme.all_in
    _text(draw, theme.bold, theme.text_px, place.stack, text, theme.stack_ink)


def _text(
    draw: ImageDraw.ImageDraw, face: str, size: int, box: Box, text: str, ink: tuple[int, int, int]
) -> None:
    middle = ((box[0] + box[2]) / 2, (box[1] + box[3]) / 2)
    draw.text(middle, text, font=font(face, size), fill=ink, anchor="mm")


def _card(theme: Theme, picture: Image.Image, box: Box, card: int, clip: float | None = None) -> None:
    size = (round(box[2] - box[0]), round(box[3] - box[1]))
    drawn = card_back(theme.deck, size) if card < 0 else card_face(theme.deck, card, size)
    mask = rounded(size, theme.deck.radius)
    if clip is not None and box[3] > clip:
        keep = round(clip - box[1])
        drawn, mask = drawn.crop((0, 0, size[0], keep)), mask.crop((0, 0, size[0], keep))
    picture.paste(drawn, (round(box[0]), round(box[1])), mask)


def _felt(theme: Theme, big: Image.Image) -> None:
    width, height = big.size
    draw = ImageDraw.Draw(big)
    rx, ry = (theme.radii[0] + 0.015) * width, (theme.radii[1] + 0.0) * height
    cx, cy = width / 2, height / 2 + 6 * OVER
    for grow, colour in ((26 * OVER, theme.rail), (0, theme.felt)):
        box = (cx - rx - grow, cy - ry - grow, cx + rx + grow, cy + ry + grow)
        if theme.shape == "ellipse":
            draw.ellipse(box, fill=colour)
        elif theme.shape == "stadium":
            draw.rounded_rectangle(box, ry + grow, fill=colour)
        elif theme.shape == "octagon":
            cut = 0.3 * ry
            left, top, right, bottom = box
            draw.polygon(
                [
                    (left + cut, top),
                    (right - cut, top),
                    (right, top + cut),
                    (right, bottom - cut),
                    (right - cut, bottom),
                    (left + cut, bottom),
                    (left, bottom - cut),
                    (left, top + cut),
                ],
                fill=colour,
            )
        elif theme.shape == "lens":
            angles = np.linspace(0, 2 * np.pi, 90)
            px = cx + (rx + grow) * np.sign(np.cos(angles)) * np.abs(np.cos(angles)) ** 0.6
            py = cy + (ry + grow) * np.sin(angles)
            draw.polygon([(float(x), float(y)) for x, y in zip(px, py)], fill=colour)
        elif theme.shape == "hexagon":
            left, top, right, bottom = box
            near = 0.16 * (right - left)
            draw.polygon(
                [
                    (left, cy),
                    (left + near, top),
                    (right - near, top),
                    (right, cy),
                    (right - near, bottom),
                    (left + near, bottom),
                ],
                fill=colour,
            )
        elif theme.shape == "pebble":
            angles = np.linspace(0, 2 * np.pi, 120)
            wave = 1.0 + 0.03 * np.cos(3 * angles)
            px, py = cx + (rx + grow) * np.cos(angles) * wave, cy + (ry + grow) * np.sin(angles) * wave
            draw.polygon([(float(x), float(y)) for x, y in zip(px, py)], fill=colour)
        elif theme.shape == "bean":
            angles = np.linspace(0, 2 * np.pi, 120)
            wave = 1.0 + 0.025 * np.cos(2 * angles) - 0.02 * np.sin(5 * angles)
            px, py = cx + (rx + grow) * np.cos(angles) * wave, cy + (ry + grow) * np.sin(angles) * wave
            draw.polygon([(float(x), float(y)) for x, y in zip(px, py)], fill=colour)
        elif theme.shape == "ticketed":
            draw.rounded_rectangle(box, 30 * OVER, fill=colour, corners=(True, False, False, True))
        elif theme.shape == "slab":
            draw.rectangle(box, fill=colour)
        elif theme.shape == "crate":
            draw.rounded_rectangle(box, 60 * OVER + grow, fill=colour)
        else:
            draw.rectangle((0, 0, width, height), fill=theme.felt)
            draw.rounded_rectangle((14, 14, width - 14, height - 14), 60, outline=theme.rail, width=6)
    shade = np.linspace(1.12, 0.86, height)[:, None, None]
    big.paste(Image.fromarray(np.clip(np.asarray(big) * shade, 0, 255).astype(np.uint8)))
