"""Where the table is in a picture: the perspective that carries the profile's small picture onto it.

First the whole picture is taken to be the table; where that does not fit, corners followed from the one
picture to the other (Lucas and Kanade 1981, in a pyramid), then features that both have in common (SIFT),
give the place (RANSAC). Either start is refined by Gauss-Newton steps on the difference of the two (inverse
compositional, Baker and Matthews 2004), at three sizes, with weights that let go of what does not fit.
What changes from hand to hand is masked out. The correlation of brightness and of edges at the end says
whether
the table is there at all.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from overbet.interfaces.vision.needs import cv2
from overbet.interfaces.vision.pictures import PictureError
from overbet.interfaces.vision.profile import TableProfile, inner

Bytes = npt.NDArray[np.uint8]
Matrix = npt.NDArray[np.float64]
LEAST_SCORE = 0.78  # other tables stay below 0.7
_GOOD = 0.9
_LOSS = 0.01  # of the score, which is no finer than that


class FoundTable(NamedTuple):
    """matrix: carries shares of the profile's picture (0 to 1) to pixels; score: how well it fits, up to
    1."""

    matrix: Matrix
    score: float


def find_table(profile: TableProfile, picture: Bytes) -> FoundTable:
    """Return where a profile's table is in a picture: [row, column, colour]; raises where it is not there."""
    grey = cv2.cvtColor(np.ascontiguousarray(picture), cv2.COLOR_RGB2GRAY)
    known = profile.table_picture
    mask, judged = _still(profile, known.shape), _still(profile, known.shape, plates=False)
    best = _refined(known, mask, judged, grey, _whole(known, grey))
    for start_of in (_by_flow, _by_features):
        start = None if best.score >= _GOOD else start_of(known, mask, grey)
        if start is not None:
            best = max(best, _refined(known, mask, judged, grey, start), key=lambda place: place.score)
    if best.score < LEAST_SCORE:  # a window within a larger picture
        best = max(
            best, _refined(known, mask, judged, grey, _by_window(known, grey)), key=lambda place: place.score
        )
    if best.score < LEAST_SCORE:
        raise PictureError(
            f"no table of the profile {profile.name} is in the picture; give another picture or profile"
        )
    rows, columns = known.shape
    shares = np.diag([columns, rows, 1.0])
    return FoundTable(best.matrix @ shares, best.score)


def _whole(known: Bytes, grey: Bytes) -> Matrix:
    return np.diag([grey.shape[1] / known.shape[1], grey.shape[0] / known.shape[0], 1.0])


def _still(profile: TableProfile, shape: tuple[int, ...], *, plates: bool = True) -> Bytes:
    """Return 255 where the small picture does not change from hand to hand; plates: their outlines, which may
    be lit, but say more than anything else where the table is.
    """
    mask = np.full(shape, 255, np.uint8)
    for name, (left, top, right, bottom) in profile.boxes().items():
        if name.endswith("turn") and plates:
            left, top, right, bottom = inner((left, top, right, bottom))
        grow = 0.004
        x0, x1 = (int(np.clip(v * shape[1], 0, shape[1])) for v in (left - grow, right + grow))
        y0, y1 = (int(np.clip(v * shape[0], 0, shape[0])) for v in (top - grow, bottom + grow))
        mask[y0:y1, x0:x1] = 0
    return mask


def _refined(known: Bytes, mask: Bytes, judged: Bytes, grey: Bytes, start: Matrix) -> FoundTable:
    """Return the best perspective near `start`, which carries pixels of `known` to those of `grey`."""
    rows, columns = known.shape
    best = FoundTable(start, _score(known, judged, grey, start))
    for wide, rounds, blur in ((120, 25, 2.0), (240, 15, 1.2), (480, 8, 1.0)):
        factor = min(wide, columns) / columns
        size = (round(columns * factor), max(8, round(rows * factor)))
        centred = np.array([[size[0] / 2, 0, size[0] / 2], [0, size[0] / 2, size[1] / 2], [0, 0, 1.0]])
        small = np.diag([columns / size[0], rows / size[1], 1.0])
        flat = cv2.GaussianBlur(cv2.resize(known, size, interpolation=cv2.INTER_AREA), (0, 0), blur)
        seen = (
            cv2.erode(cv2.resize(mask, size, interpolation=cv2.INTER_NEAREST), np.ones((3, 3), np.uint8)) > 0
        )
        found = _steps(flat.astype(np.float32), seen, grey, best.matrix @ small, centred, rounds, blur)
        if found is None or not _plausible(found, flat.shape, grey):
            continue
        matrix = found @ np.linalg.inv(small)
        score = _score(known, judged, grey, matrix)
        if score > best.score - _LOSS:  # a table of little contrast lets a step run away
            best = FoundTable(matrix / matrix[2, 2], score)
    return best


