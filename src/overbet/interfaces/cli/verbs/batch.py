"""`overbet batch`: one spot on many flops, kept in a folder that can be gone on with."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from overbet.interfaces.cli.clustering import CLUSTER, on_cluster

if TYPE_CHECKING:
    from collections.abc import Callable

    from overbet.solvers.vector.api import SolveFile
    from overbet.solvers.vector.batches.batch import Batch, BatchProgress

EXAMPLE = "overbet batch examples/batch.yaml --flops 25 --out three-bet-pot"


def register(app: typer.Typer) -> None:
    """Add the verb."""

    @app.command("batch", epilog=f"Example: `{EXAMPLE}`")
    def batch(
        spot: Path = typer.Argument(..., help="A spot in YAML; its own board is left aside."),
        flops: str = typer.Option(
            "25", "--flops", "-f", help="25, 50, 100, 200, all, or a file with a board a line."
        ),
        out: Path = typer.Option(..., "--out", "-o", help="The folder that keeps the results."),
        line: str = typer.Option(
            "r:0", "--line", "-l", help="The line to show, such as r:0:c; all are kept."
        ),
        keep: str = typer.Option(
            "nothing",
            "--keep",
            help="Keep solutions as well: street (the first street), all, or nothing.",
        ),
        trial: bool = typer.Option(
            False, "--trial", help="Solve one board more and say how long the others will take."
        ),
        changes: list[str] = typer.Option(
            [], "--set", help="Change a value: --set pot=120 --set solve.rule=cfr+"
        ),
        target: float | None = typer.Option(
            None, "--target", "-t", help="Exploitability to stop at, % of pot."
        ),
        iterations: int | None = typer.Option(None, "--iterations", "-n", help="Most iterations a board."),
        threads: int | None = typer.Option(None, "--threads", help="Threads; 0 for all cores."),
        device: str | None = typer.Option(None, "--device", help="auto, cpu or cuda."),
        cluster: str | None = CLUSTER,
        as_json: bool = typer.Option(False, "--json", help="Print JSON."),
    ) -> None:
        """Solve a spot on many flops and average what is found.

        Every solved flop is kept in the folder at once, with the figures of every line of the flop. Ctrl-C
        stops; the same command goes on. At the end the folder holds boards.csv and boards.parquet, a row a
        board at the line shown, and lines.parquet with all lines; `overbet report` shows other lines.
        """
        from overbet.errors import ConfigError, unknown
        from overbet.interfaces.cli.outputs import Outputs
        from overbet.solvers.vector.api import SolveFile
        from overbet.solvers.vector.batches.batch import solve_batch
        from overbet.solvers.vector.batches.flops import board_set
        from overbet.solvers.vector.batches.folder import KEEPS
        from overbet.solvers.vector.batches.street import place_in, street_of

        outputs = Outputs(out / "boards.csv")
        boards = board_set(flops)
        given = {"target": target, "iterations": iterations, "threads": threads, "device": device}
        own = [f"solve.{key}={value}" for key, value in given.items() if value is not None]
        file = SolveFile.load(spot, [*changes, *own])
        place_in(street_of(file.model_copy(update={"board": boards.boards[0]}).spot()), line)
        wanted = next((word for word in KEEPS if word == keep), None)
        if wanted is None:
            raise ConfigError(unknown("choice of --keep", keep, KEEPS))
        most = 1 if trial else None
        with on_cluster(cluster) as nodes, _progress(file.solve.target) as watch:
            found = solve_batch(file, boards, out, keep=wanted, most=most, progress=watch, cluster=nodes)
        if found.rows:
            outputs.write(out, lambda: _write(found, out, line))
        _tell(found, file, out, line, trial=trial, as_json=as_json)
        outputs.end()
        if found.interrupted:
            raise typer.Exit(130)


@contextmanager
def _progress(target: float) -> Iterator[Callable[[BatchProgress], None]]:
    """Show boards done, the one being solved and the time left, on the error stream if it is a terminal.

    Boards that come from a cluster are listed above the bar as they come.
    """
    from rich.console import Console

    from overbet.interfaces.cli.progress import COMPILING, shown

    console = Console(stderr=True, highlight=False)
    with shown(f"building {COMPILING}", number="count", time_left=False, width=24, console=console) as show:

        def watch(state: BatchProgress) -> None:
            text = state.board
            if state.solved is not None and console.is_terminal:
                console.print(solved_line(state.board, state.solved), markup=False)
            if state.look is not None:
                text += f"  exploitability {state.look.exploitability:.3f}% of the pot, target {target:g}%"
            left = state.seconds_left
            words = "" if left is None else f"about {int(left) // 60}:{int(left) % 60:02d} left"
            show(state.done, state.total, text, words)

        yield watch


def solved_line(board: str, row: dict[str, Any]) -> str:
    """Return a solved board in one line: how exactly, in how many iterations and seconds, and the EVs."""
    oop, ip = (f"{row[f'{player}_ev_chips'][0] or 0.0:,.1f}" for player in ("oop", "ip"))
    return (
        f"  {board:<10}  {row['exploitability']:.3f}% of the pot  {row['iterations']:>5} iterations  "
        f"{row['seconds']:>7.1f} s  OOP {oop}, IP {ip} chips"
    )


def _write(found: Batch, out: Path, line: str) -> None:
    from overbet.solvers.vector.batches.line_report import write_frame

    frame = found.to_polars(line)
    write_frame(frame, out / "boards.csv")
    write_frame(frame, out / "boards.parquet")
    write_frame(found.every_line(), out / "lines.parquet")


def _tell(found: Batch, file: SolveFile, out: Path, line: str, *, trial: bool, as_json: bool) -> None:
    from overbet.interfaces.cli.batch_view import report_facts, show_ends, show_report, time_text
    from overbet.machine import size_text
    from overbet.solvers.vector.batches.timing import BoardSizes

    report = found.at(line)
    left = None if found.complete else found.seconds_left()
    if as_json:
        facts = {"stopped": found.interrupted, "folder": str(out), "seconds_left": left}
        typer.echo(json.dumps({**report_facts(found, report), **facts}))
        return
    from rich.console import Console

    console = Console(highlight=False)
    if found.rows:
        show_report(console, report)
        show_ends(console, found, report)
        files = "boards.csv, boards.parquet, lines.parquet"
        console.print(f" kept in {out}: {files}", markup=False, soft_wrap=True)
    missing = len(found.boards.boards) - len(found.rows)
    if missing and left is not None:
        console.print(
            f" the other {missing} take about {time_text(left)}, measured on {len(found.rows)} solved here"
        )
    if trial:
        room = BoardSizes(file).kept_bytes(found.boards.boards)
        console.print(
            f" solutions kept with --keep street take at most {size_text(room['street'])}, with --keep all "
            f"{size_text(room['all'])}",
            soft_wrap=True,
        )
    if found.interrupted:
        console.print(" stopped early; the same command goes on", style="yellow")
