"""A profile: where things are on a site's table, calibrated once and kept as JSON in the data folder.

Boxes are shares of the calibration picture's width and height. Beside them a profile keeps a small grey
picture of the table (to find it in other pictures; what changes from hand to hand is blurred away), a patch
of the dealer button, the colour that marks whose turn it is, and pieces that show how the site looks: the
back of its cards, an empty seat, the plates with and without the mark of the turn.
"""

from __future__ import annotations

import base64
import binascii
import json
import re
from functools import cached_property
from pathlib import Path
from typing import Annotated, Literal

import numpy as np
import numpy.typing as npt
import pydantic

from overbet.config import Config
from overbet.errors import ConfigError, quoted, reason, short, unknown
from overbet.files import data_folder, write_text
from overbet.interfaces.vision.needs import cv2

_SHIPPED = Path(__file__).parent / "shipped" / "profiles"
_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,39}")
MOST_BYTES = 400_000
_MOST_PICTURE = 200_000  # letters
MOST_SIDE = 1000  # pixels of a picture inside a profile
PATCH = 24  # pixels of the button's patch
PLATE, WORDS, BACK = (48, 96), (32, 96), (56, 80)  # rows, columns of the pieces that show how a site looks
Bytes = npt.NDArray[np.uint8]


def _in_order(box: tuple[float, float, float, float]) -> tuple[float, float, float, float]:
    left, top, right, bottom = box
    if not (left + 0.002 <= right and top + 0.002 <= bottom):
        raise ValueError("a box is left, top, right, bottom, each right of and below the other")
    return box


_Share = Annotated[float, pydantic.Field(ge=-0.2, le=1.2, allow_inf_nan=False)]
Box = Annotated[tuple[_Share, _Share, _Share, _Share], pydantic.AfterValidator(_in_order)]
PictureText = Annotated[str, pydantic.Field(max_length=_MOST_PICTURE, repr=False)]
_Byte = Annotated[int, pydantic.Field(ge=0, le=255)]
_Part = Annotated[float, pydantic.Field(ge=0, le=1, allow_inf_nan=False)]


def inner(box: tuple[float, float, float, float]) -> tuple[float, float, float, float]:
    """Return the inside of a seat's turn box: name and stack, without the plate's outline."""
    left, top, right, bottom = box
    dx, dy = 0.13 * (right - left), 0.24 * (bottom - top)
    return (left + dx, top + dy, right - dx, bottom - dy)


class SeatBoxes(Config):
    """Where the things of a seat are."""

    cards: tuple[Box, Box]
    stack: Box
    bet: Box
    button: Box
    turn: Box


class TableProfile(Config):
    """Where things are on a table. size: pixels of the picture it was made from."""

    kind: Literal["overbet table profile"] = "overbet table profile"
    version: Literal[1] = 1
    name: str
    size: tuple[
        Annotated[int, pydantic.Field(ge=200, le=20_000)], Annotated[int, pydantic.Field(ge=200, le=20_000)]
    ]
    seats: Annotated[tuple[SeatBoxes, ...], pydantic.Field(min_length=2, max_length=9)]
    board: Annotated[tuple[Box, ...], pydantic.Field(min_length=5, max_length=5)]
    pot: Box
    hero: Annotated[int, pydantic.Field(ge=0, le=8)] | None = 0
    pot_with_bets: bool = False
    table: PictureText
    button: PictureText
    turn_colour: tuple[_Byte, _Byte, _Byte]
    turn_active: _Part
    turn_idle: tuple[_Part, ...]
    back: PictureText = ""  # both cards of a hand face down; nothing where no seat was marked so
    empty: PictureText = ""  # the inside of the plate of an empty seat, grey
    plates: PictureText = ""  # every seat's plate without the mark of the turn, then one with it

    @pydantic.field_validator("name")
    @classmethod
    def _named(cls, name: str) -> str:
        return checked_name(name)

    @pydantic.model_validator(mode="after")
    def _whole(self) -> TableProfile:
        if len(self.turn_idle) != len(self.seats):
            raise ValueError("turn_idle has one number a seat")
        if self.hero is not None and self.hero >= len(self.seats):
            raise ValueError(f"hero: there is no seat {self.hero}; seats are counted from 0")
        _ = self.table_picture, self.button_patch, self.back_picture, self.empty_picture, self.plate_pictures
        return self

    @cached_property
    def table_picture(self) -> Bytes:
        """The small grey picture of the table: [row, column]."""
        return _decoded(self.table, "table", colour=False)

    @cached_property
    def button_patch(self) -> Bytes:
        """The dealer button: [24, 24, red green blue]."""
        patch = _decoded(self.button, "button", colour=True)
        if patch.shape[:2] != (PATCH, PATCH):
            raise ValueError(f"button: a picture of {PATCH} x {PATCH} pixels")
        return patch

    @cached_property
    def back_picture(self) -> Bytes | None:
        """Two cards face down: [56, 80, red green blue]."""
        return _of_size(self.back, "back", BACK, colour=True)

    @cached_property
    def empty_picture(self) -> Bytes | None:
        """The inside of an empty seat's plate: [32, 96]."""
        return _of_size(self.empty, "empty", WORDS, colour=False)

    @cached_property
    def plate_pictures(self) -> tuple[Bytes, ...] | None:
        """The plate of every seat without the mark of the turn, and one that has it: [48, 96, red green
        blue].
        """
        rows, count = PLATE[0], len(self.seats) + 1
        held = _of_size(self.plates, "plates", (rows * count, PLATE[1]), colour=True)
        return None if held is None else tuple(held[rows * n : rows * (n + 1)] for n in range(count))

    def boxes(self) -> dict[str, tuple[float, float, float, float]]:
        """Return every box by the name of what is there: `seat3.stack`, `board2`, `pot`."""
        found = {f"board{place}": box for place, box in enumerate(self.board)} | {"pot": self.pot}
        for number, seat in enumerate(self.seats):
            found |= {f"seat{number}.card{place}": box for place, box in enumerate(seat.cards)}
            found |= {
                f"seat{number}.{what}": getattr(seat, what) for what in ("stack", "bet", "button", "turn")
            }
        return found


