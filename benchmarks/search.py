"""How long search takes from observation to action, by street, beside the time it may take.

    python benchmarks/search.py --states 40

Hands between `lag` and `always-call` with odd bets give the states; every state is asked with an empty cache,
trees and all hands included, and once more from the cache on disk. The table has the median and the slowest
tenth, how good the answers are, and the limits that search is built for (river 0.1 s to 1 % of the pot, turn
0.5 s to 2 %, flop 2.5 s, an answer from the cache 0.02 s).
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
from versions import vectors

LIMITS = {"flop": 2.5, "turn": 0.5, "river": 0.1}


def states(agent: SearchAgent, count: int, seed: int) -> dict[str, list[HoldemState]]:
    """Return decisions on each street, after bets of any size."""
    rng = np.random.default_rng(seed)
    found: dict[str, list[HoldemState]] = defaultdict(list)
    hand = 0
    while any(len(found[street]) < count for street in LIMITS):
        hand += 1
        now = agent.own_table.deal(seed, hand)
        while not now.is_terminal():
            legal = now.legal_actions()
            if now.street in LIMITS and len(found[now.street]) < count:
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
    options.add_argument("--agent", default="search:heads-up,streets=[flop,turn,river]")
    chosen = options.parse_args()
    agent = make_agent(chosen.agent)
    assert isinstance(agent, SearchAgent)
    print(vectors())
    asked = states(agent, chosen.states, chosen.seed)
    baseline = agent.baseline()
    with tempfile.TemporaryDirectory() as folder:
        for street, limit in LIMITS.items():
            times, recalled, shares = [], [], []
            for state in asked[street]:
                with SearchCache(folder) as cache:
                    searcher = Searcher(agent.searcher.settings, cache)
                    ranges = searcher.ranges(state, baseline)  # earlier streets have been searched by then
                    begun = time.perf_counter()
                    answer = searcher.answer(state, baseline)
                    times.append(time.perf_counter() - begun)
                assert ranges.shape == (2, 1326)
                if answer.search.cost.exploitability is not None:
                    shares.append(answer.search.cost.exploitability)
                with SearchCache(folder) as cache:
                    again = Searcher(agent.searcher.settings, cache)
                    again.ranges(state, baseline)
                    begun = time.perf_counter()
                    again.answer(state, baseline)
                    recalled.append(time.perf_counter() - begun)
            judged = (
                f"{np.median(shares):.2f} % of the pot (worst {max(shares):.2f})" if shares else "not judged"
            )
            print(
                f"{street:6} median {np.median(times):6.3f} s, "
                f"slowest tenth {np.quantile(times, 0.9):6.3f} s, "
                f"limit {limit} s ({np.median(times) / limit:.2f} of it); {judged}; "
                f"from the cache {1000 * np.median(recalled):.1f} ms"
            )


if __name__ == "__main__":
    main()
