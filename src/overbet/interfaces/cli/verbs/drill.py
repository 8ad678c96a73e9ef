"""`overbet drill`: practise the decisions of your decks that are due."""

from __future__ import annotations

from pathlib import Path

import typer

EXAMPLE = 'overbet drill --deck "3-bet pots" --limit 20'


def register(app: typer.Typer) -> None:
    """Add the verb."""

    @app.command("drill", epilog=f"Examples: `overbet drill`, `{EXAMPLE}`")
    def drill(
        deck: str = typer.Option(None, "--deck", help="The deck; all of them unless named."),
        limit: int = typer.Option(None, "--limit", min=1, help="Stop after so many cards."),
        data: Path = typer.Option(None, "--data", help="The data folder; $OVERBET_HOME unless named."),
    ) -> None:
        """Ask the cards that are due: what you got wrong comes again soon, what you know ever later.

        Decks are made with `overbet decks make`. q, Ctrl-D or Ctrl-C ends with the result; every answer is
        kept at once.
        """
        from rich.console import Console

        from overbet.interfaces.cli.deck_session import DeckSession
        from overbet.interfaces.decks.store import DeckStore

        store = DeckStore(data)
        decks = [store.deck(deck)] if deck is not None or not store.decks() else store.decks()
        console = Console(highlight=False, soft_wrap=True)
        session = DeckSession(store, decks, console, lambda prompt: console.input(prompt))
        try:
            session.drill(limit)
        except KeyboardInterrupt:
            console.print()
        console.print(f"\n[bold]the end:[/] {session.summary()}" if session.asked else session.summary())
