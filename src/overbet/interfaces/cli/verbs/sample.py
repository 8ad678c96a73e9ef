"""`overbet sample`: solve a small game by sampling, stop and resume at will."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress

    from overbet.interfaces.cli.outputs import Outputs
    from overbet.solvers.convergence import Point
    from overbet.solvers.sampling import SamplingSolver
    from overbet.solvers.sampling_curve import SamplingCurve

EXAMPLE = "overbet sample leduc --method external --iterations 1000000 --seed 1"
_ITERATIONS = 1_000_000
_RESUME = "overbet sample --resume leduc.h5 --iterations 5000000 --save leduc.h5"


def register(app: typer.Typer) -> None:
    """Add the verb."""

    @app.command("sample", epilog=f"Examples: `{EXAMPLE}`, `{_RESUME}`")
    def sample(
        game: str | None = typer.Argument(
            None, help="A small game (`overbet games` lists them), or openspiel:NAME."
        ),
        iterations: int | None = typer.Option(
            None,
            "--iterations",
            "-n",
            max=10**12,
            help="Iterations in all, one traversal a player each (1,000,000; with --resume none further).",
        ),
        method: str | None = typer.Option(None, "--method", "-m", help="external (default) or outcome."),
        rule: str | None = typer.Option(None, "--rule", "-r", help="dcfr (default), cfr, lcfr, cfr+, dcfr+."),
        alpha: float | None = typer.Option(None, "--alpha", help="Power of the discount on regret above 0."),
        beta: float | None = typer.Option(None, "--beta", help="Power of the discount on regret below 0."),
        gamma: float | None = typer.Option(None, "--gamma", help="Power of the weights in the average."),
        seed: int | None = typer.Option(None, "--seed", help="0 unless given."),
        batch: int | None = typer.Option(
            None, "--batch", max=10**9, help="Iterations that read the same tables (1)."
        ),
        workers: int = typer.Option(
            1, "--workers", max=4096, help="Threads; needs a batch of at least as many."
        ),
        discount_every: int | None = typer.Option(
            None,
            "--discount-every",
            max=10**12,
            help="Iterations between two discounts of the table (100,000).",
        ),
        discounts: int | None = typer.Option(
            None, "--discounts", max=10**12, help="How many discounts in all (10)."
        ),
        epsilon: float | None = typer.Option(None, "--epsilon", help="Exploration, outcome sampling (0.6)."),
        baseline: bool | None = typer.Option(
            None, "--baseline/--no-baseline", help="Baselines: less variance (on)."
        ),
        save: Path | None = typer.Option(None, "--save", help="Save the run here (.h5), to resume it."),
        resume: Path | None = typer.Option(None, "--resume", help="Go on with a saved run, bit for bit."),
        policy: Path | None = typer.Option(
            None, "--policy", help="Save the average strategy (.parquet, .json)."
        ),
        csv: Path | None = typer.Option(None, "--csv", help="Write the curve as CSV."),
        as_json: bool = typer.Option(False, "--json", help="Print JSON."),
    ) -> None:
        """Solve a small game by Monte Carlo CFR and show how fast it converges.

        The same settings give the same bits on any number of workers. Exploitability is NashConv divided by
        the number of players, in the game's chips. Ctrl-C stops, saves where --save says so, and shows what
        there is.
        """
        from overbet.interfaces.cli.outputs import Outputs

        given = {
            "method": method,
            "rule": _rule(rule, {"alpha": alpha, "beta": beta, "gamma": gamma}),
            "seed": seed,
            "batch": batch,
            "discount_every": discount_every,
            "discounts": discounts,
            "epsilon": epsilon,
            "baseline": baseline,
        }
        settings = {key: value for key, value in given.items() if value is not None}
        _check_files(save, policy)
        outputs = Outputs(save, policy, csv)
        solver = _solver(game, settings, resume)
        end = _end(solver, iterations, bool(resume))
        curve, stopped = _run(solver, end, workers, save, outputs)
        if policy:
            outputs.write(policy, lambda: solver.policy().save(policy))
        if csv:
            from overbet.files import write_text

            outputs.write(csv, lambda: write_text(csv, curve.to_frame().write_csv()))
        if as_json:
            typer.echo(_json(curve, stopped))
        else:
            from rich.console import Console

            console = Console(highlight=False)
            _show(console, curve, stopped)
            outputs.tell(console, " wrote")
        outputs.end()
        if stopped:
            raise typer.Exit(130)


def _rule(name: str | None, parameters: dict[str, float | None]) -> object:
    """Return the rule the options name, or None where they name none."""
    if name is None and all(value is None for value in parameters.values()):
        return None
    from overbet.solvers.sampling import sampling_rule

    return sampling_rule(name or "dcfr", **parameters)


def _check_files(save: Path | None, policy: Path | None) -> None:
    """Refuse names that cannot be written before the run, not after it."""
    if save:
        from overbet.solvers.sampling_io import check_name

        check_name(save)
    if policy:
        from overbet.errors import ConfigError
        from overbet.solvers.policy_io import SUFFIXES

        if policy.suffix.lower() not in SUFFIXES:
            raise ConfigError(f"--policy {policy}: end the name in {' or '.join(SUFFIXES)}")


def _solver(game: str | None, settings: dict[str, object], resume: Path | None) -> SamplingSolver:
    from overbet.errors import ConfigError
    from overbet.games.registry import make_game
    from overbet.solvers.sampling import SamplingConfig, SamplingSolver

    if resume:
        if settings:
            options = ", ".join("--" + name.replace("_", "-") for name in settings)
            raise ConfigError(f"--resume takes its settings from {resume}; leave out {options}")
        return SamplingSolver.load(resume, make_game(game) if game else None)
    if game is None:
        raise ConfigError("name a game (`overbet games` lists them), or a saved run with --resume")
    return SamplingSolver(make_game(game), SamplingConfig.parse(settings, "settings"))


def _end(solver: SamplingSolver, iterations: int | None, resumed: bool) -> int:
    """Return the number of iterations to end with."""
    from overbet.errors import ConfigError

    if iterations is None:
        return solver.iterations if resumed else _ITERATIONS
    if iterations < 1:
        raise ConfigError(f"--iterations is at least 1, not {iterations}")
    if iterations <= solver.iterations:
        raise ConfigError(
            f"the saved run has {solver.iterations:,} iterations already; "
            f"--iterations is their number in all, and {iterations:,} asks for no more"
        )
    return iterations


def _run(
    solver: SamplingSolver, end: int, workers: int, save: Path | None, outputs: Outputs
) -> tuple[SamplingCurve, bool]:
    """Run to `end` iterations in all; Ctrl-C ends it with what there is."""
    from overbet.solvers.sampling_curve import SamplingCurve

    curve = SamplingCurve(solver)
    name = f"{solver.flat.name}, {solver.config.method} sampling"
    with _progress() as shown:
        task = shown.add_task(
            f"{name} (kernels compile once on each machine)", total=end, completed=solver.iterations
        )

        def advance(done: int) -> None:
            shown.update(task, completed=done)

        def measured(point: Point) -> None:
            shown.update(task, description=f"{name}  exploitability {point.exploitability:.4f}")
            keep()

        def keep() -> None:
            outputs.write(save, lambda: solver.save(save) if save else None)

        try:
            if solver.iterations == end:
                measured(curve.measure())
            curve.run_to(end, workers, advance, measured)
        except KeyboardInterrupt:
            if solver.iterations:
                curve.measure()
            keep()
            return curve, True
    return curve, False


@contextmanager
def _progress() -> Iterator[Progress]:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, ProgressColumn, Task, TextColumn
    from rich.progress import TimeRemainingColumn as Remaining
    from rich.text import Text

    class Speed(ProgressColumn):
        def render(self, task: Task) -> Text:
            return Text(f"{task.speed:,.0f}/s" if task.speed else "")

    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), Speed(), Remaining())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as shown:
        yield shown


def _show(console: Console, curve: SamplingCurve, stopped: bool) -> None:
    from rich import box
    from rich.table import Table

    flat, config = curve.solver.flat, curve.solver.config
    console.print(
        f"\n[bold]{flat.name}[/bold]: {flat.num_players} players, {flat.num_infosets:,} information sets; "
        f"{config.method} sampling, rule {config.rule.name}, seed {config.seed}, batch {config.batch}"
    )
    if not curve.points:
        console.print(" stopped before the first iteration", style="yellow")
        return
    table = Table("iterations", "exploitability", box=box.SIMPLE_HEAD)
    for column in table.columns:
        column.justify = "right"
    for point in _readable(curve.points):
        table.add_row(f"{point.iterations:,}", f"{point.exploitability:.5f}")
    console.print(table)
    values = curve.solver.best_response().values
    console.print(
        " "
        + "  ".join(f"player {p} {v:+.5f}" for p, v in enumerate(values))
        + (f"   {curve.speed:,.0f} iterations/s" if curve.speed else "")
    )
    if flat.num_players > 2:
        console.print(
            " with three or more players CFR does not promise an equilibrium; NashConv says how near it is"
        )
    if stopped:
        console.print(" stopped early", style="yellow")


def _readable(points: list[Point]) -> list[Point]:
    """Return the first point at or after each of 1, 2, 5, 10, ... iterations, and the last."""
    chosen, mark = [], 1
    for point in points:
        if point.iterations >= mark or point is points[-1]:
            chosen.append(point)
        while mark <= point.iterations:
            mark = mark * 5 // 2 if str(mark)[0] == "2" else mark * 2
    return chosen


def _json(curve: SamplingCurve, stopped: bool) -> str:
    import json

    solver = curve.solver
    last = curve.points[-1] if curve.points else None
    result = {
        "game": solver.flat.name,
        "players": solver.flat.num_players,
        "information_sets": solver.flat.num_infosets,
        "config": solver.config.model_dump(mode="json"),
        "config_digest": solver.config.digest(),
        "iterations": solver.iterations,
        "stopped": stopped,
        "seconds": curve.seconds,
        "iterations_per_second": curve.speed,
        "values": solver.best_response().values.tolist(),
        "exploitability": last.exploitability if last else None,
        "nash_conv": last.nash_conv if last else None,
        "curve": [[point.iterations, point.exploitability] for point in curve.points],
    }
    return json.dumps(result)
