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
_RANGES = "overbet blueprint ranges heads-up --stack 20 --line r:0:b200"
_MEASURE = "overbet blueprint measure runs/first --write"
_ROUND = "overbet blueprint round heads-up --levels 17 --out small.h5"


def register(app: typer.Typer) -> None:
    """Add the verbs."""
    group = typer.Typer(help="Facts, strategies and measurements of blueprints.", no_args_is_help=True)
    app.add_typer(group, name="blueprint", epilog=f"Examples: `{EXAMPLE}`, `{_MEASURE}`")

    @group.command("list", epilog="Example: `overbet blueprint list heads-up`")
    def list_(
        family: str = typer.Argument("", help="Only those of a family: heads-up, expresso or six-max."),
        as_json: bool = typer.Option(False, "--json", help="Print JSON."),
    ) -> None:
        """List the shipped blueprints: stacks, hand groups, iterations, cost of training, size."""
        _list(family, as_json)

    @group.command("ranges", epilog=f"Examples: `{_RANGES}`, `{_RANGES} --out bb.txt`")
    def ranges(
        path: Path = typer.Argument(..., help="A shipped name, a file, or the folder of a finished run."),
        stack: str = typer.Option(
            "",
            "--stack",
            help="Of a shipped family, the blueprint nearest to so many big blinds, or to 8,16,16.",
        ),
        line: str = typer.Option("", "--line", "-l", help="After this line; without it all usual ones."),
        action: str = typer.Option("", "--action", help="Only this action, such as b250, c or f."),
        form: str = typer.Option("pio", "--form", help="How ranges are written: pio or gto+."),
        out: Path | None = typer.Option(None, "--out", "-o", help="A text file to write instead."),
        as_json: bool = typer.Option(False, "--json", help="Print JSON."),
    ) -> None:
        """Print ranges before the flop in Pio's text: of a line's actions, or by position."""
        import json

        from overbet.files import check_place, write_text

        if out is not None:
            check_place(out)
        found = _ranges(_nearest(path, stack), line, action, form)
        if as_json:
            text = json.dumps(
                [{"name": name, "combos": combos, "range": held} for name, combos, held in found]
            )
        else:
            text = "\n\n".join(f"# {name}  ({combos:.0f} combos)\n{held}" for name, combos, held in found)
        if out is None:
            typer.echo(text)
        else:
            write_text(out, text + "\n")
            typer.echo(f"wrote {out}: {len(found)} ranges")

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

    @group.command("round", epilog=f"Example: `{_ROUND}`")
    def round_(
        path: Path = typer.Argument(..., help="A shipped name, a file, or the folder of a finished run."),
        levels: int = typer.Option(
            ..., "--levels", help="Shares become whole levels-ths: 3, 5, 15, 17, 51, 85 or 255."
        ),
        out: Path = typer.Option(..., "--out", "-o", help="The .h5 file to write."),
        as_json: bool = typer.Option(False, "--json", help="Print JSON."),
    ) -> None:
        """Write a blueprint with rounded shares, in a file of fewer bytes.

        It is asked and played as any other. What the strategy was measured at is not taken over.
        """
        _round(_file_of(path), levels, out, as_json)

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
        # what is written into a file is said of its own strategy, which may be rounder than the run's tables
        trainer = measured_tables(_file_of(path) if write and _is_rounded(_file_of(path)) else path)
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


def _list(family: str, as_json: bool) -> None:
    import json

    from overbet.blueprint.catalogue import family_names, find_blueprint, shipped_blueprints
    from overbet.blueprint.store import open_blueprint
    from overbet.errors import ConfigError, unknown

    if family and family not in family_names():
        raise ConfigError(unknown("family of blueprints", family, family_names()))
    rows = []
    for one in shipped_blueprints(family, paid=None):
        place = find_blueprint(one.name)
        with open_blueprint(place) as file:
            made = file.head["manifest"]
        kept = {key: made.get(key) for key in ("iterations", "hours", "core_hours", "gpu", "buckets")}
        rows.append({**one._asdict(), **kept, "bytes": place.stat().st_size})
    if as_json:
        typer.echo(json.dumps(rows))
        return
    from rich.console import Console
    from rich.table import Table

    # narrow enough for a terminal of 80 columns
    table = Table(box=None, padding=(0, 1, 0, 0), pad_edge=False)
    for name in ("name", "stacks, bb", "buckets", "million", "trained", "MB"):
        table.add_column(name, justify="left" if name == "name" else "right", no_wrap=name == "name")
    for row in rows:
        stacks = list(dict.fromkeys(f"{stack:g}" for stack in row["stacks_bb"]))
        shown = row["stacks_bb"] if len(stacks) > 1 else row["stacks_bb"][:1]
        table.add_row(
            row["name"],
            "/".join(f"{stack:g}" for stack in shown),
            "/".join(map(str, row["buckets"][1:])),
            f"{row['iterations'] / 1e6:,.1f}",
            f"{3600 * row['hours']:.0f} s GPU" if row["gpu"] else f"{row['core_hours']:.2f} core h",
            f"{row['bytes'] / 1e6:.1f}",
        )
    console = Console(highlight=False)
    console.print(table)
    console.print(
        "buckets: on flop, turn and river; million: iterations, of which a whole board counts as 1,000"
    )
    console.print(f"{len(rows)} blueprints, {sum(row['bytes'] for row in rows) / 1e6:.1f} MB")


