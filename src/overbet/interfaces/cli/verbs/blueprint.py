"""`overbet blueprint`: what a blueprint is, what it plays, how far it is from the best."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from rich.progress import TaskID

    from overbet.blueprint.measure import Measurement
    from overbet.blueprint.query import Blueprint
    from overbet.blueprint.sampled_response import Progress

EXAMPLE = 'overbet blueprint show runs/first --line "r:0:b250"'
_MEASURE = "overbet blueprint measure runs/first --write"


def register(app: typer.Typer) -> None:
    """Add the verbs."""
    group = typer.Typer(help="Facts, strategies and measurements of blueprints.", no_args_is_help=True)
    app.add_typer(group, name="blueprint", epilog=f"Examples: `{EXAMPLE}`, `{_MEASURE}`")

    @group.command("info")
    def info(
        path: Path = typer.Argument(..., help="A shipped name, a file, or the folder of a finished run."),
    ) -> None:
        """Print the manifest of a blueprint as JSON: hours, cores, iterations, buckets, measurements."""
        import json

        from overbet.blueprint.store import open_blueprint

        with open_blueprint(_file_of(path)) as file:
            head = file.head
        typer.echo(json.dumps({**head["manifest"], "game": head["game"], "cards": head["cards"]}, indent=2))

    @group.command("export")
    def export(
        path: Path = typer.Argument(..., help="A shipped name, a file, or the folder of a finished run."),
        out: Path = typer.Argument(..., help="The JSON file to write."),
    ) -> None:
        """Write a small blueprint as JSON."""
        from overbet.blueprint.exchange import export_json
        from overbet.blueprint.query import Blueprint
        from overbet.files import check_place

        check_place(out)
        export_json(Blueprint.load(_file_of(path)), out)
        typer.echo(f"wrote {out} ({out.stat().st_size / 1e6:.2f} MB)")

    @group.command("import")
    def import_(
        path: Path = typer.Argument(..., help="A JSON file of `overbet blueprint export`."),
        out: Path = typer.Argument(..., help="The .h5 file to write."),
    ) -> None:
        """Read a blueprint from JSON and write it as a file."""
        from overbet.blueprint.exchange import import_json
        from overbet.files import check_place

        check_place(out)
        blueprint = import_json(path)
        blueprint.save(out)
        typer.echo(f"wrote {out} ({out.stat().st_size / 1e6:.2f} MB): {blueprint}")

    @group.command("measure", epilog=f"Example: `{_MEASURE}`")
    def measure(
        path: Path = typer.Argument(..., help="The folder of a run, a file, or a shipped name."),
        deals: int | None = typer.Option(None, "--deals", min=2, max=10**9, help="Deals to measure on."),
        iterations: int | None = typer.Option(
            None,
            "--iterations",
            "-n",
            min=1,
            max=10**15,
            help="Walks a player that a sampled response learns from.",
        ),
        seed: int = typer.Option(
            1_000_003, "--seed", min=0, max=2**63 - 1, help="Seed of those deals, not the training's."
        ),
        workers: int = typer.Option(1, "--workers", "-w", min=0, max=4096, help="Threads; 0 is all cores."),
        write: bool = typer.Option(False, "--write", help="Put the result into the blueprint's manifest."),
        as_json: bool = typer.Option(False, "--json", help="Print JSON."),
    ) -> None:
        """Print what best responses within the abstraction gain, by the measure that fits the game.

        Exact where all deals can be listed (two players before the flop, or few cards); over sampled deals
        where nobody acts twice; else a response that is learned by sampling and judged on other deals: a
        lower bound with its 95 % interval.
        """
        import json

        from overbet.blueprint.measure import measure as measured
        from overbet.blueprint.measure import measured_tables
        from overbet.blueprint.store import write_measured
        from overbet.interfaces.cli.outputs import Outputs

        outputs = Outputs(_file_of(path) if write else None)
        trainer = measured_tables(path)
        with _progress(not as_json) as progress:
            found = measured(trainer, deals, iterations, seed, workers, progress)
        if as_json:
            typer.echo(json.dumps(found._asdict()))
        else:
            names = [trainer.holdem.position(player) for player in range(trainer.holdem.num_players)]
            _print_measurement(found, names)
        if write:
            outputs.write(_file_of(path), lambda: write_measured(_file_of(path), found.facts()))
            outputs.end()
        if write and not as_json:
            typer.echo(f"written into the manifest of {_file_of(path)}")

    @group.command("show", epilog=f"Example: `{EXAMPLE}`")
    def show(
        path: Path = typer.Argument(..., help="A shipped name, a file, or the folder of a finished run."),
        line: str = typer.Option("r:0", "--line", "-l", help="The public line, such as r:0:b250:c:Td9d6h."),
        hand: str = typer.Option("", "--hand", help="One hand, such as AhKh."),
        as_json: bool = typer.Option(False, "--json", help="Print JSON."),
    ) -> None:
        """Print the grid of a decision before the flop, the bucket table after it, or one hand's strategy."""
        from overbet.blueprint.query import Blueprint

        _show(Blueprint.load(_file_of(path)), line, hand, as_json)


