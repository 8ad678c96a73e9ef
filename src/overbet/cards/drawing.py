"""Boxes, lines and words on a page: what our pictures are made of.

Lengths are points, 1/72 of an inch; x goes right and y down. `drawing_files.py` writes a page to a file.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from PIL.ImageFont import FreeTypeFont

Anchor = Literal["start", "middle", "end"]
Point = tuple[float, float]
FONT = Path(__file__).parent / "fonts" / "DejaVuSans.ttf"
LINE = 1.25  # from a line of words to the next, in sizes of the font


class Box(NamedTuple):
    """A filled rectangle."""

    left: float
    top: float
    width: float
    height: float
    fill: str


class Stroke(NamedTuple):
    """A line through points."""

    points: tuple[Point, ...]
    colour: str
    thickness: float
    dashed: bool


class Words(NamedTuple):
    """One line of words, its middle at height y. halo: with white around; turn: degrees against the clock."""

    x: float
    y: float
    text: str
    size: float
    colour: str
    anchor: Anchor
    halo: bool
    turn: float


class Drawing:
    """A white page; what is drawn later lies above what was drawn before, and words above all."""

    def __init__(self, width: float, height: float) -> None:
        self.width, self.height = width, height
        self.shapes: list[Box | Stroke] = []
        self.words: list[Words] = []

    def box(self, left: float, top: float, width: float, height: float, fill: str) -> None:
        """Fill a rectangle."""
        self.shapes.append(Box(left, top, width, height, fill))

    def line(
        self, points: Sequence[Point], colour: str = "#000000", thickness: float = 0.8, dashed: bool = False
    ) -> None:
        """Draw a line through points."""
        if len(points) > 1:
            self.shapes.append(Stroke(tuple(points), colour, thickness, dashed))

    def frame(self, left: float, top: float, width: float, height: float, colour: str = "#000000") -> None:
        """Draw the outline of a rectangle."""
        right, bottom = left + width, top + height
        self.line([(left, top), (right, top), (right, bottom), (left, bottom), (left, top)], colour)

    def text(
        self,
        x: float,
        y: float,
        text: str,
        size: float = 9.0,
        colour: str = "#000000",
        anchor: Anchor = "middle",
        halo: bool = False,
        turn: float = 0.0,
    ) -> None:
        """Write lines of words whose middle is at (x, y)."""
        lines = text.split("\n")
        for number, words in enumerate(lines):
            place = y + (number - (len(lines) - 1) / 2) * LINE * size
            self.words.append(Words(x, place, words, size, colour, anchor, halo, turn))

    def save(self, target: Path) -> None:
        """Write the page; the ending of the name says in which format."""
        from overbet.cards.drawing_files import WRITERS
        from overbet.files import replacing

        body = WRITERS[target.suffix.lower()](self)
        with replacing(target) as beside:
            beside.write_bytes(body)


def text_width(text: str, size: float) -> float:
    """Return how wide a line of words is."""
    return font(100.0).getlength(text) * size / 100.0


@cache
def font(size: float) -> FreeTypeFont:
    """Return the font in a size, in pixels."""
    from PIL import ImageFont

    return ImageFont.truetype(FONT, size)
