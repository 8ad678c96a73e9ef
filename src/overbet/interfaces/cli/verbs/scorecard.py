"""`overbet scorecard`: an agent against every scripted agent and against LBR, as one table."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from overbet.interfaces.cli.table_setup import LEDGER, MOST, SEED, WORKERS

if TYPE_CHECKING:
    from rich.status import Status

EXAMPLE = "overbet scorecard blueprint:heads-up blueprint:expresso"


def register(app: typer.Typer) -> None:
    """Add the verb."""

    @app.command("scorecard", epilog=f"Example: `{EXAMPLE} --markdown`")
    def scorecard(
        specs: list[str] = typer.Argument(..., metavar="AGENT...", help="Agents, as in overbet match."),
        hands: int = typer.Option(
            100_000, "--hands", "-n", min=1, max=MOST, help="Hands against each scripted agent."
        ),
        lbr_hands: int = typer.Option(
            20_000,
            "--lbr-hands",
            min=2,
            max=MOST,
            help="Hands of each of the local best responses (heads up).",
        ),
        seed: int = SEED,
        workers: int = WORKERS,
        ledger: bool = LEDGER,
        write: bool = typer.Option(False, "--write", help="Put the results into the blueprint's manifest."),
        markdown: bool = typer.Option(False, "--markdown", help="Print Markdown."),
    ) -> None:
        """Measure agents against all scripted ones and against the local best response, with intervals.

        The whole family of local best responses is measured, and the one that wins most again on fresh deals.
        Ctrl-C ends it and shows what was played.
        """
        from rich.console import Console
        from rich.markup import escape
        from rich.table import Table

        from overbet.blueprint.store import write_measured
        from overbet.errors import ConfigError
        from overbet.evaluation.scorecard import Scorecard
        from overbet.evaluation.scorecard import scorecard as measure
        from overbet.interfaces.cli.noting import note_lbr_family, note_match
        from overbet.interfaces.cli.outputs import Outputs

        def note(card: Scorecard) -> None:
            for name, result in card.matches.items():
                count = card.game.num_players - 1
                note_match(result, [card.subject, *[name] * count], [card.agent, card.opponents[name]])
            if card.lbr is not None:
                note_lbr_family(card.lbr, card.agent, card.subject, card.game)

        if write and not all(spec.startswith("blueprint:") for spec in specs):
            raise ConfigError("--write: only blueprints have a manifest to write into")
        outputs = Outputs(*(_file_of(spec) for spec in specs if write))
        waiting = Console(stderr=True, highlight=False)
        for spec in specs:
            with waiting.status(escape(spec)) as status:

                def tell(what: str, done: int, steps: int, spec: str = spec, status: Status = status) -> None:
                    status.update(f"{escape(spec)} against {what} ({done + 1} of {steps})")

                card = measure(spec, hands, lbr_hands, seed=seed, workers=workers, progress=tell)
            if markdown:
                typer.echo(card.markdown() + "\n")
            else:
                table = Table(title=escape(spec), title_justify="left")
                for title in ("against", "hands", "mbb/hand", "by AIVAT", "bb/100"):
                    table.add_column(title, justify="left" if title == "against" else "right")
                for row in card.rows():
                    table.add_row(*row)
                Console(highlight=False).print(table)
            if ledger:
                outputs.note(partial(note, card))
            if write and not card.stopped:
                outputs.write(_file_of(spec), partial(write_measured, _file_of(spec), card.facts()))
            if card.stopped:
                written = "; the manifest was left as it is" if write else ""
                waiting.print(f"stopped before everything was played{written}", style="yellow")
                break
        outputs.end()


def _file_of(spec: str) -> Path:
    from overbet.blueprint.catalogue import find_blueprint

    return find_blueprint(spec.removeprefix("blueprint:"))
