"""`overbet solve`: solve a postflop spot and show what was found."""

from __future__ import annotations

import json
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from overbet.interfaces.cli import node_options
from overbet.interfaces.cli.loading import loading

if TYPE_CHECKING:
    from collections.abc import Callable

    from overbet.solvers.vector.api import SolveFile
    from overbet.solvers.vector.estimate import TreeEstimate
    from overbet.solvers.vector.solver import Progress as Look

EXAMPLE = "overbet solve examples/quick.yaml --save quick.h5"


def register(app: typer.Typer) -> None:
    """Add the verb."""

    @app.command("solve", epilog=f"Example: `{EXAMPLE}`")
    def solve(
        spot: Path = typer.Argument(..., help="A spot in YAML; the folder examples/ has some."),
        changes: list[str] = typer.Option(
            [], "--set", help="Change a value: --set pot=120 --set solve.rule=cfr+"
        ),
        target: float | None = typer.Option(
            None, "--target", "-t", help="Exploitability to stop at, % of pot."
        ),
        iterations: int | None = typer.Option(None, "--iterations", "-n", help="Most iterations."),
        seconds: float | None = typer.Option(None, "--seconds", "-s", help="Most seconds."),
        threads: int | None = typer.Option(None, "--threads", help="Threads; 0 for all cores."),
        device: str | None = typer.Option(None, "--device", help="auto, cpu or cuda."),
        precision: str | None = typer.Option(
            None, "--precision", help="float32; int16 at half the memory; float64 for research."
        ),
        save: Path | None = typer.Option(None, "--save", help="Save the solution (.h5)."),
        streets: int | None = typer.Option(
            None, "--streets", help="Save only so many streets from the first."
        ),
        resume: Path | None = typer.Option(
            None, "--resume", help="Go on from a saved solution of this spot."
        ),
        node: str = typer.Option("r:0", "--node", help="The line to show, such as r:0:c:b75."),
        grids: str = node_options.GRIDS,
        plot: Path | None = node_options.PLOT,
        palette: str = node_options.PALETTE,
        as_json: bool = node_options.AS_JSON,
    ) -> None:
        """Solve a spot and show a node of it.

        Ctrl-C stops after the iterations under way, shows and saves what there is.
        """
        with loading():
            from overbet.cards.palette import palette as read_palette
            from overbet.interfaces.cli.node_view import read_grids, show_node, show_solution
            from overbet.interfaces.cli.outputs import Outputs
            from overbet.solvers.vector.api import SolveFile
            from overbet.solvers.vector.api import solve as solve_spot
            from overbet.study import node_values, solution_values

        given = {
            "target": target,
            "iterations": iterations,
            "seconds": seconds,
            "threads": threads,
            "device": device,
            "precision": precision,
        }
        own = [f"solve.{key}={value}" for key, value in given.items() if value is not None]
        file = SolveFile.load(spot, [*changes, *own])
        colours, shown = read_palette(palette), read_grids(grids)
        size = _check(file, node, save, streets, plot)
        outputs = Outputs(save, plot)
        with _progress(file) as (watch, beat), warnings.catch_warnings(record=True) as notes:
            warnings.simplefilter("always", UserWarning)
            solution = solve_spot(file, progress=watch, beat=beat, resume=resume, size=size)
        for note in notes:
            typer.echo(f"note: {note.message}", err=True)
        if save:
            outputs.write(save, lambda: solution.save(save, streets))
        found = solution.node(node)
        if plot:
            from overbet.solvers.vector.picture import draw_node

            outputs.write(plot, lambda: draw_node(plot, found, colours=colours))
        if as_json:
            typer.echo(json.dumps({**solution_values(solution), "node": node_values(found)}))
        else:
            from rich.console import Console

            console = Console(highlight=False)
            show_node(console, found, grids=shown, colours=colours)
            show_solution(console, solution)
            if save in outputs.written:
                console.print(
                    f"saved to {save}; open it with: overbet show {save}", markup=False, soft_wrap=True
                )
            if plot in outputs.written:
                console.print(f"drawn to {plot}", markup=False, soft_wrap=True)
        outputs.end()
        if solution.interrupted:
            raise typer.Exit(130)


def _check(
    file: SolveFile, node: str, save: Path | None, streets: int | None, plot: Path | None
) -> TreeEstimate:
    """Refuse before the solve what would fail after it: the line, the names of files; return its size."""
    from overbet.cards.plots import check_picture
    from overbet.errors import ConfigError
    from overbet.solvers.vector.estimate import estimate
    from overbet.solvers.vector.lines import read_line
    from overbet.solvers.vector.store import check_save, check_streets

    spot = file.spot()
    size = estimate(spot, file.solve, locked=bool(file.locks))
    size.require()
    if save:
        check_save(save)
    if streets is not None:
        if not save:
            raise ConfigError("--streets says how much to save: add --save FILE.h5")
        check_streets(spot, streets)
    if plot:
        check_picture(plot)
    if node != "r:0":
        read_line(size.tree, node)
    return size


@contextmanager
def _progress(file: SolveFile) -> Iterator[tuple[Callable[[Look], None], Callable[[int, float], None]]]:
    """Show exploitability, speed and time left on the error stream, where that is a terminal.

    Before the first look: the iterations done.
    """
    from overbet.interfaces.cli.progress import COMPILING, shown

    with shown(f"{file.board}: building the tree {COMPILING}", time_left=False, width=10) as show:
        seen = False

        def beat(iteration: int, seconds: float) -> None:
            if iteration and not seen:
                show(seconds, None, f"{file.board}: {iteration:,} iterations")

        def watch(look: Look) -> None:
            nonlocal seen
            seen = True
            text = (
                f"exploitability {look.exploitability:.3f}% of the pot, {look.iteration:,} iterations, "
                f"{look.iterations_per_second:.3g}/s"
            )
            left = look.seconds_left
            whole = None if left is None else look.seconds + left
            words = "" if left is None else f"{int(left) // 60}:{int(left) % 60:02d} left"
            show(look.seconds, whole, text, words)

        yield watch, beat
