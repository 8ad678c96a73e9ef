"""The ledger: every measurement in one local SQLite file, with all that is needed to make it again.

A row says what was measured (`kind`: match, lbr, ...; `subject` against `against`), on which game and with
which settings, the figure with its interval, and time, code version and commit, hashes of config and
abstraction, seed and command. Where the results of the single groups (deals) are kept, two rows on the same
deals are compared pair by pair; else by their intervals. What is not comparable is refused with the reason.

    append("match", "blueprint:heads-up", estimate, against="tag", game=digest, seed=1, values=by_deal)
    rows(kind="match", subject="blueprint:heads-up")
    compare(3, 7)
"""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from overbet._version import __version__
from overbet.errors import ArtefactError, ConfigError, reason, short
from overbet.evaluation.statistics import Difference, Estimate, paired, unpaired
from overbet.files import data_folder

NAME = "ledger.sqlite"
MOST_VALUES = 1_000_000  # groups kept with a row; beyond this comparisons are not by pairs
_VERSION = 1
_WAIT_S = 30.0
_COLUMNS = (
    "time",
    "version",
    "code",
    "kind",
    "subject",
    "against",
    "game",
    "settings",
    "unit",
    "mean",
    "half",
    "sd",
    "groups",
    "seed",
    "config",
    "abstraction",
    "command",
    "extra",
    "by_group",
)
_SCHEMA = f"""
CREATE TABLE IF NOT EXISTS measurements (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    time TEXT NOT NULL, version TEXT NOT NULL, code TEXT NOT NULL,
    kind TEXT NOT NULL, subject TEXT NOT NULL, against TEXT NOT NULL,
    game TEXT NOT NULL, settings TEXT NOT NULL, unit TEXT NOT NULL,
    mean REAL NOT NULL, half REAL, sd REAL, groups INTEGER NOT NULL,
    seed INTEGER, config TEXT NOT NULL, abstraction TEXT NOT NULL, command TEXT NOT NULL,
    extra TEXT NOT NULL, by_group BLOB
);
PRAGMA user_version = {_VERSION};
"""


@dataclass(frozen=True)
class LedgerEntry:
    """One row of the ledger; `half` and `sd` are infinite and NaN where one group alone was measured."""

    number: int
    time: str
    version: str
    code: str
    kind: str
    subject: str
    against: str
    game: str
    settings: str
    unit: str
    estimate: Estimate
    seed: int | None
    config: str
    abstraction: str
    command: str
    extra: dict[str, Any] = field(default_factory=dict)
    has_values: bool = False

    def facts(self) -> dict[str, Any]:
        """Return everything as plain values."""
        found = {key: value for key, value in self.__dict__.items() if key != "estimate"}
        mean, half, sd, groups = self.estimate
        finite = {"mean": mean, "half": half, "sd": sd}
        return {
            **found,
            **{key: value if np.isfinite(value) else None for key, value in finite.items()},
            "groups": groups,
        }


@dataclass(frozen=True)
class Comparison:
    """What two measurements say about each other."""

    first: LedgerEntry
    second: LedgerEntry
    difference: Difference
    paired: bool
    why: str  # why by pairs, or why not


def ledger_path() -> Path:
    """Return where the ledger lies: in the data folder, `$OVERBET_HOME` or `~/.local/share/overbet`."""
    return data_folder() / NAME


