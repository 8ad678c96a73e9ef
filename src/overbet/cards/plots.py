"""Pictures of 13 x 13 grids, written whole or not at all."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from overbet.cards.combos import class_name
from overbet.cards.drawing import Drawing, text_width
from overbet.cards.grid import Grid
from overbet.cards.palette import STANDARD, Palette, action_colours
from overbet.errors import ArtefactError

FORMATS = ("png", "svg", "pdf")
SIDE = 400.0  # of a grid, in points
EDGE = 14.0  # white around the page and between grids
TITLE = 24.0  # room for a line of title above a grid
_CELL = SIDE / 13
_SWATCH, _LEGEND_LINE, _FAINT = 20.0, 18.0, "#9a9a9a"


def check_picture(path: str | Path) -> Path:
    """Return `path`, or raise at once when its ending is not one of `FORMATS`: ask before a long run."""
    target = Path(path)
    if target.suffix.lower().removeprefix(".") not in FORMATS:
        raise ArtefactError(f"cannot draw {target}: end the name in .{', .'.join(FORMATS)}")
    return target


def plot_grids(
    path: str | Path, grids: Sequence[Grid], *, title: str = "", colours: Palette = STANDARD
) -> None:
    """Write a picture of grids side by side."""
    target = check_picture(path)
    above = EDGE + (TITLE if title else 0.0)
    below = max((legend_height(grid) for grid in grids), default=0.0)
    width = EDGE + len(grids) * (SIDE + EDGE)
    page = Drawing(width, above + TITLE + SIDE + below + EDGE)
    if title:
        page.text(width / 2, EDGE + TITLE / 2, title, 12.0)
    for number, grid in enumerate(grids):
        draw_grid(page, EDGE + number * (SIDE + EDGE), above + TITLE, grid, colours)
    page.save(target)


def draw_grid(page: Drawing, left: float, top: float, grid: Grid, colours: Palette) -> None:
    """Draw a grid of side `SIDE`, its title above it and the names of its actions below."""
    if grid.title:
        page.text(left + SIDE / 2, top - TITLE / 2, grid.title, 11.0)
    for index in range(169):
        x, y = cell_place(left, top, index)
        page.box(x, y, _CELL, _CELL, colours.empty)
        height = _CELL * min(1.0, float(grid.weights[index]))
        bars = list(grid.bars(index, colours)) if height > 0 else []
        for bar in bars:
            width = _CELL * (bar.right - bar.left)
            page.box(x + _CELL * bar.left, y + _CELL - height, width, height, bar.colour)
        front = "#000000" if bars else _FAINT  # with a halo it reads on every colour
        page.text(x + _CELL / 2, y + _CELL / 2, class_name(index), 8.0, front, halo=True)
    draw_ruling(page, left, top)
    for row, entries in enumerate(_legend_rows(grid)):
        x = left + (SIDE - sum(_entry_width(action) for action in entries)) / 2
        y = top + SIDE + EDGE + _LEGEND_LINE * row
        for action in entries:
            colour = action_colours(grid.actions, colours)[grid.actions.index(action)]
            page.box(x, y - 4.0, _SWATCH, 8.0, colour)
            page.text(x + _SWATCH + 6.0, y, action, 9.0, anchor="start")
            x += _entry_width(action)


def cell_place(left: float, top: float, index: int) -> tuple[float, float]:
    """Return the corner of a class's cell."""
    row, column = divmod(index, 13)
    return left + _CELL * column, top + _CELL * row


def draw_ruling(page: Drawing, left: float, top: float) -> None:
    """Draw the white lines between the cells."""
    for number in range(14):
        step = _CELL * number
        page.line([(left, top + step), (left + SIDE, top + step)], "#ffffff", 1.0)
        page.line([(left + step, top), (left + step, top + SIDE)], "#ffffff", 1.0)


def legend_height(grid: Grid) -> float:
    """Return the room that the names of a grid's actions need below it."""
    rows = len(_legend_rows(grid))
    return EDGE + _LEGEND_LINE * rows if rows else 0.0


def _legend_rows(grid: Grid) -> list[list[str]]:
    """Return the actions from the largest bet to fold, in rows that fit below the grid."""
    rows: list[list[str]] = []
    for action in [] if grid.bare else reversed(grid.actions):
        if not rows or sum(_entry_width(one) for one in [*rows[-1], action]) > SIDE:
            rows.append([])
        rows[-1].append(action)
    return rows


def _entry_width(action: str) -> float:
    return _SWATCH + 6.0 + text_width(action, 9.0) + 14.0
