"""The 13 x 13 grid: AA top left, suited hands above the diagonal.

A `Grid` holds what each of the 169 cells shows: a horizontal bar of actions, the largest bet at the left
and fold at the right, as high as the hand's weight. A bare range is a grid with the one action `held`.
The terminal, the notebook and the picture all draw the bars that `Grid.bars` gives.

What a class of combos does is the mean over its combos, each weighed by how much of it gets here (`reach`);
a combo that cannot be held weighs nothing. `class_means` computes it for every view, the page's too.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from overbet.cards.combos import CLASSES, class_name, class_of_combos
from overbet.cards.palette import STANDARD, Palette, action_colours, ink
from overbet.errors import ConfigError

_TOLERANCE = 1e-3  # on frequencies, which may come from float32 sums


class Bar(NamedTuple):
    """One coloured piece of a cell, from `left` to `right` in 0..1."""

    action: str
    colour: str
    left: float
    right: float


class Grid:
    """What a 13 x 13 grid shows."""

    def __init__(
        self,
        actions: Sequence[str],
        mix: npt.ArrayLike,
        weights: npt.ArrayLike | None = None,
        title: str = "",
    ) -> None:
        """Take the actions from fold to the largest bet and how often each class takes them.

        `mix`: [169, action], each row sums to 1 (or to 0 where the hand never gets here); `weights`: [169]
        in 0..1, how much of the class is here at all, 1 where left out.
        """
        self.actions = tuple(actions)
        self.mix = np.asarray(mix, np.float64)
        self.weights = np.ones(CLASSES) if weights is None else np.asarray(weights, np.float64)
        self.title = title
        if self.mix.shape != (CLASSES, len(self.actions)) or self.weights.shape != (CLASSES,):
            raise ConfigError(
                f"a grid of {len(self.actions)} actions takes a mix of shape [169, {len(self.actions)}] and "
                f"weights of shape [169]; got {list(self.mix.shape)} and {list(self.weights.shape)}"
            )
        sums = self.mix.sum(1)
        fits = (np.abs(sums - 1) < _TOLERANCE) | (np.abs(sums) < _TOLERANCE)
        if not (fits & (self.mix >= 0).all(1)).all():
            first = int(np.flatnonzero(~(fits & (self.mix >= 0).all(1)))[0])
            raise ConfigError(f"frequencies of {class_name(first)} are not shares of 1: {self.mix[first]}")
        if not ((self.weights >= 0) & (self.weights <= 1 + _TOLERANCE)).all():
            raise ConfigError("weights of a grid are numbers from 0 to 1")

    @classmethod
    def of_weights(cls, weights: npt.ArrayLike, title: str = "") -> Grid:
        """Return the grid of a bare range; `weights`: [169] or [13, 13] in 0..1."""
        return cls(("held",), np.ones((CLASSES, 1)), np.asarray(weights, np.float64).reshape(-1), title)

    @property
    def bare(self) -> bool:
        """Whether this is a range without actions."""
        return self.actions == ("held",)

    def bars(self, index: int, colours: Palette = STANDARD) -> Iterator[Bar]:
        """Yield the pieces of a class's bar from left to right: largest bet first, fold last."""
        left = 0.0
        painted = action_colours(self.actions, colours)
        for place in reversed(range(len(self.actions))):
            right = min(1.0, left + float(self.mix[index, place]))
            if right > left:
                yield Bar(self.actions[place], painted[place], left, right)
            left = right

    def describe(self, index: int) -> str:
        """Return a cell in words: `AKs: raise 75.0%, fold 25.0%`."""
        weight = float(self.weights[index])
        if self.bare:
            return f"{class_name(index)}: {weight:.1%}"
        parts = [f"{a} {f:.1%}" for a, f in zip(self.actions[::-1], self.mix[index, ::-1]) if f > 0]
        words = f"{class_name(index)}: {', '.join(parts)}"
        return words if weight >= 1 else f"{words} (weight {weight:.1%})"


def class_means(
    combos: npt.NDArray[np.integer], values: npt.NDArray[np.float64], weight: npt.NDArray[np.float64]
) -> npt.NDArray[np.float64]:
    """Return the mean of values over the combos of each class: [169] or [169, n] float64.

    combos: [H]; values: [H] or [H, n], NaN where a combo has none; weight: [H], not negative. A class none of
    whose combos weighs anything has their plain mean; one without a combo that has a value is NaN.
    """
    classes = class_of_combos()[combos]
    table = values.reshape(len(values), -1)
    found = np.full((CLASSES, table.shape[1]), np.nan)
    for place in range(table.shape[1]):
        known = np.isfinite(table[:, place])
        for shares in (np.ones(len(combos)), weight):  # plain first; what weighs something takes its place
            kept = np.where(known, shares, 0.0)
            total = np.bincount(classes, kept, CLASSES)
            sums = np.bincount(classes, kept * np.where(known, table[:, place], 0.0), CLASSES)
            found[:, place] = np.divide(sums, total, out=found[:, place].copy(), where=total > 0)
    return found.reshape(CLASSES, *values.shape[1:])


def grid_html(grid: Grid, *, caption: str = "", colours: Palette = STANDARD) -> str:
    """Return the grid as an HTML table with inline styles, for notebooks and reports."""
    rows = []
    for row in range(13):
        cells = "".join(_cell(grid, 13 * row + column, colours) for column in range(13))
        rows.append(f"<tr>{cells}</tr>")
    title = f"<b>{escape(grid.title)}</b><br>" if grid.title else ""
    below = "" if grid.bare else _legend(grid, colours)
    note = f"<div>{escape(caption)}</div>" if caption else ""
    return (
        '<div style="display:inline-block;margin:0 12px 12px 0;font:12px sans-serif">'
        f'{title}<table style="border-collapse:collapse">{"".join(rows)}</table>{below}{note}</div>'
    )


def weights_html(weights: npt.ArrayLike, *, caption: str = "") -> str:
    """Return the HTML grid of a bare range; `weights`: [169] in 0..1."""
    return grid_html(Grid.of_weights(weights), caption=caption)


def _cell(grid: Grid, index: int, colours: Palette) -> str:
    bars = list(grid.bars(index, colours)) if grid.weights[index] > 0 else []
    stops = ",".join(f"{bar.colour} {100 * bar.left:.4g}% {100 * bar.right:.4g}%" for bar in bars)
    height = 100 * min(1.0, float(grid.weights[index]))
    fill = f"linear-gradient(to right,{stops}) bottom/100% {height:.4g}% no-repeat," if bars else ""
    front = "#000" if bars else "#9a9a9a"
    return (
        f'<td title="{escape(grid.describe(index))}" style="background:{fill}'
        f"linear-gradient({colours.empty},{colours.empty});color:{front};"
        "text-shadow:0 0 2px #fff,0 0 2px #fff;"
        f'width:34px;height:30px;padding:0;border:1px solid #fff;text-align:center">{class_name(index)}</td>'
    )


def _legend(grid: Grid, colours: Palette) -> str:
    pieces = [
        f'<span style="background:{colour};color:{ink(colour)};padding:1px 6px;margin-right:4px">'
        f"{escape(action)}</span>"
        for action, colour in reversed(list(zip(grid.actions, action_colours(grid.actions, colours))))
    ]
    return f'<div style="margin-top:4px">{"".join(pieces)}</div>'
