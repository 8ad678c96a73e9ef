"""`overbet pluribus`: results of recorded hands by player, and how agents' play meets theirs."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from overbet.evaluation.pluribus import Agreement
    from overbet.evaluation.statistics import Estimate

_SHOWN = 5  # faults named before the rest are only counted
EXAMPLE = "overbet pluribus pluribus-hands.tar.gz --agents tag,lag"


def register(app: typer.Typer) -> None:
    """Add the verb."""

    @app.command("pluribus", epilog=f"Example: `{EXAMPLE}`")
    def pluribus(
        path: Path = typer.Argument(..., help="PHH files: a file, a folder or an archive of them."),
        agents: str = typer.Option("", "--agents", "-a", help="Agents to compare, such as tag,lag."),
        program: str = typer.Option(
            "Pluribus", "--program", help="Whose name is told apart from all others."
        ),
        players: int = typer.Option(6, "--players", min=2, max=9, help="Hands of so many players alone."),
        most: int = typer.Option(
            0, "--hands", "-n", min=0, max=10**12, help="The first so many hands; 0 is all."
        ),
        as_json: bool = typer.Option(False, "--json", help="Print JSON."),
    ) -> None:
        """Say who won how much, and how often agents would have done what the players did.

        Hands that cannot be read are named and left out; the exit code is then 1.
        """
        import json
        from itertools import islice

        from overbet.agents.registry import make_agent
        from overbet.errors import ArtefactError, short
        from overbet.evaluation.pluribus import RecordedHand, agreement, decisions, results
        from overbet.interfaces.history.record import HandFault
        from overbet.interfaces.history.replay import Replay, replay_all
        from overbet.interfaces.history.sources import read_hands

        damaged: list[HandFault] = []

        def readable() -> Iterator[Replay]:
            for found in replay_all(read_hands(path)):
                if isinstance(found, Replay):
                    yield found
                elif not found.unsupported:
                    damaged.append(found)

        replays = readable()
        fitting = (found for found in replays if len(found.record.players) == players)
        hands = [RecordedHand(found.record.players, found.final) for found in islice(fitting, most or None)]
        damaged.sort(key=lambda fault: not fault.archive)  # the most that is missing first
        for fault in damaged[:_SHOWN]:
            typer.echo(f"warning: left out: {short(fault, 500)}", err=True)
        if len(damaged) > _SHOWN:
            typer.echo(f"warning: and {len(damaged) - _SHOWN:,} more; overbet replay lists them", err=True)
        if not hands:
            raise ArtefactError(f"{path} holds no hand of {players} players that can be replayed")
        won = results(hands)
        asked = decisions(hands) if agents else []
        groups = {name: program if name == program else "people" for name in won}
        met = [
            row for spec in agents.split(",") if spec for row in agreement(make_agent(spec), asked, groups)
        ]
        if as_json:
            facts = {
                "hands": len(hands),
                "results": {
                    name: {"mbb_per_hand": e.mean, "half": e.half, "hands": e.groups}
                    for name, e in won.items()
                },
                "agreement": [
                    {
                        "agent": row.agent,
                        "players": row.players,
                        "decisions": row.decisions,
                        "hands": row.hands,
                        "share": row.share.mean,
                        "share_half": row.share.half,
                        "same": row.same.mean,
                        "same_half": row.same.half,
                    }
                    for row in met
                ],
            }
            typer.echo(json.dumps(facts))
        else:
            _show(len(hands), won, met)
        if damaged:
            raise typer.Exit(1)


def _show(hands: int, won: dict[str, Estimate], met: list[Agreement]) -> None:
    from rich.console import Console
    from rich.table import Table

    console = Console(soft_wrap=True, highlight=False)
    table = Table(title=f"{hands:,} hands")
    for name in ("player", "hands", "mbb/hand", "bb/100"):
        table.add_column(name, justify="left" if name == "player" else "right")
    for name, estimate in won.items():
        table.add_row(name, f"{estimate.groups:,}", str(estimate), estimate.bb100)
    console.print(table)
    if not met:
        return
    table = Table(title="after the flop, two players, opened in position")
    for name in ("agent", "players", "decisions", "share of what was done", "same as its first choice"):
        table.add_column(name, justify="left" if name in ("agent", "players") else "right")
    for row in met:
        table.add_row(
            row.agent,
            row.players,
            f"{row.decisions:,}",
            f"{row.share.mean:.1%} ± {row.share.half:.1%}",
            f"{row.same.mean:.1%} ± {row.same.half:.1%}",
        )
    console.print(table)