def _steps(
    flat: npt.NDArray[np.float32],
    seen: npt.NDArray[np.bool_],
    grey: Bytes,
    matrix: Matrix,
    centred: Matrix,
    rounds: int,
    blur: float,
) -> Matrix | None:
    """Improve `matrix` by Gauss-Newton steps; None where it runs away. centred: carries -1 to 1 to pixels."""
    high, wide = flat.shape
    right, down = cv2.Sobel(flat, cv2.CV_32F, 1, 0) / 8, cv2.Sobel(flat, cv2.CV_32F, 0, 1) / 8
    used = seen & (np.hypot(right, down) > 0.4)
    if used.sum() < 60:
        return None
    y, x = np.nonzero(used)
    u, v = (x - centred[0, 2]) / centred[0, 0], (y - centred[1, 2]) / centred[0, 0]
    gx, gy = right[used], down[used]
    both = u * gx + v * gy
    slopes = np.stack([u * gx, v * gx, gx, u * gy, v * gy, gy, -u * both, -v * both], axis=1).astype(
        np.float64
    )
    back = np.linalg.inv(centred)
    wanted = flat[used].astype(np.float64)
    last = np.inf
    for _ in range(rounds):
        near = cv2.GaussianBlur(_seen(grey, matrix, (wide, high)), (0, 0), blur)[used].astype(np.float64)
        lines = np.stack([near, np.ones_like(near)], axis=1)
        weights = np.ones_like(near)
        for _ in range(2):  # light and contrast first, by what fits
            held = lines * weights[:, None]
            gain, shift = np.linalg.lstsq(held.T @ lines + 1e-6 * np.eye(2), held.T @ wanted, rcond=None)[0]
            miss = gain * near + shift - wanted
            spread = 1.5 * np.median(np.abs(miss)) + 0.5
            weights = 1.0 / (1.0 + (miss / (2.0 * spread)) ** 2) ** 2
        held = slopes * weights[:, None]
        step = np.linalg.solve(held.T @ slopes + 1e-3 * np.eye(8), held.T @ miss)
        change = np.append(step, 0.0).reshape(3, 3) / centred[0, 0] + np.eye(3)
        matrix = matrix @ centred @ np.linalg.inv(change) @ back
        reach = float(np.abs(step).max())
        if not np.isfinite(matrix).all() or reach > 0.4 * wide or not _plausible(matrix, flat.shape, grey):
            return None
        if reach < 0.01 or reach > 3 * last + 2:
            break
        last = reach
    return np.asarray(matrix, np.float64)


