"""The size of a blueprint's game in the terminal: decisions by street, rows, memory."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from overbet.blueprint.config import BlueprintConfig

_LISTED = 5_000_000  # nodes that are counted where the tree itself is not needed


def show_tree(path: Path, settings: list[str], buckets: str, as_json: bool) -> None:
    """Print decisions by street, rows and memory of a config of `overbet train`."""
    from rich.console import Console
    from rich.table import Table

    from overbet.betting.menu import STREET_NAMES
    from overbet.blueprint.cards import bucket_counts
    from overbet.blueprint.config import BlueprintConfig
    from overbet.blueprint.trainer import ENTRY_BYTES
    from overbet.tree.holdem import measure_tree

    config = BlueprintConfig.load(path, settings)
    if config.solver.tables == "keyed":
        _keyed(config, bucket_counts(config.cards, buckets), as_json)
        return
    size = measure_tree(config.game.game(), config.menu)
    counts = bucket_counts(config.cards, buckets)
    rows, entries = size.rows(counts), size.entries(counts)
    table_bytes = sum(entries) * ENTRY_BYTES
    if as_json:
        facts = {
            "nodes": size.nodes,
            "decisions": size.decisions,
            "buckets": counts,
            "rows": rows,
            "entries": entries,
            "table_bytes": table_bytes,
            "tree_bytes": size.tree_bytes,
        }
        typer.echo(json.dumps(facts))
        return
    table = Table(title=config.name)
    for column in ("street", "decisions", "buckets", "rows", "entries", "MB"):
        table.add_column(column, justify="left" if column == "street" else "right")
    for street, decisions, width, row, entry in zip(STREET_NAMES, size.decisions, counts, rows, entries):
        memory = f"{entry * ENTRY_BYTES / 1e6:,.1f}"
        table.add_row(street, f"{decisions:,}", f"{width:,}", f"{row:,}", f"{entry:,}", memory)
    total = f"{table_bytes / 1e6:,.1f}"
    table.add_section()
    table.add_row("all", f"{sum(size.decisions):,}", "", f"{sum(rows):,}", f"{sum(entries):,}", total)
    console = Console(soft_wrap=True, highlight=False)
    console.print(table)
    console.print(f"{size.nodes:,} nodes, {size.tree_bytes / 1e6:,.1f} MB for the tree itself")


def _keyed(config: BlueprintConfig, counts: tuple[int, ...], as_json: bool) -> None:
    from overbet.blueprint.keyed import keyed_shape
    from overbet.errors import TooLargeError
    from overbet.tree.holdem import measure_tree

    shape = keyed_shape(config)
    try:
        decisions: tuple[int, ...] | None = measure_tree(config.game.game(), config.menu, _LISTED).decisions
    except TooLargeError:
        decisions = None
    if as_json:
        facts = {
            "rows": shape.rows,
            "actions": shape.width,
            "buckets": counts,
            "table_bytes": shape.bytes,
            "decisions": decisions,
        }
        typer.echo(json.dumps(facts))
        return
    tree = f"has {sum(decisions):,} decisions" if decisions else f"has more than {_LISTED:,} nodes"
    typer.echo(
        f"{config.name}: keyed tables with room for {shape.rows:,} rows of up to {shape.width} actions, "
        f"{shape.bytes / 1e6:,.0f} MB; buckets {'/'.join(map(str, counts))}; the tree {tree} and is not built"
    )
