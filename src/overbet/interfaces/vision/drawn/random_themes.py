"""Themes by number, no two alike: tables to tune with, so that no rule is made for a handful of them.

Everything of a theme is drawn by lot: seats, felt, plates, deck and back, fonts, words of an empty seat,
the mark of the turn, the button, how amounts are written. Fonts are those that training leaves out.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np

from overbet.errors import ConfigError
from overbet.interfaces.vision.drawn import states as amounts
from overbet.interfaces.vision.drawn.faces import CardDesign, Colour
from overbet.interfaces.vision.drawn.fonts import _files
from overbet.interfaces.vision.drawn.states import AmountStyle
from overbet.interfaces.vision.drawn.theme import Theme

_TEXT = ("SourceSansPro", "Manrope", "HankenGrotesk", "Lato")
_BOLD = ("Bold", "Semibold", "SemiBold", "Medium", "Black", "Demi", "ExtraBold", "Regular", "Roman", "Book")
_PLAIN = ("Regular", "Medium", "Book", "Roman", "Light")
_EMPTY = (
    "Empty", "Seat", "Open", "+", "Sit ?", "Vacant", "Libre", "S'asseoir", "Assis ?", "Place vide",
    "Join table", "Free", "Take seat", "?", "(vide)", "- - -", "Rejoindre !", "SIT IN", "Available",
    "Reserver", "...", "",
)  # fmt: skip
_STYLES = (
    amounts.FRENCH_MONEY, amounts.FRENCH_BB, amounts.FRENCH_CHIPS, amounts.ENGLISH_MONEY,
    amounts.ENGLISH_TRIMMED, amounts.ENGLISH_BB, amounts.ENGLISH_BB_TIGHT, amounts.ENGLISH_CHIPS,
    AmountStyle("£{}", ".", ",", "2", 200),
    AmountStyle("$ {}", ".", ",", "2", 50), AmountStyle("{}", ",", ".", "0", 40_000),
    AmountStyle("{}€", ",", " ", "2", 10), AmountStyle("€ {}", ".", ",", "2", 500),
)  # fmt: skip
_POTS = (
    "Pot: {}",
    "Pot {}",
    "POT : {}",
    "Total pot {}",
    "Total: {}",
    "{}",
    "Le pot : {}",
    "Pot total {}",
    "Main pot: {}",
)
TURNS = (
    "glow",
    "bar",
    "dot",
    "fill",
    "arrow",
    "corner",
    "brackets",
    "ribbon",
    "under",
    "halo",
    "stripe",
    "frame",
)
BUTTONS = ("disc", "ring", "square", "star", "tag", "wedge", "hexagon", "flag", "crown")


@cache
def _fonts(words: tuple[str, ...]) -> tuple[str, ...]:
    found = [f"{family}-{word}" for family in _TEXT for word in words]
    kept = tuple(name for name in found if name in _files())
    if not kept:
        raise ConfigError("no fonts for random themes; pip install 'overbet[vision-train]'")
    return kept


def random_theme(number: int) -> Theme:
    """Return a theme by its number."""
    rng = np.random.default_rng([number, 41])

    def one(of: tuple[str, ...]) -> str:
        return str(of[int(rng.integers(len(of)))])

    def colour(low: int, high: int) -> Colour:
        red, green, blue = (int(v) for v in rng.integers(low, high, 3))
        return red, green, blue

    dark = rng.random() < 0.6
    felt = colour(20, 120) if dark else colour(110, 215)
    room = colour(5, 60) if rng.random() < 0.7 else colour(190, 250)
    plate_light = rng.random() < 0.4
    plate_colour = colour(220, 256) if plate_light else colour(10, 80)
    ink = colour(0, 70) if plate_light else colour(200, 256)
    plate = one(("box", "pill", "round", "notch", "card", "bare", "slant", "tab"))
    if plate == "bare":  # what is written stands on the felt or on the room
        felt = colour(20, 90)
        room = colour(5, 60)
        ink, plate_light = colour(215, 256), False
    seats = int(rng.choice([2, 3, 4, 5, 6, 6, 6, 7, 8, 9]))
    size = (int(rng.integers(900, 1200)), int(rng.integers(640, 800)))
    if seats >= 8:
        size = (max(size[0], 1060), max(size[1], 740))
    font, bold = one(_fonts(_PLAIN)), one(_fonts(_BOLD))
    if bold.endswith(("Regular", "Roman", "Book")) and rng.random() < 0.5:
        bold = font
    deck = _deck(rng, number, one(_fonts(_BOLD)))
    lit = colour(0, 256)
    while max(lit) - min(lit) < 110 or sum(abs(a - b) for a, b in zip(lit, plate_colour)) < 150:
        lit = colour(0, 256)
    card = int(rng.integers(36, 48))
    pick = rng.choice(len(_STYLES), 2, replace=False)
    bold_ink = ink if rng.random() < 0.6 else (colour(0, 90) if plate_light else colour(170, 256))
    return Theme(
        f"random{number}",
        seats,
        size,
        one(("ellipse", "stadium", "octagon", "full", "lens", "hexagon", "crate")),
        room,
        felt,
        colour(20, 200),
        deck,
        tuple(_STYLES[int(n)] for n in pick),
        font,
        bold,
        plate=plate,
        plate_size=(int(rng.integers(108, 128)), int(rng.integers(40, 50))),
        plate_colour=plate_colour,
        ink=ink,
        stack_ink=bold_ink,
        bet_ink=colour(215, 256) if sum(felt) < 360 else colour(0, 50),
        pot_label=one(_POTS),
        pot_with_bets=bool(rng.random() < 0.4),
        pot_below=bool(rng.random() < 0.3),
        empty=one(_EMPTY),
        all_in=one(("All-in", "ALL IN", "Tapis", "All In", "TAPIS", "ALL-IN")),
        turn=one(TURNS),
        turn_colour=lit,
        button=one(BUTTONS),
        chip=one(("stack", "flat", "none", "pill", "coin", "bars", "ticket", "tower")),
        card=(card, int(card * rng.uniform(1.33, 1.45))),
        overlap=float(rng.choice([0.0, 0.0, rng.uniform(0.1, 0.35)])),
        text_px=int(rng.integers(13, 17)),
        radii=(float(rng.uniform(0.4, 0.425)), float(rng.uniform(0.37, 0.39))),
        logo=one(("OVERBET", "", "POKER", "Salle 7")),
    )


def _deck(rng: np.random.Generator, number: int, font: str) -> CardDesign:
    """Return a deck as training draws them, in a font that it leaves out, with a back of its own."""
    from overbet.interfaces.vision.networks.card_pictures import random_design

    design = random_design(rng)
    while len({design.colours[0], design.colours[1]}) < 2:
        design = random_design(rng)
    return replace(design, font=font, font_file="", back=f"random:{9_000_000 + number}")
