"""`overbet lbr`: how much the local best response wins against an agent."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from overbet.interfaces.cli.table_setup import MOST, MOST_BLINDS, MOST_SEED

if TYPE_CHECKING:
    from overbet.agents.protocol import Agent
    from overbet.evaluation.lbr import LbrResult
    from overbet.games.holdem import HoldemGame

EXAMPLE = "overbet lbr blueprint:heads-up --hands 20000"
_MORE = "overbet lbr tag --bets fc --streets turn,river"


def register(app: typer.Typer) -> None:
    """Add the verb."""

    @app.command("lbr", epilog=f"Examples: `{EXAMPLE}`, `{_MORE}`")
    def lbr(
        agent: str = typer.Argument(..., help="tag, lag, equity:0.6, blueprint:heads-up, ..."),
        hands: int = typer.Option(
            20_000, "--hands", "-n", min=2, max=MOST, help="Hands, half of them in each seat."
        ),
        bets: str = typer.Option(
            "fcpa", "--bets", "-b", help="fc: fold, call; fcpa: and pot, all in; 56: and 55 sizes."
        ),
        streets: str = typer.Option(
            "all", "--streets", help="Where it responds, such as turn,river; elsewhere it checks and calls."
        ),
        stack: float = typer.Option(
            0.0, "--stack", min=0.0, max=MOST_BLINDS, help="Both stacks in big blinds (100)."
        ),
        seed: int = typer.Option(1, "--seed", min=0, max=MOST_SEED, help="Names the deals."),
        workers: int = typer.Option(0, "--workers", "-w", min=0, help="Threads; 0 is all cores."),
        as_json: bool = typer.Option(False, "--json", help="Print JSON."),
        note: bool = typer.Option(True, "--ledger/--no-ledger", help="Note the result in the ledger."),
    ) -> None:
        """Measure how much a simple opponent who knows the strategy wins: a lower bound on exploitability."""
        import json

        from rich.console import Console

        from overbet.agents.registry import make_agent
        from overbet.games.holdem_state import STREETS
        from overbet.interfaces.cli.noting import note_lbr
        from overbet.interfaces.cli.outputs import Outputs

        console = Console(stderr=True, soft_wrap=True, highlight=False)
        subject = make_agent(agent)
        game = _table(subject, stack)
        where = STREETS if streets == "all" else tuple(streets.split(","))
        result = _with_progress(subject, game, hands, bets, where, seed, workers, console)
        outputs = Outputs()

        def noted() -> int:
            return (outputs.note(lambda: note_lbr(result, subject, agent, game)) or 0) if note else 0

        if as_json:
            number = noted()
            facts = {
                "agent": agent,
                "bets": result.bets,
                "streets": result.streets,
                "hands": result.hands,
                "seed": seed,
                "mbb_per_hand": result.aivat.mean,
                "half": result.aivat.half,
                "raw_mbb_per_hand": result.raw.mean,
                "raw_half": result.raw.half,
                "sd_reduction": result.sd_reduction,
                "ledger": number or None,
            }
            typer.echo(json.dumps(facts))
            outputs.end()
            return
        typer.echo(
            f"the local best response ({result.settings}) wins {result.aivat} mbb/hand from {agent} "
            f"in {result.hands:,} hands"
        )
        typer.echo(
            f"as the cards fell: {result.raw} mbb/hand; AIVAT takes {result.sd_reduction:.0%} off the "
            "deviation"
        )
        number = noted()
        if number:
            typer.echo(f"measurement {number} in the ledger")
        outputs.end()


def _table(subject: Agent, stack: float) -> HoldemGame:
    """Return the blueprint's own table, or one of `stack` big blinds."""
    from overbet.games.holdem import HoldemGame

    blueprint = getattr(subject, "blueprint", None)
    if blueprint is not None and not stack:
        own = blueprint.tree.game
        assert isinstance(own, HoldemGame)
        return own
    return HoldemGame(stacks=round(100 * (stack or 100.0)))


def _with_progress(
    subject: Agent,
    game: HoldemGame,
    hands: int,
    bets: str,
    streets: tuple[str, ...],
    seed: int,
    workers: int,
    console: object,
) -> LbrResult:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

    from overbet.evaluation.lbr import run_lbr
    from overbet.evaluation.statistics import Estimate

    assert isinstance(console, Console)
    columns = (
        TextColumn("lbr"),
        BarColumn(),
        TaskProgressColumn(),
        TextColumn("{task.fields[facts]}"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task("lbr", total=hands, facts="compiling or loading")

        def progress(done: int, estimate: Estimate) -> None:
            bar.update(task, completed=done, facts=f"{estimate} mbb/hand")

        return run_lbr(subject, game, hands, bets, streets, seed, workers, progress)
