"""The terminal's grid and the pictures."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import pytest
from rich.console import Console

from overbet.cards.combos import CLASSES
from overbet.cards.curves import plot_curves
from overbet.cards.grid import Grid
from overbet.cards.palette import COLOUR_BLIND, STANDARD
from overbet.cards.plots import plot_grids
from overbet.cards.range import Range
from overbet.errors import ArtefactError
from overbet.interfaces.cli.grid import TerminalGrid


def printed(grid: Grid, *, colour: bool) -> str:
    stream = io.StringIO()
    system = "truecolor" if colour else None
    console = Console(file=stream, force_terminal=colour, color_system=system, width=100)
    console.print(TerminalGrid(grid))
    return stream.getvalue()


def mixed() -> Grid:
    mix = np.tile([0.0, 0, 1, 0], (CLASSES, 1))
    mix[0] = [0, 0, 0.25, 0.75]
    return Grid(("fold", "bet 33%", "bet 75%", "all-in"), mix, title="first action")


def test_without_colour_the_weights_are_spelled() -> None:
    lines = printed(Grid.of_weights(Range.parse("AA,AKs:.5,72o:.001").classes()), colour=False).splitlines()
    assert lines[0].split()[:3] == ["AA", "AKs50", "."]
    assert lines[12].split()[7] == "72o01"
    assert len(lines) == 13


def test_without_colour_the_actions_have_letters_of_their_own() -> None:
    lines = printed(mixed(), colour=False).splitlines()
    assert lines[0].strip() == "first action"
    assert lines[1].split()[:2] == ["AAa75", "AKse"]
    assert lines[-1].split("  ")[:4] == ["a = all-in", "e = bet 75%", "b = bet 33%", "f = fold"]


def test_in_colour_a_cell_is_a_bar() -> None:
    text = printed(mixed(), colour=True)
    dark = "48;2;" + ";".join(str(int(STANDARD.bet_dark[i : i + 2], 16)) for i in (1, 3, 5))
    assert text.count(dark) == 4 + 1  # columns of AA with the middle under .75, and the legend once
    assert "all-in" in text


@pytest.mark.parametrize("name", ["grid.png", "grid.svg", "deeper/grid.PDF"])
def test_grids_are_drawn(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    plot_grids(path, [mixed(), Grid.of_weights(np.ones(CLASSES))], title="two", colours=COLOUR_BLIND)
    head = path.read_bytes()[:8]
    assert head.startswith((b"\x89PNG", b"<?xml", b"%PDF"))
    assert [p.name for p in path.parent.iterdir()] == [path.name]


def test_curves_are_drawn(tmp_path: Path) -> None:
    path = tmp_path / "curves.png"
    x = np.arange(10)
    plot_curves(
        path, {"cfr": (x, 1 / (1 + x)), "flat": ([1, 2], [0.0, 0.0])}, "iterations", "nash conv", "Kuhn"
    )
    assert path.read_bytes().startswith(b"\x89PNG")


def test_an_unknown_ending_leaves_nothing_behind(tmp_path: Path) -> None:
    with pytest.raises(ArtefactError, match=r"end the name in \.png, \.svg, \.pdf"):
        plot_grids(tmp_path / "grid.bmp", [mixed()])
    assert not list(tmp_path.iterdir())
