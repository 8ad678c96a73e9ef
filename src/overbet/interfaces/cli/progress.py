"""How far a command is: a line on the error stream, gone when it is done; none where that is no terminal."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Literal, Protocol

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import ProgressColumn

COMPILING = "(kernels compile once on each machine)"


class Show(Protocol):
    """Shows how far it is. text: before the bar; facts: after it; either stays as it was if left out."""

    def __call__(
        self, done: float, total: float | None, text: str | None = None, facts: str | None = None
    ) -> None:
        """Change the line."""


@contextmanager
def shown(
    text: str,
    facts: str = "",
    total: float | None = None,
    *,
    number: Literal["", "percent", "count"] = "",
    time_left: bool = True,
    width: int = 40,
    console: Console | None = None,
) -> Iterator[Show]:
    """Show a bar. number: what stands right after it; time_left: whether the time left is worked out here."""
    from rich.console import Console

    where = console or Console(stderr=True)
    if not where.is_terminal:  # what draws the bar takes long to load
        yield _no_line
        return
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TaskProgressColumn,
        TextColumn,
        TimeRemainingColumn,
    )

    columns: list[ProgressColumn] = [
        TextColumn("{task.description}", markup=False),
        BarColumn(bar_width=width),
    ]
    if number:
        columns.append(TaskProgressColumn() if number == "percent" else MofNCompleteColumn())
    columns.append(TextColumn("{task.fields[facts]}", markup=False))
    if time_left:
        columns.append(TimeRemainingColumn())
    with Progress(*columns, console=where, transient=True) as bar:
        task = bar.add_task(text, total=total, facts=facts)
        now = {"text": text, "facts": facts}

        def show(done: float, total: float | None, text: str | None = None, facts: str | None = None) -> None:
            if text is not None:
                now["text"] = text
            if facts is not None:
                now["facts"] = facts
            bar.update(task, description=now["text"], completed=done, facts=now["facts"], total=total)

        yield show


def _no_line(done: float, total: float | None, text: str | None = None, facts: str | None = None) -> None:
    """Show nothing."""
