"""Backs that no deck has: tiles repeated over the card, large shapes, suits, frames, emblems, soft shades."""

from __future__ import annotations

import math

import numpy as np
from PIL import Image, ImageDraw, ImageFilter

from overbet.interfaces.vision.drawn.fonts import font_at, training_fonts
from overbet.interfaces.vision.drawn.suits import SuitStyle, draw_suit

Colour = tuple[int, int, int]


def random_back(rng: np.random.Generator, size: tuple[int, int]) -> Image.Image:
    """Return a back: a ground, perhaps large shapes, an emblem, light from one end, a frame."""
    main, other, third = _colours(rng)
    how = rng.random()
    if how < 0.5:
        picture = _tiles(rng, size, main, other, third)
    elif how < 0.7:
        picture = _diamonds(rng, size, main, other, third)
    elif how < 0.82:
        picture = _strewn(rng, size, main, other, third)
    elif how < 0.92:
        picture = _rays(rng, size, main, other)
    else:
        picture = _clouds(rng, size, main, other)
    width, height = size
    draw = ImageDraw.Draw(picture)
    if rng.random() < 0.3:
        reach, tall = rng.uniform(0.15, 0.4) * width, rng.uniform(0.15, 0.4) * width
        box = (width / 2 - reach, height / 2 - tall, width / 2 + reach, height / 2 + tall)
        shape = int(rng.integers(3))
        if shape == 0:
            draw.ellipse(box, fill=other)
        elif shape == 1:
            draw.rectangle(box, fill=other)
        else:
            x, y = width / 2, height / 2
            draw.polygon([(x, box[1]), (box[2], y), (x, box[3]), (box[0], y)], fill=other)
    if rng.random() < 0.3:  # an emblem: a few letters, or a suit
        _emblem(rng, draw, size, third)
    if rng.random() < 0.3:  # lighter at one end
        veil = np.linspace(rng.uniform(0.5, 1.0), rng.uniform(0.8, 1.3), height)[:, None, None]
        shaded = np.clip(np.asarray(picture) * veil, 0, 255).astype(np.uint8)
        picture = Image.fromarray(shaded)
    if rng.random() < 0.7:
        _frame(rng, ImageDraw.Draw(picture), size, (other, third, (250, 250, 250)))
    return picture


def _colours(rng: np.random.Generator) -> tuple[Colour, Colour, Colour]:
    """Return three colours: any, or a light shape on a strong ground as most real backs have."""

    def any_of(low: int, high: int) -> Colour:
        red, green, blue = (int(v) for v in rng.integers(low, high, 3))
        return red, green, blue

    if rng.random() < 0.55:
        return any_of(0, 256), any_of(0, 256), any_of(0, 256)
    ground, light = any_of(0, 190), any_of(195, 256)
    return (ground, light, any_of(0, 256)) if rng.random() < 0.6 else (light, ground, any_of(0, 256))


