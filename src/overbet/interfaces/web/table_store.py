"""The tables that were played at, kept one file each."""

from __future__ import annotations

import threading
from pathlib import Path

from overbet.interfaces.web.faults import Fault
from overbet.interfaces.web.folder import PLAY, DataFolder, checked_id, read_json, write_json
from overbet.study.tables import StudyTable

_MOST_TABLES = 200


class TableStore:
    """The tables of a data folder, read once."""

    def __init__(self, folder: DataFolder) -> None:
        self._folder = folder.root / PLAY
        self._lock = threading.Lock()
        self.tables: dict[str, StudyTable] = {}
        for path in sorted(self._folder.glob("*.json")):
            record = read_json(path)
            try:
                table = StudyTable.of_record(record)
            except (ValueError, RecursionError):
                continue  # not a table, or of another version: left where it is
            if table.id == path.stem:
                self.tables[table.id] = table

    def get(self, name: str) -> StudyTable:
        """Return a table."""
        found = self.tables.get(checked_id(name))
        if found is None:
            raise Fault(404, "there is no table of that name; it may have been left")
        return found

    def add(self, table: StudyTable) -> None:
        """Keep a new table."""
        with self._lock:
            if len(self.tables) >= _MOST_TABLES:
                raise Fault(429, f"there are {_MOST_TABLES} tables already; leave some")
            self.tables[table.id] = table
        self.save(table)

    def save(self, table: StudyTable) -> None:
        """Write a table, unless it was left in the meantime."""
        if table.id in self.tables:
            write_json(self._path(table), table.record())

    def remove(self, table: StudyTable) -> None:
        """Forget a table."""
        with self._lock:
            self.tables.pop(table.id, None)
        self._path(table).unlink(missing_ok=True)

    def _path(self, table: StudyTable) -> Path:
        return self._folder / f"{table.id}.json"
