"""The themes: sixteen tables that look different: six to train with, eight to tune with, two kept for tests.

A theme says where seats stand, how a plate, a bet, the button and the mark of whose turn it is look,
which deck lies on the table, in which font and how amounts are written. No font, deck or way of marking the
turn of the two `KEPT` themes is used by any other. Ember and glacier were kept for the first measurement,
orchard and quartz for the second, lagoon and canyon for the third; since their results are known they are
themes to tune with.
"""

from __future__ import annotations

from overbet.errors import ConfigError, unknown
from overbet.interfaces.vision.drawn import states as amounts
from overbet.interfaces.vision.drawn.faces import (
    BLUE,
    FOUR_COLOURS,
    GREEN,
    RED,
    TWO_COLOURS,
    CardDesign,
    Mark,
)
from overbet.interfaces.vision.drawn.kept_themes import KEPT_THEMES
from overbet.interfaces.vision.drawn.suits import SuitStyle
from overbet.interfaces.vision.drawn.theme import Theme
from overbet.interfaces.vision.drawn.tuning_themes import TUNE_THEMES


def _corner(size: float = 0.27) -> tuple[Mark, ...]:
    return (Mark("rank", 0.2, 0.18, size), Mark("suit", 0.2, 0.42, 0.18), Mark("suit", 0.66, 0.68, 0.42))


_TRAIN = (
    Theme(
        "green",
        6,
        (960, 660),
        "ellipse",
        (24, 26, 30),
        (24, 104, 62),
        (70, 44, 26),
        CardDesign(_corner(), "Roboto-Bold", back="lattice"),
        (amounts.ENGLISH_MONEY, amounts.ENGLISH_CHIPS),
        turn="glow",
        button="disc",
    ),
    Theme(
        "night",
        9,
        (1120, 760),
        "stadium",
        (10, 11, 14),
        (30, 36, 48),
        (52, 58, 74),
        CardDesign(
            (Mark("rank", 0.34, 0.3, 0.42), Mark("suit", 0.64, 0.72, 0.38)),
            "Roboto-Black",
            colours=FOUR_COLOURS,
            filled="all",
            ink=(255, 255, 255),
            border=(240, 240, 240),
            back="stripes",
            back_colours=(((40, 44, 60)), (70, 78, 104)),
            suits=SuitStyle(1, 1.0, 0.15),
        ),
        (amounts.ENGLISH_BB, amounts.FRENCH_BB),
        plate="pill",
        plate_colour=(44, 50, 64),
        turn="bar",
        turn_colour=(70, 220, 140),
        button="ring",
        chip="none",
        pot_label="Total pot : {}",
        pot_with_bets=True,
        plate_size=(112, 40),
        card=(36, 50),
        text_px=13,
        empty="Open seat",
        radii=(0.425, 0.39),
    ),
    Theme(
        "paper",
        2,
        (860, 600),
        "full",
        (226, 224, 216),
        (206, 214, 204),
        (150, 150, 140),
        CardDesign(
            (Mark("rank", 0.5, 0.3, 0.4), Mark("suit", 0.5, 0.74, 0.36)),
            "DejaVuSans",
            radius=0.06,
            suits=SuitStyle(0, 0.95, -0.1),
            back="dots",
            back_colours=((60, 90, 150), (220, 226, 240)),
        ),
        (amounts.FRENCH_MONEY, amounts.FRENCH_CHIPS),
        "DejaVuSans",
        "DejaVuSans",
        plate_colour=(250, 250, 246),
        ink=(40, 40, 40),
        stack_ink=(20, 20, 20),
        bet_ink=(30, 30, 30),
        pot_label="Pot {}",
        turn="dot",
        turn_colour=(230, 60, 40),
        button="square",
        chip="flat",
        card=(46, 64),
        empty="Libre",
        all_in="Tapis",
        logo="",
        pot_below=True,
    ),
    Theme(
        "spin",
        3,
        (900, 640),
        "octagon",
        (40, 18, 52),
        (92, 36, 110),
        (200, 160, 60),
        CardDesign(
            (Mark("rank", 0.26, 0.2, 0.3), Mark("suit", 0.72, 0.2, 0.24), Mark("suit", 0.5, 0.64, 0.46)),
            "Roboto-Medium",
            colours=TWO_COLOURS,
            court=True,
            suits=SuitStyle(2, 0.95),
            back="medal",
            back_colours=((30, 30, 40), (210, 170, 70)),
        ),
        (amounts.FRENCH_CHIPS, amounts.ENGLISH_CHIPS),
        plate="round",
        plate_colour=(58, 24, 70),
        turn="fill",
        turn_colour=(224, 150, 40),
        button="star",
        chip="pill",
        overlap=0.35,
        empty="Place libre",
        stack_ink=(255, 255, 255),
        all_in="ALL-IN",
    ),
    Theme(
        "classic",
        8,
        (1060, 740),
        "stadium",
        (54, 60, 66),
        (128, 24, 34),
        (40, 26, 18),
        CardDesign(
            (
                Mark("rank", 0.17, 0.14, 0.2),
                Mark("suit", 0.17, 0.32, 0.15),
                Mark("rank", 0.83, 0.86, 0.2),
                Mark("suit", 0.5, 0.52, 0.4),
            ),
            "Roboto-Regular",
            radius=0.08,
            suits=SuitStyle(0, 1.05, 0.1, 1.3),
            court=False,
            back="rings",
            back_colours=((24, 60, 120), (230, 230, 230)),
            squeeze=0.85,
        ),
        (amounts.ENGLISH_MONEY, amounts.ENGLISH_TRIMMED),
        plate="box",
        plate_colour=(240, 240, 236),
        ink=(20, 20, 20),
        stack_ink=(10, 60, 20),
        turn="glow",
        turn_colour=(90, 200, 255),
        button="disc",
        chip="stack",
        pot_label="POT {}",
        empty="Sit here",
        plate_size=(108, 42),
        card=(42, 59),
        radii=(0.42, 0.385),
    ),
    Theme(
        "slate",
        5,
        (940, 680),
        "ellipse",
        (236, 238, 242),
        (70, 110, 150),
        (210, 214, 220),
        CardDesign(
            (Mark("rank", 0.3, 0.26, 0.36), Mark("suit", 0.72, 0.26, 0.26), Mark("rank", 0.7, 0.76, 0.3)),
            "Roboto-Bold",
            colours=(GREEN, (230, 120, 20), RED, BLUE),
            paper=(34, 38, 46),
            border=(20, 22, 26),
            suits=SuitStyle(1, 0.92),
            back="stripes",
            back_colours=((200, 80, 60), (236, 200, 190)),
            ten="T",
        ),
        (amounts.ENGLISH_BB_TIGHT, amounts.FRENCH_MONEY),
        "Roboto-Regular",
        "Roboto-Bold",
        plate="pill",
        plate_colour=(250, 250, 252),
        ink=(30, 34, 40),
        stack_ink=(30, 34, 40),
        turn="bar",
        turn_colour=(40, 120, 240),
        button="tag",
        chip="flat",
        pot_with_bets=True,
        overlap=0.2,
    ),
)

TRAINING = tuple(theme.name for theme in _TRAIN)
TUNING = tuple(theme.name for theme in TUNE_THEMES)
KEPT = tuple(theme.name for theme in KEPT_THEMES)
THEMES = {theme.name: theme for theme in (*_TRAIN, *TUNE_THEMES, *KEPT_THEMES)}


def theme_named(name: str) -> Theme:
    """Return a theme."""
    if name not in THEMES:
        raise ConfigError(unknown("theme", name, THEMES))
    return THEMES[name]
