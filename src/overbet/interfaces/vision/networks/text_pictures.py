"""Lines of text to train the reader of amounts: numbers as sites write them, words around them, nothing
at all.

Letters are small and accents are taken off; blanks are left out of what is to be read, since sites put thin,
broad and no blanks into the same number.
"""

from __future__ import annotations

import unicodedata

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw

from overbet.interfaces.vision.drawn.fonts import font_at, training_fonts
from overbet.interfaces.vision.needs import cv2
from overbet.interfaces.vision.networks.disturbing import disturbed
from overbet.interfaces.vision.networks.layers import LETTERS, MOST_COLUMNS, TEXT_ROWS

Bytes = npt.NDArray[np.uint8]
_WORDS = (
    "Empty",
    "Seat open",
    "Open seat",
    "Sit here",
    "Libre",
    "Place libre",
    "Vide",
    "Join",
    "All-in",
    "ALL IN",
    "all in",
    "Tapis",
    "TAPIS",
    "Allin",
    "Sitting out",
    "Absent",
    "Fold",
    "Check",
    "Call",
    "Raise",
    "Waiting",
    "Away",
    "Bet",
    "Free",
    "Take a seat",
    "Sit down",
    "Available",
    "No player",
    "Disponible",
    "S'asseoir",
    "Prendre place",
    "Rejoindre",
    "Inoccupé",
    "Couché",
    "Parole",
    "Suivre",
    "Relance",
    "Winner",
    "Posts SB",
    "Time",
    "Buy in",
    "Reserved",
    "Siège",
)
_SYLLABLES = (
    "as",
    "sis",
    "va",
    "cant",
    "o",
    "pen",
    "li",
    "bre",
    "sie",
    "ge",
    "pla",
    "ce",
    "join",
    "er",
    "su",
)
_SIGNS = (
    "?",
    "?",
    " ?",
    " ?",
    "!",
    " !",
    "...",
    "…",
    " +",
    "+ ",
    "- ",
    " -",
    "#",
    "(%s)",
    "[%s]",
    "« %s »",
    "· ",
)
_LABELS = (
    "Pot",
    "POT",
    "Pot:",
    "Pot :",
    "Total pot",
    "Total pot:",
    "Total",
    "Total Pot :",
    "Pot total",
    "Main pot:",
    "Bet",
    "Mise",
    "pot",
)


def folded(text: str) -> str:
    """Return a text as the network spells it: small letters, no accents, no blanks."""
    plain = unicodedata.normalize("NFKD", text).lower()
    return "".join(letter for letter in plain if letter in LETTERS)


def random_number(rng: np.random.Generator) -> str:
    """Return a number as some site writes it."""
    digits = int(rng.integers(1, 7))
    whole = int(rng.integers(10 ** (digits - 1) if digits > 1 else 0, 10**digits))
    point, thousands = [
        (",", " "),
        (".", ","),
        (",", "."),
        (".", " "),
        (".", ""),
        (",", ""),
        (".", "'"),
        (",", " "),
    ][rng.integers(8)]
    text = f"{whole:,}".replace(",", thousands)
    draw = rng.random()
    if draw < 0.4:
        text += f"{point}{int(rng.integers(100)):02d}"
    elif draw < 0.7:
        text += f"{point}{int(rng.integers(10))}"
    return text


def random_words(rng: np.random.Generator) -> str:
    """Return what a seat or a box says without a number: words, often with a sign that is never spelled."""
    if rng.random() < 0.6:
        word = str(rng.choice(_WORDS))
    else:
        parts = rng.choice(_SYLLABLES, int(rng.integers(1, 5)))
        word = "".join(parts).capitalize()
        if rng.random() < 0.3:
            word += " " + "".join(rng.choice(_SYLLABLES, int(rng.integers(1, 3))))
    if rng.random() < 0.35:
        sign = str(rng.choice(_SIGNS))
        word = sign % word if "%s" in sign else sign + word if sign.endswith(" ") else word + sign
    return word if rng.random() < 0.7 else word.upper()


def random_text(rng: np.random.Generator) -> str:
    """Return what may stand in a box."""
    draw = rng.random()
    if draw < 0.07:
        return ""
    if draw < 0.17:
        return random_words(rng)
    if draw < 0.2:
        return "".join(
            rng.choice(
                list("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"),
                int(rng.integers(2, 9)),
            )
        )
    number = random_number(rng)
    pattern = str(
        rng.choice(
            [
                "{}",
                "{}",
                "{} €",
                "{}€",
                "€{}",
                "€ {}",
                "${}",
                "${}",
                "$ {}",
                "{} $",
                "£{}",
                "{} BB",
                "{} BB",
                "{} bb",
                "{}bb",
                "{}BB",
                "{} bb",
                "{} chips",
            ]
        )
    )
    text = pattern.format(number)
    if rng.random() < 0.25:
        text = f"{rng.choice(_LABELS)} {text}"
    return text


