"""A node of a solution as one picture: the strategy, EV and equity as grids, with the totals above."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from overbet.cards.combos import class_name
from overbet.cards.palette import STANDARD, Palette, blend, ink
from overbet.cards.plots import check_picture, draw_grid, new_figure, save_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from overbet.solvers.vector.node import Node


def draw_node(path: str | Path, node: Node, player: str | None = None, colours: Palette = STANDARD) -> None:
    """Write a picture of a node: one player's grid of actions (or its range), EV and equity."""
    target = check_picture(path)
    seat = node.seat(player)
    figure = new_figure(18.0, 7.0)
    grid = node.grid(player)
    grid.title = f"{seat.player.upper()} {'strategy' if seat.strategy is not None else 'range'}"
    draw_grid(figure.add_subplot(1, 3, 1), grid, colours)
    evs = seat.by_class(seat.ev_chips) / (node.big_blind or 1)
    pot = node.amount(node.pot)
    _draw_values(figure.add_subplot(1, 3, 2), f"EV, {node.unit}", evs, (0.0, pot), 2, colours)
    equity = 100 * seat.by_class(seat.equity)
    _draw_values(figure.add_subplot(1, 3, 3), "equity, %", equity, (0.0, 100.0), 1, colours)
    title = node.summary().replace("; ", "   ")
    if node.player:
        shares = zip(node.actions, node.seat().frequencies())
        title += "\n" + "   ".join(f"{action.label} {share:.1%}" for action, share in shares)
    figure.suptitle(title, fontsize=11)
    save_figure(figure, target)


def _draw_values(
    axes: Axes,
    title: str,
    values: npt.NDArray[np.float64],
    ends: tuple[float, float],
    decimals: int,
    colours: Palette,
) -> None:
    """Draw one number a class; values: [169] float64, NaN where there is nothing to show."""
    from matplotlib.patches import Rectangle

    axes.set(xlim=(0, 13), ylim=(13, 0), aspect="equal")
    axes.set_axis_off()
    axes.set_title(title, fontsize=11)
    low, high = ends
    for index, value in enumerate(values):
        row, column = divmod(index, 13)
        known = bool(np.isfinite(value))
        share = min(1.0, max(0.0, (value - low) / (high - low))) if known and high > low else 0.0
        back = blend(colours.empty, colours.passive, share)
        axes.add_patch(Rectangle((column, row), 1, 1, facecolor=back, edgecolor="white", linewidth=1.0))
        front = ink(back) if known else "#9a9a9a"
        axes.text(
            column + 0.5, row + 0.33, class_name(index), ha="center", va="center", fontsize=6, color=front
        )
        if known:
            text = f"{value:.{decimals if abs(value) < 100 else 1}f}"
            axes.text(column + 0.5, row + 0.7, text, ha="center", va="center", fontsize=7, color=front)