def _tiles(
    rng: np.random.Generator, size: tuple[int, int], main: Colour, other: Colour, third: Colour
) -> Image.Image:
    """Return lines, bands or shapes repeated over the card."""
    width, height = size
    cell = int(rng.integers(4, max(6, width // 2)))
    tall = int(cell * rng.uniform(0.6, 1.6)) + 2
    tile = Image.new("RGB", (cell, tall), main)
    draw = ImageDraw.Draw(tile)
    for _ in range(int(rng.integers(1, 4))):
        x, y, u, v = (float(w) for w in rng.uniform(-0.2, 1.2, 4) * (cell, tall, cell, tall))
        fill, wide = (other, third)[int(rng.integers(2))], int(rng.integers(1, max(2, cell // 4) + 1))
        box = (min(x, u), min(y, v), max(x, u) + 1, max(y, v) + 1)
        what = int(rng.integers(6))
        if what == 0:
            draw.line([(0, y), (cell / 2, v), (cell, y)], fill=fill, width=wide)
        elif what == 1:
            draw.line([(x, y), (u, v)], fill=fill, width=wide)
        elif what == 2:
            draw.rectangle(box, fill=fill)
        elif what == 3:
            draw.ellipse(box, outline=fill, width=wide)
        elif what == 4:
            draw.polygon([(x, y), (u, v), (cell - x, v), (cell - u, y)], fill=fill)
        else:
            draw.line([(0, y), (cell, y)], fill=fill, width=wide)
    picture = Image.new("RGB", size, main)
    for top in range(0, height, tall):
        for left in range(0, width, cell):
            flip = (left // cell) % 2 == 1
            held = tile.transpose(Image.Transpose.FLIP_LEFT_RIGHT) if flip else tile
            picture.paste(held, (left, top))
    return picture


def _diamonds(
    rng: np.random.Generator, size: tuple[int, int], main: Colour, other: Colour, third: Colour
) -> Image.Image:
    """Return diamonds or pointed ovals in rows, from one to five across, with or without lines between."""
    width, height = size
    over = 2
    picture = Image.new("RGB", (width * over, height * over), main)
    draw = ImageDraw.Draw(picture)
    across, down = int(rng.integers(1, 6)), int(rng.integers(1, 7))
    wide, tall = width * over / across, height * over / down
    fat, rounded = rng.uniform(0.35, 1.0), rng.random() < 0.25
    skip, shifted = rng.random() < 0.4, rng.random() < 0.7
    for row in range(-1, 2 * down + 2):
        for column in range(-1, across + 2):
            if skip and (row + column) % 2:
                continue
            x = (column + (0.5 if shifted and row % 2 else 0.0)) * wide
            y = row * tall / (2 if shifted else 1)
            a, b = fat * wide / 2, fat * tall / 2
            fill = third if not skip and (row + column) % 3 == 0 and rng.random() < 0.1 else other
            if rounded:
                draw.ellipse((x - a, y - b, x + a, y + b), fill=fill)
            else:
                draw.polygon([(x, y - b), (x + a, y), (x, y + b), (x - a, y)], fill=fill)
    if rng.random() < 0.5:
        thick = int(rng.integers(1, 4))
        for column in range(-2 * across, 2 * across + 1):
            x = column * wide
            draw.line((x, 0, x + wide * down, height * over), fill=third, width=thick)
            draw.line((x + wide * down, 0, x, height * over), fill=third, width=thick)
    return picture.resize(size, Image.Resampling.LANCZOS)


def _strewn(
    rng: np.random.Generator, size: tuple[int, int], main: Colour, other: Colour, third: Colour
) -> Image.Image:
    """Return suits or letters in rows and columns."""
    width, height = size
    picture = Image.new("RGB", size, main)
    draw = ImageDraw.Draw(picture)
    across, down = int(rng.integers(1, 5)), int(rng.integers(1, 6))
    style, one = SuitStyle(int(rng.integers(3))), int(rng.integers(5))
    fonts = training_fonts()
    tall = rng.uniform(0.4, 0.9) * min(width / across, height / down)
    face = font_at(str(fonts[rng.integers(len(fonts))]), max(8, int(tall)))
    letter = str(rng.choice(list("OVERBTPKSXWAQJ0&*+")))
    shifted = rng.random() < 0.5
    for row in range(down):
        for column in range(across):
            x = (column + 0.5 + (0.5 if shifted and row % 2 else 0.0)) * width / across
            y = (row + 0.5) * height / down
            fill = other if (row + column) % 2 else third if rng.random() < 0.05 else other
            if one == 4:
                draw.text((x, y), letter, font=face, fill=fill, anchor="mm")
            else:
                draw_suit(
                    draw, (one + row + column) % 4 if rng.random() < 0.02 else one, (x, y), tall, fill, style
                )
    return picture


def _rays(rng: np.random.Generator, size: tuple[int, int], main: Colour, other: Colour) -> Image.Image:
    """Return rays, rings or boxes around a point."""
    width, height = size
    picture = Image.new("RGB", size, main)
    draw = ImageDraw.Draw(picture)
    x, y = width * rng.uniform(0.3, 0.7), height * rng.uniform(0.3, 0.7)
    what, far = int(rng.integers(3)), width + height
    if what == 0:
        count = int(rng.integers(4, 20))
        for ray in range(count):
            turn = 2 * math.pi * ray / count
            reach = rng.uniform(0.3, 0.6) * math.pi / count
            ends = [(x + math.cos(turn + o) * far, y + math.sin(turn + o) * far) for o in (-reach, reach)]
            draw.polygon([(x, y), *ends], fill=other)
        return picture
    step = float(rng.uniform(5, width / 3))
    thick = max(1, int(step * rng.uniform(0.2, 0.6)))
    for ring in range(int(far / step), 0, -1):
        reach = ring * step
        box = (x - reach, y - reach, x + reach, y + reach)
        if what == 1:
            draw.ellipse(box, outline=other, width=thick)
        else:
            draw.rectangle(box, outline=other, width=thick)
    return picture


def _clouds(rng: np.random.Generator, size: tuple[int, int], main: Colour, other: Colour) -> Image.Image:
    """Return two colours that run into each other: a photograph, a marbled paper."""
    rows, columns = (int(v) for v in rng.integers(2, 9, 2))
    field = Image.fromarray(rng.integers(0, 256, (rows, columns), dtype=np.uint8))
    mask = field.resize(size, Image.Resampling.BICUBIC)
    if rng.random() < 0.5:
        mask = mask.point(lambda v: 255 if v > 128 else 0).filter(ImageFilter.GaussianBlur(1))
    return Image.composite(Image.new("RGB", size, other), Image.new("RGB", size, main), mask)


def _emblem(rng: np.random.Generator, draw: ImageDraw.ImageDraw, size: tuple[int, int], fill: Colour) -> None:
    width, height = size
    middle, tall = (width / 2, height / 2), int(rng.uniform(0.2, 0.6) * height)
    if rng.random() < 0.5:
        fonts = training_fonts()
        face = font_at(str(fonts[rng.integers(len(fonts))]), max(8, tall))
        text = "".join(rng.choice(list("OVERBTPKSXW"), int(rng.integers(1, 3))))
        draw.text(middle, text, font=face, fill=fill, anchor="mm")
    else:
        draw_suit(draw, int(rng.integers(4)), middle, tall, fill, SuitStyle(int(rng.integers(3))))


def _frame(
    rng: np.random.Generator, draw: ImageDraw.ImageDraw, size: tuple[int, int], colours: tuple[Colour, ...]
) -> None:
    width, height = size
    edge, thick = colours[int(rng.integers(3))], int(rng.integers(1, 7))
    draw.rectangle((0, 0, width - 1, height - 1), outline=edge, width=thick)
    if rng.random() < 0.3:
        inset = thick + int(rng.integers(1, 5))
        draw.rectangle(
            (inset, inset, width - 1 - inset, height - 1 - inset),
            outline=colours[int(rng.integers(3))],
            width=int(rng.integers(1, 4)),
        )
