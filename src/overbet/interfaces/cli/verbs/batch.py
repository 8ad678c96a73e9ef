"""`overbet batch`: one spot on many flops, kept in a folder that can be gone on with."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from collections.abc import Callable

    from rich.console import Console

    from overbet.solvers.vector.batches.batch import Batch, BatchProgress

EXAMPLE = "overbet batch examples/batch.yaml --flops 25 --out three-bet-pot"
_SHOWN = 30  # boards in the table; all of them are in the files


def register(app: typer.Typer) -> None:
    """Add the verb."""

    @app.command("batch", epilog=f"Example: `{EXAMPLE}`")
    def batch(
        spot: Path = typer.Argument(..., help="A spot in YAML; its own board is left aside."),
        flops: str = typer.Option(
            "25", "--flops", "-f", help="25, 50, 100, 200, all, or a file with a board a line."
        ),
        out: Path = typer.Option(..., "--out", "-o", help="The folder that keeps the results."),
        lines: list[str] = typer.Option(
            [], "--line", "-l", help="A line whose frequencies are wanted, such as r:0:c; r:0 always is."
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
        as_json: bool = typer.Option(False, "--json", help="Print JSON."),
    ) -> None:
        """Solve a spot on many flops and average what is found.

        Every solved flop is kept in the folder at once. Ctrl-C stops; the same command goes on. At the end
        the folder holds boards.csv and boards.parquet, a row a board.
        """
        from overbet.interfaces.cli.outputs import Outputs
        from overbet.solvers.vector.api import SolveFile
        from overbet.solvers.vector.batches.batch import solve_batch
        from overbet.solvers.vector.batches.flops import board_set

        outputs = Outputs(out / "boards.csv")
        boards = board_set(flops)
        given = {"target": target, "iterations": iterations, "threads": threads, "device": device}
        own = [f"solve.{key}={value}" for key, value in given.items() if value is not None]
        file = SolveFile.load(spot, [*changes, *own])
        with _progress(file.solve.target) as watch:
            found = solve_batch(file, boards, out, lines=["r:0", *lines], progress=watch)
        if found.rows:
            outputs.write(out, lambda: _write(found, out))
        if as_json:
            typer.echo(json.dumps(_facts(found, out)))
        else:
            from rich.console import Console

            _show(Console(highlight=False), found, out)
        outputs.end()
        if found.interrupted:
            raise typer.Exit(130)


@contextmanager
def _progress(target: float) -> Iterator[Callable[[BatchProgress], None]]:
    """Show boards done, the one being solved and the time left, on the error stream if it is a terminal."""
    from overbet.interfaces.cli.progress import COMPILING, shown

    with shown(f"building {COMPILING}", number="count", time_left=False, width=24) as show:

        def watch(state: BatchProgress) -> None:
            text = state.board
            if state.look is not None:
                text += f"  exploitability {state.look.exploitability:.3f}% of the pot, target {target:g}%"
            left = state.seconds_left
            words = "" if left is None else f"about {int(left) // 60}:{int(left) % 60:02d} left"
            show(state.done, state.total, text, words)

        yield watch


def _write(found: Batch, out: Path) -> None:
    from overbet.files import write_text
    from overbet.interfaces.cli.outputs import write_parquet

    frame = found.to_polars()
    write_text(out / "boards.csv", frame.write_csv())
    write_parquet(out / "boards.parquet", frame)


def _facts(found: Batch, out: Path) -> dict[str, object]:
    return {
        "set": found.boards.name,
        "boards": len(found.boards.boards),
        "solved": len(found.rows),
        "stopped": found.interrupted,
        "averages": {name: value for name, value in found.averages().items() if value == value}
        if found.rows
        else {},
        "rows": [dict(row) for row in found.rows],
        "folder": str(out),
    }


def _show(console: Console, found: Batch, out: Path) -> None:
    from rich import box
    from rich.table import Table

    total = len(found.boards.boards)
    if found.rows:
        frame = found.to_polars()
        unit = "bb" if found.spot.big_blind else "chips"
        actions = [name for name in frame.columns if name.startswith("r:0 ") and name != "r:0 played"]
        table = Table(box=box.SIMPLE_HEAD, padding=(0, 0, 0, 1))
        heads = ["board", "comes", f"OOP {unit}", f"IP {unit}", "OOP eq", "OOP R", "IP R"]
        for name in [*heads, *(action.removeprefix("r:0 ") for action in actions)]:
            table.add_column(name, justify="left" if name == "board" else "right", no_wrap=name in heads)
        for row in frame.head(_SHOWN).iter_rows(named=True):
            table.add_row(row["board"], f"{100 * row['probability']:.2f}%", *_cells(row, unit, actions))
        if len(frame) > _SHOWN:
            table.add_row(f"... {len(frame) - _SHOWN:,} more")
        table.add_section()
        table.add_row("mean", "100%", *_cells(found.averages(), unit, actions), style="bold")
        console.print(table)
        console.print(" EV and equity (eq) of the range; R: realisation, EV over equity times pot")
        worst = max(float(row["exploitability"]) for row in found.rows)
        console.print(f" {len(found.rows)} of {total} boards; exploitability at most {worst:.3f}% of the pot")
        for line in found.lines:
            if line != "r:0":
                console.print(f" {_line_text(found.averages(), line)}", markup=False, soft_wrap=True)
        console.print(
            f" kept in {out}: boards.csv, boards.parquet",
            markup=False,
            soft_wrap=True,
        )
    if found.interrupted:
        console.print(" stopped early; the same command goes on", style="yellow")


def _cells(row: Mapping[str, float | None], unit: str, actions: list[str]) -> list[str]:
    evs = [_text(row[f"{player}_ev_{unit}"], "{:.2f}") for player in ("oop", "ip")]
    realised = [_text(row[f"{player}_realisation"], "{:.0%}") for player in ("oop", "ip")]
    shares = [_text(row[name], "{:.1%}") for name in ("oop_equity", *actions)]
    return [*evs, shares[0], *realised, *shares[1:]]


def _text(value: float | None, form: str) -> str:
    return "-" if value is None or value != value else form.format(value)


def _line_text(averages: dict[str, float], line: str) -> str:
    parts = [
        f"{name.removeprefix(line + ' ')} {100 * value:.1f}%"
        for name, value in averages.items()
        if name.startswith(line + " ") and not name.endswith(" played")
    ]
    return f"{line} (played {100 * averages[line + ' played']:.1f}%): {', '.join(parts)}"
