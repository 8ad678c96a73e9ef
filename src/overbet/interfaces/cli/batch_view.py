"""A batch at a line, in the terminal: a table of boards or of groups, with the means below."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from overbet.errors import ConfigError

if TYPE_CHECKING:
    from rich.console import Console

    from overbet.solvers.vector.batches.batch import Batch
    from overbet.solvers.vector.batches.line_report import LineReport

_SHOWN = 30  # boards in the table; all of them are in the files
NAMES = {"oop": "OOP", "ip": "IP"}


def show_report(console: Console, report: LineReport, by: str | None = None) -> None:
    """Print a table of the boards, or of the groups of a texture, and the means."""
    from rich import box
    from rich.table import Table

    node, unit = report.node, "bb" if report.big_blind else "chips"
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 0, 0, 1))
    heads = [by.replace("_", " ") if by else "board", "comes", f"OOP {unit}", f"IP {unit}", "OOP eq", "OOP R"]
    heads += ["IP R"] + ([] if node.line == "r:0" else ["played"])
    for number, name in enumerate([*heads, *node.columns]):
        table.add_column(name, justify="right" if number else "left", no_wrap=name in heads)
    if by:
        for word, part in report.groups(by).items():
            means = part.averages()
            table.add_row(
                word, f"{100 * means['probability']:.2f}%", *_cells(means, node.columns, unit, node.line)
            )
    else:
        for row in report.rows[:_SHOWN]:
            values = {**row, **dict(zip(node.columns, row["frequencies"]))}
            share = f"{100 * row['probability']:.2f}%"
            table.add_row(row["board"], share, *_cells(values, node.columns, unit, node.line))
        if len(report.rows) > _SHOWN:
            table.add_row(f"... {len(report.rows) - _SHOWN:,} more")
    table.add_section()
    means = report.averages()
    share = f"{100 * means['probability']:.0f}%"
    table.add_row("mean", share, *_cells(means, node.columns, unit, node.line), style="bold")
    acts = f"{NAMES[node.acts]} acts" if node.acts else "a card comes"
    console.print(f" {node.line}: {acts}, pot {node.pot / (report.big_blind or 1):g} {unit}", markup=False)
    wide = type(console)(width=max(console.width, 110), highlight=False, file=console.file)
    wide.print(table)


def show_ends(console: Console, found: Batch, report: LineReport) -> None:
    """Print what the columns mean, how good the boards are and which lines follow."""
    console.print(" EV and equity (eq) of the range; R: realisation, EV over equity times pot")
    worst = max(float(row["exploitability"]) for row in found.rows)
    total = len(found.boards.boards)
    console.print(f" {len(found.rows)} of {total} boards; exploitability at most {worst:.3f}% of the pot")
    lines = [f"{report.node.line}:{action.token} ({action.label})" for action in report.node.actions]
    further = [text for text in lines if text.partition(" ")[0] in found.lines]
    if further:
        console.print(f" further lines: {', '.join(further)}", markup=False, soft_wrap=True)


def report_facts(found: Batch, report: LineReport, by: str | None = None) -> dict[str, Any]:
    """Return a report as JSON has it."""
    names = report.node.columns
    rows = [
        {
            **{key: value for key, value in row.items() if key != "frequencies"},
            **dict(zip(names, row["frequencies"])),
        }
        for row in report.rows
    ]
    facts: dict[str, Any] = {
        "set": found.boards.name,
        "boards": len(found.boards.boards),
        "solved": len(found.rows),
        "line": report.node.line,
        "acts": report.node.acts or None,
        "pot_chips": report.node.pot,
        "averages": _known(report.averages()) if report.rows else {},
        "rows": rows,
    }
    if by:
        facts["groups"] = {word: _known(part.averages()) for word, part in report.groups(by).items()}
    return facts


def time_text(seconds: float) -> str:
    """Return a time for people."""
    if seconds < 100:
        return f"{seconds:.0f} s" if seconds >= 10 else f"{seconds:.1f} s"
    whole = round(seconds)
    hours, minutes = whole // 3600, whole // 60 % 60
    return f"{hours} h {minutes:02d} min" if hours else f"{minutes} min {whole % 60:02d} s"


def read_filters(only: list[str]) -> dict[str, str]:
    """Return filters from `suits=rainbow,two-tone`."""
    found: dict[str, str] = {}
    for text in only:
        name, equals, words = text.partition("=")
        if not equals or not words.strip():
            raise ConfigError(f"--only {text!r}: write a texture and words, such as suits=rainbow,two-tone")
        found[name] = f"{found[name]},{words}" if name in found else words
    return found


def _known(means: Mapping[str, float]) -> dict[str, float]:
    return {name: value for name, value in means.items() if value == value}


def _cells(row: Mapping[str, Any], actions: tuple[str, ...], unit: str, line: str) -> list[str]:
    evs = [_text(row[f"{player}_ev_{unit}"], "{:.2f}") for player in ("oop", "ip")]
    realised = [_text(row[f"{player}_realisation"], "{:.0%}") for player in ("oop", "ip")]
    played = [] if line == "r:0" else [_text(row["played"], "{:.1%}")]
    shares = [_text(row[name], "{:.1%}") for name in actions]
    return [*evs, _text(row["oop_equity"], "{:.1%}"), *realised, *played, *shares]


def _text(value: float | None, form: str) -> str:
    return "-" if value is None or value != value else form.format(value)
