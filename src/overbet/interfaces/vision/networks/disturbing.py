"""What happens to a picture on its way: scale, JPEG, blur, noise, light. For training and for tests."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from overbet.interfaces.vision.needs import cv2

Bytes = npt.NDArray[np.uint8]


def disturbed(picture: Bytes, rng: np.random.Generator, strength: float = 1.0) -> Bytes:
    """Return a picture with some of blur, noise, other light and JPEG; the size stays."""
    held = picture
    if rng.random() < 0.4:
        held = cv2.GaussianBlur(held, (0, 0), float(rng.uniform(0.25, 0.45 + 0.5 * strength)))
    if rng.random() < 0.5:
        gain, shift = rng.uniform(1 - 0.2 * strength, 1 + 0.15 * strength), rng.uniform(-18, 18) * strength
        held = np.clip(held.astype(np.float32) * gain + shift, 0, 255).astype(np.uint8)
    if rng.random() < 0.4:
        noise = rng.normal(0, rng.uniform(1, 3 + 5 * strength), held.shape)
        held = np.clip(held + noise, 0, 255).astype(np.uint8)
    if rng.random() < 0.5:
        quality = int(rng.integers(int(90 - 40 * strength), 97))
        _, data = cv2.imencode(".jpg", held, [cv2.IMWRITE_JPEG_QUALITY, quality])
        held = cv2.imdecode(data, cv2.IMREAD_COLOR if held.ndim == 3 else cv2.IMREAD_GRAYSCALE)
    return np.asarray(held, np.uint8)


def bent(
    picture: Bytes, rng: np.random.Generator, *, scale: tuple[float, float], corners: float
) -> tuple[Bytes, npt.NDArray[np.float64]]:
    """Return a picture in another size and perspective, and the 3 x 3 map of its points.

    corners: how far a corner moves at most, as a share of the picture's width.
    """
    height, width = picture.shape[:2]
    factor = float(np.exp(rng.uniform(np.log(scale[0]), np.log(scale[1]))))
    wide, high = round(width * factor), round(height * factor)
    reach = corners * wide
    source = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    target = np.array([[0, 0], [wide, 0], [wide, high], [0, high]], np.float32)
    moved = (target + rng.uniform(-reach, reach, (4, 2))).astype(np.float32)
    low = moved.min(axis=0)
    moved -= low
    size = tuple(int(np.ceil(v)) for v in moved.max(axis=0))
    matrix = cv2.getPerspectiveTransform(source, moved)
    how: dict[str, Any] = {"flags": cv2.INTER_AREA if factor < 1 else cv2.INTER_CUBIC}
    if factor < 0.8:  # a warp looks at four points alone: small sizes are first averaged
        held = cv2.resize(picture, (wide, high), interpolation=cv2.INTER_AREA)
        step = cv2.getPerspectiveTransform(target, moved)
        out = cv2.warpPerspective(held, step, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    else:
        out = cv2.warpPerspective(
            picture, matrix, size, flags=how["flags"] & 3, borderMode=cv2.BORDER_REPLICATE
        )
    return np.asarray(out, np.uint8), np.asarray(matrix, np.float64)
