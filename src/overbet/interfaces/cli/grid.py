"""The 13 x 13 grid in the terminal.

In colour a cell is a bar six characters wide, each character painted in the action at its place and faded
where the hand's weight is below 1. Without colour (a pipe, a file) the same facts are spelled: a dot for a
hand that is not there or always folds, two digits for a weight in percent, and a letter for the likeliest
action with its frequency where it is not the only one; the legend explains the letters.
"""

from __future__ import annotations

from string import ascii_lowercase

from rich.console import Console, ConsoleOptions, RenderResult
from rich.segment import Segment
from rich.style import Style
from rich.text import Text

from overbet.cards.combos import class_name
from overbet.cards.grid import Grid
from overbet.cards.palette import STANDARD, Palette, action_colours, blend, ink

_WIDTH = 6


class TerminalGrid:
    """A rich renderable of one grid."""

    def __init__(self, grid: Grid, colours: Palette = STANDARD) -> None:
        self.grid = grid
        self.colours = colours
        self.letters = _letters(grid.actions)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        if self.grid.title:
            yield Text(self.grid.title, style="bold")
        coloured = console.color_system is not None
        for row in range(13):
            for index in range(13 * row, 13 * row + 13):
                yield from self._painted(index) if coloured else self._spelled(index)
            yield Segment.line()
        if not self.grid.bare:
            yield self._legend(coloured)

    def _painted(self, index: int) -> RenderResult:
        name = class_name(index).center(_WIDTH)
        weight = float(self.grid.weights[index])
        bars = list(self.grid.bars(index, self.colours))
        for place, letter in enumerate(name):
            middle = (place + 0.5) / _WIDTH
            own = next((bar.colour for bar in bars if bar.left <= middle < bar.right), self.colours.empty)
            back = blend(self.colours.empty, own, min(1.0, weight))
            front = ink(back) if weight > 0 else "#9a9a9a"
            yield Segment(letter, Style(color=front, bgcolor=back))

    def _spelled(self, index: int) -> RenderResult:
        weight = float(self.grid.weights[index])
        name, percent = class_name(index), round(100 * weight)
        if weight == 0:
            yield Segment(".".ljust(_WIDTH if self.grid.bare else _WIDTH + 1))
        elif self.grid.bare:
            yield Segment((name if percent >= 100 else f"{name}{max(1, percent):02d}").ljust(_WIDTH))
        else:
            likeliest = int(self.grid.mix[index].argmax())
            letter, share = self.letters[likeliest], round(100 * self.grid.mix[index, likeliest])
            words = f"{name}{letter}" if share >= 100 else f"{name}{letter}{share:02d}"
            if share >= 100 and self.grid.actions[likeliest] == "fold":
                words = "."
            yield Segment(words.ljust(_WIDTH + 1))

    def _legend(self, coloured: bool) -> Text:
        line = Text()
        painted = action_colours(self.grid.actions, self.colours)
        for action, colour, letter in list(zip(self.grid.actions, painted, self.letters))[::-1]:
            if coloured:
                line.append(f" {action} ", Style(color=ink(colour), bgcolor=colour)).append(" ")
            else:
                line.append(f"{letter} = {action}  ")
        return line


def _letters(actions: tuple[str, ...]) -> list[str]:
    """Give each action a letter of its own, its first where that is free."""
    taken: list[str] = []
    for action in actions:
        wanted = [letter for letter in action.lower() + ascii_lowercase if letter.isalpha()]
        taken.append(next((letter for letter in wanted if letter not in taken), "?"))
    return taken
