"""The metrics of a run: `metrics.csv`, and the same numbers as an event file for TensorBoard.

The table is what counts; the event file is made from it whenever it is not open. A disk that is full holds
nothing up: lines wait in memory and are written with the next that can be.
"""

from __future__ import annotations

import errno
import os
import time
from contextlib import suppress
from pathlib import Path

from overbet.files import write_text
from overbet.runs.events import EventLog

METRICS = "metrics.csv"
EVENTS = "events.out.tfevents.overbet"  # TensorBoard takes any name with tfevents in it


class Metrics:
    """Both files of a run's folder. columns: their names, beginning with iterations and seconds."""

    def __init__(self, folder: Path, columns: tuple[str, ...]) -> None:
        self._columns = columns
        self._path, self._events_path = folder / METRICS, folder / EVENTS
        self._events: EventLog | None = None
        self._waiting: list[list[str]] = []

    def add(self, row: list[str]) -> OSError | None:
        """Add a line; return what was in the way, if anything: the line is then written with the next."""
        self._waiting.append(row)
        try:
            self._append("".join(",".join(waiting) + "\n" for waiting in self._waiting))
            added, self._waiting = self._waiting, []
            if self._events is None:
                self._write_events()
            else:
                for new in added:
                    self._events.add(time.time(), int(new[0]), self._scalars(new))
                self._events.flush()
        except OSError as error:
            self.close()  # and made again from the table
            return error
        return None

    def rows(self) -> list[list[str]]:
        """Return the lines under the head; what a killed process left half written is not one."""
        try:
            text = self._path.read_bytes().decode("utf-8", errors="replace")
        except FileNotFoundError:
            return []
        whole = text[: text.rfind("\n") + 1].splitlines()
        return [row for line in whole[1:] if self._is_row(row := line.split(","))]

    def columns(self) -> dict[str, list[float]]:
        """Return the numbers by column."""
        rows = self.rows()
        return {name: [float(row[number]) for row in rows] for number, name in enumerate(self._columns)}

    def cut(self, iterations: int) -> None:
        """Drop the lines of later iterations than these, and lines that are damaged."""
        if not self._path.exists():
            return
        kept = [row for row in self.rows() if int(row[0]) <= iterations]
        write_text(self._path, self._head() + "".join(",".join(row) + "\n" for row in kept))
        with suppress(OSError):  # tried again with the next line
            self._write_events()

    def close(self) -> None:
        """Close the event file."""
        if self._events is not None:
            self._events.close()
        self._events = None

    def _append(self, text: str) -> None:
        with open(self._path, "ab", buffering=0) as file:
            size = file.tell()
            data = ((self._head() if not size else "") + text).encode()
            try:
                if file.write(data) != len(data):
                    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            except OSError:
                with suppress(OSError):
                    file.truncate(size)
                raise

    def _write_events(self) -> None:
        """Write the whole event file, as if the run had never stopped until now."""
        self.close()
        rows = self.rows()
        began = time.time() - (float(rows[-1][1]) if rows else 0.0)
        events = EventLog(self._events_path, began)
        for row in rows:
            events.add(began + float(row[1]), int(row[0]), self._scalars(row))
        events.flush()
        self._events = events

    def _head(self) -> str:
        return ",".join(self._columns) + "\n"

    def _scalars(self, row: list[str]) -> dict[str, float]:
        """Return a line as TensorBoard's scalars."""
        return {f"training/{name}": float(value) for name, value in zip(self._columns[1:], row[1:])}

    def _is_row(self, row: list[str]) -> bool:
        try:
            numbers = [float(value) for value in row]
        except ValueError:
            return False
        return len(numbers) == len(self._columns) and row[0].isdecimal()
