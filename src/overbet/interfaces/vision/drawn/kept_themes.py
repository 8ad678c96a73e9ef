"""The two themes that nothing was trained or tuned with: only the measurement of docs/vision.md uses them.

Their fonts are those of Debian's fonts-paratype, fonts-b612 and fonts-adf-gillius; their
decks, backs, plates, chips, buttons and marks of the turn are those of no other theme.
"""

from __future__ import annotations

from overbet.interfaces.vision.drawn.faces import CardDesign, Mark
from overbet.interfaces.vision.drawn.states import AmountStyle
from overbet.interfaces.vision.drawn.suits import SuitStyle
from overbet.interfaces.vision.drawn.theme import Theme

KEPT_THEMES = (
    Theme(
        "tundra",
        9,
        (1160, 760),
        "bean",
        (222, 228, 236),
        (84, 102, 134),
        (40, 48, 70),
        CardDesign(
            (Mark("rank", 0.26, 0.22, 0.32), Mark("suit", 0.72, 0.24, 0.28), Mark("suit", 0.5, 0.68, 0.4)),
            "PTF75F",
            colours=((16, 120, 64), (30, 70, 200), (196, 20, 40), (20, 20, 26)),
            paper=(255, 253, 250),
            border=(96, 104, 130),
            radius=0.09,
            suits=SuitStyle(2, 1.0, 0.1, 1.2),
            back="leaves",
            back_colours=((30, 60, 64), (210, 226, 214)),
        ),
        (AmountStyle("{} €", ",", " ", "2", 20), AmountStyle("{} BB", ".", ",", "trim", 100)),
        "PTS55F",
        "PTS75F",
        plate="banner",
        plate_colour=(246, 248, 252),
        ink=(60, 70, 100),
        stack_ink=(20, 40, 120),
        bet_ink=(255, 255, 255),
        turn="rails",
        turn_colour=(236, 140, 20),
        button="cross",
        chip="triple",
        pot_label="Pot total : {}",
        empty="Prenez place",
        all_in="ALL-IN",
        card=(38, 54),
        plate_size=(112, 46),
        text_px=15,
        overlap=0.1,
        radii=(0.425, 0.39),
        logo="TUNDRA",
    ),
    Theme(
        "bazaar",
        5,
        (960, 700),
        "ticketed",
        (30, 12, 20),
        (112, 20, 48),
        (222, 176, 90),
        CardDesign(
            (Mark("suit", 0.3, 0.74, 0.36), Mark("rank", 0.42, 0.28, 0.4)),
            "GilliusADF-Bold",
            colours=((34, 34, 40), (204, 36, 30), (204, 36, 30), (34, 34, 40)),
            paper=(250, 238, 214),
            border=(150, 110, 60),
            radius=0.18,
            suits=SuitStyle(1, 0.94, 0.15, 0.9),
            back="keys",
            back_colours=((236, 206, 150), (130, 30, 60)),
        ),
        (AmountStyle("${}", ".", ",", "2", 500), AmountStyle("{}", ",", " ", "0", 50_000)),
        "B612-Regular",
        "B612-Bold",
        plate="shield",
        plate_colour=(60, 10, 28),
        ink=(250, 226, 190),
        stack_ink=(255, 214, 110),
        bet_ink=(255, 244, 220),
        turn="crownlet",
        turn_colour=(80, 214, 250),
        button="moon",
        chip="ingot",
        pot_label="In the pot: {}",
        pot_with_bets=True,
        empty="Nobody",
        all_in="All in",
        card=(44, 62),
        plate_size=(124, 46),
        text_px=14,
        logo="",
    ),
)
