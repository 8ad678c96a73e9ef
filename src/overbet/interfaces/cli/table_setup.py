"""What `match`, `tournament` and `play` share: a table from options, and AIVAT where it can be had."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import isfinite
from typing import TYPE_CHECKING

import typer

from overbet.errors import ConfigError, OverbetError, quoted, short

if TYPE_CHECKING:
    from overbet.agents.protocol import Agent
    from overbet.evaluation.match_blocks import Estimator
    from overbet.games.holdem import HoldemGame

MOST = 10**12  # hands and the like: more would not end in a lifetime
MOST_CHIPS = 2**31 - 1  # what is written down for a hand has room for no more
MOST_BLINDS = 10_000_000.0
MOST_SEED = 2**63 - 1
MOST_THREADS = 4096

SEATS = typer.Option(None, "--seats", min=2, max=10, help="Seats at the table; agents fill them in turn.")
STACKS = typer.Option(
    "", "--stacks", help="Chips of each seat (10000, or 10000,5000), or big blinds (100bb)."
)
BLINDS = typer.Option("", "--blinds", help="Small and big blind in chips, such as 50,100.")
ANTE = typer.Option(None, "--ante", min=0, max=MOST_CHIPS, help="Chips everybody antes.")
SEED = typer.Option(0, "--seed", min=0, max=MOST_SEED, help="Names the deals and all random choices.")
WORKERS = typer.Option(
    0, "--workers", "-w", min=0, max=MOST_THREADS, help="Threads; 0 is all cores. The result is the same."
)
ON_ERROR = typer.Option("stop", "--on-error", help="After an agent's fault: stop, or fold for it.")
TIME_LIMIT = typer.Option(None, "--time-limit", min=0.0, help="Seconds an agent has for an action.")
AIVAT = typer.Option(
    None, "--aivat/--no-aivat", help="Estimate by AIVAT too (where agents can say how they play)."
)
LEDGER = typer.Option(True, "--ledger/--no-ledger", help="Write the result into the ledger.")
AS_JSON = typer.Option(False, "--json", help="Print the result as JSON.")
WAITING = "compiling (once on a machine) or loading"  # what a bar says before the first hands


def table_of(
    agents: Sequence[Agent], seats: int | None, stacks: str, blinds: str, ante: int | None
) -> HoldemGame:
    """Return the table of the options; what is not given is the first agent's own, or 100 big blinds each."""
    from overbet.agents.protocol import own_table
    from overbet.games.holdem import HoldemGame

    own = next((table for table in map(own_table, agents) if table is not None), None)
    fits = own is not None and seats in (None, own.num_players) and len(agents) <= own.num_players
    if own is not None and fits and not stacks and not blinds and ante is None:
        little = min(own.start) < own.big_blind + max(own.antes)
        return own if little else replace(own, full_blind=False)  # no difference, and PHH can write it
    number = seats or max(len(agents), 2)
    posted = chips_of("blinds", blinds) if blinds else list(own.blinds) if own is not None else [50, 100]
    if len(posted) < 2:
        raise ConfigError(f"--blinds {short(blinds)}: write small and big blind, such as 50,100")
    if stacks:
        held = _stacks(stacks, posted[1])
        chips: int | list[int] = held[0] if len(held) == 1 else held
    else:
        chips = 100 * posted[1]
    return HoldemGame(number, chips, posted, ante or 0)


def chips_of(name: str, text: str) -> list[int]:
    try:
        return [_checked(int(part), name, text) for part in text.split(",")]
    except ValueError:
        raise ConfigError(f"--{name} {short(text)}: write whole chips with commas, such as 50,100") from None


def _checked(chips: int, name: str, text: str) -> int:
    if not 0 <= chips <= MOST_CHIPS:
        raise ConfigError(f"--{name} {short(text)}: chips are from 0 to {MOST_CHIPS:,}")
    return chips


def _stacks(text: str, big_blind: int) -> list[int]:
    """Return the chips of `10000,5000` or of `100bb,50bb`."""
    found = []
    for part in text.split(","):
        blinds = part.strip().lower().removesuffix("bb")
        in_blinds = blinds != part.strip().lower()
        try:
            chips = float(blinds) * (big_blind if in_blinds else 1)
        except ValueError:
            raise ConfigError(
                f"--stacks {short(text)}: {quoted(part)} is neither chips (10000) nor big blinds (100bb)"
            ) from None
        if not isfinite(chips) or chips != int(chips):
            raise ConfigError(f"--stacks {short(text)}: {quoted(part)} is not a whole number of chips")
        found.append(_checked(int(chips), "stacks", text))
    return found


def compile_early(aivat: bool | None) -> None:
    """Have what takes longest to compile begun first, where AIVAT is not left out."""
    if aivat is not False:
        from overbet.evaluation.aivat_call import compile_early as begin

        begin()


def estimators_for(agents: Sequence[Agent], game: HoldemGame, wanted: bool | None) -> list[Estimator]:
    """Return AIVAT where it is wanted, or where nothing is said and it can be had."""
    if wanted is False:
        return []
    from overbet.evaluation.aivat import match_estimator

    try:
        return [match_estimator(agents, game)]
    except OverbetError:
        if wanted:
            raise
        return []


def describe_table(game: HoldemGame) -> str:
    """Return the table in one line: players, stacks and blinds."""
    unit = game.big_blind
    depth = "/".join(f"{stack / unit:g}" for stack in dict.fromkeys(game.start))
    ante = f", ante {max(game.antes)}" if any(game.antes) else ""
    return f"{game.num_players} seats, {depth} bb, blinds {'/'.join(map(str, game.blinds))}{ante}"
