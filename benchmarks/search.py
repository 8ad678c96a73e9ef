"""How long search takes from observation to action, by street, beside the time it may take.

    python benchmarks/search.py --states 40
    python benchmarks/search.py --states 20 --devices cpu cuda      # the same states on both, in one run

Hands between `lag` and `always-call` with odd bets give the states; every state is asked with an empty cache,
trees and all hands included, and once more from the cache on disk. The table has the median and the slowest
tenth, how good the answers are, and the limits that search is built for (river 0.1 s to 1 % of the pot, turn
0.5 s to 2 %, flop 2.5 s, an answer from the cache 0.02 s; on a GPU 0.03, 0.1 and 0.4 s). The first two states
of each street and device only load kernels, and do not count. A flop is solved with boards drawn anew on a
CPU, with all boards on a GPU.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections import defaultdict

import numpy as np

from overbet.agents.protocol import PublicState
from overbet.agents.registry import make_agent
from overbet.agents.searcher import SearchAgent
from overbet.games.holdem_state import HoldemState
from overbet.search.cache import SearchCache
from overbet.search.searcher import Searcher
from overbet.search.settings import SearchSettings
from versions import vectors

LIMITS = {
    "cpu": {"flop": 2.5, "turn": 0.5, "river": 0.1},
    "cuda": {"flop": 0.4, "turn": 0.1, "river": 0.03},
}
UNCOUNTED = 2


def states(agent: SearchAgent, count: int, seed: int) -> dict[str, list[HoldemState]]:
    """Return decisions on each street that is searched, after bets of any size."""
    streets = agent.searcher.settings.streets
    rng = np.random.default_rng(seed)
    found: dict[str, list[HoldemState]] = defaultdict(list)
    hand = 0
    while any(len(found[street]) < count for street in streets):
        hand += 1
        now = agent.own_table.deal(seed, hand)
        while not now.is_terminal():
            legal = now.legal_actions()
            if now.street in streets and len(found[now.street]) < count:
                found[now.street].append(PublicState.of(now).state)
            bet = 0
            if legal.raise_min is not None and legal.raise_max is not None and rng.random() < 0.25:
                bet = int(np.clip(now.pot * rng.uniform(0.2, 1.5), legal.raise_min, legal.raise_max))
            now = now.apply(bet)
    return found


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    options.add_argument("--states", type=int, default=40, help="states of each street")
    options.add_argument("--seed", type=int, default=11)
    options.add_argument("--devices", nargs="+", default=["cpu"], choices=["auto", "cpu", "cuda"])
    options.add_argument("--agent", default="search:heads-up,streets=[flop,turn,river]")
    chosen = options.parse_args()
    agent = make_agent(chosen.agent)
    assert isinstance(agent, SearchAgent)
    print(vectors())
    asked = states(agent, chosen.states + UNCOUNTED, chosen.seed)
    for device in chosen.devices:
        given = agent.searcher.asked.model_copy(update={"device": device})
        limits = LIMITS["cpu" if device == "auto" else device]
        for street in (name for name in limits if name in asked):
            print(
                f"{device:4} {street:6} {measured(agent, given, asked[street], limits[street])}", flush=True
            )


def measured(agent: SearchAgent, given: SearchSettings, asked: list[HoldemState], limit: float) -> str:
    """Return what the searches of some states took."""
    times, recalled, shares, made = list[float](), list[float](), list[float](), list[int]()
    baseline, notes = agent.baseline(), set[str]()
    with tempfile.TemporaryDirectory() as folder:
        for number, state in enumerate(asked):
            with SearchCache(folder) as cache:
                searcher = Searcher(given, cache)
                searcher.ranges(state, baseline)  # earlier streets have been searched by then
                begun = time.perf_counter()
                answer = searcher.answer(state, baseline)
                took = time.perf_counter() - begun
            notes.add(searcher.note)
            with SearchCache(folder) as cache:
                again = Searcher(given, cache)
                again.ranges(state, baseline)
                begun = time.perf_counter()
                again.answer(state, baseline)
                back = time.perf_counter() - begun
            if number < UNCOUNTED:
                continue
            times.append(took)
            recalled.append(back)
            made.append(answer.search.cost.iterations)
            if answer.search.cost.exploitability is not None:
                shares.append(answer.search.cost.exploitability)
    judged = f"{np.median(shares):.2f} % of the pot (worst {max(shares):.2f})" if shares else "not judged"
    return (
        f"median {np.median(times):6.3f} s, slowest tenth {np.quantile(times, 0.9):6.3f} s, "
        f"limit {limit} s ({np.median(times) / limit:.2f} of it); {judged}, {np.mean(made):.0f} iterations; "
        f"from the cache {1000 * np.median(recalled):.1f} ms {' '.join(notes).strip()}"
    ).rstrip()


if __name__ == "__main__":
    main()
