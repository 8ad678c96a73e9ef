"""What a verb leaves behind besides what it prints: files and notes in the ledger.

Places are tried before the work, and what fails after it is told once the result is printed: finished work
is never thrown away.
"""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import typer

from overbet.errors import OverbetError, short
from overbet.files import check_place, replacing

if TYPE_CHECKING:
    import polars
    from rich.console import Console

NOT_NOTED = 3  # the exit code where the result was printed and is not in the ledger

T = TypeVar("T")


def write_parquet(path: Path, frame: polars.DataFrame) -> None:
    """Write a frame; its bytes are made first, so that a full disk is the system's error, not polars' own."""
    content = io.BytesIO()
    frame.write_parquet(content)
    with replacing(path) as beside:
        beside.write_bytes(content.getbuffer())


class Outputs:
    """The files and notes of one command."""

    def __init__(self, *paths: Path | None) -> None:
        """Try the places of the files that will be written; None is one that is not asked for."""
        for path in paths:
            if path is not None:
                check_place(path)
        self.written: list[Path] = []
        self._failed: dict[Path, OverbetError] = {}
        self._not_noted: OverbetError | None = None

    def write(self, path: Path | None, action: Callable[[], object]) -> None:
        """Write a file by `action`; an error waits for `end`."""
        if path is None:
            return
        try:
            action()
        except OverbetError as error:
            self.fail(path, error)
        else:
            self._failed.pop(path, None)
            if path not in self.written:
                self.written.append(path)

    def fail(self, path: Path, error: OverbetError) -> None:
        """Keep the error of a file for `end`; writing it later takes the error back."""
        self._failed[path] = error
        if path in self.written:
            self.written.remove(path)

    def note(self, action: Callable[[], T]) -> T | None:
        """Note a result in the ledger by `action` and return what that returns; an error waits for `end`."""
        try:
            return action()
        except OverbetError as error:
            self._not_noted = self._not_noted or error
            return None

    def tell(self, console: Console, word: str = "wrote") -> None:
        """Print which files were written."""
        for path in self.written:
            console.print(f"{word} {path}", soft_wrap=True, markup=False)

    def end(self) -> None:
        """Tell what could not be kept: a file is an error, a note in the ledger exit code 3."""
        if self._not_noted is not None:
            typer.echo(f"warning: the result is not in the ledger: {short(self._not_noted, 500)}", err=True)
        for error in self._failed.values():
            raise error
        if self._not_noted is not None:
            raise typer.Exit(NOT_NOTED)