def _round(path: Path, levels: int, out: Path, as_json: bool) -> None:
    """Write the blueprint of a file with rounded shares, and print what that saves and changes."""
    import json

    from overbet.blueprint.dense_query import DenseBlueprint
    from overbet.blueprint.query import Blueprint
    from overbet.blueprint.rounding import check_levels, mean_change
    from overbet.blueprint.store import check_name
    from overbet.errors import ConfigError
    from overbet.files import check_place

    check_levels(levels)
    check_name(out)
    check_place(out)
    exact = Blueprint.load(path)
    if not isinstance(exact, DenseBlueprint):
        raise ConfigError(
            f"{path} has keyed tables, and only dense ones are rounded; train it with solver.kept_rows for a "
            "smaller file"
        )
    rounded = exact.rounded(levels)
    # before it is written: --out may be the same file
    before, change = path.stat().st_size, mean_change(exact.rows_of_255ths(), rounded.rows_of_255ths())
    after = rounded.save(out).stat().st_size
    if as_json:
        facts = {"levels": levels, "bytes_before": before, "bytes": after, "mean_change": change}
        typer.echo(json.dumps({"blueprint": str(out), **facts}))
        return
    typer.echo(f"wrote {out}: {after / 1e6:.2f} MB, {before / 1e6:.2f} MB before")
    typer.echo(f"{change:.2%} of a row moved to other actions on average (half the sum of all its changes)")


def _is_rounded(path: Path) -> bool:
    from overbet.blueprint.store import open_blueprint

    with open_blueprint(path) as file:
        return "levels" in file.head["manifest"]


def _ranges(path: Path, line: str, action: str, form: str) -> list[tuple[str, float, str]]:
    """Return name, combos and text of ranges: of every action of a line, or of the usual lines."""
    from overbet.blueprint.query import Blueprint
    from overbet.cards.range_text import range_form
    from overbet.errors import ConfigError
    from overbet.study.line_walk import action_ranges
    from overbet.study.preflop_ranges import strategy_ranges

    kind = range_form(form)
    if action and not line:
        raise ConfigError(f"--action {action} is one of a line: give --line, such as r:0")
    blueprint = Blueprint.load(path)
    if line:
        return [
            (f"{one.position} {one.name} after {line}", one.held.combos, one.held.text(kind))
            for one in action_ranges(blueprint, line, action)
        ]
    return [
        (f"{one.group}: {one.name}", one.held.combos, one.held.text(kind))
        for one in strategy_ranges(blueprint, blueprint.config.name)
    ]


def _nearest(path: Path, stack: str) -> Path:
    """Return the file of a blueprint, with a stack the nearest one of the family of that name."""
    from overbet.blueprint.catalogue import FAMILIES, find_blueprint, nearest
    from overbet.errors import ConfigError, short, unknown

    if not stack:
        return find_blueprint(path)
    family = str(path)
    if family not in FAMILIES:
        raise ConfigError(f"--stack chooses of a family: {unknown('family of blueprints', family, FAMILIES)}")
    players = len(FAMILIES[family])
    try:
        stacks = [float(part) for part in stack.split(",")]
    except ValueError:
        stacks = []
    if len(stacks) not in (1, players) or not all(0 < one < 1e6 for one in stacks):
        raise ConfigError(
            f"--stack {short(stack)}: write big blinds, one number for all or {players} with commas"
        )
    return find_blueprint(nearest(family, stacks * players if len(stacks) == 1 else stacks).name)


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
