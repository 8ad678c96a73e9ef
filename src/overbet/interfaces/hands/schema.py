"""The tables of the database, their version, and opening a file that has them.

hands      one row a hand: what it is, and its record as compressed PHH text
seats      one row a player in a hand; flags are the line words of `words.py`
decisions  one row a decision, by hand and number; chips of the record
words      names of players, tables and tournaments, each once
files      what was read: how far, and what came of it
faults     hands that were left out, by file
reviews    what a decision was worth, by hand and number; see `reviews.py`

Amounts are whole chips of the record; `hands.big_blind` turns them into big blinds.
"""

from __future__ import annotations

import sqlite3
from pathlib import Path

from overbet.errors import ArtefactError, reason, short

VERSION = 2  # 1 had no reviews
_APPLICATION = 0x4F564248  # "OVBH"
_WAIT_S = 30.0  # for another process that writes
_TABLES = """
CREATE TABLE words (id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE);
CREATE TABLE files (
    id INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE, size INTEGER NOT NULL, modified INTEGER NOT NULL,
    taken INTEGER NOT NULL DEFAULT 0, done INTEGER NOT NULL DEFAULT 0, hands INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE faults (
    file INTEGER NOT NULL, source TEXT NOT NULL, hand TEXT NOT NULL, line INTEGER NOT NULL,
    reason TEXT NOT NULL, game TEXT NOT NULL
);
CREATE INDEX faults_by_file ON faults (file);
CREATE TABLE hands (
    id INTEGER PRIMARY KEY, site INTEGER NOT NULL, number TEXT NOT NULL, file INTEGER NOT NULL,
    line INTEGER NOT NULL, played INTEGER, format INTEGER NOT NULL, table_name INTEGER NOT NULL,
    tournament INTEGER NOT NULL, currency TEXT NOT NULL, unit INTEGER NOT NULL,
    small_blind INTEGER NOT NULL, big_blind INTEGER NOT NULL, players INTEGER NOT NULL, hero INTEGER,
    pot INTEGER NOT NULL, rake INTEGER NOT NULL, board TEXT NOT NULL, texture INTEGER,
    flop_players INTEGER NOT NULL, preflop_raises INTEGER NOT NULL, notes TEXT NOT NULL,
    record BLOB NOT NULL
);
CREATE UNIQUE INDEX hands_by_number ON hands (site, number);
CREATE INDEX hands_by_time ON hands (played);
CREATE TABLE seats (
    hand INTEGER NOT NULL, player INTEGER NOT NULL, name INTEGER NOT NULL, position INTEGER NOT NULL,
    stack INTEGER NOT NULL, depth INTEGER NOT NULL, hole INTEGER, put_in INTEGER NOT NULL,
    net INTEGER NOT NULL, flags INTEGER NOT NULL, PRIMARY KEY (hand, player)
) WITHOUT ROWID;
CREATE INDEX seats_by_name ON seats (name);
CREATE TABLE decisions (
    hand INTEGER NOT NULL, number INTEGER NOT NULL, player INTEGER NOT NULL, street INTEGER NOT NULL,
    players INTEGER NOT NULL, facing INTEGER NOT NULL, raises INTEGER NOT NULL,
    preflop_raises INTEGER NOT NULL, initiative INTEGER NOT NULL, in_position INTEGER NOT NULL,
    pot INTEGER NOT NULL, to_call INTEGER NOT NULL, stack INTEGER NOT NULL, action INTEGER NOT NULL,
    all_in INTEGER NOT NULL, added INTEGER NOT NULL, PRIMARY KEY (hand, number)
) WITHOUT ROWID;
"""
_REVIEWS = """
CREATE TABLE reviews (
    hand INTEGER NOT NULL, number INTEGER NOT NULL, method TEXT NOT NULL, source TEXT NOT NULL,
    settings TEXT NOT NULL, grade TEXT, loss_bb REAL, accuracy_bb REAL, share REAL, taken TEXT, best TEXT,
    actions TEXT, spot BLOB, reason TEXT, PRIMARY KEY (hand, number)
) WITHOUT ROWID;
"""
_STEPS = {1: _REVIEWS}  # what makes the next version of a version


def connect(path: Path) -> sqlite3.Connection:
    """Open the database at `path`, or make an empty one; an error says in one line why it cannot be."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        connection = sqlite3.connect(path, timeout=_WAIT_S, isolation_level=None)
    except OSError as error:
        raise ArtefactError(f"cannot open the hands at {short(path)}: {reason(error)}") from error
    except sqlite3.Error as error:
        raise ArtefactError(f"cannot open the hands at {short(path)}: {short(error)}") from error
    try:
        _prepare(connection, path)
    except (
        sqlite3.OperationalError
    ) as error:  # a folder that cannot be written, a lock that is not given back
        connection.close()
        raise ArtefactError(f"cannot open the hands at {short(path)}: {short(error)}") from error
    except sqlite3.Error as error:
        connection.close()
        raise ArtefactError(
            f"{short(path)} is not a database of hands ({short(error)}); name another folder with --data"
        ) from error
    except BaseException:
        connection.close()
        raise
    return connection


def _prepare(connection: sqlite3.Connection, path: Path) -> None:
    connection.execute("PRAGMA journal_mode = WAL")  # readers go on while hands are imported
    connection.execute("PRAGMA synchronous = NORMAL")  # a kill loses nothing, a power cut the last batch
    if not _number(connection, "application_id"):
        connection.execute("BEGIN IMMEDIATE")  # two commands may begin at once: the second looks again
        try:
            if not _number(connection, "application_id"):
                if connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
                    raise ArtefactError(
                        f"{short(path)} is another program's database; name another folder with --data"
                    )
                _execute(connection, _TABLES + _REVIEWS)
                connection.execute(f"PRAGMA user_version = {VERSION}")
                connection.execute(f"PRAGMA application_id = {_APPLICATION}")
            connection.execute("COMMIT")
        except BaseException:
            connection.execute("ROLLBACK")
            raise
    if _number(connection, "application_id") != _APPLICATION:
        raise ArtefactError(f"{short(path)} is another program's database; name another folder with --data")
    _migrate(connection)
    version = _number(connection, "user_version")
    if version != VERSION:
        raise ArtefactError(
            f"{short(path)} has version {version} of the database, this overbet version {VERSION}: "
            "move the file away and import the hands again"
        )


def _migrate(connection: sqlite3.Connection) -> None:
    """Bring an older file to this version, in one transaction; nothing of it is lost."""
    if _number(connection, "user_version") not in _STEPS:
        return
    connection.execute("BEGIN IMMEDIATE")  # another command may do it meanwhile: look again
    try:
        while (version := _number(connection, "user_version")) in _STEPS:
            _execute(connection, _STEPS[version])
            connection.execute(f"PRAGMA user_version = {version + 1}")
        connection.execute("COMMIT")
    except BaseException:
        connection.execute("ROLLBACK")
        raise


def _execute(connection: sqlite3.Connection, statements: str) -> None:
    """Execute statements inside of the transaction that is open, which `executescript` would end."""
    for statement in statements.split(";"):
        if statement.strip():
            connection.execute(statement)


def _number(connection: sqlite3.Connection, pragma: str) -> int:
    return int(connection.execute(f"PRAGMA {pragma}").fetchone()[0])
