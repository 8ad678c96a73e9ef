"""`overbet deep`: train networks on a small game by deep CFR in one of its forms, stop, go on."""

from __future__ import annotations

import signal
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from rich.console import Console

    from overbet.solvers.deep.config import DeepConfig
    from overbet.solvers.deep.run import DeepRun

EXAMPLE = "overbet deep configs/deep/kuhn.yaml --out runs/kuhn"
_NAMED = "overbet deep deep-pdcfr+ --set game=leduc --set seeds=[0,1]"
_RESUME = "overbet deep --resume runs/kuhn --iterations 5000"


def register(app: typer.Typer) -> None:
    """Add the verb."""

    @app.command("deep", epilog=f"Examples: `{EXAMPLE}`, `{_NAMED}`, `{_RESUME}`")
    def deep(
        config: str | None = typer.Argument(
            None, help="A YAML file such as configs/deep/leduc.yaml, or an algorithm such as deep-pdcfr+."
        ),
        settings: list[str] = typer.Option([], "--set", help="Override a key, such as advantage.steps=200."),
        out: Path | None = typer.Option(None, "--out", "-o", help="Folder of the run (runs/<name>)."),
        resume: Path | None = typer.Option(None, "--resume", help="Go on with the run in this folder."),
        iterations: int | None = typer.Option(
            None, "--iterations", "-n", min=1, max=10**9, help="Iterations in all; kept with the run."
        ),
        device: str | None = typer.Option(None, "--device", help="cpu or cuda."),
        plot: Path | None = typer.Option(None, "--plot", help="Draw the curve to a .png, .svg or .pdf file."),
        onnx: Path | None = typer.Option(
            None, "--onnx", help="Folder for the policy networks as ONNX files, one a seed and player."
        ),
        as_json: bool = typer.Option(False, "--json", help="Print the result as JSON."),
    ) -> None:
        """Train networks to play a small game; Ctrl-C keeps what was learned.

        Exploitability is exact: NashConv divided by the number of players, in the game's chips.
        """
        import json

        from rich.console import Console

        from overbet.errors import ConfigError
        from overbet.files import check_place
        from overbet.solvers.deep.onnx_export import check_export
        from overbet.solvers.deep.run import DeepRun, load_config

        console = Console(stderr=True, soft_wrap=True, highlight=False)
        if plot is not None:
            from overbet.cards.plots import check_picture

            check_picture(plot)
            check_place(plot)
        if (config is None) == (resume is None):
            raise ConfigError("give a config file or an algorithm to start a run, or --resume RUN to go on")
        if device is not None:
            settings = [*settings, f"run.device={device}"]
        if resume is not None:
            chosen = load_config(resume, tuple(settings))
        else:
            assert config is not None
            chosen = _config(config, settings, iterations)
        if onnx is not None:
            check_export(chosen.average)
        if resume is not None:
            run = DeepRun.resume(resume, chosen)
        else:
            if out is not None:
                check_place(out / "run")
            run = DeepRun.start(out or Path("runs") / chosen.name, chosen)
        for note in run.notes:
            console.print(f"note: {note}", style="yellow", markup=False)
        console.print(_opening(run), markup=False)
        try:
            policies = _with_progress(run, console, iterations)
        except KeyboardInterrupt as stop:
            with suppress(OSError):  # the terminal may be gone
                console.print(
                    f"stopped after {run.trainer.iterations:,} iterations; go on with: overbet deep --resume "
                    f"{run.folder}",
                    markup=False,
                )
            raise typer.Exit(128 + getattr(stop, "signal", signal.SIGINT)) from stop
        files = _export(run, onnx) if onnx is not None else []
        if plot is not None:
            _draw(run, plot)
        values = run.trainer.exploitability().tolist()
        if as_json:
            facts = {
                "game": run.trainer.flat.name,
                "algorithm": run.trainer.config.algorithm,
                "seeds": list(run.trainer.config.seeds),
                "iterations": run.trainer.iterations,
                "episodes": run.trainer.episodes,
                "seconds": run.trainer.seconds,
                "exploitability": values,
                "policies": [str(path) for path in policies],
                "onnx": [str(path) for path in files],
            }
            typer.echo(json.dumps(facts))
            return
        console.print(
            f"{run.trainer.iterations:,} iterations, {run.trainer.episodes:,} episodes a seed in "
            f"{run.trainer.seconds:.1f} s",
            markup=False,
        )
        for seed, value, path in zip(run.trainer.config.seeds, values, policies):
            console.print(f" seed {seed}: exploitability {value:.5f}; {path}", markup=False)
        for path in files:
            console.print(f" {path}", markup=False)


