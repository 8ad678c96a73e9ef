"""`overbet acpc`: play at a dealer of the Annual Computer Poker Competition, or be one."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from overbet.games.holdem import HoldemGame

EXAMPLE = "overbet acpc dealer 2p --spawn tag --spawn lag --hands 100"
_CLIENT = "overbet acpc client tag 127.0.0.1 16177"
_MOST = 2**63 - 1


def register(app: typer.Typer) -> None:
    """Add the verb."""
    group = typer.Typer(no_args_is_help=True, help="The ACPC's protocol: a client and a dealer.")
    app.add_typer(group, name="acpc", epilog=f"Examples: `{EXAMPLE}`, `{_CLIENT}`")
    _add_client(group)
    _add_dealer(group)


def _add_client(group: typer.Typer) -> None:
    @group.command("client", epilog=f"Example: `{_CLIENT}`")
    def client(
        agent: str = typer.Argument(..., help="Who plays: tag, blueprint:heads-up, search:heads-up, ..."),
        host: str = typer.Argument(..., help="Where the dealer is."),
        port: int = typer.Argument(..., min=1, max=65535, help="The port of the seat."),
        game: str = typer.Option(
            "", "--game", "-g", help="A game file, or 2p to 10p; by the seats of the first hand if left out."
        ),
        seed: int = typer.Option(0, "--seed", min=0, max=_MOST, help="Names the agent's random choices."),
        on_error: str = typer.Option(
            "stop", "--on-error", help="After an agent's fault: stop, or fold for it."
        ),
        time_limit: float | None = typer.Option(
            None, "--time-limit", min=0.0, help="Seconds the agent has for an action."
        ),
        quiet: bool = typer.Option(False, "--quiet", help="Print nothing but errors."),
    ) -> None:
        """Play an agent at a dealer, until the dealer ends the match."""
        from overbet.agents.registry import make_agent
        from overbet.interfaces.cli.progress import shown
        from overbet.interfaces.protocols.acpc.client import AcpcClient
        from overbet.interfaces.protocols.acpc.game_file import find_game

        table = find_game(game) if game else None
        player = AcpcClient(
            make_agent(agent),
            table,
            seed=seed,
            on_error=on_error,  # type: ignore[arg-type]  # the referee refuses other words
            time_limit=time_limit,
        )
        with shown("hands", "waiting for the first hand", None, time_left=False) as show:
            score = player.play(
                host,
                port,
                lambda now: show(len(now.won), None, None, f"{len(now.won):,}: {now.total:+,.0f} chips"),
            )
        if not quiet:
            dropped = f"; {score.dropped:,} lines were no match states" if score.dropped else ""
            typer.echo(f"{len(score.won):,} hands, {score.total:+,.0f} chips{dropped}")


def _add_dealer(group: typer.Typer) -> None:
    @group.command("dealer", epilog=f"Examples: `{EXAMPLE}`, `overbet acpc dealer holdem.game --hands 1000`")
    def dealer(
        game: str = typer.Argument(..., help="A game file, or 2p to 10p for the competition's tables."),
        hands: int = typer.Option(1000, "--hands", "-n", min=1, max=10**9, help="Hands to play."),
        seed: int = typer.Option(0, "--seed", min=0, max=_MOST, help="Names the deals."),
        spawn: list[str] = typer.Option(
            [], "--spawn", help="An agent of ours in a process of its own, at the last seats."
        ),
        name: list[str] = typer.Option(
            [], "--name", help="Names by seat for the log; p1, p2, ... if left out."
        ),
        match: str = typer.Option("match", "--match", help="The name of the match in the log."),
        log: Path | None = typer.Option(None, "--log", help="Write the log of hands there (a new file)."),
        messages: Path | None = typer.Option(
            None, "--messages", help="Write every line to and from the seats there."
        ),
        stack: int | None = typer.Option(
            None, "--stack", min=1, max=10**9, help="Chips of every seat instead."
        ),
        blinds: str = typer.Option("", "--blinds", help="Small and big blind instead, such as 50,100."),
        port: list[int] = typer.Option(
            [], "--port", min=0, max=65535, help="Ports by seat; free ones if left out, as for 0."
        ),
        response: float = typer.Option(
            600.0, "--response-seconds", min=0.001, max=1e6, help="How long a seat may think."
        ),
        connect: float = typer.Option(
            600.0, "--connect-seconds", min=0.001, max=1e6, help="How long seats are waited for."
        ),
        address: str = typer.Option(
            "127.0.0.1", "--listen", help="Listen on this address: 0.0.0.0 lets other machines in."
        ),
    ) -> None:
        """Deal a match: print a port for each seat, wait for clients, play, and print the score.

        A client that breaks a rule, falls silent or goes ends the match with an error; the log then holds the
        hands that were finished.
        """
        import contextlib

        from overbet.errors import ConfigError
        from overbet.interfaces.cli.progress import shown
        from overbet.interfaces.protocols.acpc.dealer import AcpcDealer, DealerOptions, DealerPace, free_names
        from overbet.interfaces.protocols.acpc.match_log import MatchLog, score_line
        from overbet.interfaces.protocols.acpc.spawned import SpawnedClients
        from overbet.interfaces.protocols.listening import checked_address, warning_of

        table = _table(game, stack, blinds)
        seats = table.num_players
        if len(spawn) > seats or len(name) > seats:
            raise ConfigError(f"{max(len(spawn), len(name))} players for {seats} seats; name fewer")
        warning = warning_of(checked_address(address))
        if warning:
            typer.echo(f"warning: {warning}", err=True)
        options = DealerOptions(
            free_names(seats, name), hands, seed, match, response, connect, tuple(port), address
        )
        with contextlib.ExitStack() as stacked:
            written = stacked.enter_context(MatchLog(log))
            said = stacked.enter_context(MatchLog(messages))
            made = AcpcDealer(table, options, written, said)
            stacked.callback(made.close)
            typer.echo(" ".join(map(str, made.ports)))
            spawned = stacked.enter_context(SpawnedClients())
            theirs = made.ports[seats - len(spawn) :]
            spawned.start(spawn, theirs, "127.0.0.1" if address == "0.0.0.0" else address, table, seed)
            with shown("hands", "waiting for the seats", hands, number="count") as show:

                def told(pace: DealerPace) -> None:
                    show(pace.hands, pace.total, None, " ".join(f"{chips:+,.0f}" for chips in pace.won))

                result = made.run(told, spawned.trouble)
        typer.echo(score_line(result.won, options.names))


def _table(game: str, stack: int | None, blinds: str) -> HoldemGame:
    """Return the table of a game file or a name, with other stacks and blinds where they are given."""
    from dataclasses import replace

    from overbet.errors import ConfigError, quoted
    from overbet.interfaces.protocols.acpc.game_file import find_game

    found = find_game(game)
    if blinds:
        try:
            posted = tuple(int(part) for part in blinds.split(","))
        except ValueError:
            raise ConfigError(
                f"--blinds {quoted(blinds)}: write small and big blind, such as 50,100"
            ) from None
        found = replace(found, blinds=posted, min_bet=None)
    return replace(found, stacks=stack) if stack is not None else found
