"""`overbet hands watch`: importing files of a folder as they come, for study after play."""

from __future__ import annotations

from pathlib import Path

import typer


def add_watch(group: typer.Typer) -> None:
    """Add the verb."""

    @group.command("watch", epilog="Example: `overbet hands watch histories`")
    def watch_(
        folder: Path = typer.Argument(..., help="The folder that files of hands come into."),
        quiet: float = typer.Option(
            30.0, "--quiet", min=0.0, help="Read a file once it has not changed for so many seconds."
        ),
        hash_names: bool = typer.Option(
            False, "--hash-names", help="Replace names by keyed hashes; the hero is `Hero`."
        ),
        data: Path = typer.Option(None, "--data", help="The data folder; $OVERBET_HOME unless named."),
    ) -> None:
        """Import new and changed files of a folder until Ctrl-C. This is for study after play.

        Only imports: nothing is shown of the hands. Ctrl-C in the middle of an import keeps what was read.
        """
        from overbet.interfaces.cli.hands_view import console_for_tables, print_report
        from overbet.interfaces.hands.database import HandDatabase
        from overbet.interfaces.hands.watching import FolderWatch, watch

        console = console_for_tables()
        with HandDatabase(data) as database:
            watched = FolderWatch(database, folder, quiet_s=quiet, hash_names=hash_names)
            console.print(f"watching {folder}; Ctrl-C ends it", markup=False)
            try:
                watch(watched, lambda report: print_report(console, report, all_errors=False))
            except KeyboardInterrupt:
                console.print(f"stopped; {len(database):,} hands are in the database")
