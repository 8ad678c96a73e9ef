"""The file of the decks, `decks.db` in the data folder: its tables, its version, and opening it.

decks    one row a deck and its settings
cards    one row a card in a deck: what is asked (JSON of `DeckCard`), and its schedule (JSON)
answers  one row an answer, in order: nothing of what was practised is lost

Terminal and page may have it open at once. Whoever writes holds the file for one whole transaction and reads
the schedule inside of it, so that no answer overwrites another. A kill leaves the last whole transaction.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from overbet.errors import ArtefactError, reason, short

NAME, VERSION = "decks.db", 1
_APPLICATION = 0x4F564244  # "OVBD"
_WAIT_S = 30.0  # for another process that writes
_TABLES = (
    """CREATE TABLE decks (
        id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE COLLATE NOCASE,
        created INTEGER NOT NULL, retention REAL NOT NULL, new_a_day INTEGER NOT NULL
    )""",
    """CREATE TABLE cards (
        deck INTEGER NOT NULL, key TEXT NOT NULL, card TEXT NOT NULL, schedule TEXT NOT NULL,
        put_off INTEGER NOT NULL DEFAULT 0, first INTEGER, asked INTEGER NOT NULL DEFAULT 0,
        correct INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (deck, key)
    ) WITHOUT ROWID""",
    """CREATE TABLE answers (
        id INTEGER PRIMARY KEY, deck INTEGER NOT NULL, key TEXT NOT NULL, at INTEGER NOT NULL,
        token TEXT NOT NULL, grade TEXT NOT NULL, rating INTEGER, loss_bb REAL NOT NULL, due INTEGER NOT NULL
    )""",
    "CREATE INDEX answers_by_card ON answers (deck, key)",
)


@contextmanager
def opened(path: Path) -> Iterator[sqlite3.Connection]:
    """Open the file, made where it is not there, for one whole transaction."""
    with _told(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        connection = sqlite3.connect(path, timeout=_WAIT_S, isolation_level=None)
        with closing(connection):
            connection.execute("BEGIN IMMEDIATE")
            try:
                _prepare(connection, path)
                yield connection
                connection.execute("COMMIT")
            except BaseException:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                raise


@contextmanager
def read(path: Path) -> Iterator[sqlite3.Connection | None]:
    """Open the file to read it; None where there is none yet."""
    if not path.is_file():
        yield None
        return
    with _told(path):
        connection = sqlite3.connect(path, timeout=_WAIT_S, isolation_level=None)
        with closing(connection):
            connection.execute("BEGIN")
            if not connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
                yield None  # killed before the first transaction was whole
                return
            _check(connection, path)
            yield connection


@contextmanager
def _told(path: Path) -> Iterator[None]:
    """Say in one line why the file cannot be used."""
    try:
        yield
    except sqlite3.OperationalError as error:  # no room, no permission, a lock that is not given back
        raise ArtefactError(f"cannot use the decks at {short(path)}: {short(error)}") from error
    except sqlite3.Error as error:
        raise ArtefactError(
            f"{short(path)} is not a file of decks ({short(error)}); move it away to begin anew"
        ) from error
    except OSError as error:
        raise ArtefactError(f"cannot use the decks at {short(path)}: {reason(error)}") from error


def _prepare(connection: sqlite3.Connection, path: Path) -> None:
    if not connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
        for statement in _TABLES:
            connection.execute(statement)
        connection.execute(f"PRAGMA user_version = {VERSION}")
        connection.execute(f"PRAGMA application_id = {_APPLICATION}")
    _check(connection, path)


def _check(connection: sqlite3.Connection, path: Path) -> None:
    if _number(connection, "application_id") != _APPLICATION:
        raise ArtefactError(f"{short(path)} is another program's database; name another folder with --data")
    version = _number(connection, "user_version")
    if version != VERSION:
        raise ArtefactError(
            f"{short(path)} has version {version} of the decks, this overbet version {VERSION}: use the "
            "overbet that wrote it, or move the file away"
        )


def _number(connection: sqlite3.Connection, pragma: str) -> int:
    return int(connection.execute(f"PRAGMA {pragma}").fetchone()[0])
