"""`overbet range`: show a range as a grid, count it, and write it as other programs read it."""

from __future__ import annotations

from pathlib import Path

import typer

EXAMPLE = 'overbet range "AA,KQs,A5s-A2s,KTo+:0.5"'


def register(app: typer.Typer) -> None:
    """Add the verb."""

    @app.command("range", epilog=f"Example: `{EXAMPLE} --board Ah7d2c`")
    def show(
        text: str = typer.Argument(..., help="The range, such as 'QQ+,AKs,A5s-A2s,KTo+:0.5,AsKh:.25'."),
        board: str = typer.Option("", "--board", "-b", help="Take out combos that hold a board card."),
        form: str = typer.Option("pio", "--form", help="How the text is written: pio or gto+."),
        plot: Path = typer.Option(None, "--plot", help="Draw the grid to a .png, .svg or .pdf file."),
        palette: str = typer.Option("standard", "--palette", help="standard or colour-blind."),
        as_json: bool = typer.Option(False, "--json", help="Print JSON."),
    ) -> None:
        """Show a range: the grid, the combos, the share of hands, and the text that other programs read."""
        import json

        from rich.console import Console

        from overbet.cards import palette as palettes
        from overbet.cards.cards import board as read_board
        from overbet.cards.cards import cards_name
        from overbet.cards.grid import Grid
        from overbet.cards.range import Range
        from overbet.cards.range_text import range_form

        colours = palettes.palette(palette)
        dead = read_board(board)
        written = Range.parse(text)  # its text is short; less the board's cards it would be a long list
        again = written.text(range_form(form))
        found = written.without(dead)
        possible = (52 - len(dead)) * (51 - len(dead)) // 2
        grid = Grid.of_weights(found.classes(), title=f"board {cards_name(dead)}" if dead else "")
        if plot is not None:
            from overbet.cards.plots import check_picture, plot_grids
            from overbet.files import check_place

            check_picture(plot)
            check_place(plot)
            plot_grids(plot, [grid], title=f"{found.combos:g} combos", colours=colours)
        if as_json:
            facts = {
                "text": again,
                "board": cards_name(dead),
                "combos": found.combos,
                "share": found.combos / possible,
                "matrix": [[round(float(w), 6) for w in row] for row in found.matrix()],
            }
            typer.echo(json.dumps(facts))
            return

        from overbet.interfaces.cli.grid import TerminalGrid

        console = Console(soft_wrap=True, highlight=False)
        console.print(TerminalGrid(grid, colours))
        console.print(f"{found.combos:g} combos of {possible:,}, {found.combos / possible:.1%} of hands")
        console.print(again or "(an empty range)", markup=False)
        if plot is not None:
            console.print(f"drawn to {plot}", markup=False)
