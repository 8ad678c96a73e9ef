"""What a job is doing before it can say how far it is: building, compiling, iterating."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any


@contextmanager
def told_when_compiling(tell: Callable[[bool], None]) -> Iterator[None]:
    """Call `tell` when kernels begin to be compiled in this process, and when they are compiled.

    Numba says so itself; code that is loaded from the disk is not told.
    """
    from numba.core import event

    class Listener(event.Listener):
        """Counts what is being compiled: a kernel may compile those it calls."""

        under_way = 0

        def on_start(self, event: Any) -> None:
            """Take the beginning."""
            self.under_way += 1
            if self.under_way == 1:
                tell(True)

        def on_end(self, event: Any) -> None:
            """Take the end."""
            self.under_way -= 1
            if self.under_way == 0:
                tell(False)

    with event.install_listener("numba:compile", Listener()):
        yield
