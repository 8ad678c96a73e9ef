"""`overbet preflop-table`: count every preflop match-up on every board, as the shipped table was made."""

from __future__ import annotations

from pathlib import Path

import typer

EXAMPLE = "overbet preflop-table --out preflop.h5"


def register(app: typer.Typer) -> None:
    """Add the verb."""

    @app.command("preflop-table", epilog=f"Example: `{EXAMPLE}`")
    def build(
        out: Path = typer.Option(..., "--out", "-o", help="The .npz file to write."),
        workers: int = typer.Option(
            0, "--workers", "-w", min=0, max=4096, help="Threads; 0 is one for each core."
        ),
        as_json: bool = typer.Option(False, "--json", help="Print JSON."),
    ) -> None:
        """Build the exact preflop table: wins and ties of all 47,008 match-ups over all boards.

        The package holds this table already; the command makes it anew and compares. It takes about half
        a minute of one core. When interrupted it leaves nothing behind.
        """
        import json

        from rich.console import Console

        from overbet.cards.preflop import shipped_counts
        from overbet.cards.preflop_build import count_matchups, write_counts
        from overbet.errors import ArtefactError
        from overbet.files import check_place
        from overbet.interfaces.cli.progress import COMPILING, shown

        check_place(out)
        with shown(f"preparing {COMPILING}") as show:

            def advance(done: int, total: int) -> None:
                show(done, total, f"{done:,} of {total:,} boards")

            wins, ties = count_matchups(workers=workers or None, progress=advance)
        write_counts(out, wins, ties)
        try:
            shipped = shipped_counts()
            same = bool((shipped[0] == wins).all() and (shipped[1] == ties).all())
            verdict = "equal to the shipped table" if same else "NOT equal to the shipped table"
        except ArtefactError:
            same, verdict = False, "there is no shipped table to compare with"
        if as_json:
            typer.echo(json.dumps({"out": str(out), "matchups": len(wins), "equal_to_shipped": same}))
            return
        size = out.stat().st_size // 1024
        Console(soft_wrap=True, highlight=False).print(
            f"{out}: {len(wins):,} match-ups over 1,712,304 boards each, {size} kB; {verdict}"
        )
