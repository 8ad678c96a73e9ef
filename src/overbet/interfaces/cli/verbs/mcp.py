"""`overbet mcp`: tools for a program that speaks for a language model, over standard input and output."""

from __future__ import annotations

from pathlib import Path

import typer

EXAMPLE = "overbet mcp --folder solutions --seconds 30"


def register(app: typer.Typer) -> None:
    """Add the verb."""

    @app.command("mcp", epilog=f"Example: `{EXAMPLE}`")
    def mcp(
        folder: Path = typer.Option(Path("."), "--folder", help="Where solutions are opened (and saved)."),
        seconds: float = typer.Option(
            60.0, "--seconds", min=0.1, max=86_400.0, help="Most seconds of one solve or one advice."
        ),
        memory: int = typer.Option(
            0, "--memory", min=0, max=10**7, help="Most MiB of one solve; 0 for half of what is free."
        ),
        allow_save: bool = typer.Option(
            False, "--allow-save", help="Offer a tool that saves solutions into the folder."
        ),
        data: Path | None = typer.Option(None, "--data", help="The data folder; $OVERBET_HOME unless named."),
    ) -> None:
        """Serve equity, ranges, solve, show, advise and hands to an MCP client that starts this command.

        Read-only unless --allow-save is given. What tools answer goes to the client, and from there to
        whoever runs its model. Nothing listens on a port.
        """
        import sys

        from overbet.errors import ConfigError, quoted
        from overbet.interfaces.mcp.limits import MIB, ToolLimits
        from overbet.interfaces.mcp.server import study_server

        if not folder.is_dir():
            raise ConfigError(f"--folder {quoted(str(folder))} is not a folder; make it first")
        limits = ToolLimits(
            folder=folder.resolve(), seconds=seconds, bytes=memory * MIB, saving=allow_save, data=data
        )
        server = study_server(limits)
        if not hasattr(sys.stdin, "buffer") or not hasattr(sys.stdout, "buffer"):
            raise ConfigError("overbet mcp speaks over standard input and output, and they are not open here")
        if sys.stdin.isatty():
            typer.echo("waiting for an MCP client on standard input; Ctrl-C ends", err=True)
        server.run("stdio")
