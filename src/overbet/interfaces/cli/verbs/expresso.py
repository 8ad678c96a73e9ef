"""`overbet expresso`: whole Expressos between three agents, shares of wins and results in buy-ins."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import typer

from overbet.interfaces.cli import table_setup as setup

if TYPE_CHECKING:
    from rich.console import Console

    from overbet.evaluation.expresso_games import ExpressoSeries

EXAMPLE = "overbet expresso any-stacks tag tag --games 600"


def register(app: typer.Typer) -> None:
    """Add the verb."""

    @app.command("expresso", epilog=f"Example: `{EXAMPLE} --multiplier draw`")
    def expresso(
        specs: list[str] = typer.Argument(
            ..., metavar="AGENT AGENT AGENT", help="Three agents, as in overbet match; one may come twice."
        ),
        games: int = typer.Option(
            600, "--games", "-n", min=1, max=10**9, help="Tournaments; every deal in all seatings."
        ),
        multiplier: str = typer.Option(
            "3", "--multiplier", help="The prize in buy-ins, or draw; 3 gives back what was paid in."
        ),
        seed: int = setup.SEED,
        on_error: str = setup.ON_ERROR,
        time_limit: float | None = setup.TIME_LIMIT,
        as_json: bool = setup.AS_JSON,
    ) -> None:
        """Play whole Expressos: 25 big blinds, blinds up every ten hands, until one has all the chips.

        Agents made for one table are helped out at the others: exact push or fold when short, else the
        strategy of the nearest depth; how often is printed. Ctrl-C shows what was played.
        """
        import json

        from rich.console import Console

        from overbet.agents.registry import make_agent
        from overbet.errors import ConfigError
        from overbet.evaluation.expresso_games import play_expressos
        from overbet.interfaces.cli.progress import shown

        if len(specs) != 3:
            raise ConfigError(f"an Expresso has three agents, and {len(specs)} are named")
        prize = _prize(multiplier)
        made = {spec: make_agent(spec) for spec in dict.fromkeys(specs)}
        with shown("expresso: loading, and compiling once on a machine") as show:

            def tell(done: int, total: int) -> None:
                show(done, total, f"{done:,} of {total:,} games")

            found = play_expressos(
                [made[spec] for spec in specs],
                games,
                multiplier=prize,
                seed=seed,
                on_error=_on_error(on_error),
                time_limit=time_limit,
                progress=tell,
            )
        if not found.games:
            typer.echo("stopped before the first deal was played in all seatings", err=True)
            raise typer.Exit(130)
        if as_json:
            typer.echo(json.dumps(_facts(found)))
        else:
            _show(Console(highlight=False), found)
        if found.stopped:
            raise typer.Exit(130)


def _prize(text: str) -> float | None:
    from overbet.errors import ConfigError, short

    if text == "draw":
        return None
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 1 <= value <= 100_000:
        raise ConfigError(f"--multiplier {short(text)}: write a number from 1 to 100,000, or draw")
    return value


def _on_error(text: str) -> Any:
    from overbet.errors import ConfigError, short

    if text not in ("stop", "fold"):
        raise ConfigError(f"--on-error {short(text)}: write stop or fold")
    return text


def _facts(found: ExpressoSeries) -> dict[str, Any]:
    def values(estimate: Any) -> dict[str, float | None]:
        half = estimate.half if estimate.groups > 1 else None
        return {"mean": estimate.mean, "half": half}

    agents = [
        {"agent": name, "wins": values(found.win_share(place)), "buy_ins": values(found.result(place))}
        for place, name in enumerate(found.names)
    ]
    return {
        "agents": agents,
        "games": found.games,
        "hands": found.hands,
        "multiplier": "draw" if found.multiplier is None else found.multiplier,
        "seed": found.seed,
        "stopped": found.stopped,
        "faults": len(found.faults),
        "reports": found.reports,
    }


def _show(console: Console, found: ExpressoSeries) -> None:
    from rich.table import Table

    from overbet.games.multipliers import DRAWN_WORDS

    prize = DRAWN_WORDS if found.multiplier is None else f"x{found.multiplier:g}"
    title = f"{found.games:,} Expressos, {found.hands / found.games:.1f} hands each; multiplier {prize}"
    table = Table(title=title, title_justify="left")
    for column in ("agent", "wins", "buy-ins a game"):
        table.add_column(column, justify="left" if column == "agent" else "right")
    for place, name in enumerate(found.names):
        wins, result = found.win_share(place), found.result(place)
        alone = wins.groups < 2
        share = f"{wins.mean:.1%}" + ("" if alone else f" ± {wins.half:.1%}")
        amount = f"{result.mean:+.3f}" + ("" if alone else f" ± {result.half:.3f}")
        table.add_row(name, share, amount)
    console.print(table)
    for line in found.reports:
        console.print(line, style="dim", markup=False, soft_wrap=True)
    for fault in found.faults[:5]:
        console.print(f"{fault}: check or fold instead", style="yellow", markup=False, soft_wrap=True)
    if found.stopped:
        console.print("stopped early", style="yellow")
