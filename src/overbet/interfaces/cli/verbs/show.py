"""`overbet show`: open a saved solution at a node, compare cards, see what a best response gains."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from overbet.errors import ConfigError
from overbet.files import write_text
from overbet.interfaces.cli import node_options

if TYPE_CHECKING:
    import polars
    from rich.console import Console

    from overbet.solvers.vector.solution import Solution

EXAMPLE = "overbet show quick.h5 --node r:0:c"
_MOST_HANDS = 20


def register(app: typer.Typer) -> None:
    """Add the verb."""

    @app.command("show", epilog=f"Examples: `{EXAMPLE}`, `overbet show quick.h5 --node r:0:c:c --report`")
    def show(
        file: Path = typer.Argument(..., help="A solution saved by overbet solve --save."),
        node: str = typer.Option("r:0", "--node", help="The line to show, such as r:0:c:b75:c:8h."),
        player: str | None = typer.Option(None, "--player", help="oop or ip; the one to act unless named."),
        report: bool = typer.Option(
            False, "--report", help="Compare all cards that can come at the line's end."
        ),
        then: str = typer.Option("", "--then", help="With --report: look after these actions, such as c."),
        categories: bool = typer.Option(
            False, "--categories", help="How made hands and draws play: what top pair bets."
        ),
        csv: Path | None = typer.Option(
            None, "--csv", help="With --report or --categories: write the table to this file."
        ),
        exploit: str | None = typer.Option(
            None, "--exploit", help="The best response of oop or ip to the other."
        ),
        export: Path | None = typer.Option(None, "--export", help="Write strategies to .parquet or .csv."),
        streets: str = typer.Option(
            "", "--streets", help="With --export: flop,turn,river; the first if left out."
        ),
        grids: str = node_options.GRIDS,
        plot: Path | None = node_options.PLOT,
        palette: str = node_options.PALETTE,
        as_json: bool = node_options.AS_JSON,
    ) -> None:
        """Open a saved solution at any line, also one that is never played."""
        from overbet.cards.palette import palette as read_palette
        from overbet.cards.plots import check_picture
        from overbet.interfaces.cli.node_view import read_grids
        from overbet.interfaces.cli.outputs import Outputs
        from overbet.solvers.vector.store import load

        colours, shown = read_palette(palette), read_grids(grids)
        if csv and not (report or categories):
            raise ConfigError("--csv writes the table of --report or --categories; name one of them")
        if plot:
            check_picture(plot)
        Outputs(export, plot, csv)
        solution = load(file)
        from rich.console import Console

        console = Console(highlight=False)
        written = None
        if export:
            named = [name.strip() for name in streets.split(",") if name.strip()]
            written = solution.export(export, named or None)
        if report:
            _report(console, solution, node, then, csv, as_json=as_json)
        elif categories:
            _categories(console, solution, node, player, csv, as_json=as_json)
        elif exploit:
            _exploit(console, solution, exploit, node, as_json=as_json)
        elif export and node == "r:0" and not plot:
            if as_json:
                typer.echo(json.dumps({"rows": written, "file": str(export)}))
        else:
            from overbet.interfaces.cli.node_view import show_node, show_solution
            from overbet.study import node_values, solution_values

            found = solution.node(node)
            if plot:
                from overbet.solvers.vector.picture import draw_node

                draw_node(plot, found, player, colours)
            if as_json:
                typer.echo(json.dumps({**solution_values(solution), "node": node_values(found, player)}))
                return
            show_node(console, found, player=player, grids=shown, colours=colours)
            show_solution(console, solution)
            if plot:
                console.print(f"drawn to {plot}", markup=False, soft_wrap=True)
        if export and not as_json:
            console.print(f"wrote {written:,} rows to {export}", markup=False, soft_wrap=True)


def _report(
    console: Console, solution: Solution, node: str, then: str, csv: Path | None, *, as_json: bool
) -> None:
    from overbet.interfaces.cli.node_view import show_frame, show_solution

    frame = solution.report(node, then)
    _write_csv(frame, csv)
    if as_json:
        typer.echo(json.dumps({"line": node, "then": then, "cards": _plain(frame.to_dicts())}))
        return
    if csv:
        console.print(f"wrote {len(frame)} cards to {csv}", markup=False, soft_wrap=True)
        return
    wide = type(console)(width=max(console.width, 160), highlight=False)
    show_frame(wide, frame.drop("like"), f"every card after {node}", solution.spot.big_blind)
    show_solution(console, solution)


def _categories(
    console: Console, solution: Solution, line: str, player: str | None, csv: Path | None, *, as_json: bool
) -> None:
    from overbet.interfaces.cli.node_view import show_frame, show_solution
    from overbet.study import breakdown_frame, category_breakdown

    found = category_breakdown(solution, line, player)
    frame = breakdown_frame(found, solution.node(line))
    _write_csv(frame, csv)
    if as_json:
        typer.echo(json.dumps(_plain(found)))
        return
    if csv:
        console.print(f"wrote {len(frame)} made hands and draws to {csv}", markup=False, soft_wrap=True)
        return
    wide = type(console)(width=max(console.width, 110), highlight=False)
    for kind, words in (("made", "made hands"), ("draws", "draws")):
        rows = frame.filter(frame["kind"] == kind).drop("kind")
        if len(rows):
            title = f"{found['player'].upper()} {words} at {found['line']}"
            show_frame(wide, rows, title, solution.spot.big_blind)
    show_solution(console, solution)


def _write_csv(frame: polars.DataFrame, path: Path | None) -> None:
    if path:
        text = frame.write_csv()  # made first, so that a full disk is the system's error, not polars' own
        write_text(path, text)


def _exploit(console: Console, solution: Solution, player: str, node: str, *, as_json: bool) -> None:
    from overbet.interfaces.cli.grid import TerminalGrid
    from overbet.interfaces.cli.node_view import show_frame

    found = solution.best_response(player, node)
    frame = found.to_polars().sort("gain_chips", descending=True, nulls_last=True)
    if as_json:
        head = {"line": found.line, "player": found.player, "ev_chips": found.ev}
        gains = {"gain_chips": found.gain_chips, "gain_percent_of_pot": found.gain}
        typer.echo(json.dumps({**_plain(head | gains), "hands": _plain(frame.to_dicts())}))
        return
    console.print(TerminalGrid(found.grid()))
    show_frame(console, frame.head(_MOST_HANDS), "the hands that gain most", solution.spot.big_blind)
    console.print(found.summary(), markup=False, soft_wrap=True)


def _plain(value: Any) -> Any:
    from overbet.study import plain

    return plain(value)
