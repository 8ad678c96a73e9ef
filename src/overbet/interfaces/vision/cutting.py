"""A box of a picture, straightened and scaled: what is behind four corners, as rows x columns."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from overbet.interfaces.vision.needs import cv2

Bytes = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float64]


def square(box: Sequence[float], grow: float = 0.0) -> Floats:
    """Return the corners of a box, clockwise from the upper left; grow: by this share of its sides."""
    left, top, right, bottom = box
    dx, dy = grow * (right - left), grow * (bottom - top)
    return np.array(
        [[left - dx, top - dy], [right + dx, top - dy], [right + dx, bottom + dy], [left - dx, bottom + dy]]
    )


def cut(picture: Bytes, matrix: Floats, corners: Floats, size: tuple[int, int]) -> Bytes:
    """Return what lies between four corners of a picture, mapped by `matrix`, as rows x columns."""
    rows, columns = size
    place = cv2.perspectiveTransform(np.asarray(corners, np.float64).reshape(1, 4, 2), matrix)[0]
    wide = max(float(np.linalg.norm(place[1] - place[0])), 1.0) / columns
    high = max(float(np.linalg.norm(place[3] - place[0])), 1.0) / rows
    over = int(np.clip(np.ceil(max(wide, high)), 1, 4))  # cut larger and averaged, so that nothing is missed
    target = np.array([[0, 0], [columns, 0], [columns, rows], [0, rows]], np.float32) * over
    to = cv2.getPerspectiveTransform(place.astype(np.float32), target)
    found = cv2.warpPerspective(
        picture, to, (columns * over, rows * over), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    if over > 1:
        found = cv2.resize(found, (columns, rows), interpolation=cv2.INTER_AREA)
    return np.asarray(found, np.uint8)
