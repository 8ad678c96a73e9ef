"""`overbet games`: the games that are there."""

from __future__ import annotations

import typer

EXAMPLE = "overbet games"


def register(app: typer.Typer) -> None:
    """Add the verb."""

    @app.command("games")
    def games(as_json: bool = typer.Option(False, "--json", help="Print JSON.")) -> None:
        """List the registered games."""
        import json

        from overbet.games.registry import entries

        if as_json:
            rows = [
                {"name": e.name, "players": e.players, "summary": e.summary, "exact": e.enumerable}
                for e in entries()
            ]
            typer.echo(json.dumps(rows))
            return

        from rich import box
        from rich.console import Console
        from rich.table import Table

        table = Table("game", "players", "what it is", "solved exactly by", box=box.SIMPLE_HEAD)
        for entry in entries():
            way = f"overbet tabular {entry.name}" if entry.enumerable else "too large to enumerate"
            table.add_row(entry.name, entry.players, entry.summary, way)
        Console(highlight=False).print(table)
