"""`overbet distill`: a blueprint of tens of megabytes as a network of a few."""

from __future__ import annotations

import time
from contextlib import suppress
from pathlib import Path

import typer

EXAMPLE = "overbet distill blueprint:heads-up --out network.h5 --minutes 10"
_CHECKPOINT_SECONDS = 300.0


def register(app: typer.Typer) -> None:
    """Add the verb."""

    @app.command("distill", epilog=f"Example: `{EXAMPLE}`")
    def distill(
        blueprint: str = typer.Argument(..., help="blueprint:heads-up, or a file or folder of your own."),
        out: Path = typer.Option(
            ..., "--out", "-o", help="The network's file (.h5); its state lies beside it."
        ),
        minutes: float | None = typer.Option(None, "--minutes", min=0.0, help="Minutes of training in all."),
        steps: int | None = typer.Option(None, "--steps", "-n", min=1, help="Steps in all."),
        settings: list[str] = typer.Option([], "--set", help="Override a key, such as shape.width=128."),
        device: str | None = typer.Option(None, "--device", help="cpu or cuda."),
        workers: int = typer.Option(0, "--workers", min=0, help="Threads that play; 0 is all cores."),
        resume: bool = typer.Option(False, "--resume", help="Go on with the run of --out."),
    ) -> None:
        """Teach a network to play as a blueprint does; Ctrl-C writes what was learned.

        The result plays as deep:FILE and needs no PyTorch to play.
        """
        import math
        import signal

        from rich.console import Console

        from overbet import machine
        from overbet.blueprint.catalogue import find_blueprint
        from overbet.blueprint.network.distil import DistilConfig, Distillation, DistilPace
        from overbet.blueprint.network.files import check_name
        from overbet.blueprint.network.state import load_distillation, save_state, state_path
        from overbet.blueprint.query import Blueprint
        from overbet.errors import ConfigError
        from overbet.files import check_place
        from overbet.interfaces.cli.progress import shown

        console = Console(stderr=True, soft_wrap=True, highlight=False)
        check_name(out)
        check_place(out)
        if resume and not state_path(out).exists():
            raise ConfigError(f"there is no run at {out}; leave --resume out")
        if not resume and state_path(out).exists():
            raise ConfigError(f"there is a run at {out}; go on with --resume, or use another --out")
        changes = [
            *settings,
            *([f"device={device}"] if device else []),
            *([f"steps={steps}"] if steps else []),
        ]
        config = DistilConfig.changed(changes, "distill")
        teacher = Blueprint.load(find_blueprint(blueprint.removeprefix("blueprint:")))
        learning = Distillation(teacher, config, workers or machine.core_count())
        if resume:
            load_distillation(state_path(out), learning)
        limit = math.inf if minutes is None else 60.0 * minutes
        by_time = minutes is not None
        goal = 10**12 if by_time and steps is None else config.steps
        kept, stopped = [time.monotonic()], None
        with shown("distilling", "", limit if by_time else goal, console=console) as show:

            def progress(pace: DistilPace) -> None:
                done, total = (pace.seconds, limit) if by_time else (pace.step, goal)
                show(done, total, facts=f"step {pace.step:,}  {pace.apart:.4f} nats from the blueprint")
                if time.monotonic() - kept[0] > _CHECKPOINT_SECONDS:
                    save_state(state_path(out), learning)
                    kept[0] = time.monotonic()

            try:
                learning.run(max(0, goal - learning.steps), progress, limit)
            except KeyboardInterrupt as stop:
                stopped = stop
        save_state(state_path(out), learning)
        learning.close()
        far, weighted = learning.apart()
        learning.save(out, {"apart": round(far, 4), "apart_by_pot": round(weighted, 4)})
        with suppress(OSError):  # the terminal may be gone
            console.print(
                f"{learning.steps:,} steps in {learning.seconds:.0f} s; shares differ by {100 * far:.1f}% on "
                f"average ({100 * weighted:.1f}% by the pot); {out} plays as deep:{out}",
                markup=False,
            )
        if stopped is not None:
            console.print(
                f"stopped; go on with: overbet distill {blueprint} --resume --out {out}", markup=False
            )
            raise typer.Exit(128 + getattr(stopped, "signal", signal.SIGINT)) from stopped
