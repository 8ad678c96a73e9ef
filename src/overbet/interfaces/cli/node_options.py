"""What `solve` and `show` share: the options of a node that is printed or drawn."""

from __future__ import annotations

import typer

GRIDS = typer.Option("all", "--grid", help="strategy, ev, equity, all or none.")
PLOT = typer.Option(None, "--plot", help="Draw the node to this file (.png, .svg, .pdf).")
PALETTE = typer.Option("standard", "--palette", help="Colours: standard or colour-blind.")
AS_JSON = typer.Option(False, "--json", help="Print JSON.")
