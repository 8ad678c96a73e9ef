"""The data folder: where solves, reports, runs and tables lie, and how names become paths.

    solves/ID/job.json, solution.h5      a solved (or queued) spot
    batches/ID/job.json, report/         a report over many boards, a small file a board
    work/KIND/ID/job.json                training, matches, LBR and scorecards started from the page
    runs/NAME/                           training runs and the blueprints they end with
    play/ID.json                         tables that were played at
    drill.json, mistakes.json            the drill's score, and the mistakes made in it
    hands.db, uploads/ID/, work/import/  hands that people played, files on their way there, and imports
    decks.db                             decks of decisions to practise, and when each is asked
    library.json                         folders, tags and notes of solves, reports and runs
    ranges/FOLDER/NAME.txt               the range library

A path is made of fixed words and an id, and an id is letters, digits and dashes: nothing a request says can
name a file outside the folder.
"""

from __future__ import annotations

import json
import re
import secrets
import shutil
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from overbet.errors import ArtefactError
from overbet.files import write_text
from overbet.interfaces.web import reading
from overbet.interfaces.web.faults import Fault

ID = r"^[a-z0-9-]{1,60}$"
_ID = re.compile(r"[a-z0-9-]{1,60}")
SOLVES, BATCHES, RUNS, PLAY = "solves", "batches", "runs", "play"
JOB, SOLUTION, REPORT = "job.json", "solution.h5", "report"
_MOST_JSON = 64 << 20  # bytes: a table of 100,000 hands has less


class DataFolder:
    """The folder of everything the page keeps."""

    def __init__(self, root: Path) -> None:
        """Take the folder, making it where it is not there; a folder that cannot be written is an error."""
        self.root = root.expanduser().resolve()
        try:
            for name in (SOLVES, BATCHES, RUNS, PLAY):
                (self.root / name).mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise ArtefactError(
                f"cannot use the data folder {self.root}: {error.strerror}; name another with --data"
            ) from error

    def job(self, kind: str, name: str) -> Path:
        """Return the folder of a job."""
        return self.root / kind / checked_id(name)

    def jobs(self, kind: str) -> Iterator[tuple[Path, dict[str, Any]]]:
        """Yield the folder and the record of every job that can be read."""
        for path in sorted((self.root / kind).glob(f"*/{JOB}")):
            record = read_json(path)
            if _ID.fullmatch(path.parent.name) and isinstance(record, dict):
                yield path.parent, record

    def remove(self, kind: str, name: str) -> None:
        """Remove the folder of a job."""
        shutil.rmtree(self.job(kind, name), ignore_errors=True)

    def free_bytes(self) -> int:
        """Return what the disk has left."""
        return shutil.disk_usage(self.root).free


def checked_id(name: str) -> str:
    """Return an id, or raise where it is none."""
    if not _ID.fullmatch(name):
        raise Fault(404, "there is nothing of that name")
    return name


def new_id(prefix: str) -> str:
    """Return an id nothing has yet."""
    return f"{prefix}-{secrets.token_hex(5)}"


def now() -> str:
    """Return the time, ISO 8601 in UTC."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def read_json(path: Path) -> Any:
    """Return what a JSON file holds, None where it is no plain file or cannot be read."""
    data = reading.read_bytes(path, _MOST_JSON)
    try:
        return None if data is None else json.loads(data.decode("utf-8"))
    except (ValueError, RecursionError):
        return None


def write_json(path: Path, value: Any) -> None:
    """Write a JSON file, whole or not at all."""
    write_text(path, json.dumps(value, allow_nan=False) + "\n")
