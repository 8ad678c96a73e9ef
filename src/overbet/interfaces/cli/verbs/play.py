"""`overbet play`: play against any agent on the terminal, with a review of every hand."""

from __future__ import annotations

import typer

from overbet.interfaces.cli.table_setup import AIVAT, ANTE, BLINDS, MOST, MOST_SEED, SEATS, STACKS

EXAMPLE = "overbet play blueprint:heads-up"


def register(app: typer.Typer) -> None:
    """Add the verb."""

    @app.command("play", epilog=f"Examples: `{EXAMPLE}`, `overbet play tag lag --seats 6 --stacks 40bb`")
    def play(
        specs: list[str] = typer.Argument(
            None, metavar="[OPPONENT]...", help="Agents; blueprint:heads-up if none."
        ),
        hands: int | None = typer.Option(
            None, "--hands", "-n", min=1, max=MOST, help="Stop after so many hands."
        ),
        seats: int | None = SEATS,
        stacks: str = STACKS,
        blinds: str = BLINDS,
        ante: int | None = ANTE,
        seed: int | None = typer.Option(
            None, "--seed", min=0, max=MOST_SEED, help="Names the deals; drawn if left out."
        ),
        review: int = typer.Option(
            256_000,
            "--review",
            min=0,
            max=MOST,
            help="After each hand an action is played on up to so many times; 0: no review.",
        ),
        aivat: bool | None = AIVAT,
    ) -> None:
        """Play against agents. q, Ctrl-D or Ctrl-C ends the session with the result.

        After a hand: what a blueprint (or the first opponent, where none fits the table) would have done in
        your seat, what each action was worth, and the verdict.
        """
        import secrets

        from rich.console import Console

        from overbet.agents.human import HumanAgent
        from overbet.agents.protocol import prepare
        from overbet.agents.registry import make_agent
        from overbet.errors import ConfigError
        from overbet.interfaces.cli.table_setup import describe_table, estimators_for, table_of
        from overbet.interfaces.cli.table_view_session import Session

        if 0 < review < 4:
            raise ConfigError(
                f"--review {review}: a review plays on at least 4 times with each action, or 0 for none"
            )
        opponents = [make_agent(spec) for spec in specs or ["blueprint:heads-up"]]
        game = table_of([*opponents, HumanAgent(lambda _: 0)], seats, stacks, blinds, ante)
        if len(opponents) > game.num_players - 1:
            raise ConfigError(
                f"{len(opponents)} opponents and you do not fit {game.num_players} seats; set --seats"
            )
        for opponent in opponents:
            prepare(opponent, game)
        chosen = secrets.randbelow(2**31) if seed is None else seed
        console = Console(highlight=False, soft_wrap=True)
        session = Session(opponents, game, chosen, console, lambda prompt: console.input(prompt), review)
        session.estimator = next(iter(estimators_for(session.slots, game, aivat)), None)
        names = ", ".join(dict.fromkeys(session.names[1:]))
        console.print(f"you against {names}; {describe_table(game)}; seed {chosen}", markup=False)
        try:
            session.play(hands)
        except KeyboardInterrupt:
            console.print()
        console.print(f"[bold]the end:[/] {session.standing()}")
