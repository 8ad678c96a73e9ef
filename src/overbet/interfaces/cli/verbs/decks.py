"""`overbet decks`: decks of decisions to practise with `overbet drill`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from overbet.interfaces.decks.making import DeckMade
    from overbet.interfaces.decks.store import DeckStore

EXAMPLE = 'overbet decks make "3-bet pots" --filter "3bet or faced3bet" --least-loss 0.5'
_DATA = typer.Option(None, "--data", help="The data folder; $OVERBET_HOME unless named.")
_JSON = typer.Option(False, "--json", help="Print JSON.")
_DECK = typer.Argument(..., help="The name of the deck.")


def register(app: typer.Typer) -> None:
    """Add the verb."""
    group = typer.Typer(no_args_is_help=True, help="Decks of your mistakes, to practise with `drill`.")
    app.add_typer(group, name="decks", epilog=f"Examples: `{EXAMPLE}`, `overbet decks list`")
    for add in (_add_list, _add_make, _add_show, _add_delete):
        add(group)


def _add_list(group: typer.Typer) -> None:
    @group.command("list", epilog="Example: `overbet decks list`")
    def list_(data: Path = _DATA, as_json: bool = _JSON) -> None:
        """List the decks: cards, how many are due, and when the next one is."""
        import json

        from overbet.interfaces.cli.deck_view import print_decks, standing_values
        from overbet.interfaces.cli.hands_view import console_for_tables

        store = _store(data)
        standings = [store.standing(deck) for deck in store.decks()]
        if as_json:
            typer.echo(json.dumps([standing_values(one) for one in standings]))
        elif standings:
            print_decks(console_for_tables(), standings, store.now())
        else:
            typer.echo("there is no deck yet; make one with `overbet decks make NAME`")


def _add_make(group: typer.Typer) -> None:
    @group.command("make", epilog=f"Examples: `{EXAMPLE}`, `overbet decks make drill --from drill`")
    def make(
        name: str = _DECK,
        from_: str = typer.Option(
            "hands",
            "--from",
            help="hands: the review of your hands; drill: the mistakes of the page's drill.",
        ),
        filter_: str = typer.Option(
            "", "--filter", help="Which hands, such as `pos=BTN and 3bet`; see `hands words`."
        ),
        player: str = typer.Option(
            None, "--player", help="Whose decisions; the hero's unless named, `*` for everybody's."
        ),
        least_loss: float = typer.Option(
            0.0, "--least-loss", min=0.0, max=1e6, help="Only what cost so many big blinds at least."
        ),
        retention: float = typer.Option(
            None, "--retention", help="How likely you still know a card when it is asked; 0.9 unless said."
        ),
        new: int = typer.Option(None, "--new", help="New cards a day; 20 unless said."),
        data: Path = _DATA,
        as_json: bool = _JSON,
    ) -> None:
        """Make a deck of inaccuracies, mistakes and blunders, or add to one.

        What is in the deck already is brought up to date and keeps its schedule.
        """
        from overbet.errors import ConfigError
        from overbet.files import data_folder
        from overbet.interfaces.decks.making import DeckSettings, deck_of_hands, deck_of_mistakes

        store, settings = _store(data), DeckSettings(retention, new)
        folder = data if data is not None else data_folder()
        if from_ == "hands":
            made = deck_of_hands(store, name, settings, folder, filter_, player=player, least_bb=least_loss)
        elif from_ == "drill":
            if filter_ or player is not None or least_loss:
                raise ConfigError("--filter, --player and --least-loss are for --from hands")
            from overbet.interfaces.web.mistake_store import MISTAKES, kept_mistakes

            made = deck_of_mistakes(store, name, settings, kept_mistakes(folder / MISTAKES))
        else:
            raise ConfigError(f"--from is hands or drill, not {from_!r}")
        _tell(store, made, as_json)


def _tell(store: DeckStore, made: DeckMade, as_json: bool) -> None:
    """Print what came of making a deck."""
    import json

    from overbet.interfaces.cli.deck_view import standing_values
    from overbet.interfaces.cli.hands_view import counted

    standing = None if made.deck is None else store.standing(made.deck)
    if as_json:
        values = None if standing is None else standing_values(standing)
        typer.echo(json.dumps({"deck": values, **made.added._asdict(), "left_out": made.left_out}))
        return
    if standing is None:
        typer.echo("no mistake fits; no card is added")
    else:
        new, updated, same = made.added
        typer.echo(
            f"{counted(new, 'new card')}, {updated:,} priced anew, {same:,} as they were; "
            f"{standing.deck.name} has {standing.cards:,}, {standing.now:,} due now"
        )
    if made.left_out:
        typer.echo(f"left out: {counted(made.left_out, 'mistake')} whose cards or values are not known")


def _add_show(group: typer.Typer) -> None:
    @group.command("show", epilog='Example: `overbet decks show "3-bet pots"`')
    def show(
        name: str = _DECK,
        limit: int = typer.Option(20, "--limit", min=0, help="So many cards."),
        data: Path = _DATA,
        as_json: bool = _JSON,
    ) -> None:
        """List the cards of a deck in the order in which they are asked."""
        import json

        from overbet.interfaces.cli.deck_view import print_cards, print_decks, stamp, standing_values
        from overbet.interfaces.cli.hands_view import console_for_tables

        store = _store(data)
        deck = store.deck(name)
        standing, cards = store.standing(deck), store.cards(deck)
        if as_json:
            listed = [
                {
                    **one.card.model_dump(mode="json"),
                    "due": stamp(one.due),
                    "new": one.schedule.is_new,
                    "asked": one.asked,
                    "right": one.correct,
                }
                for one in cards
            ]
            typer.echo(json.dumps({"deck": standing_values(standing), "cards": listed}))
            return
        console = console_for_tables()
        print_decks(console, [standing], store.now())
        console.print()
        print_cards(console, cards[:limit], store.now())
        if len(cards) > limit:
            console.print(f"{limit:,} of {len(cards):,} cards; see --limit")


def _add_delete(group: typer.Typer) -> None:
    @group.command("delete", epilog='Example: `overbet decks delete "3-bet pots"`')
    def delete(
        name: str = _DECK,
        card: str = typer.Option(None, "--card", help="Only this card, as `decks show` names it."),
        yes: bool = typer.Option(False, "--yes", help="Do not ask."),
        data: Path = _DATA,
    ) -> None:
        """Delete a deck with its schedule, or one card of it; hands and reviews stay."""
        from overbet.errors import ConfigError
        from overbet.interfaces.cli.hands_view import counted

        store = _store(data)
        deck = store.deck(name)
        if card is not None:
            if not store.remove(deck, card):
                raise ConfigError(f"there is no card {card!r} in {deck.name}; see overbet decks show")
            typer.echo(f"deleted 1 card of {deck.name}")
            return
        count = store.standing(deck).cards
        if not yes and not typer.confirm(f"Delete {deck.name} with {counted(count, 'card')}?"):
            typer.echo("nothing is deleted")
            return
        store.delete(deck)
        typer.echo(f"deleted {deck.name} with {counted(count, 'card')}")


def _store(data: Path | None) -> DeckStore:
    from overbet.interfaces.decks.store import DeckStore

    return DeckStore(data)
