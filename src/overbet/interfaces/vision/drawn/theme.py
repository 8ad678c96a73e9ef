"""What a theme is: everything that makes one drawn table look different from another."""

from __future__ import annotations

from dataclasses import dataclass

from overbet.interfaces.vision.drawn.faces import CardDesign, Colour
from overbet.interfaces.vision.drawn.states import AmountStyle


@dataclass(frozen=True)
class Theme:
    """How a table looks. Lengths in pixels of a picture `size` large.

    radii: of the ring of seats, as shares of the size; bet_at, button_at: where between the centre (0) and a
    seat (1) they lie; side: pixels the button lies beside that line.
    """

    name: str
    seats: int
    size: tuple[int, int]
    shape: str  # of the felt: ellipse, stadium, octagon, full
    room: Colour
    felt: Colour
    rail: Colour
    deck: CardDesign
    styles: tuple[AmountStyle, ...]
    font: str = "Roboto-Medium"
    bold: str = "Roboto-Bold"
    plate: str = "box"  # box, pill, bare, round
    plate_size: tuple[int, int] = (118, 44)
    plate_colour: Colour = (28, 30, 36)
    ink: Colour = (240, 240, 240)
    stack_ink: Colour = (250, 220, 120)
    bet_ink: Colour = (255, 255, 255)
    pot_label: str = "Pot: {}"
    pot_with_bets: bool = False
    pot_below: bool = False
    empty: str = "Empty"
    all_in: str = "All-in"
    turn: str = "glow"  # glow, bar, dot, fill, arrow, corner
    turn_colour: Colour = (255, 210, 60)
    button: str = "disc"  # disc, ring, square, star, tag
    chip: str = "stack"  # stack, flat, none, pill
    card: tuple[int, int] = (40, 56)
    board_card: tuple[int, int] = (52, 73)
    hero_card: tuple[int, int] = (58, 81)
    overlap: float = 0.0  # of a second card over the first
    text_px: int = 14
    radii: tuple[float, float] = (0.405, 0.375)
    bet_at: float = 0.6
    button_at: float = 0.72
    side: int = 46
    logo: str = "OVERBET"
