"""A round robin as one picture: the averages with their intervals, and the table of pairs."""

from __future__ import annotations

from math import ceil, floor, log10
from pathlib import Path
from typing import TYPE_CHECKING

from overbet.cards.drawing import Drawing, text_width
from overbet.cards.palette import blend
from overbet.cards.plots import check_picture

if TYPE_CHECKING:
    from overbet.evaluation.round_robin import RoundRobin

_ROW, _COLUMN, _BARS = 44.0, 76.0, 260.0
_EDGE, _TOP = 14.0, 34.0
_WON, _LOST, _BAR = "#2166ac", "#b2182b", "#0072b2"
_STRONGEST = 0.75  # of the colour, for the largest difference: black numbers read on it


def draw_round_robin(path: str | Path, result: RoundRobin, estimate: str) -> None:
    """Write the picture."""
    target = check_picture(path)
    order = result.ranking(estimate)
    names = [result.names[agent] for agent in order]
    widest = max(text_width(name, 9.0) for name in names)
    left = _EDGE + widest + 10.0
    right = left + _BARS + 2 * _EDGE
    bottom = _TOP + _ROW * len(names)
    page = Drawing(right + _COLUMN * len(names) + _EDGE, bottom + max(48.0, 18.0 + 0.55 * widest))
    _draw_averages(page, left, bottom, result, estimate)
    for row, name in enumerate(names):
        middle = _TOP + _ROW * (row + 0.5)
        page.text(left - 7.0, middle, name, 9.0, anchor="end")
        page.line([(left - 4.0, middle), (left, middle)])
    _draw_pairs(page, right, bottom, result, estimate)
    page.save(target)


def _draw_averages(page: Drawing, left: float, bottom: float, result: RoundRobin, estimate: str) -> None:
    """Draw a bar an agent with its interval, over an axis of mbb a hand."""
    averages = [found for agent in result.ranking(estimate) if (found := result.average(agent, estimate))]
    low = min([0.0, *(found.mean - found.half for found in averages)])
    high = max([0.0, *(found.mean + found.half for found in averages)])
    margin = 0.06 * (high - low) or 1.0
    low, high = low - margin, high + margin

    def place(value: float) -> float:
        return left + _BARS * (value - low) / (high - low)

    for row, found in enumerate(averages):
        middle = _TOP + _ROW * (row + 0.5)
        ends = sorted((place(0.0), place(found.mean)))
        page.box(ends[0], middle - 0.4 * _ROW, ends[1] - ends[0], 0.8 * _ROW, _BAR)
        about = place(found.mean - found.half), place(found.mean + found.half)
        page.line([(about[0], middle), (about[1], middle)], thickness=1.2)
        for end in about:
            page.line([(end, middle - 3.0), (end, middle + 3.0)], thickness=1.2)
    page.line([(place(0.0), _TOP), (place(0.0), bottom)], "#333333")
    page.frame(left, _TOP, _BARS, bottom - _TOP)
    for tick in round_numbers(low, high):
        page.line([(place(tick), bottom), (place(tick), bottom + 4.0)])
        page.text(place(tick), bottom + 12.0, f"{tick:,g}", 9.0)
    page.text(left + _BARS / 2, bottom + 28.0, "mbb/hand against all others, 95 % interval", 9.0)


def _draw_pairs(page: Drawing, left: float, bottom: float, result: RoundRobin, estimate: str) -> None:
    """Draw the table: blue where the row wins from the column, red where it loses."""
    order = result.ranking(estimate)
    found = {(a, b): result.against(a, b, estimate) for a in order for b in order}
    most = max((abs(one.mean) for one in found.values() if one is not None), default=0.0) or 1.0
    for row, agent in enumerate(order):
        for column, other in enumerate(order):
            pair = found[agent, other]
            if pair is None:
                continue
            colour = blend("#ffffff", _WON if pair.mean > 0 else _LOST, _STRONGEST * abs(pair.mean) / most)
            x, y = left + _COLUMN * column, _TOP + _ROW * row
            page.box(x, y, _COLUMN, _ROW, colour)
            page.text(x + _COLUMN / 2, y + _ROW / 2, f"{pair.mean:+,.0f}\n±{pair.half:,.0f}", 7.0)
    page.frame(left, _TOP, _COLUMN * len(order), bottom - _TOP)
    page.text(left + _COLUMN * len(order) / 2, _TOP - 12.0, "row against column, mbb/hand", 9.0)
    for column, agent in enumerate(order):
        middle = left + _COLUMN * (column + 0.5)
        page.line([(middle, bottom), (middle, bottom + 4.0)])
        page.text(middle + 4.0, bottom + 12.0, result.names[agent], 9.0, anchor="end", turn=30.0)


def round_numbers(low: float, high: float) -> list[float]:
    """Return three to nine numbers 1, 2 or 5 times a power of ten apart, from low to high."""
    power = 10.0 ** floor(log10((high - low) / 4))
    step = max(factor * power for factor in (1, 2, 5) if (high - low) / (factor * power) >= 3.5)
    return [step * number for number in range(ceil(low / step), floor(high / step) + 1)]
