"""`overbet upi`: solve by PioSOLVER's text commands, read from stdin and answered on stdout."""

from __future__ import annotations

from pathlib import Path

import typer

EXAMPLE = "overbet upi examples/river.upi"


def register(app: typer.Typer) -> None:
    """Add the verb."""

    @app.command("upi", epilog=f"Examples: `{EXAMPLE}`, `overbet upi`")
    def upi(
        script: Path | None = typer.Argument(None, help="A file of commands; stdin if left out."),
    ) -> None:
        """Answer the commands of UPI, a subset: set_board, set_range, add_line, build_tree, go, show_node,
        ...

        One command a line; `exit` or the end of the input ends it. A command that cannot be carried out
        answers ERROR and the next one is read.
        """
        import sys

        from overbet.errors import ArtefactError, reason, short
        from overbet.interfaces.protocols.upi.reading import command_lines
        from overbet.interfaces.protocols.upi.session import UpiSession

        session = UpiSession(sys.stdout)
        if script is None:
            binary = getattr(sys.stdin, "buffer", None)  # none where a text stands in its place
            session.talk(command_lines(binary) if binary else sys.stdin or ())
            return
        try:
            file = script.open("rb")
        except OSError as error:
            raise ArtefactError(f"cannot read {short(script)}: {reason(error)}") from error
        with file:
            session.talk(command_lines(file))
