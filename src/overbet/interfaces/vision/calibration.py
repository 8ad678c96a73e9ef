"""A profile from a few clicks on one picture of a table.

The clicks say which boxes the things lie in, in pixels of that picture. A seat may give a point, the
middle of
its box, instead of a box: the size is that of the last seat before it that gave one. One point lies on
the dealer
button, one on the mark of whose turn it is.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import numpy as np
import numpy.typing as npt
import pydantic

from overbet.config import Config
from overbet.errors import ConfigError
from overbet.interfaces.vision.cutting import cut, square
from overbet.interfaces.vision.likeness import (
    back_pieces,
    plate_piece,
    turn_shares,
    without_mark,
    words_piece,
)
from overbet.interfaces.vision.needs import cv2
from overbet.interfaces.vision.pictures import Bytes, open_picture
from overbet.interfaces.vision.profile import PATCH, SeatBoxes, TableProfile, encoded, inner

_Pixel = Annotated[float, pydantic.Field(ge=-5_000, le=50_000, allow_inf_nan=False)]
PixelBox = tuple[_Pixel, _Pixel, _Pixel, _Pixel]
Point = tuple[_Pixel, _Pixel]
_TABLE_WIDE = 480  # pixels of the small picture a profile keeps


_Seat = Annotated[int, pydantic.Field(ge=0, le=8)]
Seats = Annotated[
    tuple[_Seat, ...],
    pydantic.Field(max_length=9),
    pydantic.BeforeValidator(lambda given: (given,) if isinstance(given, int) else given),
]


class SeatClicks(Config):
    """A seat: boxes (left, top, right, bottom) or middles (x, y). cards: two boxes, or the middle of the
    first."""

    cards: tuple[PixelBox, PixelBox] | Point
    stack: PixelBox | Point
    bet: PixelBox | Point
    button: PixelBox | Point
    turn: PixelBox | Point


class TurnClick(Config):
    """Whose turn it is in the picture, and a point on the mark that says so."""

    seat: Annotated[int, pydantic.Field(ge=0, le=8)]
    point: Point


class Clicks(Config):
    """All clicks on one picture. board: the first and the last card; button_seat: who has the button there.

    backs, empty: the seats, if any, whose cards lie face down there, and where nobody sits.
    """

    board: tuple[PixelBox, PixelBox]
    pot: PixelBox
    seats: Annotated[tuple[SeatClicks, ...], pydantic.Field(min_length=2, max_length=9)]
    button_seat: Annotated[int, pydantic.Field(ge=0, le=8)]
    turn: TurnClick
    hero: Annotated[int, pydantic.Field(ge=0, le=8)] | None = 0
    pot_with_bets: bool = False
    backs: Seats = ()
    empty: Seats = ()


def calibrated(name: str, picture: Bytes, clicks: Clicks) -> TableProfile:
    """Return the profile that clicks on a picture make."""
    height, width = picture.shape[:2]
    named = (clicks.button_seat, clicks.turn.seat, *clicks.backs, *clicks.empty)
    if max(named) >= len(clicks.seats):
        raise ConfigError(
            f"button_seat, turn.seat, backs and empty count from 0 and there are {len(clicks.seats)} seats"
        )
    if {*clicks.backs} & {*clicks.empty} or {clicks.button_seat, clicks.turn.seat} & {*clicks.empty}:
        raise ConfigError("empty: nobody sits there, so it has neither cards nor the button nor the turn")
    seats = _seats(clicks)

    def share(box: PixelBox) -> PixelBox:
        left, top, right, bottom = box
        return (left / width, top / height, right / width, bottom / height)

    first, last = clicks.board
    board: list[Any] = [tuple(a + (b - a) * place / 4 for a, b in zip(first, last)) for place in range(5)]
    patch = cut(picture, np.eye(3), square(seats[clicks.button_seat]["button"]), (PATCH, PATCH))
    x, y = (round(v) for v in clicks.turn.point)
    if not (1 <= x < width - 1 and 1 <= y < height - 1):
        raise ConfigError("turn.point lies outside the picture")
    colour = np.median(picture[y - 1 : y + 2, x - 1 : x + 2].reshape(-1, 3), axis=0)
    lit = [marked(cut(picture, np.eye(3), square(seat["turn"]), TURN_SIZE), colour) for seat in seats]
    idle = [value for number, value in enumerate(lit) if number != clicks.turn.seat]
    base = [
        value if number != clicks.turn.seat else float(np.median(idle)) for number, value in enumerate(lit)
    ]
    values: dict[str, Any] = {
        "name": name,
        "size": (width, height),
        "seats": [
            {key: [share(b) for b in box] if key == "cards" else share(box) for key, box in seat.items()}
            for seat in seats
        ],
        "board": [share(box) for box in board],
        "pot": share(clicks.pot),
        "hero": clicks.hero,
        "pot_with_bets": clicks.pot_with_bets,
        "button": encoded(patch, lossless=True),
        "turn_colour": [int(c) for c in colour],
        "turn_active": round(lit[clicks.turn.seat], 4),
        "turn_idle": [round(value, 4) for value in base],
        "table": "",
    }
    values["table"] = encoded(_table_picture(picture, values))
    profile = TableProfile.parse(values, f"profile {name}")
    profile = TableProfile.parse(values | _looks(picture, profile, clicks), f"profile {name}")
    told = lit[clicks.turn.seat] > max(np.median(idle) + 0.004, 0.006)
    if not (told or _marks_the_seat(picture, profile, clicks.turn)):
        raise ConfigError(
            "turn.point: its colour marks the seat no more than the others; click on the mark itself"
        )
    return profile


def _looks(picture: Bytes, profile: TableProfile, clicks: Clicks) -> dict[str, str]:
    """Return the pieces of the picture that show how the site looks."""
    height, width = picture.shape[:2]
    matrix = np.diag([width, height, 1.0])
    seats = profile.seats
    found = {}
    if clicks.backs:
        found["back"] = encoded(back_pieces(picture, matrix, seats[clicks.backs[0]]), lossless=True)
    if clicks.empty:
        found["empty"] = encoded(words_piece(picture, matrix, seats[clicks.empty[0]]), lossless=True)
    plates = [plate_piece(picture, matrix, seat) for seat in seats]
    lit = plates[clicks.turn.seat]  # not seen without the mark: it is painted over
    plates[clicks.turn.seat] = without_mark(lit, profile.turn_colour)
    found["plates"] = encoded(np.concatenate([*plates, lit]), lossless=True)
    return found


def _marks_the_seat(picture: Bytes, profile: TableProfile, turn: TurnClick) -> bool:
    """Return whether the plates of the calibration picture themselves say whose turn it is there."""
    height, width = picture.shape[:2]
    known, box = profile.plate_pictures, profile.seats[turn.seat].turn
    x, y = turn.point[0] / width, turn.point[1] / height
    dx, dy = 0.3 * (box[2] - box[0]), 0.3 * (box[3] - box[1])
    if known is None or not (box[0] - dx < x < box[2] + dx and box[1] - dy < y < box[3] + dy):
        return False
    plates = [plate_piece(picture, np.diag([width, height, 1.0]), one) for one in profile.seats]
    shares = turn_shares(plates, known[-1], known[:-1], profile.turn_colour)
    most = float(shares[turn.seat])
    return most > 0.5 and float(np.delete(shares, turn.seat).max()) < 0.5 * most


def calibrate(name: str, picture: str | Path, clicks: str | Path) -> TableProfile:
    """Return the profile of a picture file and a YAML file of clicks."""
    return calibrated(name, open_picture(picture), Clicks.load(clicks))


def _seats(clicks: Clicks) -> list[dict[str, Any]]:
    known: dict[str, tuple[float, float]] = {}
    second: tuple[float, float] | None = None
    found: list[dict[str, Any]] = []
    for number, seat in enumerate(clicks.seats):
        made: dict[str, Any] = {}
        cards = seat.cards
        if len(cards) == 2 and isinstance(cards[0], tuple):
            boxes = (cards[0], cards[1])
            if number != clicks.hero or "cards" not in known:
                known["cards"] = (boxes[0][2] - boxes[0][0], boxes[0][3] - boxes[0][1])
                known["second"] = (boxes[1][2] - boxes[1][0], boxes[1][3] - boxes[1][1])
                second = (
                    (boxes[1][0] + boxes[1][2] - boxes[0][0] - boxes[0][2]) / 2,
                    (boxes[1][1] + boxes[1][3] - boxes[0][1] - boxes[0][3]) / 2,
                )
            made["cards"] = boxes
        else:
            if second is None:
                raise ConfigError(
                    f"seats.{number}.cards: an earlier seat must give two boxes before a point will do"
                )
            x, y = cards
            made["cards"] = (
                _around((x, y), known["cards"]),
                _around((x + second[0], y + second[1]), known["second"]),
            )
        for what in ("stack", "bet", "button", "turn"):
            given = getattr(seat, what)
            if len(given) == 4:
                known[what] = (given[2] - given[0], given[3] - given[1])
                made[what] = given
            elif what in known:
                made[what] = _around(given, known[what])
            else:
                raise ConfigError(
                    f"seats.{number}.{what}: an earlier seat must give a box before a point will do"
                )
        found.append(made)
    return found


def _around(point: Any, size: tuple[float, float]) -> PixelBox:
    x, y = point
    return (x - size[0] / 2, y - size[1] / 2, x + size[0] / 2, y + size[1] / 2)


def _table_picture(picture: Bytes, values: dict[str, Any]) -> Bytes:
    """Return the small grey picture; what changes from hand to hand, names among it, is blurred away."""
    height, width = picture.shape[:2]
    grey = cv2.cvtColor(np.ascontiguousarray(picture), cv2.COLOR_RGB2GRAY)
    soft = cv2.GaussianBlur(grey, (0, 0), width / 60)
    boxes = [*values["board"], values["pot"]]
    for seat in values["seats"]:
        boxes += [*seat["cards"], seat["stack"], seat["bet"], seat["button"], inner(seat["turn"])]
    for left, top, right, bottom in boxes:
        x0, x1 = (int(np.clip(v * width, 0, width)) for v in (left, right))
        y0, y1 = (int(np.clip(v * height, 0, height)) for v in (top, bottom))
        grey[y0:y1, x0:x1] = soft[y0:y1, x0:x1]
    wide = min(_TABLE_WIDE, width)
    return np.asarray(
        cv2.resize(grey, (wide, round(height * wide / width)), interpolation=cv2.INTER_AREA), np.uint8
    )


TURN_SIZE = (40, 80)


def marked(piece: Bytes, colour: npt.NDArray[np.float64]) -> float:
    """Return the share of a piece of a picture that has a colour, brightness counting less than hue."""
    held = cv2.cvtColor(np.ascontiguousarray(piece), cv2.COLOR_RGB2LAB).astype(np.float32)
    point = np.array([[np.clip(colour, 0, 255)]], np.uint8)
    wanted = cv2.cvtColor(point, cv2.COLOR_RGB2LAB)[0, 0].astype(np.float32)
    far = (held - wanted) * [0.35, 1.0, 1.0]
    return float((np.sqrt((far**2).sum(axis=2)) < 22).mean())


__all__ = ["Clicks", "SeatBoxes", "SeatClicks", "TurnClick", "calibrate", "calibrated", "marked"]
