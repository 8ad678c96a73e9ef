"""`overbet tournament`: a round robin of agents, with a table and a picture."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from overbet.interfaces.cli import table_setup as setup
from overbet.interfaces.cli.clustering import CLUSTER, on_cluster

if TYPE_CHECKING:
    from rich.console import Console

    from overbet.evaluation.matches import MatchPace
    from overbet.evaluation.round_robin import RoundRobin

EXAMPLE = "overbet tournament tag lag equity:0.6 random --hands 20000"


def register(app: typer.Typer) -> None:
    """Add the verb."""

    @app.command("tournament", epilog=f"Example: `{EXAMPLE} --plot table.png`")
    def tournament(
        specs: list[str] = typer.Argument(
            ..., metavar="AGENT...", help="Two agents or more, as in overbet match."
        ),
        hands: int = typer.Option(10_000, "--hands", "-n", min=1, max=setup.MOST, help="Hands of each pair."),
        first: bool = typer.Option(False, "--first", help="Only the first agent against each of the others."),
        seats: int | None = setup.SEATS,
        stacks: str = setup.STACKS,
        blinds: str = setup.BLINDS,
        ante: int | None = setup.ANTE,
        seed: int = setup.SEED,
        workers: int = setup.WORKERS,
        cluster: str | None = CLUSTER,
        on_error: str = setup.ON_ERROR,
        time_limit: float | None = setup.TIME_LIMIT,
        aivat: bool | None = setup.AIVAT,
        plot: Path | None = typer.Option(
            None, "--plot", help="Draw the result to a .png, .svg or .pdf file."
        ),
        ledger: bool = setup.LEDGER,
        as_json: bool = setup.AS_JSON,
    ) -> None:
        """Let every agent play every other on the same deals; Ctrl-C shows the pairs that have played."""
        import json

        from rich.console import Console

        from overbet.agents.registry import make_agent
        from overbet.evaluation.round_robin import round_robin
        from overbet.interfaces.cli.noting import note_match
        from overbet.interfaces.cli.outputs import Outputs
        from overbet.interfaces.cli.verbs.match import showing

        if plot is not None:
            from overbet.cards.plots import check_picture

            check_picture(plot)
        outputs = Outputs(plot)
        agents = [make_agent(spec) for spec in specs]
        game = setup.table_of(agents[:2], seats, stacks, blinds, ante)
        pairs = len(agents) - 1 if first else len(agents) * (len(agents) - 1) // 2
        console = Console(stderr=True, soft_wrap=True, highlight=False)
        with on_cluster(cluster) as nodes, showing(console, hands * pairs, "tournament") as progress:
            done: dict[tuple[str, str], int] = {}

            def tell(first: str, second: str, pace: MatchPace) -> None:
                done[first, second] = pace.hands
                progress(type(pace)(sum(done.values()), pace.total * pairs, pace.result))

            result = round_robin(
                agents,
                game,
                hands,
                seed=seed,
                workers=workers,
                first_only=first,
                estimators=(lambda pair, table: setup.estimators_for(pair, table, True)) if aivat else None,
                progress=tell,
                on_error=on_error,
                time_limit=time_limit,
                cluster=nodes,
                specs=specs,
            )
        which = "aivat" if aivat else "raw"
        if as_json:
            facts = {"agents": result.frame(which).to_dicts(), "estimate": which, "stopped": result.stopped}
            typer.echo(json.dumps(facts))
        else:
            _show(
                Console(highlight=False),
                result,
                which,
                f"{hands:,} hands a pair; {setup.describe_table(game)}",
            )
        if plot is not None:
            outputs.write(plot, partial(result.plot, plot, which))
        if ledger:
            for (one, other), match in result.matches.items():
                names, pair = [specs[one], specs[other]], [agents[one], agents[other]]
                outputs.note(partial(note_match, match, names, pair))
        outputs.tell(console)
        outputs.end()


def _show(console: Console, result: RoundRobin, which: str, title: str) -> None:
    from rich.table import Table

    order = result.ranking(which)
    if all(0 in pair for pair in result.matches):  # the first against each: one row says it all
        rows = [0]
        order = [agent for agent in order if agent]
    else:
        rows = order
    table = Table(title=f"mbb/hand ({which}), row against column; {title}", title_justify="left")
    table.add_column("agent")
    table.add_column("average", justify="right")
    table.add_column("in bb/100", justify="right")
    for agent in order:
        table.add_column(result.names[agent], justify="right")
    for agent in rows:
        average = result.average(agent, which)
        cells = [result.names[agent], f"{average.mean:+,.0f} ± {average.half:,.0f}" if average else ""]
        cells.append(average.bb100 if average else "")
        for other in order:
            found = result.against(agent, other, which)
            cells.append("" if found is None else f"{found.mean:+,.0f} ± {found.half:,.0f}")
        table.add_row(*cells)
    console.print(table)
    for note in result.notes():
        console.print(note, style="yellow", markup=False)
    if result.stopped:
        console.print("stopped early: not every pair has played", style="yellow")
