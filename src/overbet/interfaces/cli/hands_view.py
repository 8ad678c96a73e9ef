"""What `overbet hands` prints: the report of an import, lists, results."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from overbet.errors import ConfigError
from overbet.interfaces.hands.words import UNSAID

if TYPE_CHECKING:
    from pathlib import Path

    import polars
    from rich.console import Console

    from overbet.interfaces.hands.importing import ImportProgress, ImportReport

_SHOWN = 10  # errors listed before the rest are only counted
_WIDTH = 150  # columns where the output is no terminal


def console_for_tables() -> Console:
    """Return a console that does not fold tables where nobody looks at a terminal."""
    from rich.console import Console

    console = Console(highlight=False)
    return console if console.is_terminal else Console(highlight=False, width=_WIDTH)


def counted(count: int, thing: str) -> str:
    """Return `1 file`, `2 files`."""
    return f"{count:,} {thing}{'' if count == 1 else 's'}"


def progress_facts(now: ImportProgress) -> str:
    """Return what stands after the bar of an import."""
    rate = now.hands / now.seconds if now.seconds > 0 else 0.0
    return f"{now.hands:,} hands, {rate:,.0f} hands/s, {now.files_done:,} of {now.files:,} files"


def report_facts(report: ImportReport) -> dict[str, object]:
    """Return the report of an import as JSON has it."""
    return {
        "total": report.total,
        "new": report.new,
        "duplicates": report.duplicates,
        "other_games": report.games,
        "errors": report.errors,
        "files": report.files,
        "unchanged_files": report.unchanged,
        "passed_over_files": report.passed_over,
        "seconds": report.seconds,
        "faults": [
            {"file": one.place.source, "hand": one.place.hand, "line": one.place.line, "reason": one.reason}
            for one in report.faults
        ],
    }


def print_report(console: Console, report: ImportReport, all_errors: bool) -> None:
    """Print what came of an import."""
    read = report.files - report.unchanged
    rate = f", {report.new / report.seconds:,.0f} new hands/s" if report.new and report.seconds > 1 else ""
    console.print(f"{counted(report.total, 'hand')} in {counted(report.files, 'file')} ({read:,} read{rate})")
    console.print(f"{report.new:>9,} new")
    console.print(f"{report.duplicates:>9,} duplicates")
    for game, count in sorted(report.games.items(), key=lambda item: (-item[1], item[0])):
        console.print(f"{count:>9,} of another game: {game}", markup=False)
    console.print(f"{report.errors:>9,} {'error' if report.errors == 1 else 'errors'}")
    listed = report.faults if all_errors else report.faults[:_SHOWN]
    for fault in listed:
        console.print(f"  {fault}", markup=False, soft_wrap=True)
    if report.errors > len(listed):
        more = "" if all_errors else "; --errors lists them"
        console.print(f"  and {report.errors - len(listed):,} more{more}")
    if report.passed_over:
        console.print(f"{report.passed_over:,} other files in the folder were passed over")


def print_hands(console: Console, frame: polars.DataFrame) -> None:
    """Print hands as a table."""
    from rich.markup import escape
    from rich.table import Table

    table = Table(box=None)
    for name in ("id", "date", "site", "blinds", "player", "pos", "hand", "board"):
        table.add_column(name, justify="right" if name == "id" else "left", no_wrap=True)
    for name in ("depth", "won bb"):
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("line")
    for row in frame.iter_rows(named=True):
        day = f"{row['played']:%Y-%m-%d %H:%M}" if row["played"] else "-"
        blinds = f"{row['small_blind']:g}/{row['big_blind']:g} {row['currency']}".strip()
        cells = (
            *(str(row["id"]), day, row["site"], blinds, escape(row["name"][:16]), row["position"]),
            *(row["hole"] or "-", row["board"] or "-", f"{row['depth_bb']:.0f}", f"{row['won_bb']:+.2f}"),
            " ".join(word for word in row["line"].split() if word not in UNSAID),
        )
        table.add_row(*cells)
    console.print(table)


def print_stats(console: Console, frame: polars.DataFrame) -> None:
    """Print results by group."""
    from rich.markup import escape
    from rich.table import Table

    table = Table(box=None)
    by = frame.columns[0]
    table.add_column(by)
    adjusted = "ev_bb_per_100" in frame.columns
    names = ("all-ins", "EV bb/100", "95 %") if adjusted else ()
    for name in ("hands", "vpip", "pfr", "3bet", "bb/100", "95 %", *names):
        table.add_column(name, justify="right")
    for row in frame.iter_rows(named=True):
        cells = [f"{row['seats']:,}", *(f"{100 * row[name]:.1f} %" for name in ("vpip", "pfr", "3bet"))]
        cells += [f"{row['bb_per_100']:+.1f}", _half(row["half_width"])]
        if adjusted:
            cells += [f"{row['all_ins']:,}", f"{row['ev_bb_per_100']:+.1f}", _half(row["ev_half_width"])]
        table.add_row(escape(row[by]), *cells)
    console.print(table)
    unseen = frame["all_ins_unseen"][-1] if adjusted else 0  # the last row is of all
    if unseen:
        console.print(f"in {unseen:,} more all-ins cards were not seen: there EV is the result")


def _half(width: float | None) -> str:
    return "-" if width is None else f"± {width:.1f}"


def frame_json(frame: polars.DataFrame) -> str:
    """Return a frame as a JSON list of rows."""
    return json.dumps(
        [{name: _plain(value) for name, value in row.items()} for row in frame.iter_rows(named=True)]
    )


def _plain(value: Any) -> Any:
    return value.isoformat() if hasattr(value, "isoformat") else value


def check_table_file(path: Path | None) -> None:
    """Refuse a file that is neither CSV nor Parquet, before the work."""
    if path is not None and path.suffix.lower() not in (".csv", ".parquet"):
        raise ConfigError(f"{path.name}: end the file's name with .csv or .parquet")


def write_table(path: Path, frame: polars.DataFrame) -> None:
    """Write a frame as CSV or Parquet, by the ending of the name."""
    from overbet.files import write_text
    from overbet.interfaces.cli.outputs import write_parquet

    if path.suffix.lower() == ".csv":
        write_text(path, frame.write_csv())
    else:
        write_parquet(path, frame)
