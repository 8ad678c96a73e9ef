"""Random public states with odd stacks, antes and bets: is the answer of search legal, and in time?

    python benchmarks/search_states.py --players 2 3 --states 10000 --workers 16 --seconds 0.5

Hands of two and of three players with stacks from 1 to 1,000 big blinds, each drawn on a logarithmic scale,
and sometimes antes; one agent plays all seats, other actions are drawn at random: mostly checks and calls,
bets of any size, folds at tables of three. Every decision that is searched counts: whether the action is
legal, whether search answered or the blueprint in its place, how long it took. Every process uses one thread.
In eleven hands of twelve a search has few iterations; in the twelfth as many as at the table, and the budget
ends it. A decision may take twice the budget; states that took longer are printed.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from overbet.agents.protocol import Observation
from overbet.agents.registry import make_agent
from overbet.agents.searcher import SearchAgent
from overbet.games.holdem import HoldemGame
from overbet.games.holdem_state import HoldemState
from versions import vectors

AGENTS = {
    2: "search:heads-up,device=cpu,cache=false,threads=1,streets=[flop,turn,river]",
    3: "search:expresso,device=cpu,cache=false,threads=1,streets=[flop,turn,river]",
}
QUICK = {  # of most hands; in the others the clock alone ends a search before its standard end
    2: ",flop.iterations=6,turn.iterations=6",
    3: ",flop.iterations=6,turn.iterations=6,table.flop.iterations=100,table.turn.iterations=100,"
    "table.river.iterations=200",
}
_WHOLE = 12  # every which hand has the standard iterations
UNCOUNTED = 60  # decisions of a process whose time does not count: they load kernels
_CHUNK = 25  # hands of a task


class Asked(NamedTuple):
    """One decision. fault: what went wrong, empty where all is well; timed: whether the time counts."""

    players: int
    street: str
    seconds: float
    timed: bool
    fault: str
    state: str


def tables(players: int, seed: int) -> HoldemGame:
    """Return a table with odd stacks and antes."""
    rng = np.random.default_rng([players, seed])
    least, most, ante = (120, 100_000, (0, 0, 7, 25)) if players == 2 else (25, 20_000, (0, 0, 3, 7))
    stacks = [int(chips) for chips in np.exp(rng.uniform(np.log(least), np.log(most), players))]
    blinds = (50, 100) if players == 2 else (10, 20)
    return HoldemGame(players, stacks, blinds, ante=int(rng.choice(ante)))


def moved(now: HoldemState, rng: np.random.Generator) -> HoldemState:
    """Return a state after a random action: often a check or call, else a bet of any size, or a fold."""
    legal, odd = now.legal_actions(), 0
    if legal.raise_max is not None and legal.raise_min is not None:
        odd = int(rng.integers(legal.raise_min, legal.raise_max + 1))
    small = max(min(odd, int(now.pot * rng.uniform(0.1, 2.0))), legal.raise_min or 0) if odd else 0
    folds = [-1] if legal.fold and now.num_players > 2 else []
    return now.apply(int(rng.choice([0, 0, 0, odd, small, *folds])))


def asked(agent: SearchAgent, players: int, hand: int) -> Iterator[Asked]:
    """Play one hand and yield its searched decisions."""
    rng = np.random.default_rng([players, hand, 1])
    now = tables(players, hand).deal(17, hand)
    while not now.is_terminal():
        if agent.searcher.covers(now):
            begun, fault = time.perf_counter(), ""
            try:
                action = agent.act(Observation.of(now, 17, hand))
                fault = "" if action in now.legal_actions() else f"{action} is not legal"
                fault = fault or agent.fault
            except Exception as error:  # whatever happens is counted
                fault = f"{type(error).__name__}: {error}"
            seconds = time.perf_counter() - begun
            yield Asked(players, now.street, seconds, True, fault, f"{now.game} {now.line}")
        now = moved(now, rng)


_agents: dict[tuple[int, bool], SearchAgent] = {}
_before = {2: 0, 3: 0}


def begin(players: list[int], seconds: float) -> None:
    """Make the agents of a process."""
    for count in players:
        for quick in (True, False):
            agent = make_agent(f"{AGENTS[count]},seconds={seconds}{QUICK[count] if quick else ''}")
            assert isinstance(agent, SearchAgent)
            _agents[count, quick] = agent


def chunk(task: tuple[int, int]) -> list[Asked]:
    """Play some hands."""
    players, first = task
    found = [
        one
        for hand in range(first, first + _CHUNK)
        for one in asked(_agents[players, hand % _WHOLE > 0], players, hand)
    ]
    loading = max(0, UNCOUNTED - _before[players])
    _before[players] += len(found)
    return [one._replace(timed=place >= loading) for place, one in enumerate(found)]


def main() -> None:
    """Play and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--players", type=int, nargs="+", default=[2, 3], choices=[2, 3])
    parser.add_argument("--states", type=int, default=10_000, help="of each number of players")
    parser.add_argument("--seconds", type=float, default=0.5, help="budget of a decision")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--first", type=int, default=0, help="number of the first hand")
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    begun, results = time.time(), list[dict[str, Any]]()
    context = multiprocessing.get_context("spawn")
    with context.Pool(1, begin, (given.players, given.seconds)) as pool:  # compiles for all
        pool.map(chunk, [(players, 1 << 20) for players in given.players])
    print(f"{vectors()}; kernels after {time.time() - begun:.0f} s")
    with context.Pool(given.workers, begin, (given.players, given.seconds)) as pool:
        for players in given.players:
            found, clock, first = list[Asked](), time.time(), given.first
            while len(found) < given.states:  # rounds of as many hands as are likely missing
                each = max(len(found) / max(first - given.first, 1), 2.0)
                count = max(int((given.states - len(found)) / each / _CHUNK) + 1, given.workers)
                count = min(count, 4 * given.workers)  # what is known so far is printed after every round
                tasks = [(players, first + k * _CHUNK) for k in range(count)]
                first += count * _CHUNK
                for part in pool.imap_unordered(chunk, tasks):
                    found.extend(part)
                facts = told(found, players, given.seconds, time.time() - clock)
                if given.json:
                    given.json.write_text(json.dumps([*results, facts]))
            results.append(facts)


def told(found: list[Asked], players: int, budget: float, took: float) -> dict[str, Any]:
    """Print and return what came of it."""
    timed = [one for one in found if one.timed]
    late, faults = [one for one in timed if one.seconds > 2 * budget], [one for one in found if one.fault]
    print(
        f"{players} players: {len(found):,} decisions searched in {took:.0f} s; {len(faults)} faults; "
        f"{len(late)} of {len(timed):,} over twice the budget of {budget} s",
        flush=True,
    )
    streets = {}
    for street in ("flop", "turn", "river"):
        times = np.array([one.seconds for one in timed if one.street == street])
        if len(times):
            streets[street] = [len(times), *(float(np.quantile(times, q)) for q in (0.5, 0.9, 0.99, 1.0))]
            count, *times = streets[street]
            shown = ", ".join(f"{seconds:.3f}" for seconds in times)
            print(f"  {street}: {count:,}; median, slowest tenth, hundredth and all: {shown} s")
    for one in [*faults, *late][:20]:
        print(f"  {one.seconds:.3f} s {one.fault or 'late'}: {one.state}", flush=True)
    facts = {"players": players, "budget": budget, "decisions": len(found), "faults": len(faults)}
    return {**facts, "late": len(late), "timed": len(timed), "streets": streets, "seconds": took}


if __name__ == "__main__":
    main()
