"""`overbet hands leaks` and `overbet hands opponents`: what players do beside what they should do."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from overbet.interfaces.hands.pool import PoolPlayer
    from overbet.solvers.vector.solution import Solution
    from overbet.study.responses import RestrictedResponse

_DATA = typer.Option(None, "--data", help="The data folder; $OVERBET_HOME unless named.")
_JSON = typer.Option(False, "--json", help="Print JSON.")
_FILTER = typer.Option(
    "", "--filter", help="Which hands, such as `players=2 and depth>50`; see `hands words`."
)
_BLUEPRINT = typer.Option(
    None, "--blueprint", help="A blueprint to compare with, before the shipped ones; may be given twice."
)
_RATIO = typer.Option(
    None, "--depth-ratio", min=1.0, help="Compare only where the strategy's depth is within this factor."
)


def add_leaks(group: typer.Typer) -> None:
    """Add the verbs."""
    _add_leaks(group)
    _add_opponents(group)


def _add_leaks(group: typer.Typer) -> None:
    @group.command("leaks", epilog='Example: `overbet hands leaks --filter "players=2"`')
    def leaks(
        player: str = typer.Option(None, "--player", help="Whose; the hero's unless named."),
        filter_: str = _FILTER,
        blueprint: list[str] = _BLUEPRINT,
        depth_ratio: float = _RATIO,
        level: float = typer.Option(0.05, "--level", help="Share of false leaks that is allowed on average."),
        out: Path = typer.Option(None, "--out", help="Write every question to this .csv or .parquet file."),
        data: Path = _DATA,
        as_json: bool = _JSON,
    ) -> None:
        """Find where a player's frequencies are not the strategy's, with intervals and what it costs.

        Priced decisions (`overbet hands review`) are ranked by bb/100 lost, others by how many actions in a
        hundred hands are too many or too few.
        """
        import json

        from overbet.interfaces.cli.hands_view import check_table_file, console_for_tables, write_table
        from overbet.interfaces.cli.leaks_view import print_leaks
        from overbet.interfaces.cli.outputs import Outputs
        from overbet.interfaces.cli.progress import shown
        from overbet.interfaces.hands.database import HandDatabase
        from overbet.interfaces.hands.player_leaks import player_leaks
        from overbet.study.strategy_lookup import StrategyLookup

        check_table_file(out)
        outputs = Outputs(out)
        lookup = StrategyLookup(blueprint or (), depth_ratio=depth_ratio)
        with (
            HandDatabase(data) as database,
            shown("comparing", total=1.0, number="percent") as show,
        ):
            found = player_leaks(
                database,
                filter_,
                player=player,
                lookup=lookup,
                level=level,
                progress=lambda done, all_: show(done / max(all_, 1), 1.0, facts=f"{done:,} hands"),
            )
        if out is not None:
            outputs.write(out, lambda: write_table(out, found.report.frame()))
        if as_json:
            typer.echo(json.dumps(found.facts()))
        else:
            console = console_for_tables()
            print_leaks(console, found)
            outputs.tell(console)
        outputs.end()


def _add_opponents(group: typer.Typer) -> None:
    @group.command("opponents", epilog="Example: `overbet hands opponents Bill --respond river.yaml --p 0.5`")
    def opponents_(
        name: str = typer.Argument(None, help="A player; all of them unless named."),
        filter_: str = _FILTER,
        limit: int = typer.Option(20, "--limit", min=1, help="So many players, those with most hands first."),
        respond: Path = typer.Option(
            None, "--respond", help="Answer the player in this spot: a .yaml file, or a saved solution."
        ),
        p: float = typer.Option(0.5, "--p", min=0.0, max=1.0, help="How far the model is trusted."),
        seat: str = typer.Option("ip", "--seat", help="Where the player sits in the spot: oop or ip."),
        led: bool = typer.Option(
            False, "--led", help="The player made the last bet before the spot's street."
        ),
        line: list[str] = typer.Option(None, "--line", help="Model these lines of the spot only."),
        blueprint: list[str] = _BLUEPRINT,
        data: Path = _DATA,
        as_json: bool = _JSON,
    ) -> None:
        """Print what players do, as far as their hands say, and an answer to one of them."""
        import json

        from overbet.errors import ConfigError
        from overbet.interfaces.cli.hands_view import console_for_tables
        from overbet.interfaces.cli.leaks_view import print_opponent, print_opponents
        from overbet.interfaces.cli.progress import shown
        from overbet.interfaces.hands.database import HandDatabase
        from overbet.interfaces.hands.pool import opponent, opponents
        from overbet.study.strategy_lookup import StrategyLookup

        if respond is not None and name is None:
            raise ConfigError("name the player to answer: overbet hands opponents NAME --respond SPOT")
        equilibrium = _equilibrium(respond) if respond is not None else None
        with (
            HandDatabase(data) as database,
            shown("looking up", total=1.0, number="percent") as show,
        ):
            pool = opponents(
                database,
                filter_,
                lookup=StrategyLookup(blueprint or ()) if respond is not None else None,
                progress=lambda done, all_: show(done / max(all_, 1), 1.0, facts=f"{done:,} hands"),
            )
        console = console_for_tables()
        if name is None:
            if as_json:
                typer.echo(json.dumps([one.facts() for one in pool]))
            else:
                print_opponents(console, pool, limit)
            return
        found = opponent(pool, name)
        answer = None
        if equilibrium is not None:
            answer = _answer(equilibrium, found, p, seat, led, line or ())
        if as_json:
            facts = found.facts(whole=True)
            typer.echo(json.dumps({**facts, "response": _response_facts(answer)} if answer else facts))
            return
        print_opponent(console, found)
        if answer is not None:
            console.print(str(answer), markup=False)


def _equilibrium(place: Path) -> Solution:
    """Return the solution of a spot: solved where it is a .yaml file, else read."""
    from overbet.solvers.vector.api import load, solve

    return solve(place) if place.suffix.lower() in (".yaml", ".yml") else load(place)


def _answer(
    equilibrium: Solution, found: PoolPlayer, p: float, seat: str, led: bool, lines: list[str] | tuple[()]
) -> RestrictedResponse:
    """Return the answer to a player in a spot."""
    from overbet.errors import ConfigError, unknown
    from overbet.study.model_locks import opponent_locks
    from overbet.study.responses import restricted_response

    locks = opponent_locks(equilibrium, found.model, seat, led=led)
    known = [lock.line for lock in locks]
    for line in lines:
        if line not in known:
            raise ConfigError(unknown("modelled line", line, known))
    return restricted_response(equilibrium, [one for one in locks if not lines or one.line in lines], p)


def _response_facts(answer: RestrictedResponse) -> dict[str, object]:
    names = ("p", "player", "gain", "most", "risk", "unsolved", "iterations")
    return {name: getattr(answer, name) for name in names}
