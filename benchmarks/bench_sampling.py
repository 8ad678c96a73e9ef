"""Sampling on Leduc: iterations a second and exploitability against OpenSpiel's C++ MCCFR, one thread each.

An iteration is one traversal for each player on both sides. Speeds are taken in turn and the best of several
rounds is kept; exploitability is the median of three seeds at equal iterations. Run:
.venv/bin/python benchmarks/bench_sampling.py
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from typing import Any

import pyspiel

from overbet.games.registry import make_game
from overbet.solvers.sampling import SamplingSolver
from overbet.tree.flat import FlatGame, flatten

ROUNDS = 15
TARGET = {"external": "20x", "outcome": ""}
SEEDS = (1, 2, 3)
EQUAL_ITERATIONS = 100_000
ROWS: list[tuple[str, dict[str, Any], str]] = [
    ("external, baselines", {"method": "external"}, "ExternalSamplingMCCFRSolver"),
    ("external, none", {"method": "external", "baseline": False}, "ExternalSamplingMCCFRSolver"),
    ("outcome, baselines", {"method": "outcome"}, "OutcomeSamplingMCCFRSolver"),
    ("outcome, none", {"method": "outcome", "baseline": False}, "OutcomeSamplingMCCFRSolver"),
]


def timed(work: Callable[[], object]) -> float:
    """Return the seconds of processor time one call takes: both sides use one thread and wait for nothing."""
    start = time.thread_time()
    work()
    return time.thread_time() - start


def speeds(flat: FlatGame, settings: dict[str, Any], peer: Any) -> tuple[float, float]:
    """Return iterations a second, ours and the peer's."""
    solver = SamplingSolver(flat, seed=1, **settings)
    solver.prepare()
    # rounds of about equal length: what else runs on the machine disturbs both alike
    peer_n = 2000
    ours_n = 25 * peer_n

    def their_iterations() -> None:
        for _ in range(peer_n):
            peer.run_iteration()

    ours = theirs = 0.0
    for _ in range(ROUNDS):
        theirs = max(theirs, peer_n / timed(their_iterations))
        ours = max(ours, ours_n / timed(lambda: solver.run(ours_n)))
    return ours, theirs


def our_exploitability(flat: FlatGame, settings: dict[str, Any]) -> float:
    """Return the median over seeds after `EQUAL_ITERATIONS`."""
    found = []
    for seed in SEEDS:
        solver = SamplingSolver(flat, seed=seed, **settings)
        solver.run(EQUAL_ITERATIONS)
        found.append(solver.exploitability())
    return statistics.median(found)


def their_exploitability(game: Any, name: str) -> float:
    """Return the same of the peer."""
    found = []
    for seed in SEEDS:
        solver = getattr(pyspiel, name)(game, seed=seed)
        for _ in range(EQUAL_ITERATIONS):
            solver.run_iteration()
        found.append(pyspiel.exploitability(game, solver.average_policy()))
    return statistics.median(found)


def main() -> None:
    """Measure and print both figures, the ratio and the target."""
    game = pyspiel.load_game("leduc_poker")
    flat = flatten(make_game("leduc"))
    print(f"{'Leduc, iterations/s':24}{'overbet':>12}{'OpenSpiel C++':>16}{'ratio':>8}{'target':>9}")
    for name, settings, peer in ROWS:
        ours, theirs = speeds(flat, settings, getattr(pyspiel, peer)(game, seed=1))
        print(
            f"{name:24}{ours:>12,.0f}{theirs:>16,.0f}{ours / theirs:>7,.0f}x{TARGET[settings['method']]:>9}"
        )
    print(f"\nexploitability after {EQUAL_ITERATIONS:,} iterations, median of {len(SEEDS)} seeds")
    peers = {peer: their_exploitability(game, peer) for _, _, peer in ROWS}
    for name, settings, peer in ROWS:
        print(f"{name:24}{our_exploitability(flat, settings):>12.4f}{peers[peer]:>16.4f}")


if __name__ == "__main__":
    main()
