"""The `overbet` command: finds the verbs, and turns errors into one clear line.

A verb is a module of `overbet.interfaces.cli.verbs` with a function `register(app)`. Exit codes: 0 all is
well; 1 an unexpected error, or a check that found something wrong; 2 a wrong option or file, told in one
line; 3 the result was printed but could not be noted in the ledger; 130 Ctrl-C; 143 and 129 SIGTERM and
SIGHUP, which do what Ctrl-C does. `--debug` shows the traceback of any error.
"""

from __future__ import annotations

import importlib
import io
import os
import pkgutil
import sys
import threading
import warnings
from typing import Any, NoReturn, TextIO

import typer

from overbet._version import __version__
from overbet.errors import OverbetError, reason, short
from overbet.interfaces.cli import verbs
from overbet.kernels.told import told, told_of_waiting
from overbet.signals import INTERRUPTED, StopRequests, polite_signals

_HELP = (
    """Solve, train, play, measure and study no-limit hold'em. A study tool for use away from the table."""
)

# what Typer raises for options it cannot read; the class has moved between its versions
_USAGE: Any = next(kind for kind in typer.BadParameter.__mro__ if kind.__name__ == "ClickException")
_said: set[str] = set()  # which kernels are compiled and waited for
_saying = threading.Lock()
_MOST = 2_000  # characters of an error line
_EXIT_CODES = (
    "Exit codes: 0 done; 1 an unexpected error, or a check that failed; 2 a wrong option or file; 3 the "
    "result is printed but not in the ledger; 130 stopped by Ctrl-C (143, 129: by SIGTERM, SIGHUP)."
)


def build(verb: str = "") -> typer.Typer:
    """Return the command with every verb registered, or with one alone: the others take longer to load."""
    app = typer.Typer(
        name="overbet",
        help=_HELP,
        no_args_is_help=True,
        rich_markup_mode="markdown",
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )

    modules = _verbs(verb)

    @app.callback(epilog=_examples(modules))
    def options(
        version: bool = typer.Option(
            False, "--version", callback=_print_version, is_eager=True, help="Print the version and exit."
        ),
        debug: bool = typer.Option(False, "--debug", help="Show the traceback of an error."),
    ) -> None:
        pass

    for module in modules:
        module.register(app)
    return app


def _verbs(verb: str = "") -> list[Any]:
    """Return the modules of all verbs, or that of one where it is the name of one.

    A module such as `hands_leaks` is a part of the verb `hands`, which registers it.
    """
    found = {info.name for info in pkgutil.iter_modules(verbs.__path__)}
    names = sorted(name for name in found if "_" not in name or name.split("_")[0] not in found)
    own = verb.replace("-", "_") if "_" not in verb else ""
    wanted = [own] if own in names else names
    return [importlib.import_module(f"{verbs.__name__}.{name}") for name in wanted]


def _examples(modules: list[Any]) -> str:
    """Join the verbs' own `EXAMPLE` lines: the help shows what exists and nothing else."""
    lines = [getattr(module, "EXAMPLE", "") for module in modules]
    return "Examples:\n\n" + "\n\n".join([*(f"`{line}`" for line in lines if line), _EXIT_CODES])


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"overbet {__version__}")
        raise typer.Exit


def main() -> NoReturn:
    """Run the command line."""
    debug = "--debug" in sys.argv
    arguments = [word for word in sys.argv[1:] if word != "--debug"]
    _print_anything()
    warnings.showwarning = _show_warning
    if sys.stderr.isatty():
        told.append(_say_compiling)
        told_of_waiting.append(_say_waiting)
    with polite_signals() as asked:
        if _opens_menu(arguments):
            from overbet.interfaces.cli.menu.main_menu import open_menu

            code = open_menu(lambda words: _run(words, debug, asked), asked)
        else:
            code = _run(arguments, debug, asked)
    sys.exit(code)


def _show_warning(
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    file: TextIO | None = None,
    line: str | None = None,
) -> None:
    """Show what the package warns of as one line, without a place in its source."""
    stream = file or sys.stderr
    if category is UserWarning:
        print(f"warning: {message}", file=stream)
    else:
        print(warnings.formatwarning(message, category, filename, lineno, line), end="", file=stream)


def _opens_menu(arguments: list[str]) -> bool:
    """Return whether a person at a terminal named no verb: the menu asks what to do."""
    streams = (sys.stdin, sys.stdout)
    return not arguments and all(stream is not None and stream.isatty() for stream in streams)


def _say_compiling(kernel: str) -> None:
    _say(f"compiling {kernel} for this machine, once")


def _say_waiting(kernel: str) -> None:
    _say(f"waiting for {kernel}, which another process is compiling for this machine")


def _say(line: str) -> None:
    """Say a line once, and at once: several threads may wait for the same kernel."""
    with _saying:
        if line not in _said:
            _said.add(line)
            sys.stderr.write(f"{line}\n")
            sys.stderr.flush()


def _run(arguments: list[str], debug: bool, asked: StopRequests) -> int:
    """Run a command and return its exit code; errors are printed, or raised where `debug` asks for that."""
    try:
        try:
            command = build(arguments[0] if arguments else "")
            code = command(args=arguments, prog_name="overbet", standalone_mode=False)
        except SystemExit as leaving:
            code = leaving.code
        code = code if isinstance(code, int) else 0
        _flush()
    except KeyboardInterrupt:
        code = INTERRUPTED
    except typer.Abort:  # the end of input where an answer was wanted
        code = 1
    except _USAGE as error:
        from typer.rich_utils import rich_format_error

        error.message = short(error.message, _MOST)
        rich_format_error(error)
        code = error.exit_code
    except Exception as error:
        if debug:
            raise
        text, code = _described(error, arguments)
        _print_error(text)
    return asked.exit_code if asked.number and code in (0, INTERRUPTED) else code


def _described(error: Exception, arguments: list[str]) -> tuple[str, int]:
    """Return the line that tells an error, and its exit code."""
    if isinstance(error, OverbetError):
        return str(error), 2
    if isinstance(error, OSError) and error.filename is not None:
        named = os.fsdecode(error.filename) if isinstance(error.filename, bytes) else error.filename
        return f"{short(named)}: {reason(error)}", 2
    if isinstance(error, OSError) and error.errno is not None:
        return f"{reason(error)} (`overbet --debug ...` shows where)", 2
    if isinstance(error, MemoryError):
        return "there is not enough memory for this; ask for less, or close other programs", 2
    kind = type(error).__name__
    again = short(" ".join(["overbet", "--debug", *arguments]), 200)
    return (
        f"unexpected {kind}: {short(error, 300) or 'no message'}; this is a fault of overbet {__version__}: "
        f"`{again}` shows the traceback; please report it with that to the authors"
    ), 1


def _print_error(text: str) -> None:
    from rich.console import Console

    Console(stderr=True, soft_wrap=True).print(
        f"error: {short(text, _MOST)}", style="red", markup=False, highlight=False
    )


def _print_anything() -> None:
    """Let a character that the terminal's encoding does not have be a question mark, not an error."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def _flush() -> None:
    """Write out what was printed while an error can still be told: a full disk, a closed terminal."""
    if sys.stdout is None:
        return
    try:
        sys.stdout.flush()
    except BrokenPipeError:  # the reader has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # or Python tries again at its end
        raise OverbetError(f"cannot write the output: {reason(error)}") from error
