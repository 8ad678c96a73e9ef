"""The option `--cluster`, which several verbs share: work on the nodes of a Ray cluster."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from overbet.cluster import Cluster

CLUSTER = typer.Option(
    None, "--cluster", metavar="auto|HOST:PORT", help="Share the work out on a Ray cluster. Same result."
)


@contextmanager
def on_cluster(address: str | None) -> Iterator[Cluster | None]:
    """Yield the cluster at an address, told in one line; None where none is asked for."""
    if address is None:
        yield None
        return
    from overbet.cluster import connect

    with connect(address) as cluster:
        with suppress(OSError):  # the terminal may be gone
            typer.echo(cluster.describe(), err=True)
        yield cluster
