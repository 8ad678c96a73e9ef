"""Taking files of hands into the database: resumable, in parallel, nothing twice, nothing without a word.

A batch of hands and how far its file is are written in one transaction. An import that was stopped or killed
therefore goes on behind the last batch; a file that was read to its end and has not changed is not read
again, and one that has grown is read anew, its old hands being duplicates.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from overbet.errors import ArtefactError, short
from overbet.interfaces.hands.database import HandDatabase
from overbet.interfaces.hands.file_parts import LARGE, PartsInOrder, parts_of
from overbet.interfaces.hands.hand_rows import game_of_fault
from overbet.interfaces.hands.names import hashed_name, name_key, nameless
from overbet.interfaces.hands.reading_files import FileBatch, FileJob
from overbet.interfaces.hands.workers import read_files
from overbet.interfaces.history.record import HandFault, Place
from overbet.machine import core_count

SUFFIXES = (".txt", ".phh", ".phhs", ".tar", ".tar.gz", ".tgz", ".tar.xz", ".tar.bz2", ".zip", ".gz")
_HEADER = re.compile(rb"(?:hand|game|handid:) ?#", re.IGNORECASE)
_HEAD = 1 << 12
_LISTED = 1_000  # errors that are kept for the report; all are counted
_SMALL = 2 << 20  # bytes that one process reads before others have started


@dataclass(slots=True)
class ImportReport:
    """What came of an import: total = new + duplicates + other games + errors.

    duplicates: hands that were in the database, those of unchanged files and of an interrupted import
    included. games: hands by the name of another game. faults: the first thousand errors.
    """

    files: int = 0
    unchanged: int = 0
    passed_over: int = 0
    new: int = 0
    duplicates: int = 0
    games: dict[str, int] = field(default_factory=dict)
    errors: int = 0
    faults: list[HandFault] = field(default_factory=list)
    seconds: float = 0.0

    @property
    def total(self) -> int:
        """All hands that were met."""
        return self.new + self.duplicates + sum(self.games.values()) + self.errors


@dataclass(slots=True)
class ImportProgress:
    """How far an import is. share: of all bytes, from 0 to 1; hands: read in this run; report: so far."""

    share: float
    files_done: int
    files: int
    hands: int
    seconds: float
    report: ImportReport = field(default_factory=ImportReport)


class CopiedFile(NamedTuple):
    """A copy of a file, such as an upload. label: the file's own name, which reports use.

    content: what stands for all that is in it, such as a digest. A file of the same name and content that
    was read before is not read again, wherever the copy lies.
    """

    path: Path
    label: str
    content: str


class _Source(NamedTuple):
    """What a file is called, and what the database knows it by; "" for its path, size and time."""

    label: str
    known_by: str = ""


def import_hands(
    database: HandDatabase,
    paths: str | Path | CopiedFile | Iterable[str | Path | CopiedFile],
    *,
    hash_names: bool = False,
    again: bool = False,
    workers: int | None = None,
    progress: Callable[[ImportProgress], object] | None = None,
) -> ImportReport:
    """Take in every hand of files and folders and return what came of it.

    hash_names: replace players' names by keyed hashes, the hero's by `Hero`. again: read unchanged files
    too. workers: processes; by default one a core, and none besides this one for little work. progress: told
    after every batch. An exception, Ctrl-C included, leaves all whole batches in the database.
    """
    began = time.monotonic()
    given: list[str | Path | CopiedFile] = (
        [paths] if isinstance(paths, str | Path | CopiedFile) else list(paths)
    )
    report = ImportReport()
    files = _files(given, report)
    key = name_key(database.folder) if hash_names else None
    jobs, sizes = _jobs(database, files, key, again, report)
    whole = max(sum(sizes.values()), 1)
    if workers is None:
        workers = core_count() if whole > _SMALL else 1
    files_to_read = len(jobs)
    if workers > 1:
        jobs = [part for job in jobs for part in (parts_of(job) if sizes[job.file] >= LARGE else [job])]
    order = PartsInOrder(jobs)
    reading = dict[int, float]()  # how far the files are that are being read
    bytes_done, files_done, hands = 0, 0, 0
    for batch in (ready for read in read_files(jobs, workers, key) for ready in order.ready(read)):
        _write(database, batch, key, report)
        hands += len(batch.hands) + len(batch.faults)
        if batch.last:
            reading.pop(batch.file, None)
            bytes_done, files_done = bytes_done + sizes[batch.file], files_done + 1
        else:
            reading[batch.file] = batch.share
        if progress is not None:
            read = bytes_done + sum(sizes[file] * share for file, share in reading.items())
            took = time.monotonic() - began
            progress(ImportProgress(read / whole, files_done, files_to_read, hands, took, report))
    report.seconds = time.monotonic() - began
    return report


def _files(given: list[str | Path | CopiedFile], report: ImportReport) -> dict[Path, _Source]:
    """Return the files to read and what to call them; a folder is searched, other files in it are counted."""
    found, copies = dict[Path, _Source](), set[str]()
    for name in given:
        if isinstance(name, CopiedFile):
            known_by = f"{name.label} {name.content}"
            if known_by not in copies:  # else the same file given twice
                copies.add(known_by)
                found[name.path.resolve()] = _Source(name.label, known_by)
            continue
        place = Path(name)
        if place.is_dir():
            for path in files_within(place):
                if holds_hands(path):
                    found[path.resolve()] = _Source(str(path.relative_to(place)))
                else:
                    report.passed_over += 1
        elif place.is_file():
            found[place.resolve()] = _Source(place.name)
        else:
            raise ArtefactError(f"{short(place)} does not exist; give files of hands or a folder of them")
    if not found:
        listed = " ".join(f"*{suffix}" for suffix in SUFFIXES)
        raise ArtefactError(
            f"there is no file of hands in {short(str(given[0])) if given else 'nothing'} ({listed})"
        )
    report.files = len(found)
    return found


def files_within(folder: Path) -> Iterator[Path]:
    """Yield the files of a folder and of those in it, hidden ones apart."""
    for place, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in names:
            path = Path(place) / name
            if path.is_file() and not name.startswith("."):
                yield path


def holds_hands(path: Path) -> bool:
    """Return whether a file may hold hands: by its ending, or because sites number hands by `Hand #`."""
    if path.name.lower().endswith(SUFFIXES):
        return True
    try:
        with open(path, "rb") as file:
            return _HEADER.search(file.read(_HEAD).replace(b"\0", b"")) is not None
    except OSError:
        return False


def _jobs(
    database: HandDatabase, files: dict[Path, _Source], key: bytes | None, again: bool, report: ImportReport
) -> tuple[list[FileJob], dict[int, int]]:
    """Return what there is to read, the largest first, and the bytes of each file by its number."""
    jobs, sizes = list[FileJob](), dict[int, int]()
    with database.writing() as connection:
        for path, source in files.items():
            name = source.known_by or str(path)
            name = name if key is None else hashed_name(name, key)
            facts = path.stat()
            now = (facts.st_size, 0 if source.known_by else facts.st_mtime_ns)
            row = connection.execute(
                "SELECT id, size, modified, taken, done, hands FROM files WHERE path = ?", (name,)
            ).fetchone()
            if row is None:
                cursor = connection.execute(
                    "INSERT INTO files (path, size, modified) VALUES (?, ?, ?)", (name, *now)
                )
                number, taken = int(cursor.lastrowid or 0), 0
            else:
                number, taken = int(row[0]), int(row[3])
                if again or (row[1], row[2]) != now:
                    connection.execute(
                        "UPDATE files SET size = ?, modified = ?, taken = 0, done = 0, hands = 0 "
                        "WHERE id = ?",
                        (*now, number),
                    )
                    connection.execute("DELETE FROM faults WHERE file = ?", (number,))
                    taken = 0
                else:
                    report.duplicates += row[5]
                    _count_kept_faults(database, number, report)
                    if row[4]:
                        report.unchanged += 1
                        continue
            jobs.append(FileJob(number, path, source.label, taken))
            sizes[number] = facts.st_size
    jobs.sort(key=lambda job: -sizes[job.file])  # a large file at the end would have one core work alone
    return jobs, sizes


def _count_kept_faults(database: HandDatabase, file: int, report: ImportReport) -> None:
    query = "SELECT source, hand, line, reason, game FROM faults WHERE file = ?"
    for source, hand, line, reason, game in database.connection.execute(query, (file,)):
        _count(report, HandFault(Place(source, hand, line), reason, bool(game)), game)


def _count(report: ImportReport, fault: HandFault, game: str) -> None:
    if game:
        report.games[game] = report.games.get(game, 0) + 1
        return
    report.errors += 1
    if len(report.faults) < _LISTED:
        report.faults.append(fault)


def _write(database: HandDatabase, batch: FileBatch, key: bytes | None, report: ImportReport) -> None:
    """Write a batch and how far its file is, together."""
    games = [game_of_fault(fault) for fault in batch.faults]
    with database.writing() as connection:
        new = database.add(batch.hands, batch.file)
        for fault, game in zip(batch.faults, games):
            kept = fault if key is None else nameless(fault, key)
            place = kept.place
            connection.execute(
                "INSERT INTO faults VALUES (?, ?, ?, ?, ?, ?)",
                (batch.file, place.source, place.hand, place.line, kept.reason, game),
            )
        connection.execute(
            "UPDATE files SET taken = ?, done = ?, hands = hands + ? WHERE id = ?",
            (batch.taken, int(batch.last), len(batch.hands), batch.file),
        )
    report.new += new
    report.duplicates += len(batch.hands) - new
    for fault, game in zip(batch.faults, games):
        _count(report, fault, game)
