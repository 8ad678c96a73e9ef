"""`overbet hands`: a local database of hands that people played."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer

from overbet.interfaces.cli.hands_review import add_review
from overbet.interfaces.cli.verbs.hands_leaks import add_leaks
from overbet.interfaces.cli.verbs.hands_watch import add_watch

if TYPE_CHECKING:
    from overbet.interfaces.hands.database import HandDatabase

EXAMPLE = 'overbet hands list --filter "pos=BTN and 3bet and flop=monotone"'
_DATA = typer.Option(None, "--data", help="The data folder; $OVERBET_HOME unless named.")
_JSON = typer.Option(False, "--json", help="Print JSON.")
_FILTER = typer.Option("", "--filter", help="Which hands, such as `pos=BTN and won>10`; see `hands words`.")
_PLAYER = typer.Option(None, "--player", help="Whose hands; the hero's unless named, `*` for everybody's.")


def register(app: typer.Typer) -> None:
    """Add the verb."""
    group = typer.Typer(no_args_is_help=True, help="Your hands: import, filter, replay, review, export.")
    app.add_typer(group, name="hands", epilog=f"Examples: `overbet hands import histories`, `{EXAMPLE}`")
    for add in (_add_import, _add_list, _add_show, _add_stats):
        add(group)
    add_review(group)
    for add in (_add_export, _add_delete, _add_words):
        add(group)
    add_leaks(group)
    add_watch(group)


def _add_import(group: typer.Typer) -> None:
    @group.command("import", epilog="Example: `overbet hands import histories --hash-names`")
    def import_(
        paths: list[Path] = typer.Argument(..., help="Folders, files of hands, or .tar.gz of them."),
        hash_names: bool = typer.Option(
            False, "--hash-names", help="Replace names by keyed hashes; the hero is `Hero`."
        ),
        again: bool = typer.Option(False, "--again", help="Read files again that have not changed."),
        workers: int = typer.Option(
            None, "--workers", min=1, max=256, help="Processes; one a core unless said."
        ),
        errors: bool = typer.Option(False, "--errors", help="List every error, not the first ten."),
        data: Path = _DATA,
        as_json: bool = _JSON,
    ) -> None:
        """Take hands into the database; those that are in it already add nothing.

        Ctrl-C keeps what was read, and the same command goes on from there.
        """
        import json

        from overbet.interfaces.cli.hands_view import (
            console_for_tables,
            print_report,
            progress_facts,
            report_facts,
        )
        from overbet.interfaces.cli.progress import shown
        from overbet.interfaces.hands.importing import ImportProgress, import_hands

        with _database(data) as database:
            before = len(database)
            try:
                with shown("importing", total=1.0, number="percent") as show:

                    def tell(now: ImportProgress) -> None:
                        show(now.share, 1.0, facts=progress_facts(now))

                    report = import_hands(
                        database, paths, hash_names=hash_names, again=again, workers=workers, progress=tell
                    )
            except KeyboardInterrupt:
                added = len(database) - before
                typer.echo(f"stopped; {added:,} new hands are kept, the same command goes on", err=True)
                raise
        if as_json:
            typer.echo(json.dumps(report_facts(report)))
        else:
            print_report(console_for_tables(), report, errors)


def _add_list(group: typer.Typer) -> None:
    @group.command("list", epilog=f"Example: `{EXAMPLE}`")
    def list_(
        filter_: str = _FILTER,
        player: str = _PLAYER,
        sort: str = typer.Option(
            "-date", "--sort", help="id, date, won, pot, depth, players or blind; with - the largest first."
        ),
        limit: int = typer.Option(None, "--limit", min=0, help="So many rows; 20 where they are shown."),
        out: Path = typer.Option(None, "--out", help="Write all rows to this .csv or .parquet file."),
        data: Path = _DATA,
        as_json: bool = _JSON,
    ) -> None:
        """List hands, one row a hand as its hero saw it; without a hero, as each player did."""
        from overbet.interfaces.cli.hands_view import (
            check_table_file,
            console_for_tables,
            counted,
            frame_json,
            print_hands,
            write_table,
        )
        from overbet.interfaces.cli.outputs import Outputs

        check_table_file(out)
        outputs = Outputs(out)
        most = limit if limit is not None else None if out is not None or as_json else 20
        with _database(data) as database:
            frame = database.frame(filter_, player=player, sort=sort, limit=most)
            rows = database.count(filter_, player=player)
        if out is not None:
            outputs.write(out, lambda: write_table(out, frame))
        if as_json:
            typer.echo(frame_json(frame))
        elif out is None:
            console = console_for_tables()
            if frame.height:
                print_hands(console, frame)
            shown = f"{frame.height:,} of " if frame.height < rows else ""
            console.print(f"{shown}{counted(rows, 'row')}")
        else:
            outputs.tell(console_for_tables())
        outputs.end()


def _add_show(group: typer.Typer) -> None:
    @group.command("show", epilog="Example: `overbet hands show 17`, `overbet hands show winamax:123-4-5`")
    def show(
        hand: str = typer.Argument(..., help="Its number in the list, or site:number."),
        plain: bool = typer.Option(False, "--plain", help="Print all of it, also in a terminal."),
        data: Path = _DATA,
    ) -> None:
        """Replay a hand: step by step on keys in a terminal, else all of it."""
        import sys

        from rich.console import Console

        from overbet.interfaces.cli.hand_replayer import browse_hand, print_hand

        with _database(data) as database:
            found = database.hand(hand)
            priced = database.priced(found.id)
        console = Console(highlight=False, soft_wrap=True)
        if plain or not (console.is_terminal and sys.stdin.isatty()):
            print_hand(console, found, priced)
        else:
            browse_hand(console, found, typer.getchar, priced)


def _add_stats(group: typer.Typer) -> None:
    @group.command("stats", epilog='Example: `overbet hands stats --by position --filter "format=cash"`')
    def stats(
        filter_: str = _FILTER,
        player: str = _PLAYER,
        by: str = typer.Option("format", "--by", help="format, site, position, players or player."),
        all_in_ev: bool = typer.Option(
            True, "--all-in-ev/--no-all-in-ev", help="Beside them, results without the luck of all-ins."
        ),
        data: Path = _DATA,
        as_json: bool = _JSON,
    ) -> None:
        """Print how many hands there are and the results in bb/100 with their 95 % interval."""
        import json

        from overbet.interfaces.cli.hands_view import console_for_tables, frame_json, print_stats
        from overbet.interfaces.cli.progress import shown
        from overbet.machine import size_text

        with _database(data) as database, shown("all-ins", total=1.0, number="percent") as show:
            whole = database.summary()
            frame = database.stats(
                filter_,
                player=player,
                by=by,
                all_in_ev=all_in_ev,
                progress=lambda done, count: show(done / count, 1.0, facts=f"{done:,} of {count:,}"),
            )
            heroes = database.heroes()
        if as_json:
            typer.echo(json.dumps({"database": whole, "results": json.loads(frame_json(frame))}))
            return
        console = console_for_tables()
        each = f", {whole['bytes'] / whole['hands']:,.0f} bytes a hand" if whole["hands"] else ""
        console.print(
            f"{whole['hands']:,} hands of {whole['players']:,} players, {whole['decisions']:,} decisions, "
            f"{size_text(whole['bytes'])}{each}"
        )
        if frame.height:
            print_stats(console, frame)
        if frame.height and not heroes and not player and by != "player":
            console.print("no hand has a hero: these are all players together; see --player and --by player")


def _add_export(group: typer.Typer) -> None:
    @group.command("export", epilog='Example: `overbet hands export --phh mine.phhs --filter "won>50"`')
    def export(
        phh: Path = typer.Option(..., "--phh", help="The .phhs file to write."),
        filter_: str = _FILTER,
        player: str = _PLAYER,
        data: Path = _DATA,
    ) -> None:
        """Write hands as a PHH file, which this and other programs read."""
        from overbet.files import check_place, replacing
        from overbet.interfaces.history.phh_writer import write_hand

        check_place(phh)
        count = 0
        with (
            _database(data) as database,
            replacing(phh) as beside,
            open(beside, "w", encoding="utf-8", newline="\n") as file,
        ):
            for count, record in enumerate(database.records(filter_, player=player), 1):
                file.write(f"[{count}]\n{write_hand(record)}\n")
        typer.echo(f"wrote {count:,} hands to {phh}")


def _add_delete(group: typer.Typer) -> None:
    @group.command("delete", epilog='Example: `overbet hands delete --filter "date<2020" --yes`')
    def delete(
        hands: list[int] = typer.Argument(None, help="Numbers of hands."),
        filter_: str = _FILTER,
        player: str = _PLAYER,
        yes: bool = typer.Option(False, "--yes", help="Do not ask."),
        data: Path = _DATA,
    ) -> None:
        """Delete hands from the database; the files they came from stay and can be imported again."""
        from overbet.errors import ConfigError

        numbers = " or ".join(f"id={number}" for number in hands or [])
        wanted = " and ".join(f"({part})" for part in (numbers, filter_) if part.strip())
        if not wanted:
            raise ConfigError("name hands by number or by --filter; `--filter id>0` is all of them")
        with _database(data) as database:
            count = len(database.ids(wanted, player=player))
            if not count:
                typer.echo("no hand fits; nothing is deleted")
                return
            if not yes and not typer.confirm(f"Delete {count:,} hands?"):
                typer.echo("nothing is deleted")
                return
            typer.echo(f"deleted {database.delete(wanted, player=player):,} hands")


def _add_words(group: typer.Typer) -> None:
    @group.command("words", epilog="Example: `overbet hands words`")
    def words() -> None:
        """Print the words and fields of the filter."""
        from overbet.interfaces.hands.filter_fields import filter_help

        listed = filter_help()
        width = max(len(name) for name, _ in listed)
        for name, about in listed:
            typer.echo(f"{name:<{width}}  {about}")


def _database(data: Path | None) -> HandDatabase:
    from overbet.interfaces.hands.database import HandDatabase

    return HandDatabase(data)
