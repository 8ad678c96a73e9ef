"""`overbet serve`: open the page that solves, studies and plays."""

from __future__ import annotations

from pathlib import Path

import typer

EXAMPLE = "overbet serve"


def register(app: typer.Typer) -> None:
    """Add the verb."""

    @app.command("serve", epilog=f"Example: `{EXAMPLE} --port 8765 --data my-solves`")
    def serve(
        port: int = typer.Option(8765, "--port", "-p", min=0, max=65535, help="Port; 0 takes a free one."),
        data: Path | None = typer.Option(
            None, "--data", help="Folder of everything the page keeps; $OVERBET_HOME unless named."
        ),
        review: int = typer.Option(
            2_048_000,
            "--review",
            min=4,
            max=1_000_000_000,
            help="After a hand or an answer, an action is played on up to so many times.",
        ),
        no_open: bool = typer.Option(False, "--no-open", help="Do not open a browser."),
    ) -> None:
        """Open the page in the browser: it listens on this machine only. Ctrl-C ends it; solves are saved."""
        from overbet.files import data_folder
        from overbet.interfaces.web.limits import Settings
        from overbet.interfaces.web.server import serve as run

        def ready(address: str) -> None:
            typer.echo(f"the page is at {address} (Ctrl-C ends it)")

        settings = Settings(data or data_folder(), port, warm=True, review=review)
        run(settings, open_page=not no_open, ready=ready, leave=True)
