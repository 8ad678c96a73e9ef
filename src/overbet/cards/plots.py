"""Pictures: 13 x 13 grids and log-log curves, written whole or not at all.

Figures are drawn on matplotlib's Agg canvas directly, without pyplot: no display, no global state.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from overbet.cards.combos import class_name
from overbet.cards.grid import Grid
from overbet.cards.palette import STANDARD, Palette, action_colours
from overbet.errors import ArtefactError
from overbet.files import replacing

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

FORMATS = ("png", "svg", "pdf")

# Okabe and Ito's colours for lines: told apart by every common form of colour vision.
_LINES = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000", "#8c6d31")


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
    figure = new_figure(6.2 * len(grids), 6.8)
    for number, grid in enumerate(grids):
        draw_grid(figure.add_subplot(1, len(grids), number + 1), grid, colours)
    if title:
        figure.suptitle(title)
    save_figure(figure, target)


def plot_curves(
    path: str | Path,
    curves: Mapping[str, tuple[npt.ArrayLike, npt.ArrayLike]],
    xlabel: str,
    ylabel: str,
    title: str = "",
) -> None:
    """Write a log-log picture; `curves` maps a label to its x and y. Points not above 0 are left out."""
    target = check_picture(path)
    figure = new_figure(8.0, 5.5)
    axes = figure.add_subplot(1, 1, 1)
    for number, (label, (x, y)) in enumerate(curves.items()):
        xs, ys = np.asarray(x, np.float64), np.asarray(y, np.float64)
        shown = (xs > 0) & (ys > 0)
        style = "-" if number < len(_LINES) else "--"
        axes.plot(xs[shown], ys[shown], style, color=_LINES[number % len(_LINES)], label=label, linewidth=1.6)
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlabel(xlabel)
    axes.set_ylabel(ylabel)
    axes.grid(True, which="major", alpha=0.4)
    axes.grid(True, which="minor", alpha=0.12)
    if curves:
        axes.legend(frameon=False)
    if title:
        axes.set_title(title)
    save_figure(figure, target)


def new_figure(width: float, height: float) -> Figure:
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), layout="constrained")
    FigureCanvasAgg(figure)
    return figure


def save_figure(figure: Figure, target: Path) -> None:
    with replacing(target) as beside:
        figure.savefig(beside, format=target.suffix.lower().removeprefix("."), dpi=130, bbox_inches="tight")


def draw_grid(axes: Axes, grid: Grid, colours: Palette) -> None:
    from matplotlib.patches import Patch, Rectangle
    from matplotlib.patheffects import withStroke

    axes.set(xlim=(0, 13), ylim=(13, 0), aspect="equal")
    axes.set_axis_off()
    for index in range(169):
        row, column = divmod(index, 13)
        axes.add_patch(Rectangle((column, row), 1, 1, facecolor=colours.empty, edgecolor="none"))
        height = min(1.0, float(grid.weights[index]))
        bars = list(grid.bars(index, colours)) if height > 0 else []
        for bar in bars:
            place, width = (column + bar.left, row + 1 - height), bar.right - bar.left
            axes.add_patch(Rectangle(place, width, height, facecolor=bar.colour, edgecolor="none"))
        axes.add_patch(Rectangle((column, row), 1, 1, fill=False, edgecolor="white", linewidth=1.0))
        axes.text(
            column + 0.5,
            row + 0.5,
            class_name(index),
            ha="center",
            va="center",
            fontsize=8,
            color="black" if bars else "#9a9a9a",
            path_effects=[withStroke(linewidth=1.8, foreground="white")],  # reads on every colour
        )
    if grid.title:
        axes.set_title(grid.title, fontsize=11)
    if not grid.bare:
        pairs = reversed(list(zip(grid.actions, action_colours(grid.actions, colours))))
        handles = [Patch(color=colour, label=action) for action, colour in pairs]
        axes.legend(
            handles=handles, loc="upper center", bbox_to_anchor=(0.5, 0.0), ncols=len(handles), frameon=False
        )
