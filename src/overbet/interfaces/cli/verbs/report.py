"""`overbet report`: a solved batch at any line of its first street, by texture, as a table or a file."""

from __future__ import annotations

import json
from pathlib import Path

import typer

EXAMPLE = "overbet report three-bet-pot --line r:0:c --by suits"


def register(app: typer.Typer) -> None:
    """Add the verb."""

    @app.command(
        "report",
        epilog=f"Examples: `{EXAMPLE}`, `overbet report three-bet-pot --only high_card=A --out aces.csv`",
    )
    def report(
        folder: Path = typer.Argument(
            ...,
            help="The folder of overbet batch --out, or a report that was saved.",
        ),
        line: str = typer.Option("r:0", "--line", "-l", help="A line of the first street, such as r:0:c."),
        by: str | None = typer.Option(
            None, "--by", help="Group by suits, pairing, high_card or connectedness."
        ),
        only: list[str] = typer.Option(
            [], "--only", help="Only flops of a texture: --only suits=rainbow,two-tone --only high_card=A"
        ),
        sort: str | None = typer.Option(None, "--sort", help="A column of the file, such as ip_ev_chips."),
        ascending: bool = typer.Option(False, "--ascending", help="Sort from the lowest."),
        out: Path | None = typer.Option(
            None, "--out", "-o", help="Write the rows to a .csv or .parquet file."
        ),
        save: Path | None = typer.Option(
            None, "--save", help="Write the whole report, every line of it, to one small .h5 file."
        ),
        cost: str = typer.Option("", "--cost", help="With --save: a line on what it took, kept with it."),
        as_json: bool = typer.Option(False, "--json", help="Print JSON."),
    ) -> None:
        """Show what happens at a line on all boards of a batch; nothing is solved."""
        from overbet.errors import ConfigError
        from overbet.interfaces.cli.batch_view import read_filters, report_facts, show_ends, show_report
        from overbet.interfaces.cli.outputs import Outputs
        from overbet.solvers.vector.batches.batch import load_batch
        from overbet.solvers.vector.batches.line_report import checked_suffix, write_frame
        from overbet.solvers.vector.batches.packed import find_report
        from overbet.solvers.vector.batches.texture import checked_texture

        name = checked_texture(by) if by else None
        if name and sort:
            raise ConfigError("--sort orders boards, not groups; leave out --by or --sort")
        filters = read_filters(only)
        if out is not None:
            checked_suffix(out)
        outputs = Outputs(out, save)
        found = load_batch(find_report(folder))
        if save is not None:
            packed = save
            outputs.write(save, lambda: found.save(packed, cost))
        chosen = found.at(line).only(filters)
        if sort:
            chosen = chosen.sorted(sort, descending=not ascending)
        frame = chosen.to_polars(name)  # says so where no board is left
        if out is not None:
            target = out
            outputs.write(out, lambda: write_frame(frame, target))
        if as_json:
            typer.echo(json.dumps(report_facts(found, chosen, name)))
        else:
            from rich.console import Console

            console = Console(highlight=False)
            show_report(console, chosen, name)
            show_ends(console, found, chosen)
            if found.cost:
                console.print(f" {found.cost}", markup=False, soft_wrap=True)
            outputs.tell(console)
        outputs.end()