def line_picture(rng: np.random.Generator) -> tuple[Bytes, str]:
    """Return a box with a text in grey, `TEXT_ROWS` high, and what is to be read."""
    text = random_text(rng)
    fonts = training_fonts()
    size = int(rng.integers(10, 30))
    face = font_at(str(fonts[rng.integers(len(fonts))]), size)
    left, top, right, bottom = face.getbbox(text or "0", anchor="ls")
    wide = max(int(right - left), 4)
    height = max(int(size * rng.uniform(1.15, 2.1)), int(bottom - top) + 2)
    margin = rng.uniform(0.15, 2.4) * size
    width = int(wide + 2 * margin)
    paper = int(rng.integers(0, 256))
    contrast = int(rng.integers(45, 230)) * (1 if paper < 128 else -1)
    if rng.random() < 0.15:
        contrast = -contrast
    ink = int(np.clip(paper + contrast, 0, 255))
    if abs(ink - paper) < 45:
        ink = 255 if paper < 128 else 0
    picture = Image.new("L", (width, height), paper)
    draw = ImageDraw.Draw(picture)
    _surroundings(draw, rng, width, height, margin, paper)
    x = margin + rng.uniform(-0.9, 0.9) * min(margin - 1, size) if margin > 1 else 1.0
    y = height / 2 + 0.36 * size + rng.uniform(-0.5, 0.5) * max(height - 1.1 * size, 0)
    if text:
        if rng.random() < 0.12:
            draw.text((x + 1, y + 1), text, font=face, fill=0 if ink > paper else 255, anchor="ls")
        draw.text((x, y), text, font=face, fill=ink, anchor="ls", stroke_width=int(rng.random() < 0.04))
    held: Bytes = np.asarray(picture)
    scale = rng.uniform(0.62, 1.3)
    if scale < 0.95 and size * scale >= 8.5:
        held = cv2.resize(held, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    held = disturbed(np.ascontiguousarray(held), rng, 0.8)
    if rng.random() < 0.4:  # a box that is a little askew
        rows, columns = held.shape
        shift = rng.uniform(-0.05, 0.05, 2) * rows
        matrix = np.array([[1, rng.uniform(-0.1, 0.1), 0], [shift[0] / columns, 1, shift[1]]])
        held = cv2.warpAffine(held, matrix, (columns, rows), borderMode=cv2.BORDER_REPLICATE)
    return line_of(held), folded(text)


def _surroundings(
    draw: ImageDraw.ImageDraw, rng: np.random.Generator, width: int, height: int, margin: float, paper: int
) -> None:
    """Draw what else a box may catch: the edge of a plate, a line, a chip beside the text."""
    other = int(np.clip(paper + rng.integers(-70, 71), 0, 255))
    if rng.random() < 0.25:
        draw.rounded_rectangle(
            (int(0.3 * margin), 1, width - int(0.3 * margin), height - 2),
            height // 2,
            fill=other if abs(other - paper) < 30 else None,
            outline=other,
        )
    if rng.random() < 0.2:
        edge = int(rng.integers(1, 4))
        draw.rectangle(
            (0, 0, width, edge) if rng.random() < 0.5 else (0, height - edge, width, height), fill=other
        )
    if rng.random() < 0.15:
        edge = int(rng.integers(1, max(2, int(0.35 * margin))))
        draw.rectangle(
            (0, 0, edge, height) if rng.random() < 0.5 else (width - edge, 0, width, height), fill=other
        )
    if rng.random() < 0.15:
        reach = 0.45 * height
        place = rng.uniform(-0.6 * height, max(0.1, margin - height))
        draw.ellipse(
            (place, height / 2 - reach, place + 2 * reach, height / 2 + reach),
            fill=other,
            outline=255 - other,
        )


def line_of(grey: Bytes) -> Bytes:
    """Return a box of text as the network takes it: `TEXT_ROWS` high, no wider than `MOST_COLUMNS`."""
    rows, columns = grey.shape
    wide = int(np.clip(round(columns * TEXT_ROWS / rows), 16, MOST_COLUMNS))
    how = cv2.INTER_AREA if rows > TEXT_ROWS else cv2.INTER_LINEAR
    return np.asarray(cv2.resize(grey, (wide, TEXT_ROWS), interpolation=how), np.uint8)


def levelled(line: Bytes) -> npt.NDArray[np.float32]:
    """Return a line with its own light and contrast taken out: [row, column] float32."""
    held = line.astype(np.float32)
    found: npt.NDArray[np.float32] = (held - held.mean()) / max(float(held.std()), 10.0)
    return found
