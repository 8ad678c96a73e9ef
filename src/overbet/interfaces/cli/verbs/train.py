"""`overbet train`: train a blueprint from a config, stop it, go on with it."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from overbet.interfaces.cli.clustering import CLUSTER, on_cluster

if TYPE_CHECKING:
    from rich.console import Console

    from overbet.blueprint.config import BlueprintConfig
    from overbet.blueprint.run import Run
    from overbet.cluster import Cluster

EXAMPLE = "overbet train configs/fast_test.yaml --out runs/first"
PLOT = "metrics.png"
_RESUME = "overbet train --resume runs/first --iterations 5000000"


def register(app: typer.Typer) -> None:
    """Add the verb."""

    @app.command("train", epilog=f"Examples: `{EXAMPLE}`, `{_RESUME}`")
    def train(
        config: Path | None = typer.Argument(
            None, help="A YAML file such as configs/heads-up.yaml, or push-fold."
        ),
        settings: list[str] = typer.Option([], "--set", help="Override a key, such as solver.rule=linear."),
        out: Path | None = typer.Option(None, "--out", "-o", help="Folder of the run (runs/<name>)."),
        resume: Path | None = typer.Option(None, "--resume", help="Go on with the run in this folder."),
        iterations: int | None = typer.Option(
            None, "--iterations", "-n", min=1, max=10**15, help="Iterations in all; kept with the run."
        ),
        minutes: float | None = typer.Option(
            None, "--minutes", min=0.001, max=1e6, help="End after so long in all, with a blueprint."
        ),
        workers: int | None = typer.Option(
            None, "--workers", "-w", min=0, max=4096, help="Threads; 0 is all cores."
        ),
        device: str | None = typer.Option(
            None, "--device", help="cpu or cuda: sweep whole boards there (heads up; solver.method=boards)."
        ),
        cluster: str | None = CLUSTER,
        plot: Path | None = typer.Option(
            None, "--plot", help="Draw the metrics to this .png, .svg or .pdf file (RUN/metrics.png)."
        ),
        as_json: bool = typer.Option(False, "--json", help="Print the result as JSON."),
    ) -> None:
        """Train a strategy for a whole game; Ctrl-C keeps what was learned."""
        import json

        from rich.console import Console

        from overbet.blueprint.checkpoint import CONFIG_NAME, load_config
        from overbet.blueprint.config import BlueprintConfig
        from overbet.blueprint.preset_configs import find_config
        from overbet.blueprint.run import Run
        from overbet.blueprint.store import manifest_of
        from overbet.errors import ConfigError, OverbetError
        from overbet.files import check_place

        console = Console(stderr=True, soft_wrap=True, highlight=False)
        if plot is not None:
            from overbet.cards.plots import check_picture

            check_picture(plot)
            check_place(plot)
        if device is not None:
            settings = [*settings, *_swept_on(device)]
        if (config is None) == (resume is None):
            raise ConfigError("give a config file to start a run, or --resume RUN to go on with one")
        with _memory_in_words(), on_cluster(cluster) as nodes:
            if resume is not None:
                own = None
                if settings:
                    load_config(resume)  # says it where there is no run
                    own = BlueprintConfig.load(resume / CONFIG_NAME, settings)
                if nodes is not None:
                    _check_shards(own or load_config(resume))
                run = Run.resume(resume, own)
            else:
                assert config is not None
                chosen = BlueprintConfig.load(find_config(config), settings)
                if iterations is not None:
                    chosen = chosen.model_copy(update={"iterations": iterations})
                if nodes is not None:
                    _check_shards(chosen)
                if out is not None:
                    check_place(out / "run")  # a folder: --out FILE is told before anything is built
                run = Run.start(out or Path("runs") / chosen.name, chosen)
            for note in run.notes:
                console.print(f"note: {note}", style="yellow", markup=False)
            console.print(_opening(run), markup=False)
            try:
                path = _with_progress(run, console, iterations, workers, nodes, minutes)
            except KeyboardInterrupt as stop:
                with suppress(OSError):  # the terminal may be gone
                    console.print(
                        f"stopped after {run.trainer.iterations:,} iterations; go on with: overbet train "
                        f"--resume {run.folder}",
                        markup=False,
                    )
                raise typer.Exit(128 + getattr(stop, "signal", signal.SIGINT)) from stop
        picture_fault: OverbetError | None = None
        try:
            _draw(run, run.folder / PLOT if plot is None else plot)
        except OverbetError as error:  # the result is told all the same
            picture_fault = error
        facts = manifest_of(run.trainer)
        status = run.trainer.status()
        facts["touched"], facts["mean_positive_regret_bb"] = status.touched, status.mean_positive_regret_bb
        facts["blueprint"], facts["bytes"] = str(path), path.stat().st_size
        if as_json:
            typer.echo(json.dumps(facts))
        else:
            console.print(
                f"{facts['iterations']:,} iterations in {run.trainer.seconds:.1f} s; {status.touched:.1%} "
                f"{_rows(run)}; {path} ({facts['bytes'] / 1e6:.2f} MB)",
                markup=False,
            )
            if run.trainer.config.game.players > 2:
                console.print(
                    "three players or more: no algorithm promises an equilibrium here", style="yellow"
                )
        if picture_fault is not None:
            raise picture_fault


def _swept_on(device: str) -> list[str]:
    """Return the settings that `--device` stands for."""
    from overbet.errors import ConfigError, unknown

    if device not in ("cpu", "cuda"):
        raise ConfigError(unknown("device", device, ("cpu", "cuda")))
    return ["solver.method=boards", f"run.device={device}"]


def _check_shards(config: BlueprintConfig) -> None:
    """Refuse a run without shards on a cluster, before anything is made."""
    from overbet.blueprint.shard_cluster import check_sharded

    check_sharded(config)


@contextmanager
def _memory_in_words() -> Iterator[None]:
    from overbet.errors import TooLargeError

    try:
        yield
    except MemoryError as error:
        raise TooLargeError(
            "there is not enough memory for this run; use fewer sizes or raises (menu), fewer buckets "
            "(cards), a smaller solver.capacity, or run.storage=mapped"
        ) from error


def _opening(run: Run) -> str:
    trainer = run.trainer
    begun = f", from iteration {trainer.iterations:,}" if trainer.iterations else ""
    return f"{trainer.config.name}: {trainer.describe()}{begun}"


def _rows(run: Run) -> str:
    keyed = run.trainer.config.solver.tables == "keyed"
    return "of the capacity taken" if keyed else "of the situations visited"


def _finish(seconds_left: float) -> str:
    """Return when the run will be done: the time of day, with the date where it is not today."""
    from datetime import datetime, timedelta

    now = datetime.now()
    then = now + timedelta(seconds=min(seconds_left, 1e9))
    return f"{then:%H:%M}" if then.date() == now.date() else f"{then:%d %b %H:%M}"


def _draw(run: Run, path: Path) -> None:
    from overbet.cards.curves import plot_curves

    columns = run.metrics()
    at = columns["iterations"]
    curves = {
        "mean positive regret, bb": (at, columns["mean_positive_regret_bb"]),
        "share of situations visited": (at, columns["touched"]),
    }
    plot_curves(path, curves, "iterations", "", title=run.trainer.config.name)


def _with_progress(
    run: Run,
    console: Console,
    iterations: int | None,
    workers: int | None,
    cluster: Cluster | None,
    minutes: float | None = None,
) -> Path:
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

    from overbet.blueprint.run import Pace

    columns = (
        TextColumn("training"),
        BarColumn(),
        TaskProgressColumn(),
        TextColumn("{task.completed:,.0f}"),
        TextColumn("{task.fields[facts]}"),
        TimeRemainingColumn(),
    )
    goal = run.trainer.config.iterations if iterations is None else iterations
    bar = Progress(*columns, console=console, transient=True)
    bar.start()
    try:
        task = bar.add_task(
            "train", total=goal, completed=run.trainer.iterations, facts="compiling or loading"
        )

        def progress(done: int, pace: Pace | None) -> None:
            if pace is None:
                bar.update(task, completed=done)
                return
            facts = (
                f"{pace.per_second:,.0f} it/s  {pace.status.touched:.1%} {_rows(run)}  "
                f"regret {pace.status.mean_positive_regret_bb:.2e} bb  done {_finish(pace.seconds_left)}"
            )
            bar.update(task, completed=done, facts=facts)

        def tell(trouble: str) -> None:
            with suppress(OSError):
                console.print(f"note: {trouble}", style="yellow", markup=False)

        return run.go(goal, workers, progress, tell, cluster, None if minutes is None else 60 * minutes)
    finally:
        with suppress(OSError):  # where the terminal is gone the run's own end counts
            bar.stop()
