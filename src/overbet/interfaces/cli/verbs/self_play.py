"""`overbet self-play`: a network for a whole heads-up game, learned from nothing by playing itself."""

from __future__ import annotations

import time
from contextlib import suppress
from pathlib import Path

import typer

EXAMPLE = "overbet self-play heads-up-cpu --out network.h5 --minutes 30"
_RESUME = "overbet self-play --resume --out network.h5 --minutes 60"
_CHECKPOINT_SECONDS = 300.0


def register(app: typer.Typer) -> None:
    """Add the verb."""

    @app.command("self-play", epilog=f"Examples: `{EXAMPLE}`, `{_RESUME}`")
    def self_play(
        run: str | None = typer.Argument(
            None, help="heads-up-gpu, heads-up-cpu, or a YAML file of your own."
        ),
        out: Path = typer.Option(
            ..., "--out", "-o", help="The network's file (.h5); its state lies beside it."
        ),
        minutes: float | None = typer.Option(None, "--minutes", min=0.0, help="Minutes of training in all."),
        iterations: int | None = typer.Option(None, "--iterations", "-n", min=1, help="Iterations in all."),
        settings: list[str] = typer.Option([], "--set", help="Override a key, such as boards=4."),
        device: str | None = typer.Option(None, "--device", help="cpu or cuda."),
        resume: bool = typer.Option(False, "--resume", help="Go on with the run of --out."),
    ) -> None:
        """Train a network by deep CFR on whole boards; Ctrl-C writes what was learned.

        The result plays as deep:FILE.
        """
        import math
        import signal

        from rich.console import Console

        from overbet.blueprint.network.files import check_name, encoder_of
        from overbet.blueprint.network.presets import self_play_config
        from overbet.blueprint.network.self_play import SelfPlay, SelfPlayPace
        from overbet.blueprint.network.state import load_self_play, save_state, state_path
        from overbet.errors import ConfigError
        from overbet.files import check_place
        from overbet.interfaces.cli.progress import shown

        console = Console(stderr=True, soft_wrap=True, highlight=False)
        check_name(out)
        check_place(out)
        if (run is None) != resume:
            raise ConfigError("name a run, such as heads-up-cpu, or go on with --resume")
        changes = [
            *settings,
            *([f"device={device}"] if device else []),
            *([f"iterations={iterations}"] if iterations else []),
        ]
        if run is None:
            given = {} if iterations is None else {"iterations": iterations}
            playing = load_self_play(state_path(out), {**given, **({"device": device} if device else {})})
        else:
            if state_path(out).exists():
                raise ConfigError(f"there is a run at {out}; go on with --resume, or use another --out")
            config = self_play_config(run, changes)
            playing = SelfPlay(config, encoder_of(config.network))
        goal, limit = playing.config.iterations, math.inf if minutes is None else 60.0 * minutes
        console.print(f"{playing.config.network.name}: {playing.encoder.tree.size.describe()}", markup=False)
        kept = [time.monotonic()]
        stopped = None
        by_time = minutes is not None
        with shown("self-play", "", limit if by_time else goal, console=console) as show:

            def progress(pace: SelfPlayPace) -> None:
                done, total = (pace.seconds, limit) if by_time else (pace.iteration, goal)
                show(
                    done,
                    total,
                    facts=f"iteration {pace.iteration:,}  loss {pace.regret:.3f}  policy {pace.policy:.4f}",
                )
                if time.monotonic() - kept[0] > _CHECKPOINT_SECONDS:
                    save_state(state_path(out), playing)
                    kept[0] = time.monotonic()

            try:
                playing.run(goal - playing.iteration, progress, limit)
            except KeyboardInterrupt as stop:
                stopped = stop
        save_state(state_path(out), playing)
        playing.save(out)
        with suppress(OSError):  # the terminal may be gone
            console.print(
                f"{playing.iteration:,} iterations in {playing.seconds:.0f} s; {out} plays as deep:{out}",
                markup=False,
            )
        if stopped is not None:
            console.print(f"stopped; go on with: overbet self-play --resume --out {out}", markup=False)
            raise typer.Exit(128 + getattr(stopped, "signal", signal.SIGINT)) from stopped