def _file_of(path: Path) -> Path:
    from overbet.blueprint.catalogue import find_blueprint

    return find_blueprint(path)


def _print_measurement(found: Measurement, names: list[str]) -> None:
    sampled = found.kind == "sampled"
    for name, value, gain, wide in zip(names, found.values_bb, found.gains_bb, found.gain_intervals_bb):
        within = f" +- {wide:.4f}" if sampled else ""
        typer.echo(f"{name:4} value {value:+.4f} bb, best response gains {gain:.4f}{within} bb")
    if found.kind == "exact":
        typer.echo(
            f"exact, over all {found.deals:,} deals: NashConv {found.nash_conv_bb:.6f} bb, exploitability "
            f"{500 * found.nash_conv_bb:.3f} mbb/hand ({50 * found.nash_conv_bb:.4f} bb/100)"
        )
    elif sampled:
        typer.echo(
            f"sampled, responses learned from {found.iterations:,} walks each and judged on {found.deals:,} "
            f"other deals: they gain {found.nash_conv_bb:.4f} +- {found.nash_conv_interval_bb:.4f} bb in all "
            f"(95 %), so NashConv is at least {found.least_nash_conv_bb:.4f} bb"
        )
    else:
        typer.echo(
            f"NashConv at most {found.nash_conv_bb:.4f} bb over {found.deals:,} deals; responses chosen on "
            f"one half of them gain {found.checked_gain_bb:+.4f} bb on the other"
        )


@contextmanager
def _progress(shown: bool) -> Iterator[Progress | None]:
    from rich.console import Console
    from rich.progress import Progress as Bars

    if not shown:
        yield None
        return
    with Bars(console=Console(stderr=True), transient=True) as bars:
        tasks: dict[str, TaskID] = {}

        def progress(what: str, done: int, whole: int) -> None:
            if what not in tasks:
                tasks[what] = bars.add_task(what, total=whole)
            bars.update(tasks[what], completed=done)

        yield progress


def _show(blueprint: Blueprint, line: str, hand: str, as_json: bool) -> None:
    import json

    from rich.console import Console

    names = blueprint.action_names(line)
    position = blueprint.game.position(blueprint.player(line))
    if hand:
        shares = blueprint.strategy(line, hand).tolist()
        if as_json:
            typer.echo(json.dumps({"line": line, "hand": hand, "strategy": dict(zip(names, shares))}))
            return
        words = ", ".join(f"{name} {share:.1%}" for name, share in zip(names, shares))
        typer.echo(f"{position} {hand} after {line}: {words}")
        return
    rows = blueprint.strategy_by_bucket(line)
    if as_json:
        told = {"line": line, "actions": names, "tokens": blueprint.tokens(line), "strategy": rows.tolist()}
        typer.echo(json.dumps(told))
        return
    console = Console(soft_wrap=True, highlight=False)
    onward = f"the line goes on with {', '.join(blueprint.tokens(line))}"
    if blueprint.street(line) == 0:
        import numpy as np

        from overbet.cards.grid import Grid
        from overbet.interfaces.cli.grid import TerminalGrid

        reached = ~np.isnan(rows[:, 0])
        grid = Grid(names, np.nan_to_num(rows), reached.astype(np.float64), title=f"{position} after {line}")
        console.print(TerminalGrid(grid))
        console.print(onward)
        return
    from rich.table import Table

    table = Table(title=f"{position} after {line}")
    for name in ("bucket", *names):
        table.add_column(name, justify="right")
    for bucket, row in enumerate(rows):
        cells = ["-" if share != share else f"{share:.1%}" for share in row.tolist()]
        table.add_row(str(bucket), *cells)
    console.print(table)
    console.print(onward)
