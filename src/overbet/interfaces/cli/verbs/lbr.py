"""`overbet lbr`: how much the local best response wins against an agent."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import typer

from overbet.interfaces.cli.clustering import CLUSTER, on_cluster
from overbet.interfaces.cli.table_setup import MOST, MOST_BLINDS, MOST_SEED, WAITING

if TYPE_CHECKING:
    from overbet.agents.protocol import Agent
    from overbet.evaluation.lbr import LbrResult
    from overbet.evaluation.lbr_family import LbrFamily
    from overbet.games.holdem import HoldemGame

EXAMPLE = "overbet lbr blueprint:heads-up --hands 20000 --bets all"
_MORE = "overbet lbr tag --bets fc --streets turn,river"
_THINKS = "overbet lbr search:heads-up --bets 56 --hands 100 --guess glance"
GLANCE = "glance"  # the word for the agent's own
_Show = Callable[[int, str], None]  # hands done, what matters


def register(app: typer.Typer) -> None:
    """Add the verb."""

    @app.command("lbr", epilog=f"Examples: `{EXAMPLE}`, `{_MORE}`, `{_THINKS}`")
    def lbr(
        agent: str = typer.Argument(..., help="tag, lag, equity:0.6, blueprint:heads-up, ..."),
        hands: int = typer.Option(
            20_000, "--hands", "-n", min=2, max=MOST, help="Hands, half of them in each seat."
        ),
        bets: str = typer.Option(
            "fcpa",
            "--bets",
            "-b",
            help="fc: fold, call; fcpa: and pot, all in; 56: and 55 sizes; all: each of these on all streets "
            "and on turn and river, and the one that wins most again on fresh deals.",
        ),
        streets: str = typer.Option(
            "all", "--streets", help="Where it responds, such as turn,river; elsewhere it checks and calls."
        ),
        stack: float = typer.Option(
            0.0, "--stack", min=0.0, max=MOST_BLINDS, help="Both stacks in big blinds (100)."
        ),
        guess: str = typer.Option(
            "",
            "--guess",
            help="For an agent that thinks long: a quicker one that judges bets which are only considered, "
            "or 'glance' for one rough search with all of them.",
        ),
        asked: int = typer.Option(8, "--asked", min=2, max=56, help="At how many sizes --guess is asked."),
        seed: int = typer.Option(1, "--seed", min=0, max=MOST_SEED, help="Names the deals."),
        workers: int = typer.Option(0, "--workers", "-w", min=0, help="Threads; 0 is all cores."),
        cluster: str | None = CLUSTER,
        as_json: bool = typer.Option(False, "--json", help="Print JSON."),
        note: bool = typer.Option(True, "--ledger/--no-ledger", help="Note the result in the ledger."),
    ) -> None:
        """Measure how much a simple opponent who knows the strategy wins: a lower bound on exploitability.

        Ctrl-C ends it and shows what was played.
        """
        import json

        from overbet.agents.registry import make_agent
        from overbet.errors import ConfigError, unknown
        from overbet.evaluation.lbr import BETS, run_lbr
        from overbet.evaluation.lbr_agents import Guess
        from overbet.evaluation.lbr_family import FAMILY, run_lbr_family
        from overbet.games.holdem_state import STREETS
        from overbet.interfaces.cli.noting import note_lbr, note_lbr_family
        from overbet.interfaces.cli.outputs import Outputs

        if bets not in (*BETS, "all"):
            raise ConfigError(unknown("choice of bets", bets, (*BETS, "all")))
        if bets == "all" and streets != "all":
            raise ConfigError("--bets all has its own streets (all, and turn and river): leave --streets out")
        if bets == "all" and guess:
            raise ConfigError("--guess is for one choice of bets: name it with --bets")
        outputs = Outputs()
        subject = make_agent(agent)
        game = _table(subject, stack)
        if bets == "all":
            with on_cluster(cluster) as nodes, _showing(hands * (len(FAMILY) + 1)) as show:
                family = run_lbr_family(
                    subject,
                    game,
                    hands,
                    seed,
                    workers,
                    lambda pace: show(pace.hands, str(pace)),
                    cluster=nodes,
                    specs=(agent, guess),
                )
            numbers = (
                (outputs.note(lambda: note_lbr_family(family, subject, agent, game)) or []) if note else []
            )
            if as_json:
                typer.echo(json.dumps(_family_facts(family, agent, numbers)))
            else:
                _print_family(family, agent, numbers)
            outputs.end()
            return
        where = STREETS if streets == "all" else tuple(streets.split(","))
        with on_cluster(cluster) as nodes, _showing(hands) as show:
            result = run_lbr(
                subject,
                game,
                hands,
                bets,
                where,
                seed,
                workers,
                lambda done, so_far: show(done, f"{so_far} mbb/hand"),
                Guess(None if guess == GLANCE else make_agent(guess), asked) if guess else None,
                nodes,
                (agent, guess),
            )
        number = (outputs.note(lambda: note_lbr(result, subject, agent, game)) or 0) if note else 0
        if as_json:
            typer.echo(json.dumps({"agent": agent, **_facts(result, number)}))
        else:
            _print_one(result, agent, number)
        outputs.end()


def _table(subject: Agent, stack: float) -> HoldemGame:
    """Return the agent's own table, or one of `stack` big blinds."""
    from overbet.agents.protocol import own_table
    from overbet.games.holdem import HoldemGame

    own = own_table(subject)
    if own is not None and not stack:
        return own
    return HoldemGame(stacks=round(100 * (stack or 100.0)))


