"""Importing new files of a folder as they come, for study after play: a look every few seconds, nothing else.

A file is read once it has not changed for a while, and again when it has changed since: its old hands are
duplicates. What is wrong with a file stands in the report of its import and stops nothing.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from overbet.errors import ArtefactError, ConfigError, short
from overbet.interfaces.hands.database import HandDatabase
from overbet.interfaces.hands.importing import (
    ImportReport,
    files_within,
    holds_hands,
    import_hands,
)

QUIET_S = 30.0  # how long a file has to stay as it is
EVERY_S = 2.0  # between two looks
Facts = tuple[int, int]  # bytes and time of the last change


class FolderWatch:
    """Looks into a folder; `look` imports what is ready. clock: seconds that only grow."""

    def __init__(
        self,
        database: HandDatabase,
        folder: str | Path,
        *,
        quiet_s: float = QUIET_S,
        hash_names: bool = False,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.database, self.folder, self.hash_names = database, Path(folder), hash_names
        if not self.folder.is_dir():
            raise ArtefactError(f"{short(self.folder)} is no folder; name one that files of hands come into")
        if not quiet_s >= 0.0:
            raise ConfigError(f"a file is quiet for at least 0 seconds, not {quiet_s:g}")
        self._quiet_s, self._clock = quiet_s, clock
        self._since: dict[Path, tuple[Facts, float]] = {}  # how a file was and since when
        self._done: dict[Path, Facts] = {}

    def look(self) -> ImportReport | None:
        """Import the files that are new or changed and have been quiet; return the report, None for none."""
        now, ready, seen = self._clock(), dict[Path, Facts](), dict[Path, tuple[Facts, float]]()
        for path in files_within(self.folder):
            try:
                status = path.stat()
            except OSError:
                continue  # it went away meanwhile
            facts = (status.st_size, status.st_mtime_ns)
            before, since = self._since.get(path, (facts, now))
            seen[path] = (facts, since if before == facts else now)
            if self._done.get(path) != facts and now - seen[path][1] >= self._quiet_s:
                ready[path] = facts
        self._since = seen
        self._done = {path: facts for path, facts in self._done.items() if path in seen}
        self._done |= ready
        files = [path for path in ready if holds_hands(path)]
        return import_hands(self.database, files, hash_names=self.hash_names) if files else None


def watch(watched: FolderWatch, told: Callable[[ImportReport], object], *, every_s: float = EVERY_S) -> None:
    """Look again and again until Ctrl-C; told: called with the report of every import."""
    while True:
        report = watched.look()
        if report is not None and (report.total or report.unchanged < report.files):
            told(report)
        time.sleep(every_s)
