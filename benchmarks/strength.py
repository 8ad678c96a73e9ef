"""How strong an agent that searches is: local best responses against it, and its matches, in many processes.

    python benchmarks/strength.py lbr --members 56:turn,river --seconds 480 --workers 16
    python benchmarks/strength.py lbr --members fc:all fcpa:all 56:all --guess glance --json found.json
    python benchmarks/strength.py match --agents search:heads-up blueprint:heads-up --seconds 480 --workers 16

A search is asked by one thread of one process, so every process plays deals of its own (seed, seed + 1, ...)
until the time is up. Several responders (bets:streets) play every deal one after the other: where they have
done the same, one search serves all. What is printed is the mean over all deals by AIVAT with its 95 %
interval, and as the cards fell; deals that were not finished in time do not count. A deal that takes long is
more likely to be cut off: with many deals a process that matters little, and the share is printed. Kernels
are compiled, and what a search before the flop keeps is worked out, before the clock starts.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import time
from pathlib import Path
from typing import Any

import numpy as np

from overbet.agents.protocol import PublicState
from overbet.agents.registry import make_agent
from overbet.evaluation.lbr import run_lbr
from overbet.evaluation.lbr_agents import Guess
from overbet.evaluation.matches import play_match
from overbet.evaluation.statistics import Moments
from overbet.games.holdem import HoldemGame
from overbet.games.holdem_state import STREETS
from versions import vectors

_BATCH = 2  # hands of a step: one deal in each seat
_AGENT = "search:heads-up,threads=1,cache=false"
_ODD = ("b230", "b310", "b450", "b900", "b1500", "c:b330", "c:b700", "b250:b620", "b250:b900", "b250:b1600")
_Rows = list[list[tuple[float, float]]]  # of each member, of each deal: as the cards fell, by AIVAT


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("what", choices=("lbr", "match"))
    parser.add_argument("--agent", default=_AGENT, help="of lbr")
    parser.add_argument("--guess", default="", help="of lbr: glance, or an agent that judges bets considered")
    parser.add_argument("--asked", type=int, default=8, help="of lbr: at how many sizes")
    parser.add_argument("--members", nargs="+", default=["fcpa:turn,river"], help="of lbr: bets:streets")
    parser.add_argument("--agents", nargs="+", default=[_AGENT, "blueprint:heads-up"])
    parser.add_argument("--seconds", type=float, default=300.0)
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--seed", type=int, default=500)
    parser.add_argument("--json", type=Path, help="where the result is written too")
    options = parser.parse_args()
    begun = time.time()
    context = multiprocessing.get_context("spawn")
    _warm(options, context)
    warmed = time.time() - begun
    end = time.time() + options.seconds
    queue = context.Queue()
    workers = [
        context.Process(target=_work, args=(vars(options), rank, end, queue), daemon=True)
        for rank in range(options.workers)
    ]
    for worker in workers:
        worker.start()
    names = options.members if options.what == "lbr" else [" against ".join(options.agents)]
    rows: _Rows = [[] for _ in names]
    cut, reports, written = 0, list[str](), time.time()
    while len(reports) < options.workers:
        place, found = queue.get()
        if place < 0:
            cut += 1
            reports.append(found)
        else:
            rows[place].append(found)
        if time.time() - written > 20.0 and options.json:
            written = time.time()
            options.json.write_text(json.dumps(_result(options, names, rows, cut)))
    result = _result(options, names, rows, cut)
    print(f"{vectors()}\n{options.agent if options.what == 'lbr' else ''}")
    for fact in result["found"]:
        name, hands = fact["name"], fact["hands"]
        title = f"local best response, {name}{_guessed(options)}" if options.what == "lbr" else name
        print(
            f"{title}: {fact['mean']:+.1f} ± {fact['half']:.1f} mbb/hand by AIVAT over {hands:,} hands "
            f"(as the cards fell {fact['raw']:+.1f} ± {fact['raw_half']:.1f})"
        )
    print(
        f"{cut} deals were cut off; seeds {options.seed} to {options.seed + options.workers - 1}; "
        f"{warmed:.0f} s before the clock started; {reports[0]}"
    )
    if options.json:
        options.json.write_text(json.dumps(result))


def _result(options: argparse.Namespace, names: list[str], rows: _Rows, cut: int) -> dict[str, Any]:
    given = {key: value for key, value in vars(options).items() if key != "json"}
    result: dict[str, Any] = {"options": given, "cut": cut, "found": []}
    for name, member in zip(names, rows):
        values = np.array(member).reshape(-1, 2)
        if len(values) < 2:
            continue
        raw, aivat = (Moments.of(values[:, k]).estimate() for k in range(2))
        fact = {"name": name, "hands": _BATCH * len(values), "mean": aivat.mean, "half": aivat.half}
        result["found"].append({**fact, "raw": raw.mean, "raw_half": raw.half})
    return result


def _guessed(options: argparse.Namespace) -> str:
    by = options.guess
    return f" (considered bets judged by {by} at {options.asked} sizes)" if by else ""


def _warm(options: argparse.Namespace, context: Any) -> None:
    """Have kernels compiled by one process, and then what the searches before the flop keep by all."""
    for lines in ([""], _ODD if "preflop.search=true" in options.agent else []):
        with context.Pool(min(options.workers, max(len(lines), 1))) as pool:
            pool.starmap(_warmed, [(vars(options), line) for line in lines], chunksize=1)


def _warmed(options: dict[str, Any], line: str) -> None:
    agent = make_agent(options["agent"] if options["what"] == "lbr" else options["agents"][0])
    if not line:
        _work({**options, "seed": 7}, 0, time.time(), None)
        for street in ("Td9d6h", "Td9d6h:c:c:2c", "Td9d6h:c:c:2c:c:c:As"):
            state = agent.own_table.initial_state().with_cards([None, None]).follow(f"b250:c:{street}")
            agent.answers_to_bets(PublicState.of(state, 1, 1), [250, 9750])
            agent.strategy_for_all_hands(PublicState.of(state, 1, 1))
        return
    state = agent.own_table.initial_state().with_cards([None, None]).follow(line)
    agent.strategy_for_all_hands(PublicState.of(state, 1, 1))
    agent.searcher.cache.close()


def _work(options: dict[str, Any], rank: int, end: float, queue: Any) -> None:
    """Play deals until the time is up; the deal under way then does not count."""
    lbr = options["what"] == "lbr"
    agents = [make_agent(name) for name in ([options["agent"]] if lbr else options["agents"])]
    guess = None
    if options["guess"]:
        by = options["guess"]
        guess = Guess(None if by == "glance" else make_agent(by), options["asked"])
    members = options["members"] if lbr else [""]
    seed = options["seed"] * 1_000_000 + rank * 10_000
    while True:
        seed += 1
        for place, member in enumerate(members):
            found = _lbr(agents[0], member, guess, seed) if lbr else _match(agents, seed)
            if time.time() > end:
                if queue is not None:
                    queue.put((-1, getattr(agents[0], "report", "")))
                return
            if queue is not None:
                queue.put((place, found))


def _lbr(agent: Any, member: str, guess: Guess | None, seed: int) -> tuple[float, float]:
    bets, where = member.split(":")
    streets = STREETS if where == "all" else tuple(where.split(","))
    found = run_lbr(agent, agent.own_table, _BATCH, bets, streets, seed, workers=1, guess=guess)
    return found.raw.mean, found.aivat.mean


def _match(agents: list[Any], seed: int) -> tuple[float, float]:
    from overbet.evaluation.aivat import match_estimator

    game: HoldemGame = agents[0].own_table
    estimator = match_estimator(agents, game)
    found = play_match(agents, game, len(agents), seed=seed, workers=1, estimators=[estimator])
    return found.mbb().mean, found.mbb(0, estimator.name).mean


if __name__ == "__main__":
    main()
