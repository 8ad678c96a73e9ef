"""`overbet tree`: how large a spot or a blueprint's game is, before anything is allocated."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

if TYPE_CHECKING:
    from rich.console import Console

    from overbet.solvers.vector.estimate import TreeEstimate
    from overbet.tree.spot import Spot

EXAMPLE = "overbet tree examples/flop.yaml"
_BLUEPRINT = "overbet tree configs/heads-up.yaml"


def register(app: typer.Typer) -> None:
    """Add the verb."""

    @app.command("tree", epilog=f"Examples: `{EXAMPLE}`, `{_BLUEPRINT}`")
    def tree(
        spot: Path = typer.Argument(
            ..., help="A spot (the folder examples/ has some) or a config of overbet train, in YAML."
        ),
        changes: list[str] = typer.Option([], "--set", help="Change a value: --set bets.every.bet=50%"),
        buckets: str = typer.Option(
            "", "--buckets", help="Blueprints: counts such as 50/100/200, where no file is read."
        ),
        as_json: bool = typer.Option(False, "--json", help="Print JSON."),
    ) -> None:
        """Show nodes, size and memory of a spot before it is solved, or of a blueprint before it is trained.

        A x H is the sum over decisions of actions x hands: the size of the game. A spot that does not fit the
        memory of this machine ends in an error that says what to change. A file with a menu is a blueprint's.
        """
        if _is_blueprint(spot):
            from overbet.interfaces.cli.blueprint_tree import show_tree

            show_tree(spot, changes, buckets, as_json)
            return
        if buckets:
            from overbet.errors import ConfigError

            raise ConfigError(f"--buckets is for blueprints, and {spot} is a spot: it has no menu")
        from overbet.machine import available_bytes
        from overbet.solvers.vector.api import SolveFile
        from overbet.solvers.vector.estimate import estimate

        file = SolveFile.load(spot, changes)
        found = file.spot()
        size = estimate(found, file.solve, locked=bool(file.locks))
        free = available_bytes()
        if as_json:
            typer.echo(json.dumps(_facts(found, size, free)))
            return
        from rich.console import Console

        console = Console(highlight=False)
        _show(console, found, size, free)
        console.print(f" OOP begins with {', '.join(action.label for action in size.root)}")
        size.require(free)


def _is_blueprint(path: Path) -> bool:
    """Return whether a file is a config of `overbet train`; one that cannot be read is left to the spot."""
    from overbet.errors import ConfigError
    from overbet.yaml_text import parse_yaml

    try:
        values = parse_yaml(path.read_text(encoding="utf-8"), str(path))
    except (OSError, ValueError, ConfigError):
        return False
    return isinstance(values, dict) and "menu" in values


def _facts(spot: Spot, size: TreeEstimate, free: int | None) -> dict[str, Any]:
    return {
        "board": spot.board,
        "pot_chips": spot.pot,
        "effective_stack_chips": spot.effective_stack,
        "hands": {"oop": size.hands[0], "ip": size.hands[1]},
        "streets": [{**street._asdict(), "nodes": street.nodes} for street in size.streets],
        "nodes": size.nodes,
        "action_hands": size.action_hands,
        "bytes": {name: size.bytes(name) for name in size.table_bytes},
        "table_bytes": size.table_bytes,
        "free_bytes": free,
        "fits": free is None or size.bytes() <= free,
        "root": [action._asdict() for action in size.root],
        "seconds_per_iteration": size.seconds_per_iteration,
        "digest": spot.digest(),
    }


def _show(console: Console, spot: Spot, size: TreeEstimate, free: int | None) -> None:
    from rich import box
    from rich.table import Table

    from overbet.machine import size_text

    spr = spot.effective_stack / spot.pot
    console.print(
        f"\n[bold]{spot.board}[/bold]: pot {spot.pot}, stacks {spot.effective_stack}, SPR {spr:.2f}; "
        f"{size.hands[0]} hands against {size.hands[1]}"
    )
    table = Table(box=box.SIMPLE_HEAD, show_footer=True)
    total = sum(street.decisions for street in size.streets)
    table.add_column("street", "all")
    table.add_column("betting nodes", justify="right")
    table.add_column("boards", justify="right")
    table.add_column("nodes", f"{size.nodes:,}", justify="right")
    table.add_column("decisions", f"{total:,}", justify="right")
    table.add_column("A x H", f"{size.action_hands:,}", justify="right")
    for street in size.streets:
        numbers = (street.betting_nodes, street.boards, street.nodes, street.decisions, street.action_hands)
        table.add_row(street.street, *(f"{number:,}" for number in numbers))
    console.print(table)
    for name, tables in size.table_bytes.items():
        chosen = "  (as set)" if name == size.precision else ""
        console.print(
            f" {name:8} {size_text(size.bytes(name))} in all, {size_text(tables)} of it tables{chosen}"
        )
    if free is not None:
        console.print(f" {'free':8} {size_text(free)}")
    console.print(
        f" about {_time_text(size.seconds_per_iteration)} an iteration on the CPU "
        f"({size.threads} thread{'s' if size.threads > 1 else ''})"
    )


def _time_text(seconds: float) -> str:
    return f"{1e3 * seconds:.2f} ms" if seconds < 0.01 else f"{seconds:.2f} s"
