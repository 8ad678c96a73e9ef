"""`overbet demo`: a short tour that runs real commands and shows their real output."""

from __future__ import annotations

import subprocess
import sys

import typer

EXAMPLE = "overbet demo"
_MATCH = ["match", "blueprint:heads-up", "tag", "--hands", "20000", "--no-aivat"]


def register(app: typer.Typer) -> None:
    """Add the command."""

    @app.command()
    def demo() -> None:
        """Take a tour of a few minutes: equity, an exact solve, push or fold, a match of the blueprint."""
        from rich.console import Console

        from overbet.interfaces.cli.examples import example

        console = Console()
        tour = (
            ("Equity, exact:", ["equity", "AhKh", "QsQd"]),
            ("A spot's size before it is solved:", ["tree", str(example("quick.yaml"))]),
            ("The spot solved (kernels compile on first use):", ["solve", str(example("quick.yaml"))]),
            ("Push or fold at 10 big blinds, exact:", ["pushfold", "--stack", "10"]),
            (
                "Leduc poker by discounted CFR:",
                ["tabular", "leduc", "--rule", "dcfr", "--iterations", "1000"],
            ),
            (
                "What the shipped heads-up blueprint does with each first hand:",
                ["blueprint", "show", "heads-up", "--line", "r:0"],
            ),
            (
                "The blueprint against a scripted agent, with the 95 % interval:",
                _MATCH,
            ),
        )
        from overbet.interfaces.cli.app import build

        command = build()
        compiling = _compile_the_match()
        for title, words in tour:
            console.rule(title, align="left")
            console.print("$ overbet " + " ".join(words), style="bold", markup=False, highlight=False)
            if words is _MATCH:
                compiling.wait()
            command(args=words, prog_name="overbet", standalone_mode=False)
        console.rule("Next", align="left")
        console.print("overbet serve (or make app) opens the page in a browser: solve, study and play there.")
        console.print("overbet --help lists everything; the README walks through it.", highlight=False)


def _compile_the_match() -> subprocess.Popen[bytes]:
    """Compile the kernels of a match beside the tour: a minute of another core on a new machine."""
    words = [sys.executable, "-m", "overbet", *_MATCH, "--hands", "2", "--no-ledger"]
    none = subprocess.DEVNULL
    return subprocess.Popen(words, stdin=none, stdout=none, stderr=none)
