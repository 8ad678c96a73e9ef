"""The `overbet` command: finds the verbs, and turns errors into one clear line.

A verb is a module of `overbet.interfaces.cli.verbs` with a function `register(app)`. An `OverbetError`
becomes `error: ...` and exit code 2; Ctrl-C exit code 130; a bug keeps its traceback.
"""

from __future__ import annotations

import importlib
import pkgutil
import sys
from typing import Any, NoReturn

import typer
from rich.console import Console

from overbet._version import __version__
from overbet.errors import OverbetError
from overbet.interfaces.cli import verbs

_HELP = (
    """Solve, train, play, measure and study no-limit hold'em. A study tool for use away from the table."""
)


def build() -> typer.Typer:
    """Return the command with every verb registered."""
    app = typer.Typer(
        name="overbet",
        help=_HELP,
        no_args_is_help=True,
        rich_markup_mode="markdown",
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )

    @app.callback(epilog=_examples())
    def options(
        version: bool = typer.Option(
            False, "--version", callback=_print_version, is_eager=True, help="Print the version and exit."
        ),
        debug: bool = typer.Option(False, "--debug", help="Show the traceback of an error."),
    ) -> None:
        pass

    for module in _verbs():
        module.register(app)
    return app


def _verbs() -> list[Any]:
    names = sorted(info.name for info in pkgutil.iter_modules(verbs.__path__))
    return [importlib.import_module(f"{verbs.__name__}.{name}") for name in names]


def _examples() -> str:
    """Join the verbs' own `EXAMPLE` lines: the help shows what exists and nothing else."""
    lines = [getattr(module, "EXAMPLE", "") for module in _verbs()]
    return "Examples:\n\n" + "\n\n".join(f"`{line}`" for line in lines if line)


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"overbet {__version__}")
        raise typer.Exit


def main() -> NoReturn:
    """Run the command line."""
    debug = "--debug" in sys.argv
    arguments = [word for word in sys.argv[1:] if word != "--debug"]
    try:
        build()(args=arguments, prog_name="overbet", standalone_mode=True)
    except OverbetError as error:
        if debug:
            raise
        Console(stderr=True, soft_wrap=True).print(
            f"error: {error}", style="red", markup=False, highlight=False
        )
        sys.exit(2)
    except KeyboardInterrupt:
        sys.exit(130)
    sys.exit(0)
