"""`overbet advise`: what search would do with a hand at a decision, and what each action is worth."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from overbet.study.advice import Advice

EXAMPLE = "overbet advise --line r:0:b250:c:Td9d6h:c:c:2c:b400 --hand AhKh"


def register(app: typer.Typer) -> None:
    """Add the verb."""

    @app.command("advise", epilog=f"Example: `{EXAMPLE}`")
    def advise(
        line: str = typer.Option(
            ..., "--line", help="The hand so far, such as r:0:b250:c:Td9d6h:c:b300 (chips since the deal)."
        ),
        hand: str = typer.Option(..., "--hand", help="The two cards of the player to act, such as AhKh."),
        board: str = typer.Option("", "--board", help="Board cards, where the line leaves them out."),
        agent: str = typer.Option("search:heads-up", "--agent", help="Who is asked, with its settings."),
        as_json: bool = typer.Option(False, "--json", help="Print JSON."),
    ) -> None:
        """Ask search about a decision of a hand that was played: a study tool, not for use during play."""
        from overbet.agents.registry import make_agent
        from overbet.agents.searcher import SearchAgent
        from overbet.errors import ConfigError
        from overbet.study.advice import advise as ask
        from overbet.study.advice import state_at

        asked = make_agent(agent)
        if not isinstance(asked, SearchAgent):
            raise ConfigError(f"--agent {agent}: advice comes from search, such as search:heads-up")
        asked.prepare(asked.own_table)
        found = ask(asked, state_at(asked.own_table, line, board), hand)
        if asked.searcher.note:
            typer.echo(asked.searcher.note, err=True)
        if as_json:
            typer.echo(json.dumps(found.values()))
        else:
            _print(found)


def _print(found: Advice) -> None:
    from rich.console import Console
    from rich.table import Table

    console = Console(highlight=False)
    where = f"{found.position} with {found.hand}"
    table = Table(title=f"{where}{f' on {found.board}' if found.board else ''}", title_justify="left")
    table.add_column("action")
    table.add_column("how often", justify="right")
    table.add_column("EV, bb", justify="right")
    for action in found.actions:
        worth = "" if action.ev_bb is None else f"{action.ev_bb:.2f}"
        table.add_row(f"{action.name} ({action.token})", f"{100 * action.share:.1f}%", worth)
    console.print(table)
    console.print(
        f"after {found.line}; pot {found.pot_bb:g} bb, {found.to_call_bb:g} bb to call",
        markup=False,
        soft_wrap=True,
    )
    if found.source == "search":
        judged = "the answer was not judged"
        if found.exploitability is not None:
            judged = f"the answer can be exploited by {found.exploitability:.2f}% of the pot in the subgame"
        console.print(
            f"searched: {found.iterations} iterations, {found.seconds:.2f} s; {judged}", soft_wrap=True
        )
    else:
        console.print("not searched on this street: this is the blueprint's strategy")
