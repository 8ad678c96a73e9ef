"""`overbet play`: play against any agent on the terminal, with a review of every hand."""

from __future__ import annotations

import typer

from overbet.interfaces.cli.table_setup import AIVAT, ANTE, BLINDS, MOST, MOST_SEED, SEATS, STACKS

EXAMPLE = "overbet play blueprint:heads-up"
_MORE = "overbet play tag lag --seats 6 --stacks 40bb"


def register(app: typer.Typer) -> None:
    """Add the verb."""

    @app.command("play", epilog=f"Examples: `{EXAMPLE}`, `{_MORE}`, `overbet play --expresso`")
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
            2_048_000,  # as on the page (`study.review.MOST_RUNS`)
            "--review",
            min=0,
            max=MOST,
            help="After each hand an action is played on up to so many times; 0: no review.",
        ),
        aivat: bool | None = AIVAT,
        expresso: bool = typer.Option(
            False, "--expresso", help="Play a whole Expresso, against two agents (any-stacks if none)."
        ),
        multiplier: float | None = typer.Option(
            None, "--multiplier", help="With --expresso: the prize in buy-ins; drawn if left out."
        ),
    ) -> None:
        """Play against agents. q, Ctrl-D or Ctrl-C ends the session with the result.

        After a hand: what a blueprint (or the first opponent, where none fits the table) would have done in
        your seat, what each action was worth, and the verdict. An Expresso is played until you are out or
        have all the chips: stacks carry over, blinds rise, the result is in buy-ins.
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
        if expresso:
            if seats or stacks or blinds or ante is not None or hands is not None:
                raise ConfigError(
                    "an Expresso has its own seats, stacks and blinds and ends by itself: leave out --seats, "
                    "--stacks, --blinds, --ante and --hands"
                )
            _play_expresso(specs or ["any-stacks"], seed, multiplier, review)
            return
        if multiplier is not None:
            raise ConfigError("--multiplier is the prize of an Expresso: add --expresso")
        opponents = [make_agent(spec) for spec in specs or ["blueprint:heads-up"]]
        game = table_of([*opponents, HumanAgent(lambda _: 0)], seats, stacks, blinds, ante)
        if len(opponents) > game.num_players - 1:
            raise ConfigError(
                f"{len(opponents)} opponents and you do not fit {game.num_players} seats; set --seats"
            )
        opponents = [prepare(opponent, game) for opponent in opponents]
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


def _play_expresso(specs: list[str], seed: int | None, multiplier: float | None, review: int) -> None:
    import secrets

    from rich.console import Console

    from overbet.agents.registry import make_agent
    from overbet.errors import ConfigError
    from overbet.games.expresso import expresso_game
    from overbet.games.multipliers import DRAWN_WORDS, draw_multiplier
    from overbet.interfaces.cli.expresso_session import ExpressoSession, opening

    if len(specs) > 2:
        raise ConfigError(f"{len(specs)} opponents and you do not fit the three seats of an Expresso")
    chosen = secrets.randbelow(2**31) if seed is None else seed
    prize = draw_multiplier(chosen) if multiplier is None else multiplier
    game = expresso_game(multiplier=prize, pays="prize")
    console = Console(highlight=False, soft_wrap=True)
    opponents = [make_agent(spec) for spec in specs]
    session = ExpressoSession(opponents, game, chosen, console, lambda prompt: console.input(prompt), review)
    console.print(opening(session, DRAWN_WORDS if multiplier is None else "chosen"), markup=False)
    try:
        session.play()
    except KeyboardInterrupt:
        console.print()
    for line in session.sources():
        console.print(line, style="dim", markup=False)
    console.print(f"[bold]the end:[/] {session.result()}")
