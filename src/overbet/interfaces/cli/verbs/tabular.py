"""`overbet tabular`: solve a small game exactly, with one rule or several side by side."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress, TaskID

    from overbet.solvers.convergence import Trace
    from overbet.solvers.rules import Rule

EXAMPLE = "overbet tabular leduc --rule dcfr --iterations 1000"
_COMPARE = "overbet tabular leduc --compare cfr,cfr+,dcfr,pdcfr+ --plot curves.png"
_REFRESH_SECONDS = 0.1


def register(app: typer.Typer) -> None:
    """Add the verb."""

    @app.command("tabular", epilog=f"Examples: `{EXAMPLE}`, `{_COMPARE}`")
    def tabular(
        game: str = typer.Argument(..., help="A small game (`overbet games` lists them), or openspiel:NAME."),
        rule: str = typer.Option("dcfr", "--rule", "-r", help="cfr, cfr+, lcfr, dcfr, dcfr+, pcfr+, ..."),
        iterations: int = typer.Option(
            1000, "--iterations", "-n", min=1, max=10**12, help="Iterations to run."
        ),
        compare: str = typer.Option("", "--compare", help="Several rules, such as cfr,cfr+,dcfr."),
        rule_file: Path | None = typer.Option(None, "--rule-file", help="A rule of your own, in YAML."),
        updates: str = typer.Option("alternating", "--updates", help="alternating or simultaneous."),
        alpha: float | None = typer.Option(None, "--alpha", help="Power of the discount on regret above 0."),
        beta: float | None = typer.Option(None, "--beta", help="Power of the discount on regret below 0."),
        gamma: float | None = typer.Option(None, "--gamma", help="Power of the weights in the average."),
        limit: int | None = typer.Option(
            None, "--limit", min=1, max=10**9, help="Most histories to flatten."
        ),
        plot: Path | None = typer.Option(None, "--plot", help="Draw the curves (log-log) to this file."),
        csv: Path | None = typer.Option(None, "--csv", help="Write the curves as CSV."),
        save: Path | None = typer.Option(None, "--save", help="Save the average strategy (.parquet, .json)."),
        strategy: bool = typer.Option(False, "--strategy", help="Show the average strategy too."),
        as_json: bool = typer.Option(False, "--json", help="Print JSON."),
    ) -> None:
        """Solve a small game exactly and show how fast it converges.

        Exploitability is NashConv divided by the number of players, in the game's chips. Ctrl-C stops and
        shows what there is.
        """
        from overbet.interfaces.cli.outputs import Outputs

        rules = _rules(rule, compare, rule_file, {"alpha": alpha, "beta": beta, "gamma": gamma})
        _check_files(plot, save, len(rules))
        outputs = Outputs(csv, plot, save)
        traces, stopped = _solve(game, rules, updates, iterations, limit)
        if csv:
            outputs.write(csv, lambda: _write_csv(csv, traces))
        if plot:
            outputs.write(plot, lambda: _draw(plot, traces))
        if save:
            outputs.write(save, lambda: traces[0].solver.policy().save(save))
        if as_json:
            typer.echo(_json(traces, stopped))
        else:
            from rich.console import Console

            console = Console(highlight=False)
            _show(console, traces, stopped)
            if strategy:
                _show_strategy(console, traces[-1])
            outputs.tell(console, " wrote")
        outputs.end()
        if stopped:
            raise typer.Exit(130)


def _rules(
    rule: str, compare: str, rule_file: Path | None, parameters: dict[str, float | None]
) -> list[Rule]:
    from overbet.errors import ConfigError
    from overbet.solvers.rules import load_rule, make_rule

    names = [name.strip() for name in compare.split(",") if name.strip()]
    own = [load_rule(rule_file)] if rule_file else []
    if names or own:
        given = [f"--{name}" for name, value in parameters.items() if value is not None]
        if given:
            raise ConfigError(f"{', '.join(given)} belong to --rule; leave --compare and --rule-file out")
        return [make_rule(name) for name in dict.fromkeys(names)] + own
    return [make_rule(rule, **parameters)]


def _check_files(plot: Path | None, save: Path | None, rules: int) -> None:
    """Refuse names that cannot be written before the run, not after it."""
    from overbet.errors import ConfigError

    if plot:
        from overbet.cards.plots import check_picture

        check_picture(plot)
    if save:
        from overbet.solvers.policy_io import SUFFIXES

        if save.suffix.lower() not in SUFFIXES:
            raise ConfigError(f"--save {save}: end the name in {' or '.join(SUFFIXES)}")
        if rules > 1:
            raise ConfigError("--save keeps the strategy of one rule; leave --compare out")


def _solve(
    name: str, rules: list[Rule], updates: str, iterations: int, limit: int | None
) -> tuple[list[Trace], bool]:
    """Run the rules one after the other; Ctrl-C ends it with what there is."""
    from overbet.games.registry import make_game
    from overbet.solvers.convergence import Trace
    from overbet.solvers.tabular import TabularSolver, checked_updates
    from overbet.tree.flat import DEFAULT_LIMIT, flatten

    order = checked_updates(updates)
    game = make_game(name)
    traces: list[Trace] = []
    with _progress() as shown:
        task = shown.add_task(f"laying out {name}", total=None)
        flat = flatten(game, limit or DEFAULT_LIMIT)
        try:
            for rule in rules:
                traces.append(Trace(TabularSolver(flat, rule, order)))
                _run(traces[-1], iterations, shown, task)
        except KeyboardInterrupt:
            if not traces:
                raise
            traces[-1].measure()
            return traces, True
    return traces, False


def _run(trace: Trace, iterations: int, shown: Progress, task: TaskID) -> None:
    solver = trace.solver
    shown.reset(
        task, total=iterations, description=f"{solver.rule.name} (kernels compile once on each machine)"
    )
    next_look = 0.0

    def advance(done: int) -> None:
        nonlocal next_look
        if time.monotonic() >= next_look:
            text = f"{solver.rule.name}  exploitability {solver.exploitability():.3e}"
            shown.update(task, completed=done, description=text)
            next_look = time.monotonic() + _REFRESH_SECONDS

    trace.run(iterations, advance)


@contextmanager
def _progress() -> Iterator[Progress]:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as shown:
        yield shown


def _show(console: Console, traces: list[Trace], stopped: bool) -> None:
    from rich import box
    from rich.table import Table

    flat = traces[0].solver.flat
    console.print(
        f"\n[bold]{flat.name}[/bold]: {flat.num_players} players, {flat.num_infosets:,} information sets, "
        f"{flat.num_nodes:,} histories; {traces[0].solver.updates} updates"
    )
    table = Table(box=box.SIMPLE_HEAD, title="exploitability, chips", title_justify="left")
    table.add_column("iterations", justify="right")
    for trace in traces:
        table.add_column(trace.solver.rule.name, justify="right")
    by_rule = [{point.iterations: point for point in trace.points} for trace in traces]
    ends = {trace.points[-1].iterations for trace in traces}
    for done in sorted({n for points in by_rule for n in points if _is_round(n)} | ends):
        cells = [f"{points[done].exploitability:.3e}" if done in points else "" for points in by_rule]
        table.add_row(f"{done:,}", *cells)
    console.print(table)
    for trace in traces:
        values = "  ".join(f"player {p} {value:+.6f}" for p, value in enumerate(trace.solver.values()))
        speed = trace.solver.iterations / trace.seconds if trace.seconds else 0.0
        console.print(f" {trace.solver.rule.name:8} {values}   {speed:,.0f} iterations/s")
    if flat.num_players > 2:
        console.print(
            " with three or more players CFR does not promise an equilibrium; NashConv says how near it is"
        )
    if stopped:
        console.print(" stopped early", style="yellow")


def _is_round(iterations: int) -> bool:
    """Return whether it is 1, 2 or 5 times a power of ten."""
    digits = str(iterations)
    return digits[0] in "125" and not digits[1:].strip("0")


def _show_strategy(console: Console, trace: Trace) -> None:
    from rich import box
    from rich.table import Table

    solver = trace.solver
    flat, average = solver.flat, solver.average_strategy()
    table = Table(
        "player", "knows", "plays", box=box.SIMPLE_HEAD, title=f"average strategy, {solver.rule.name}"
    )
    for infoset, name in enumerate(flat.infoset_names):
        slots = flat.slots(infoset)
        plays = "  ".join(f"{a} {p:.1%}" for a, p in zip(flat.slot_names[slots], average[slots]))
        table.add_row(str(flat.tree.infoset_player[infoset]), name, plays)
    console.print(table)


def _json(traces: list[Trace], stopped: bool) -> str:
    import json

    flat = traces[0].solver.flat
    result = {
        "game": flat.name,
        "players": flat.num_players,
        "information_sets": flat.num_infosets,
        "histories": flat.num_nodes,
        "updates": traces[0].solver.updates,
        "stopped": stopped,
        "rules": [
            {
                "rule": trace.solver.rule.model_dump(mode="json"),
                "iterations": trace.solver.iterations,
                "seconds": trace.seconds,
                "values": trace.solver.values().tolist(),
                "exploitability": trace.points[-1].exploitability,
                "nash_conv": trace.points[-1].nash_conv,
                "curve": [[point.iterations, point.exploitability] for point in trace.points],
            }
            for trace in traces
        ],
    }
    return json.dumps(result)


def _write_csv(path: Path, traces: list[Trace]) -> None:
    import polars

    from overbet.files import write_text

    write_text(path, polars.concat([trace.to_frame() for trace in traces]).write_csv())


def _draw(path: Path, traces: list[Trace]) -> None:
    from overbet.cards.curves import plot_curves

    curves = {
        trace.solver.rule.name: (
            [point.iterations for point in trace.points],
            [point.exploitability for point in trace.points],
        )
        for trace in traces
    }
    plot_curves(path, curves, "iterations", "exploitability (chips)", traces[0].solver.flat.name)
