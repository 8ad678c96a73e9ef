"""`overbet hands review`: every decision of the hero priced."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from overbet.interfaces.hands.review.settings import ReviewSettings

EXAMPLE = "overbet hands review --ranges mine.yaml --limit 200"
_SHOWN = 20


def add_review(group: typer.Typer) -> None:
    """Add the subcommand."""

    @group.command("review", epilog=f"Example: `{EXAMPLE}`")
    def review(
        filter_: str = typer.Option("", "--filter", help="Which hands; see `hands words`."),
        player: str = typer.Option(None, "--player", help="Whose decisions; the hero's unless named."),
        ranges: Path = typer.Option(None, "--ranges", help="Your own ranges by line, a YAML file."),
        assume: bool = typer.Option(
            True, help="Take common ranges for flops without yours or a strategy's, and say so."
        ),
        blueprint: list[str] = typer.Option(
            None, "--blueprint", help="A trained strategy for a table size; may be given several times."
        ),
        limit: int = typer.Option(None, "--limit", min=0, help="Stop when so many have been priced."),
        again: bool = typer.Option(False, "--again", help="Price those that have a verdict, too."),
        target: float = typer.Option(
            2.0, "--target", min=0.01, max=100, help="Accuracy of a flop's solve, in % of the pot."
        ),
        seconds: float = typer.Option(None, "--seconds", min=0.1, help="Most for the solve of a street."),
        rake: str = typer.Option(None, "--rake", help="Share and cap in bb, `0.05,3`; else the hand's own."),
        device: str = typer.Option("auto", "--device", help="auto, cpu or cuda."),
        workers: int = typer.Option(None, "--workers", min=1, max=256, help="Processes, two cores each."),
        shown_: int = typer.Option(_SHOWN, "--show", min=0, help="So many decisions in the table."),
        data: Path = typer.Option(None, "--data", help="The data folder; $OVERBET_HOME unless named."),
        as_json: bool = typer.Option(False, "--json", help="Print JSON, one object for all decisions."),
    ) -> None:
        """Price every decision of the hero: what was best, and what was given up.

        Largest pots first. Ctrl-C keeps what was priced, and the same command goes on with the rest.
        """
        import json

        from overbet.interfaces.cli.hands_view import console_for_tables, frame_json
        from overbet.interfaces.cli.progress import shown
        from overbet.interfaces.cli.review_view import print_reviews, print_totals, review_facts
        from overbet.interfaces.hands.database import HandDatabase
        from overbet.interfaces.hands.review.running import ReviewProgress, review_hands
        from overbet.interfaces.hands.review.totals import totals_of

        settings = _settings(target, seconds, blueprint, ranges, rake, device).model_copy(
            update={"assume": assume}
        )
        with HandDatabase(data) as database:
            done = 0
            try:
                with shown("reviewing", total=None, number="count") as show:

                    def tell(now: ReviewProgress) -> None:
                        nonlocal done
                        done = now.done
                        show(now.done, now.total, facts=review_facts(now))

                    run = None
                    if limit != 0:
                        run = review_hands(
                            database,
                            settings,
                            filter_,
                            player=player,
                            again=again,
                            limit=limit,
                            workers=workers,
                            progress=tell,
                        )
            except KeyboardInterrupt:
                typer.echo(f"stopped; {done:,} decisions are kept, the same command goes on", err=True)
                raise
            frame = database.reviews(filter_, player=player)
            totals = totals_of(frame, database.played(filter_, player=player))
            if as_json:
                facts = {"totals": totals.facts(), "decisions": json.loads(frame_json(frame))}
                typer.echo(json.dumps(facts))
                return
            console = console_for_tables()
            print_reviews(console, frame, database, shown_)
            print_totals(console, totals)
            if run is not None and run.left:
                console.print(f"{run.left:,} decisions are left; the same command goes on")


def _settings(
    target: float,
    seconds: float | None,
    blueprints: list[str] | None,
    ranges: Path | None,
    rake: str | None,
    device: str,
) -> ReviewSettings:
    from overbet.interfaces.hands.review.settings import ReviewSettings

    return ReviewSettings.parse(
        {
            "target": target,
            "seconds": seconds,
            "blueprints": tuple(blueprints or ()),
            "ranges": None if ranges is None else str(ranges),
            "rake": None if rake is None else _rake(rake),
            "device": device,
        },
        "review",
    )


def _rake(text: str) -> tuple[float, float]:
    from overbet.errors import ConfigError, quoted

    share, _, cap = text.partition(",")
    try:
        found = float(share), float(cap or 0)
    except ValueError:
        found = (-1.0, 0.0)
    if not (0 <= found[0] < 1 and found[1] >= 0):
        raise ConfigError(f"--rake {quoted(text)}: write a share of the pot and a cap in bb, such as 0.05,3")
    return found