def _seen(grey: Bytes, matrix: Matrix, size: tuple[int, int]) -> Bytes:
    """Return a picture as `matrix` sees it, averaged where it is made smaller."""
    reach = np.linalg.norm(matrix[:2, :2], axis=0).max()
    if reach > 1.5:
        factor = 1.2 / reach
        grey = cv2.resize(grey, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
        matrix = np.diag([factor, factor, 1.0]) @ matrix
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return np.asarray(
        cv2.warpPerspective(grey, matrix, size, flags=flags, borderMode=cv2.BORDER_REPLICATE), np.uint8
    )


def _score(known: Bytes, mask: Bytes, grey: Bytes, matrix: Matrix) -> float:
    """Return how well it fits: the smaller of the correlations of brightness and of edges, the latter
    easier."""
    if not _plausible(matrix, known.shape, grey):
        return -1.0
    size = (known.shape[1] // 2, known.shape[0] // 2)
    near = _seen(grey, matrix @ np.diag([2.0, 2.0, 1.0]), size).astype(np.float32)
    flat = cv2.resize(known, size, interpolation=cv2.INTER_AREA).astype(np.float32)
    held = cv2.erode(cv2.resize(mask, size, interpolation=cv2.INTER_NEAREST), np.ones((5, 5), np.uint8)) > 0
    edges = [
        cv2.GaussianBlur(
            np.hypot(cv2.Sobel(p, cv2.CV_32F, 1, 0), cv2.Sobel(p, cv2.CV_32F, 0, 1)), (0, 0), 1.0
        )
        for p in (near, flat)
    ]
    return min(_correlation(near[held], flat[held]), 0.15 + _correlation(edges[0][held], edges[1][held]))


def _by_window(known: Bytes, grey: Bytes) -> Matrix:
    """Return where an upright table of any size fits best: correlation at twelve sizes, in a small
    picture."""
    factor = 240 / max(grey.shape)
    small = cv2.resize(grey, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
    best = (-1.0, np.eye(3))
    for share in np.linspace(0.35, 0.98, 12):
        wide = round(share * small.shape[1])
        high = round(wide * known.shape[0] / known.shape[1])
        if high > small.shape[0] or high < 8:
            continue
        piece = cv2.resize(known, (wide, high), interpolation=cv2.INTER_AREA)
        _, fit, _, (x, y) = cv2.minMaxLoc(cv2.matchTemplate(small, piece, cv2.TM_CCOEFF_NORMED))
        if fit > best[0]:
            scale = wide / known.shape[1] / factor
            best = (fit, np.array([[scale, 0, x / factor], [0, scale, y / factor], [0, 0, 1.0]]))
    return best[1]


def _plausible(matrix: Matrix, shape: tuple[int, ...], grey: Bytes) -> bool:
    """Return whether a picture of `shape` would become a table: convex, not tiny, not far larger than all."""
    corners = np.array([[[0, 0], [shape[1], 0], [shape[1], shape[0]], [0, shape[0]]]], np.float64)
    weights = corners[0] @ matrix[2, :2] + matrix[2, 2]
    if not np.isfinite(matrix).all() or weights.min() * weights.max() <= 0:
        return False
    quad = cv2.perspectiveTransform(corners, matrix)[0].astype(np.float32)
    if not np.isfinite(quad).all() or np.abs(quad).max() > 20 * max(grey.shape):
        return False
    area = float(cv2.contourArea(quad))
    return 0.04 * grey.size < area < 4.0 * grey.size and bool(cv2.isContourConvex(quad))


def _correlation(a: npt.NDArray[np.float32], b: npt.NDArray[np.float32]) -> float:
    if a.std() < 1e-3 or b.std() < 1e-3:
        return 0.0
    return float(np.corrcoef(a, b)[0, 1])


def _by_flow(known: Bytes, mask: Bytes, grey: Bytes) -> Matrix | None:
    """Return the perspective that corners of a table of little contrast have moved by, the whole picture
    its start.
    """
    rows, columns = known.shape
    seen = cv2.resize(grey, (columns, rows), interpolation=cv2.INTER_AREA)
    pair = [cv2.createCLAHE(4.0, (4, 4)).apply(cv2.GaussianBlur(held, (0, 0), 1.0)) for held in (known, seen)]
    inside = cv2.erode(mask, np.ones((5, 5), np.uint8))
    points = cv2.goodFeaturesToTrack(pair[0], 250, 0.03, 6, mask=inside)
    if points is None or len(points) < 8:
        return None
    how = {"winSize": (31, 31), "maxLevel": 3}
    there, found, _ = cv2.calcOpticalFlowPyrLK(pair[0], pair[1], points, None, **how)
    back, again, _ = cv2.calcOpticalFlowPyrLK(pair[1], pair[0], there, None, **how)
    sure = (found.ravel() > 0) & (again.ravel() > 0) & (np.abs(back - points).max(axis=(1, 2)) < 1.5)
    if sure.sum() < 8:
        return None
    moved, agreed = cv2.findHomography(points[sure], there[sure], cv2.RANSAC, 2.0)
    if moved is None or int(agreed.sum()) < 8:
        return None
    return np.asarray(_whole(known, grey) @ moved, np.float64)


def _by_features(known: Bytes, mask: Bytes, grey: Bytes) -> Matrix | None:
    """Return a perspective that many common features agree on."""
    factor = min(1.0, 1000 / max(grey.shape))
    small = cv2.resize(grey, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
    sift = cv2.SIFT_create(1500, contrastThreshold=0.02)
    points, marks = sift.detectAndCompute(known, mask)
    others, seen = sift.detectAndCompute(small, None)
    if marks is None or seen is None or len(points) < 8 or len(others) < 8:
        return None
    pairs = cv2.BFMatcher(cv2.NORM_L2).knnMatch(marks, seen, k=2)
    good = [two[0] for two in pairs if len(two) == 2 and two[0].distance < 0.8 * two[1].distance]
    if len(good) < 8:
        return None
    source = np.array([points[match.queryIdx].pt for match in good], np.float32)
    target = np.array([others[match.trainIdx].pt for match in good], np.float32) / factor
    found, inside = cv2.findHomography(source, target, cv2.RANSAC, 4.0 / factor)
    if found is None or int(inside.sum()) < 8:
        return None
    return np.asarray(found, np.float64)
