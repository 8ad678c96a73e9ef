"""`overbet flops`: the subsets of flops that stand for all, and how they are made."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import typer

EXAMPLE = "overbet flops 25"


def register(app: typer.Typer) -> None:
    """Add the verb."""

    @app.command("flops", epilog=f"Examples: `{EXAMPLE}`, `overbet flops --build flops.json`")
    def flops(
        which: str = typer.Argument("25", help="25, 50, 100, 200, all, or a file of boards."),
        build: Path | None = typer.Option(
            None, "--build", help="Choose the subsets anew and write them to this file."
        ),
        as_json: bool = typer.Option(False, "--json", help="Print JSON."),
    ) -> None:
        """Show a set of flops with their weights, in percent of all 22,100 flops."""
        if build is not None:
            _build(build, as_json)
            return
        from overbet.solvers.vector.batches.flops import board_set

        found = board_set(which)
        if as_json:
            typer.echo(json.dumps({"set": found.name, "boards": dict(zip(found.boards, found.weights))}))
            return
        for board, weight in zip(found.boards, found.weights):
            typer.echo(f"{board} {100 * weight:.4f}")


def _build(path: Path, as_json: bool) -> None:
    from overbet.files import check_place, write_text
    from overbet.interfaces.cli.progress import COMPILING, shown
    from overbet.solvers.vector.batches.flop_choice import build_subsets
    from overbet.solvers.vector.batches.flops import SUBSETS, board_set

    check_place(path)
    with shown(f"equities on all flops {COMPILING}") as show:

        def advance(done: int, total: int) -> None:
            text = f"equities on {done:,} of {total:,} flops" if done < total else "choosing flops"
            show(done, total, text)

        subsets, _ = build_subsets(SUBSETS, advance)
    about = "flop -> share of all flops; chosen by overbet.solvers.vector.batches.flop_choice"
    content: dict[str, Any] = {
        "about": about,
        "subsets": {str(size): flops for size, flops in subsets.items()},
    }
    write_text(path, json.dumps(content, indent=1) + "\n")
    same = {size: set(board_set(size).boards) == set(flops) for size, flops in subsets.items()}
    if as_json:
        typer.echo(json.dumps({"out": str(path), "equal_to_shipped": same}))
        return
    for size, equal in same.items():
        words = "the shipped ones" if equal else "NOT the shipped ones"
        typer.echo(f"{size} flops: {words}")
    typer.echo(f"wrote {path}")
