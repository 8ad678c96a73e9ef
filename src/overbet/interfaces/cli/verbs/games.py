"""`overbet games`: the games that are there."""

from __future__ import annotations

import typer

EXAMPLE = "overbet games"


def register(app: typer.Typer) -> None:
    """Add the verb."""

    @app.command("games")
    def games(
        openspiel: bool = typer.Option(False, "--openspiel", help="List OpenSpiel's games instead."),
        as_json: bool = typer.Option(False, "--json", help="Print JSON."),
    ) -> None:
        """List the registered games, or those of OpenSpiel."""
        import json

        from overbet.games.registry import entries

        if openspiel:
            _openspiel(as_json)
            return
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


def _openspiel(as_json: bool) -> None:
    import dataclasses
    import json

    from overbet.games.openspiel import openspiel_entries

    found = openspiel_entries()
    if as_json:
        typer.echo(json.dumps([dataclasses.asdict(entry) for entry in found]))
        return

    from rich import box
    from rich.console import Console
    from rich.table import Table

    table = Table("game", "players", "moves", "to solve it", box=box.SIMPLE_HEAD)
    for entry in found:
        way = f"overbet tabular openspiel:{entry.name}" if entry.solvable else "cannot be enumerated"
        table.add_row(entry.name, entry.players, entry.dynamics, way)
    console = Console(highlight=False)
    console.print(table)
    console.print(" parameters in brackets: openspiel:leduc_poker(players=3); too large a game says so")