def append(
    kind: str,
    subject: str,
    estimate: Estimate,
    *,
    against: str = "",
    game: str = "",
    settings: str = "",
    unit: str = "mbb/hand",
    seed: int | None = None,
    config: str = "",
    abstraction: str = "",
    command: str | None = None,
    extra: Mapping[str, Any] | None = None,
    values: npt.ArrayLike | None = None,
    path: Path | None = None,
) -> int:
    """Write one measurement and return its number.

    game, settings: texts or hashes; rows are comparable where both are the same. config, abstraction: hashes
    of what was measured. values: [group] results in order of deals, kept for comparisons by pairs. command:
    the command line where it is not given.
    """
    kept = None
    if values is not None:
        numbers = np.ascontiguousarray(values, "<f8").ravel()
        if len(numbers) <= MOST_VALUES:
            kept = zlib.compress(numbers.tobytes(), 6)
    row = (
        datetime.now(UTC).isoformat(timespec="seconds"),
        __version__,
        code_version(),
        kind,
        subject,
        against,
        game,
        settings,
        unit,
        float(estimate.mean),
        _finite(estimate.half),
        _finite(estimate.sd),
        int(estimate.groups),
        seed,
        config,
        abstraction,
        " ".join(["overbet", *sys.argv[1:]]) if command is None else command,
        json.dumps(dict(extra or {}), sort_keys=True),
        kept,
    )
    marks = ", ".join("?" * len(_COLUMNS))
    with _open(path, create=True) as ledger:
        cursor = ledger.execute(
            f"INSERT INTO measurements ({', '.join(_COLUMNS)}) VALUES ({marks})",
            row,
        )
        return int(cursor.lastrowid or 0)


def rows(
    *,
    kind: str = "",
    subject: str = "",
    against: str = "",
    since: str = "",
    last: int = 0,
    path: Path | None = None,
) -> list[LedgerEntry]:
    """Return the measurements that fit, oldest first; texts may stand anywhere in the field.

    since: a day or time such as 2026-03-01; last: the newest so many alone.
    """
    where, given = ["1 = 1"], []
    for column, text in (("kind", kind), ("subject", subject), ("against", against)):
        if text:
            where.append(f"instr({column}, ?) > 0")
            given.append(text)
    if since:
        where.append("time >= ?")
        given.append(since)
    limit = f"LIMIT {int(last)}" if last > 0 else ""
    with _open(path) as ledger:
        found = ledger.execute(
            f"SELECT * FROM measurements WHERE {' AND '.join(where)} ORDER BY id DESC {limit}",
            given,
        ).fetchall()
    return [_measurement(row) for row in reversed(found)]


def row(number: int, path: Path | None = None) -> LedgerEntry:
    """Return one measurement by its number."""
    return _measurement(_raw(number, path))


def values(number: int, path: Path | None = None) -> npt.NDArray[np.float64] | None:
    """Return the results of a measurement's groups, [group] float64, or None where they were not kept."""
    blob = _raw(number, path)["by_group"]
    if blob is None:
        return None
    try:
        return np.frombuffer(zlib.decompress(blob), "<f8")
    except (zlib.error, ValueError) as error:
        raise ArtefactError(f"measurement {number} in {path or ledger_path()} is damaged: {error}") from error


def compare(first: int, second: int, path: Path | None = None) -> Comparison:
    """Return how much more the first measured than the second; `ConfigError` where that means nothing."""
    if first == second:
        raise ConfigError(f"measurement {first} cannot be compared with itself")
    one, two = row(first, path), row(second, path)
    for name in ("kind", "unit", "game", "against", "settings"):
        a, b = getattr(one, name), getattr(two, name)
        if a != b:
            raise ConfigError(
                f"measurements {first} and {second} are not comparable: their {name} differs "
                f"({a or 'none'} and {b or 'none'})"
            )
    by_group = values(first, path), values(second, path)
    if one.seed is None or one.seed != two.seed:
        why = f"unpaired: the deals differ (seeds {one.seed} and {two.seed})"
        if one.seed is None and two.seed is None:
            why = "unpaired: no seed was noted, so the deals may differ"
    elif by_group[0] is None or by_group[1] is None:
        why = "unpaired: the results of single deals were not kept"
    else:
        shared = min(len(by_group[0]), len(by_group[1]))
        why = f"paired: the same {shared:,} deals (seed {one.seed})"
        difference = paired(by_group[0][:shared], by_group[1][:shared])
        return Comparison(one, two, difference, True, why)
    if one.seed is not None and one.seed == two.seed:
        # the same deals without their results: neither test is right, and saying so is
        raise ConfigError(
            f"measurements {first} and {second} share their deals (seed {one.seed}) but the results of "
            "single deals were not kept: repeat one with another seed"
        )
    return Comparison(one, two, unpaired(one.estimate, two.estimate), False, why)


