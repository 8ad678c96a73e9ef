"""A node of a solution in the terminal: grids, totals per action, both players."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
from rich.console import Console, ConsoleOptions, RenderResult
from rich.segment import Segment
from rich.style import Style
from rich.text import Text

from overbet.cards.cards import RANKS
from overbet.cards.palette import STANDARD, Palette, action_colours, blend, ink
from overbet.errors import ConfigError, unknown
from overbet.interfaces.cli.grid import TerminalGrid
from overbet.solvers.vector.node import cell_text

if TYPE_CHECKING:
    import polars

    from overbet.solvers.vector.node import Node
    from overbet.solvers.vector.solution import Solution

GRIDS = ("strategy", "ev", "equity")
_WIDTH = 6


class ValueGrid:
    """A rich renderable: one number a class, painted from light to dark between two ends."""

    def __init__(
        self,
        title: str,
        values: npt.NDArray[np.float64],
        ends: tuple[float, float],
        decimals: int = 2,
        colours: Palette = STANDARD,
    ) -> None:
        """Take `values`: [169] float64 in grid order, NaN where there is nothing to show."""
        self.title, self.values, self.ends = title, values, ends
        self.decimals, self.colours = decimals, colours

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        coloured = console.color_system is not None
        yield Text(self.title, style="bold")
        yield Text("  " + "".join(rank.rjust(_WIDTH) for rank in reversed(RANKS)), style="dim")
        low, high = self.ends
        for row in range(13):
            yield Segment(f"{RANKS[12 - row]} ", Style(dim=True))
            for value in self.values[13 * row : 13 * row + 13]:
                if math.isnan(value):
                    yield Segment(".".rjust(_WIDTH), Style(color="#9a9a9a") if coloured else None)
                    continue
                share = min(1.0, max(0.0, (value - low) / (high - low))) if high > low else 0.0
                back = blend(self.colours.empty, self.colours.passive, share)
                text = _short(value, self.decimals)
                yield Segment(text, Style(color=ink(back), bgcolor=back) if coloured else None)
            yield Segment.line()


def read_grids(text: str) -> list[str]:
    """Return the grids to show: `strategy`, `ev`, `equity`, several with commas, `all` or `none`."""
    if text == "all":
        return list(GRIDS)
    names = [name.strip() for name in text.split(",") if name.strip() and name != "none"]
    for name in names:
        if name not in GRIDS:
            raise ConfigError(unknown("grid", name, [*GRIDS, "all", "none"]))
    return names


def show_node(
    console: Console,
    node: Node,
    *,
    player: str | None = None,
    grids: list[str] | None = None,
    colours: Palette = STANDARD,
) -> None:
    """Print a node: pot and SPR, the grids, totals per action, both players' EV and equity."""
    seat = node.seat(player)
    console.print()
    console.print(_headline(node), soft_wrap=True)
    for name in GRIDS if grids is None else grids:
        if name == "strategy":
            grid = node.grid(player)
            grid.title = f"{seat.player.upper()} {'strategy' if seat.strategy is not None else 'range'}"
            console.print(TerminalGrid(grid, colours))
        elif name == "ev":
            values = seat.by_class(seat.ev_chips) / (node.big_blind or 1)
            pot = node.amount(node.pot)
            console.print(ValueGrid(f"{seat.player.upper()} EV, {node.unit}", values, (0.0, pot), 2, colours))
        else:
            values = 100 * seat.by_class(seat.equity)
            console.print(ValueGrid(f"{seat.player.upper()} equity, %", values, (0.0, 100.0), 1, colours))
    if node.player:
        console.print(_totals(node, colours))
    console.print(_players(node))
    if node.note:
        console.print(node.note, style="yellow", markup=False)
    if node.kind in ("oop", "ip"):
        ways = ", ".join(f"{node.line}:{action.token}" for action in node.actions)
        console.print(f"go on with --node {ways}", style="dim", markup=False, soft_wrap=True)
    elif node.kind == "card":
        console.print(
            f"a card comes: go on with --node {node.line}:8h, or compare all with overbet show ... --report",
            style="dim",
            markup=False,
            soft_wrap=True,
        )


