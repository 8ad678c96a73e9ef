"""Pictures of curves on logarithmic axes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import ceil, floor
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from overbet.cards.drawing import Drawing, text_width
from overbet.cards.plots import check_picture

# Okabe and Ito's colours for lines: told apart by every common form of colour vision.
_LINES = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000", "#8c6d31")
_WIDTH, _HEIGHT = 576.0, 396.0
_LEFT, _RIGHT, _TOP, _BOTTOM = 64.0, 14.0, 34.0, 48.0
_MAJOR, _MINOR = "#d8d8d8", "#f2f2f2"
_MARGIN = 0.04  # of an axis, beyond the curves
_FEW = 2.0  # decades: where an axis has fewer, 2 and 5 have words too

Floats = npt.NDArray[np.float64]


class LogAxis(NamedTuple):
    """An axis from 10 ** low to 10 ** high, drawn from `start` to `end`."""

    low: float
    high: float
    start: float
    end: float

    @classmethod
    def over(cls, values: Floats, start: float, end: float) -> LogAxis:
        """Return an axis that shows all values, which are above 0."""
        logs = np.log10(values) if len(values) else np.array([0.0, 1.0])
        low, high = float(logs.min()), float(logs.max())
        if high - low < 1:  # numbers at both ends
            low, high = max(s for s in _steps(low) if s <= low), min(s for s in _steps(high) if s >= high)
        margin = _MARGIN * (high - low) or 0.5
        return cls(low - margin, high + margin, start, end)

    def place(self, value: float | Floats) -> Floats:
        """Return where values are on the page."""
        share = (np.log10(value) - self.low) / (self.high - self.low)
        return np.asarray(self.start + share * (self.end - self.start), np.float64)

    def ticks(self) -> Iterator[tuple[float, float, int, int]]:
        """Yield place, value, first digit and decade of the multiples of powers of ten that are shown."""
        for decade in range(floor(self.low), ceil(self.high) + 1):
            for digit in range(1, 10):
                value = digit * 10.0**decade
                if self.low <= np.log10(value) <= self.high:
                    yield float(self.place(value)), value, digit, decade

    def has_words(self, digit: int) -> bool:
        """Tell whether a tick has its number beside it."""
        return digit == 1 or (digit in (2, 5) and self.high - self.low < _FEW)


def _steps(log: float) -> list[float]:
    """Return the logarithms of 1, 2 and 5 times powers of ten around one."""
    decades = range(floor(log) - 1, floor(log) + 3)
    return [decade + part for decade in decades for part in np.log10((1.0, 2.0, 5.0)).tolist()]


def plot_curves(
    path: str | Path,
    curves: Mapping[str, tuple[npt.ArrayLike, npt.ArrayLike]],
    xlabel: str,
    ylabel: str,
    title: str = "",
) -> None:
    """Write a log-log picture; `curves` maps a label to its x and y. Points not above 0 are left out."""
    target = check_picture(path)
    page = Drawing(_WIDTH, _HEIGHT)
    shown = {label: _above_zero(x, y) for label, (x, y) in curves.items()}
    across = LogAxis.over(_all(shown, 0), _LEFT, _WIDTH - _RIGHT)
    up = LogAxis.over(_all(shown, 1), _HEIGHT - _BOTTOM, _TOP)
    _draw_axes(page, across, up)
    page.text((across.start + across.end) / 2, _HEIGHT - 14.0, xlabel, 10.0)
    page.text(14.0, (up.start + up.end) / 2, ylabel, 10.0, turn=90.0)
    if title:
        page.text((across.start + across.end) / 2, _TOP / 2, title, 12.0)
    lines = [list(zip(across.place(x).tolist(), up.place(y).tolist())) for x, y in shown.values()]
    for number, points in enumerate(lines):
        page.line(points, _LINES[number % len(_LINES)], 1.6, dashed=number >= len(_LINES))
    _draw_legend(page, list(shown), np.array([point for points in lines for point in points]).reshape(-1, 2))
    page.save(target)


def _above_zero(x: npt.ArrayLike, y: npt.ArrayLike) -> tuple[Floats, Floats]:
    xs, ys = np.asarray(x, np.float64), np.asarray(y, np.float64)
    shown = (xs > 0) & (ys > 0) & np.isfinite(xs) & np.isfinite(ys)
    return xs[shown], ys[shown]


def _all(curves: Mapping[str, tuple[Floats, Floats]], which: int) -> Floats:
    return np.concatenate([np.zeros(0), *(pair[which] for pair in curves.values())])


def _draw_axes(page: Drawing, across: LogAxis, up: LogAxis) -> None:
    """Draw the ruling, faint lines first, the frame and the numbers at the ticks."""
    ticks = [(True, tick) for tick in across.ticks()] + [(False, tick) for tick in up.ticks()]
    for is_across, (place, _, digit, _) in sorted(ticks, key=lambda one: one[1][2] == 1):
        colour, width = (_MAJOR, 0.8) if digit == 1 else (_MINOR, 0.6)
        upright, level = [(place, up.start), (place, up.end)], [(across.start, place), (across.end, place)]
        page.line(upright if is_across else level, colour, width)
    page.frame(across.start, up.end, across.end - across.start, up.start - up.end)
    for is_across, (place, value, digit, decade) in ticks:
        long = 4.0 if digit == 1 else 2.0
        if is_across:
            page.line([(place, up.start), (place, up.start + long)])
        else:
            page.line([(across.start, place), (across.start - long, place)])
        axis = across if is_across else up
        if not axis.has_words(digit):
            continue
        number = "10" if axis.high - axis.low >= _FEW else f"{value:g}"
        raised = str(decade) if number == "10" and axis.high - axis.low >= _FEW else ""
        whole = text_width(number, 9.0) + text_width(raised, 6.5)
        x = place - whole / 2 if is_across else across.start - 7.0 - whole
        y = up.start + 14.0 if is_across else place
        page.text(x, y, number, 9.0, anchor="start")
        page.text(x + text_width(number, 9.0), y - 4.0, raised, 6.5, anchor="start")


def _draw_legend(page: Drawing, labels: list[str], points: Floats) -> None:
    """Write the names of the curves into the corner where fewest points of curves are; points: [n, 2]."""
    if not labels:
        return
    width = 40.0 + max(text_width(label, 9.0) for label in labels)
    height = 16.0 * len(labels)
    rights, bottoms = _WIDTH - _RIGHT - 10.0 - width, _HEIGHT - _BOTTOM - 10.0 - height
    corners = [(rights, _TOP + 10.0), (_LEFT + 10.0, bottoms), (_LEFT + 10.0, _TOP + 10.0), (rights, bottoms)]

    def covered(corner: tuple[float, float]) -> int:
        beside = (points >= corner) & (points <= (corner[0] + width, corner[1] + height))
        return int(beside.all(1).sum())

    left, top = min(corners, key=covered)
    for number, label in enumerate(labels):
        y = top + 16.0 * number + 8.0
        colour, dashed = _LINES[number % len(_LINES)], number >= len(_LINES)
        page.line([(left, y), (left + 26.0, y)], colour, 1.6, dashed)
        page.text(left + 34.0, y, label, 9.0, anchor="start")
