"""A picture file from anybody, opened within bounds: kind, bytes, pixels are checked before it is decoded."""

from __future__ import annotations

import io
import struct
import warnings
from pathlib import Path

import numpy as np
import numpy.typing as npt
from PIL import Image

from overbet.errors import ConfigError, OverbetError, reason, short

MOST_BYTES = 24 << 20
MOST_PIXELS = 24_000_000
LEAST_SIDE = 200
LONGEST_SIDE = 1800  # larger pictures are scaled down to it: reading gains nothing from more
FORMATS = ("PNG", "JPEG", "WEBP", "BMP")
Bytes = npt.NDArray[np.uint8]


class PictureError(OverbetError, ValueError):
    """A file that is no picture we read, or a picture without the table."""


def open_picture(path: str | Path) -> Bytes:
    """Return the picture of a file: [row, column, red green blue]."""
    try:
        with open(path, "rb") as file:
            data = file.read(MOST_BYTES + 1)
    except (OSError, ValueError) as error:
        why = reason(error) if isinstance(error, OSError) else "no file has such a name"
        raise ConfigError(f"cannot read {short(path)}: {why}") from error
    return picture_of(data, short(path))


def picture_of(data: bytes, name: str = "the picture") -> Bytes:
    """Return the picture of a file's bytes: [row, column, red green blue]."""
    if len(data) > MOST_BYTES:
        raise PictureError(f"{name} has more than {MOST_BYTES >> 20} MiB; save it smaller, as PNG or JPEG")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            with Image.open(io.BytesIO(data), formats=FORMATS) as found:
                width, height = found.size
                if width * height > MOST_PIXELS:
                    raise PictureError(
                        f"{name} has {width:,} x {height:,} pixels; at most {MOST_PIXELS:,} are read: scale it down"  # noqa: E501
                    )
                if min(width, height) < LEAST_SIDE:
                    raise PictureError(
                        f"{name} has {width:,} x {height:,} pixels; at least {LEAST_SIDE} a side are needed"
                    )
                held = found.convert("RGB")
    except PictureError:
        raise
    except (
        OSError,
        ValueError,
        SyntaxError,
        EOFError,
        struct.error,
        IndexError,
        TypeError,
        KeyError,
        OverflowError,
        MemoryError,
        AttributeError,
        AssertionError,
        Image.DecompressionBombError,
    ) as error:
        raise PictureError(
            f"{name} is no picture that can be read, or is damaged; give a whole PNG, JPEG, WebP or BMP"
        ) from error
    if max(held.size) > LONGEST_SIDE:
        factor = LONGEST_SIDE / max(held.size)
        held = held.resize(
            (max(1, round(held.size[0] * factor)), max(1, round(held.size[1] * factor))), Image.Resampling.BOX
        )
    return np.asarray(held, np.uint8)