def _config(given: str, settings: list[str], iterations: int | None) -> DeepConfig:
    """Return the config of a file, or of an algorithm by name."""
    from overbet.errors import ConfigError, unknown
    from overbet.solvers.deep.config import DeepConfig, algorithm_names

    if iterations is not None:
        settings = [*settings, f"iterations={iterations}"]
    path = Path(given)
    if path.suffix.lower() in (".yaml", ".yml") or path.exists():
        return DeepConfig.load(path, settings)
    if given not in algorithm_names():
        raise ConfigError(unknown("config file or algorithm", given, algorithm_names()))
    return DeepConfig.named_with(given, settings)


def _opening(run: DeepRun) -> str:
    trainer = run.trainer
    config, sets = trainer.config, trainer.flat.num_infosets
    seeds = f"{len(config.seeds)} seeds at once" if len(config.seeds) > 1 else f"seed {config.seeds[0]}"
    begun = f", from iteration {trainer.iterations:,}" if trainer.iterations else ""
    numbers = trainer.regrets[0].fitter.stack.shape.parameters()
    return (
        f"{config.name}: {config.algorithm} on {trainer.flat.name}, {sets:,} information sets, {seeds}; "
        f"networks of {numbers:,} weights on {trainer.device.type}{begun}"
    )


def _export(run: DeepRun, folder: Path) -> list[Path]:
    from overbet.solvers.deep.onnx_export import save_onnx
    from overbet.solvers.deep.policy_networks import policy_networks

    found = []
    folder.mkdir(parents=True, exist_ok=True)
    for place, seed in enumerate(run.trainer.config.seeds):
        networks = policy_networks(run.trainer, place)
        for player in range(len(networks.shapes)):
            found.append(folder / f"{networks.game}-{seed}-player{player}.onnx")
            save_onnx(networks, player, found[-1])
    return found


def _draw(run: DeepRun, path: Path) -> None:
    from overbet.cards.curves import plot_curves

    columns = run.metrics()
    names = {"median": "exploitability"}
    names |= {f"{word} of seeds": f"exploitability_{word}" for word in ("lowest", "highest")}
    if len(run.trainer.config.seeds) == 1:
        names = {run.trainer.config.algorithm: "exploitability"}
    curves = {label: (columns["episodes"], columns[name]) for label, name in names.items()}
    plot_curves(path, curves, "episodes", "exploitability (chips)", title=run.trainer.config.name)


def _with_progress(run: DeepRun, console: Console, iterations: int | None) -> list[Path]:
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    from overbet.solvers.deep.run import DeepPace

    columns = (
        TextColumn("training"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[facts]}"),
        TimeRemainingColumn(),
    )
    goal = run.trainer.config.iterations if iterations is None else iterations
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task("train", total=goal, completed=run.trainer.iterations, facts="")

        def progress(done: int, pace: DeepPace | None) -> None:
            bar.update(task, completed=done)
            if pace is not None:
                found = sorted(pace.exploitability)
                middle = found[len(found) // 2]
                spread = f" ({found[0]:.4f}-{found[-1]:.4f})" if len(found) > 1 else ""
                facts = f"exploitability {middle:.4f}{spread}  {pace.per_second:.2f} it/s"
                bar.update(task, facts=facts)

        def tell(trouble: str) -> None:
            with suppress(OSError):
                console.print(f"note: {trouble}", style="yellow", markup=False)

        return run.go(goal, progress, tell)