@cache
def code_version() -> str:
    """Return the git commit of the checkout the package runs from, with `+` where files changed; else ''."""
    here = Path(__file__).resolve().parents[3]
    if not (here / ".git").exists():
        return ""
    try:
        found = subprocess.run(
            ["git", "-C", str(here), "describe", "--always", "--dirty=+", "--abbrev=12", "--exclude=*"],
            capture_output=True,
            text=True,
            timeout=5,
            check=True,
        )
    except (OSError, subprocess.SubprocessError):
        return ""
    return found.stdout.strip()


@contextmanager
def _open(path: Path | None, create: bool = False) -> Iterator[sqlite3.Connection]:
    file = ledger_path() if path is None else path
    if not create and not os.path.exists(file):  # which is False, not an error, for impossible names
        raise ArtefactError(f"there is no ledger yet ({file}); overbet match and overbet lbr write one")
    connection = None
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        connection = sqlite3.connect(file, timeout=_WAIT_S, isolation_level=None)
        connection.row_factory = sqlite3.Row
        version = connection.execute("PRAGMA user_version").fetchone()[0]
        if version > _VERSION:
            raise ArtefactError(
                f"{file} was written by a newer overbet (layout {version}); upgrade to read it"
            )
        if create:
            connection.execute("BEGIN IMMEDIATE")
            if version < _VERSION:
                for statement in _SCHEMA.split(";"):
                    connection.execute(statement)
        yield connection
        if create:
            connection.execute("COMMIT")
    except sqlite3.OperationalError as error:
        raise ArtefactError(f"the ledger {file} cannot be used: {error}") from error
    except sqlite3.DatabaseError as error:
        raise ArtefactError(
            f"the ledger {file} is damaged ({error}); move it away to start a new one"
        ) from error
    except OSError as error:
        raise ArtefactError(f"the ledger {file} cannot be used: {reason(error)}") from error
    except (OverflowError, UnicodeError) as error:  # a seed or a name that the table has no room for
        raise ArtefactError(f"the ledger {file} cannot keep this: {short(error)}") from error
    finally:
        if connection is not None:
            connection.close()


def _raw(number: int, path: Path | None) -> sqlite3.Row:
    with _open(path) as ledger:
        found = ledger.execute("SELECT * FROM measurements WHERE id = ?", (number,)).fetchone()
        count = ledger.execute("SELECT count(*) FROM measurements").fetchone()[0]
    if found is None:
        raise ConfigError(
            f"there is no measurement {short(number)}; `overbet ledger` lists the {count} there are"
        )
    assert isinstance(found, sqlite3.Row)
    return found


def _measurement(found: sqlite3.Row) -> LedgerEntry:
    missing = {"id", *_COLUMNS} - {*found.keys()}
    if missing:
        raise ArtefactError(
            f"the ledger is damaged (it has no column {min(missing)!r}); move it away to start a new one"
        )
    half = float("inf") if found["half"] is None else found["half"]
    sd = float("nan") if found["sd"] is None else found["sd"]
    plain = {name: found[name] for name in _COLUMNS[:9]}
    return LedgerEntry(
        number=found["id"],
        **plain,
        estimate=Estimate(found["mean"], half, sd, found["groups"]),
        seed=found["seed"],
        config=found["config"],
        abstraction=found["abstraction"],
        command=found["command"],
        extra=_extra(found),
        has_values=found["by_group"] is not None,
    )


def _extra(found: sqlite3.Row) -> dict[str, Any]:
    try:
        return dict(json.loads(found["extra"]))
    except (TypeError, ValueError, RecursionError) as error:
        raise ArtefactError(f"measurement {found['id']} of the ledger is damaged: {short(error)}") from error


def _finite(number: float) -> float | None:
    return float(number) if np.isfinite(number) else None
