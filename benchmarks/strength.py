"""How strong an agent that searches is: local best responses against it, and its matches, in many processes.

    python benchmarks/strength.py lbr --bets 56 --streets turn,river --seconds 480 --workers 16
    python benchmarks/strength.py match --agents search:heads-up blueprint:heads-up --seconds 480 --workers 16

A search is asked by one thread of one process, so every process plays deals of its own (seed, seed + 1, ...)
until the time is up. What is printed is the mean over all deals by AIVAT with its 95 % interval, and as the
cards fell; deals that were not finished in time do not count. A deal that takes long is more likely to be
cut off: with many deals a process that matters little, and the share is printed.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import time
from typing import Any

import numpy as np

from overbet.agents.registry import make_agent
from overbet.evaluation.lbr import run_lbr
from overbet.evaluation.lbr_agents import Guess
from overbet.evaluation.matches import play_match
from overbet.evaluation.statistics import Moments
from overbet.games.holdem import HoldemGame
from versions import vectors

_BATCH = 2  # hands of a step: one deal in each seat
_Rows = list[tuple[float, float]]  # of each deal: as the cards fell, by AIVAT


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("what", choices=("lbr", "match"))
    parser.add_argument("--agent", default="search:heads-up,threads=1,cache=false", help="of lbr")
    parser.add_argument("--guess", default="", help="of lbr: agent that judges bets only considered")
    parser.add_argument("--asked", type=int, default=8, help="of lbr: at how many sizes it is asked")
    parser.add_argument("--bets", default="fcpa")
    parser.add_argument("--streets", default="turn,river")
    parser.add_argument(
        "--agents", nargs="+", default=["search:heads-up,threads=1,cache=false", "blueprint:heads-up"]
    )
    parser.add_argument("--seconds", type=float, default=300.0)
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--seed", type=int, default=500)
    options = parser.parse_args()
    end = time.time() + options.seconds
    context = multiprocessing.get_context("spawn")
    queue = context.Queue()
    workers = [
        context.Process(target=_work, args=(vars(options), rank, end, queue), daemon=True)
        for rank in range(options.workers)
    ]
    for worker in workers:
        worker.start()
    rows: _Rows = []
    cut = 0
    for _ in workers:
        found, unfinished = queue.get()
        rows += found
        cut += unfinished
    values = np.array(rows).reshape(-1, 2)
    title = (
        f"local best response, {options.bets} on {options.streets}, against {options.agent}"
        f"{_guessed(options)}"
        if options.what == "lbr"
        else " against ".join(options.agents)
    )
    raw, aivat = (Moments.of(values[:, k]).estimate() for k in range(2))
    print(
        f"{vectors()}\n{title}: {aivat} mbb/hand by AIVAT over {_BATCH * len(values):,} hands "
        f"(as the cards fell {raw}); {cut} deals were cut off; seeds {options.seed} to "
        f"{options.seed + options.workers - 1}"
    )


def _guessed(options: argparse.Namespace) -> str:
    return f" (considered bets judged by {options.guess} at {options.asked} sizes)" if options.guess else ""


def _work(options: dict[str, Any], rank: int, end: float, queue: Any) -> None:
    """Play deals until the time is up; the deal under way then does not count."""
    rows: _Rows = []
    names = [options["agent"]] if options["what"] == "lbr" else options["agents"]
    agents = [make_agent(name) for name in names]
    options["guess"] = Guess(make_agent(options["guess"]), options["asked"]) if options["guess"] else None
    seed = options["seed"] * 1_000_000 + rank * 10_000
    cut = 0
    while time.time() < end:
        seed += 1
        found = _lbr(agents[0], options, seed) if options["what"] == "lbr" else _match(agents, seed)
        if time.time() > end:
            cut = 1
        else:
            rows.append(found)
    queue.put((rows, cut))


def _lbr(agent: Any, options: dict[str, Any], seed: int) -> tuple[float, float]:
    streets, guess = options["streets"].split(","), options["guess"]
    found = run_lbr(agent, agent.own_table, _BATCH, options["bets"], streets, seed, workers=1, guess=guess)
    return found.raw.mean, found.aivat.mean


def _match(agents: list[Any], seed: int) -> tuple[float, float]:
    from overbet.evaluation.aivat import match_estimator

    game: HoldemGame = agents[0].own_table
    estimator = match_estimator(agents, game)
    found = play_match(agents, game, len(agents), seed=seed, workers=1, estimators=[estimator])
    return found.mbb().mean, found.mbb(0, estimator.name).mean


if __name__ == "__main__":
    main()
