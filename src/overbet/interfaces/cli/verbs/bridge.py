"""`overbet bridge http`: an agent behind the HTTP requests of Slumbot, and a client of such servers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from overbet.games.holdem import HoldemGame

EXAMPLE = "overbet bridge http serve blueprint:heads-up --stack 10000"
_PLAY = "overbet bridge http play tag http://127.0.0.1:8770 --hands 1000"
_MOST = 2**63 - 1
_STACK = typer.Option(
    20_000, "--stack", "--stacks", min=1, max=10**9, help="Chips of both seats at the start of each hand."
)
_BLINDS = typer.Option("50,100", "--blinds", help="Small and big blind.")


def register(app: typer.Typer) -> None:
    """Add the verb."""
    group = typer.Typer(no_args_is_help=True, help="Bridges to other programs.")
    http = typer.Typer(no_args_is_help=True, help="Heads-up hands over HTTP, the way Slumbot offers them.")
    group.add_typer(http, name="http", epilog=f"Examples: `{EXAMPLE}`, `{_PLAY}`")
    app.add_typer(group, name="bridge", epilog=f"Examples: `{EXAMPLE}`, `{_PLAY}`")
    _add_serve(http)
    _add_play(http)


def _add_serve(group: typer.Typer) -> None:
    @group.command("serve", epilog=f"Example: `{EXAMPLE}`")
    def serve(
        agent: str = typer.Argument(..., help="Who plays: tag, blueprint:heads-up, search:heads-up, ..."),
        port: int = typer.Option(8770, "--port", "-p", min=0, max=65535, help="Port; 0 takes a free one."),
        stack: int = _STACK,
        blinds: str = _BLINDS,
        seed: int | None = typer.Option(
            None, "--seed", min=0, max=_MOST, help="Names the deals; one nobody knows if left out."
        ),
        tables: int = typer.Option(1000, "--tables", min=1, max=1_000_000, help="Most clients at a time."),
        address: str = typer.Option(
            "127.0.0.1", "--listen", help="Listen on this address: 0.0.0.0 lets other machines in."
        ),
    ) -> None:
        """Serve an agent: POST /api/new_hand and /api/act, on this machine only. Ctrl-C ends it."""
        import secrets

        from overbet.agents.registry import make_agent
        from overbet.interfaces.protocols.bridge.server import serve_bridge
        from overbet.interfaces.protocols.bridge.tables import BridgeTables
        from overbet.interfaces.protocols.listening import checked_address, warning_of

        warning = warning_of(checked_address(address))
        if warning:
            typer.echo(f"warning: {warning}", err=True)
        game = _game(stack, blinds)
        made = BridgeTables(make_agent(agent), game, secrets.randbits(63) if seed is None else seed, tables)

        def ready(url: str) -> None:
            typer.echo(f"{agent} plays at {url}/api (Ctrl-C ends it)")

        serve_bridge(made, address, port, ready)


def _add_play(group: typer.Typer) -> None:
    @group.command("play", epilog=f"Example: `{_PLAY}`")
    def play(
        agent: str = typer.Argument(..., help="Who plays: tag, blueprint:heads-up, search:heads-up, ..."),
        url: str = typer.Argument(..., help="The server, up to /api: http://127.0.0.1:8770."),
        hands: int = typer.Option(100, "--hands", "-n", min=1, max=10**9, help="Hands to play."),
        stack: int = _STACK,
        blinds: str = _BLINDS,
        seed: int = typer.Option(0, "--seed", min=0, max=_MOST, help="Names the agent's random choices."),
        on_error: str = typer.Option(
            "stop", "--on-error", help="After an agent's fault: stop, or fold for it."
        ),
        time_limit: float | None = typer.Option(
            None, "--time-limit", min=0.0, help="Seconds the agent has for an action."
        ),
    ) -> None:
        """Play an agent at such a server. The exit code is 1 where winnings are not those of the rules."""
        from overbet.agents.registry import make_agent
        from overbet.interfaces.cli.progress import shown
        from overbet.interfaces.protocols.bridge.client import BridgeClient, BridgeScore

        player = BridgeClient(
            make_agent(agent),
            url,
            _game(stack, blinds),
            seed=seed,
            on_error=on_error,  # type: ignore[arg-type]  # the referee refuses other words
            time_limit=time_limit,
        )
        with shown("hands", "", hands, number="count") as show:

            def told(now: BridgeScore) -> None:
                show(now.hands, hands, None, f"{now.won:+,} chips")

            score = player.play(hands, told)
        mbb = 1000 * score.won / score.hands / player.game.big_blind
        typer.echo(f"{score.hands:,} hands, {score.won:+,} chips ({mbb:+,.1f} mbb a hand)")
        for line in (score.differing or [])[:20]:
            typer.echo(f"  {line}", err=True)
        if score.differing:
            typer.echo(f"{len(score.differing):,} hands end otherwise by the rules", err=True)
            raise typer.Exit(1)


def _game(stack: int, blinds: str) -> HoldemGame:
    """Return the table."""
    from overbet.games.holdem import HoldemGame
    from overbet.interfaces.cli.table_setup import chips_of

    return HoldemGame(2, stack, chips_of("blinds", blinds))
