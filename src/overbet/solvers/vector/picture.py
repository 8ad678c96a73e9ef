"""A node of a solution as one picture: the strategy, EV and equity as grids, with the totals above."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from overbet.cards.combos import class_name
from overbet.cards.drawing import Drawing
from overbet.cards.palette import STANDARD, Palette, blend, ink
from overbet.cards.plots import (
    EDGE,
    SIDE,
    TITLE,
    cell_place,
    check_picture,
    draw_grid,
    draw_ruling,
    legend_height,
)

if TYPE_CHECKING:
    from overbet.solvers.vector.node import Node


def draw_node(path: str | Path, node: Node, player: str | None = None, colours: Palette = STANDARD) -> None:
    """Write a picture of a node: one player's grid of actions (or its range), EV and equity."""
    target = check_picture(path)
    seat = node.seat(player)
    grid = node.grid(player)
    grid.title = f"{seat.player.upper()} {'strategy' if seat.strategy is not None else 'range'}"
    title = node.summary().replace("; ", "   ")
    if node.player:
        shares = zip(node.actions, node.seat().frequencies())
        title += "\n" + "   ".join(f"{action.label} {share:.1%}" for action, share in shares)
    width, top = EDGE + 3 * (SIDE + EDGE), EDGE + 2 * TITLE
    page = Drawing(width, top + TITLE + SIDE + legend_height(grid) + EDGE)
    page.text(width / 2, EDGE + TITLE * 0.7, title, 11.0)
    top += TITLE
    draw_grid(page, EDGE, top, grid, colours)
    evs = seat.by_class(seat.ev_chips) / (node.big_blind or 1)
    ends = (0.0, node.amount(node.pot))
    _draw_values(page, 2 * EDGE + SIDE, top, f"EV, {node.unit}", evs, ends, 2, colours)
    equity = 100 * seat.by_class(seat.equity)
    _draw_values(page, 3 * EDGE + 2 * SIDE, top, "equity, %", equity, (0.0, 100.0), 1, colours)
    page.save(target)


def _draw_values(
    page: Drawing,
    left: float,
    top: float,
    title: str,
    values: npt.NDArray[np.float64],
    ends: tuple[float, float],
    decimals: int,
    colours: Palette,
) -> None:
    """Draw one number a class; values: [169] float64, NaN where there is nothing to show."""
    page.text(left + SIDE / 2, top - TITLE / 2, title, 11.0)
    low, high = ends
    cell = SIDE / 13
    for index, value in enumerate(values):
        x, y = cell_place(left, top, index)
        known = bool(np.isfinite(value))
        share = min(1.0, max(0.0, (value - low) / (high - low))) if known and high > low else 0.0
        back = blend(colours.empty, colours.passive, share)
        page.box(x, y, cell, cell, back)
        front = ink(back) if known else "#9a9a9a"
        page.text(x + cell / 2, y + 0.33 * cell, class_name(index), 6.0, front)
        if known:
            text = f"{value:.{decimals if abs(value) < 100 else 1}f}"
            page.text(x + cell / 2, y + 0.7 * cell, text, 7.0, front)
    draw_ruling(page, left, top)
