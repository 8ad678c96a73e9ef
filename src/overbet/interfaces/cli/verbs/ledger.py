"""`overbet ledger`: what was measured, when, with what, and whether two measurements differ."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from overbet.evaluation.ledger import LedgerEntry

EXAMPLE = "overbet ledger --kind match --last 20"
_COMPARE = "overbet ledger compare 3 7"


def register(app: typer.Typer) -> None:
    """Add the verb."""
    group = typer.Typer(
        invoke_without_command=True, help="List the measurements made here, and compare two of them."
    )
    app.add_typer(group, name="ledger", epilog=f"Examples: `{EXAMPLE}`, `{_COMPARE}`")

    @group.callback()
    def listing(
        context: typer.Context,
        kind: str = typer.Option("", "--kind", "-k", help="match, lbr, exploitability, ..."),
        subject: str = typer.Option("", "--subject", "-s", help="Who was measured, or a part of the name."),
        against: str = typer.Option("", "--against", "-a", help="Against whom."),
        since: str = typer.Option("", "--since", help="From this day or time on, such as 2026-03-01."),
        last: int = typer.Option(0, "--last", "-n", min=0, max=10**12, help="The newest so many alone."),
        as_json: bool = typer.Option(False, "--json", help="Print JSON with every field."),
    ) -> None:
        """List the measurements made here, oldest first."""
        if context.invoked_subcommand is not None:
            return
        import json

        from overbet.evaluation.ledger import rows

        found = rows(kind=kind, subject=subject, against=against, since=since, last=last)
        if as_json:
            typer.echo(json.dumps([measurement.facts() for measurement in found]))
            return
        _show(found)

    @group.command("show")
    def show(
        number: int = typer.Argument(..., help="The number in the list."),
        as_json: bool = typer.Option(False, "--json", help="Print JSON."),
    ) -> None:
        """Show everything about one measurement, with the command that makes it again."""
        import json

        from overbet.evaluation.ledger import row

        facts = row(number).facts()
        if as_json:
            typer.echo(json.dumps(facts))
            return
        for key, value in facts.items():
            typer.echo(f"{key:<12} {value}")

    @group.command("compare", epilog=f"Example: `{_COMPARE}`")
    def comparing(
        first: int = typer.Argument(..., help="The number of a measurement."),
        second: int = typer.Argument(..., help="The number of another."),
        as_json: bool = typer.Option(False, "--json", help="Print JSON."),
    ) -> None:
        """Say how much more the first measured than the second, by pairs where the deals are the same."""
        import json

        from overbet.evaluation.ledger import compare

        found = compare(first, second)
        estimate = found.difference.estimate
        if as_json:
            facts = {
                "first": found.first.facts(),
                "second": found.second.facts(),
                "difference": estimate.mean,
                "half": estimate.half,
                "p_value": found.difference.p_value,
                "paired": found.paired,
                "why": found.why,
            }
            typer.echo(json.dumps(facts))
            return
        for measurement in (found.first, found.second):
            typer.echo(
                f"{measurement.number:>4}  {_title(measurement)}: {measurement.estimate} {measurement.unit}"
            )
        verdict = "differ" if estimate.significant else "do not differ significantly"
        typer.echo(
            f"difference {estimate} {found.first.unit}, p = {found.difference.p_value:.2g}: they {verdict} "
            f"({found.why})"
        )


def _title(measurement: LedgerEntry) -> str:
    against = f" against {measurement.against}" if measurement.against else ""
    return f"{measurement.kind} {measurement.subject}{against}"


def _show(found: list[LedgerEntry]) -> None:
    """Print a line a measurement, columns as wide as they need: nothing is cut off."""
    lines = [("#", "time", "measured", "result", "unit", "bb/100", "deals", "seed")]
    for measurement in found:
        lines.append(
            (
                str(measurement.number),
                measurement.time[:16].replace("T", " "),
                _title(measurement),
                str(measurement.estimate),
                measurement.unit,
                measurement.estimate.bb100 if measurement.unit == "mbb/hand" else "",
                f"{measurement.estimate.groups:,}",
                "" if measurement.seed is None else str(measurement.seed),
            )
        )
    widths = [max(len(line[column]) for line in lines) for column in range(len(lines[0]))]
    left = (1, 2, 4)  # texts; numbers stand to the right
    for line in lines:
        words = [
            word.ljust(width) if column in left else word.rjust(width)
            for column, (word, width) in enumerate(zip(line, widths))
        ]
        typer.echo("  ".join(words).rstrip())