def show_solution(console: Console, solution: Solution) -> None:
    """Print how good a solution is and how it came about."""
    stopped = "; stopped early" if solution.interrupted else ""
    held = "" if solution.last_street == 2 else f"; holds {', '.join(solution.streets)} only"
    console.print(
        f"exploitability [bold]{solution.exploitability:.3f}%[/bold] of the pot after {solution.iteration:,} "
        f"iterations, {solution.seconds:.1f} s{stopped}{held}",
        soft_wrap=True,
    )


def show_frame(console: Console, frame: polars.DataFrame, title: str, big_blind: int) -> None:
    """Print a frame as a table for people: shares in percent, EV with two decimals."""
    from rich import box
    from rich.table import Table

    hidden = [name for name in frame.columns if big_blind and "chips" in name]
    shown = frame.drop(hidden)
    table = Table(box=box.SIMPLE_HEAD, title=title, title_justify="left")
    fractions = [name for name in shown.columns if _is_frequency(shown, name)]
    for name in shown.columns:
        table.add_column(
            name.replace("_", " "), justify="right" if shown[name].dtype.is_numeric() else "left"
        )
    for row in shown.iter_rows():
        cells = [
            cell_text("frequency" if name in fractions else name, value)
            for name, value in zip(shown.columns, row)
        ]
        table.add_row(*cells)
    console.print(table)


def _headline(node: Node) -> Text:
    parts = [f"pot {node.amount(node.pot):g} {node.unit}", f"SPR {node.spr:.2f}"]
    if node.pot_odds is not None:
        to_call = f"{node.amount(node.to_call):g} {node.unit} to call"
        parts += [to_call, f"pot odds {node.pot_odds:.1%}"]
    who = {"oop": "OOP to act", "ip": "IP to act", "card": "a card comes", "fold": "folded"}
    parts.append(who.get(node.kind, "showdown"))
    return Text(f"{node.board}  {node.line}", style="bold").append("   " + ", ".join(parts), "not bold")


def _totals(node: Node, colours: Palette) -> Any:
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD)
    for name in ("action", "line", "frequency", "combos", f"EV {node.unit}", "of the pot"):
        table.add_column(name, justify="left" if name in ("action", "line") else "right")
    painted = action_colours([action.label for action in node.actions], colours)
    evs = f"ev_{node.unit}"
    for row, colour in reversed(list(zip(node.total_rows(), painted))):
        table.add_row(
            Text(f" {row['action']} ", Style(color=ink(colour), bgcolor=colour)),
            f":{row['token']}",
            f"{100 * row['frequency']:.1f}%",
            f"{row['combos']:.1f}",
            cell_text("ev", row[evs]),
            f"{100 * row['pot_share']:.0f}%" if row["pot_share"] else "",
        )
    return table


def _players(node: Node) -> Any:
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD)
    for name in ("player", "combos", f"EV {node.unit}", "equity", "realisation"):
        table.add_column(name, justify="left" if name == "player" else "right")
    for seat in (node.oop, node.ip):
        table.add_row(
            seat.player.upper() + (" (acts)" if node.player == seat.player else ""),
            f"{seat.reach.sum():.1f}",
            cell_text("ev", node.amount(seat.mean_ev_chips)),
            cell_text("equity", seat.mean_equity),
            cell_text("realisation", seat.mean_realisation),
        )
    return table


def _is_frequency(frame: polars.DataFrame, name: str) -> bool:
    """Return whether a column of a report holds shares: those named after actions have no unit."""
    return frame[name].dtype.is_float() and name.split(" ")[0] in (
        "fold",
        "check",
        "call",
        "bet",
        "raise",
        "all-in",
    )


def _short(value: float, decimals: int) -> str:
    """Write a number in six characters, a blank first, with as many decimals as fit."""
    for fewer in range(decimals, -1, -1):
        if len(text := f"{value:.{fewer}f}") < _WIDTH:
            return text.rjust(_WIDTH)
    return f"{value:.0e}".rjust(_WIDTH)
