"""`overbet pushfold`: the two charts of heads-up push or fold at any stack and ante."""

from __future__ import annotations

from pathlib import Path

import typer

EXAMPLE = "overbet pushfold --stack 10"


def register(app: typer.Typer) -> None:
    """Add the verb."""

    @app.command("pushfold", epilog=f"Example: `{EXAMPLE} --ante 0.125 --plot chart.png`")
    def show(
        stack: float = typer.Option(..., "--stack", "-s", help="Both stacks before posting, in big blinds."),
        ante: float = typer.Option(0.0, "--ante", "-a", help="What each player antes, in big blinds."),
        plot: Path = typer.Option(None, "--plot", help="Draw both charts to a .png, .svg or .pdf file."),
        palette: str = typer.Option("standard", "--palette", help="standard or colour-blind."),
        as_json: bool = typer.Option(False, "--json", help="Print JSON with the EV of every hand."),
    ) -> None:
        """Solve heads-up push or fold exactly and print what to push and what to call."""
        import json

        from rich.console import Console

        from overbet.cards import palette as palettes
        from overbet.interfaces.cli.outputs import Outputs
        from overbet.solvers.pushfold import solve_pushfold

        colours = palettes.palette(palette)
        if plot is not None:
            from overbet.cards.plots import check_picture

            check_picture(plot)
        outputs = Outputs(plot)
        found = solve_pushfold(stack, ante)
        if plot is not None:
            from overbet.cards.plots import plot_grids

            outputs.write(
                plot, lambda: plot_grids(plot, found.grids(), title=found.summary(), colours=colours)
            )
        if as_json:
            facts = {
                "stack_bb": stack,
                "ante_bb": ante,
                "value_bb": found.value_bb,
                "exploitability_bb": found.exploitability_bb,
                "push_share": found.push_share,
                "call_share": found.call_share,
                "push": found.push_range.text(),
                "call": found.call_range.text(),
                "hands": found.to_polars().to_dicts(),
            }
            typer.echo(json.dumps(facts))
            outputs.end()
            return

        from overbet.interfaces.cli.grid import TerminalGrid

        console = Console(soft_wrap=True, highlight=False)
        for grid, text in zip(found.grids(), (found.push_range, found.call_range)):
            console.print(TerminalGrid(grid, colours))
            console.print(f"{text.text()}\n", markup=False)
        console.print(found.summary(), markup=False)
        outputs.tell(console, "drawn to")
        outputs.end()