@contextmanager
def _showing(hands: int) -> Iterator[_Show]:
    """Show a bar with the interval shrinking."""
    from overbet.interfaces.cli.progress import shown

    with shown("lbr", WAITING, hands, number="percent") as show:
        yield lambda done, facts: show(done, hands, facts=facts)


def _facts(result: LbrResult, number: int) -> dict[str, Any]:
    return {
        "bets": result.bets,
        "streets": result.streets,
        "hands": result.hands,
        "seed": result.seed,
        "mbb_per_hand": result.aivat.mean,
        "half": result.aivat.half,
        "raw_mbb_per_hand": result.raw.mean,
        "raw_half": result.raw.half,
        "sd_reduction": result.sd_reduction,
        "stopped": result.stopped,
        "ledger": number or None,
    }


def _family_facts(found: LbrFamily, agent: str, numbers: list[int]) -> dict[str, Any]:
    """Return the family as plain values; `measured` is what `write_measured` puts into a manifest."""
    noted = numbers or [0] * len(found.results)
    every = [_facts(result, number) for result, number in zip(found.results, noted)]
    return {
        "agent": agent,
        "members": every[: len(found.members)],
        "chosen": found.chosen.responder.in_words,
        "largest": None if found.largest is None else every[-1],
        "stopped": found.stopped,
        "measured": found.facts(),
    }


def _print_one(result: LbrResult, agent: str, number: int) -> None:
    stopped = ", stopped early" if result.stopped else ""
    typer.echo(
        f"the local best response ({result.settings}) wins {result.aivat} mbb/hand "
        f"({result.aivat.bb100} bb/100) from {agent} in {result.hands:,} hands{stopped}"
    )
    typer.echo(
        f"with the luck of the cards: {result.raw} mbb/hand; AIVAT takes {result.sd_reduction:.0%} off the "
        "deviation"
    )
    if number:
        typer.echo(f"measurement {number} in the ledger")


def _print_family(found: LbrFamily, agent: str, numbers: list[int]) -> None:
    first = found.members[0]
    stopped = ", stopped early" if first.stopped else ""
    typer.echo(
        f"what the local best response wins from {agent}, mbb/hand, "
        f"{first.hands:,} hands each (seed {first.seed}){stopped}"
    )
    lines = [("responder", "wins", "in bb/100", "with the luck of the cards")]
    lines += [
        (member.responder.in_words, str(member.aivat), member.aivat.bb100, str(member.raw))
        for member in found.members
    ]
    widths = [max(len(line[column]) for line in lines) for column in range(4)]
    for words, *figures in lines:
        cells = [f"{cell:>{width}}" for cell, width in zip(figures, widths[1:])]
        typer.echo("  ".join([f"  {words:<{widths[0]}}", *cells]))
    chosen = found.chosen.responder.in_words
    if found.largest is None:
        typer.echo(
            f"the largest so far: {chosen}; it was not measured again on fresh deals, and the largest of "
            "noisy figures is too large on average"
        )
    else:
        largest = found.largest
        typer.echo(
            f"the largest: {chosen}, wins {largest.aivat} mbb/hand ({largest.aivat.bb100} bb/100) in "
            f"{largest.hands:,} hands of fresh deals "
            f"(seed {largest.seed}{', stopped early' if largest.stopped else ''}), which had no part in "
            "choosing it"
        )
    if numbers:
        typer.echo(f"measurements {numbers[0]} to {numbers[-1]} in the ledger")