def _decoded(text: str, where: str, *, colour: bool) -> Bytes:
    import io

    from PIL import Image

    from overbet.interfaces.vision.pictures import FORMATS

    try:
        data = base64.b64decode(text, validate=True)
        with Image.open(io.BytesIO(data), formats=FORMATS) as found:
            if max(found.size) > MOST_SIDE or min(found.size) < 8:
                raise ValueError(f"{where}: a picture of at most {MOST_SIDE} pixels a side")
            return np.asarray(found.convert("RGB" if colour else "L"), np.uint8)
    except (
        binascii.Error,
        OSError,
        SyntaxError,
        EOFError,
        TypeError,
        KeyError,
        IndexError,
        Image.DecompressionBombError,
    ) as error:
        raise ValueError(f"{where}: not a picture in base64") from error


def _of_size(text: str, where: str, size: tuple[int, int], *, colour: bool) -> Bytes | None:
    """Return a piece that a profile may have."""
    if not text:
        return None
    piece = _decoded(text, where, colour=colour)
    if piece.shape[:2] != size:
        raise ValueError(f"{where}: a picture of {size[1]} x {size[0]} pixels")
    return piece


def encoded(picture: Bytes, *, lossless: bool = False) -> str:
    """Return a picture as a profile keeps it."""
    held = picture if picture.ndim == 2 else cv2.cvtColor(picture, cv2.COLOR_RGB2BGR)
    how = (".png", []) if lossless else (".jpg", [cv2.IMWRITE_JPEG_QUALITY, 85])
    _, data = cv2.imencode(how[0], held, how[1])
    return base64.b64encode(data.tobytes()).decode()


def checked_name(name: str) -> str:
    """Return the name of a profile, or say what a name is."""
    if not _NAME.fullmatch(name):
        raise ValueError(f"a profile is named by small letters, digits, - and _, not {quoted(name)}")
    return name


def profiles_folder(folder: Path | None = None) -> Path:
    """Return where the user's profiles are kept."""
    return (folder or data_folder()) / "profiles"


def profile_names(folder: Path | None = None) -> list[str]:
    """Return all profiles there are: the user's and those of our own themes."""
    found = {path.stem for place in (profiles_folder(folder), _SHIPPED) for path in place.glob("*.json")}
    return sorted(name for name in found if _NAME.fullmatch(name))


def load_profile(name: str, folder: Path | None = None) -> TableProfile:
    """Return a profile by its name, or by the path of its file."""
    if name.endswith(".json"):
        return read_profile(Path(name))
    if _NAME.fullmatch(name):
        for place in (profiles_folder(folder), _SHIPPED):
            if (place / f"{name}.json").is_file():
                return read_profile(place / f"{name}.json")
    known = profile_names(folder)
    raise ConfigError(unknown("profile", name, known) + "; make one with overbet vision calibrate")


def read_profile(path: Path) -> TableProfile:
    """Return the profile of a file."""
    try:
        with open(path, encoding="utf-8") as file:
            text = file.read(MOST_BYTES + 1)
    except OSError as error:
        raise ConfigError(f"cannot read {short(path)}: {reason(error)}") from error
    except ValueError as error:
        raise ConfigError(f"{short(path)} is no profile: it is not a text file") from error
    if len(text) > MOST_BYTES:
        raise ConfigError(f"{short(path)} is no profile: longer than {MOST_BYTES:,} letters")
    try:
        values = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ConfigError(f"{short(path)} is no profile: it is not JSON") from error
    if not isinstance(values, dict):
        raise ConfigError(f"{short(path)} is no profile: expected an object")
    return TableProfile.parse(values, short(path))


def save_profile(profile: TableProfile, folder: Path | None = None) -> Path:
    """Keep a profile; one of the same name is replaced."""
    path = profiles_folder(folder) / f"{profile.name}.json"
    write_text(path, json.dumps(profile.model_dump(mode="json"), indent=1) + "\n")
    return path
