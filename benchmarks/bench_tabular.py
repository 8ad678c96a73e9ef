"""Small games: iterations a second and NashConv against OpenSpiel's C++ solvers, one thread against one.

Both sides are measured in turn and the best of several rounds is kept. The start (laying out Leduc, loading
the compiled kernel, the first iteration) is timed in a fresh process. Run:
.venv/bin/python benchmarks/bench_tabular.py
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

import pyspiel

from overbet.solvers.tabular import TabularSolver

ROUNDS = 7
_START = """
import time
from overbet.games.registry import make_game
from overbet.solvers.tabular import TabularSolver
from overbet.tree.flat import flatten
start = time.perf_counter()
TabularSolver(flatten(make_game("leduc")), "cfr+").run(1)
print(time.perf_counter() - start)
"""


def timed(work: Callable[[], object]) -> float:
    """Return the seconds one call takes."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def iterations(name: str, rule: str, peer: Any, ours_n: int, peer_n: int) -> tuple[float, float]:
    """Return iterations a second, ours and the peer's."""
    solver = TabularSolver(name, rule)

    def their_iterations() -> None:
        for _ in range(peer_n):
            peer.evaluate_and_update_policy()

    ours = theirs = 0.0
    for _ in range(ROUNDS):
        theirs = max(theirs, peer_n / timed(their_iterations))
        ours = max(ours, ours_n / timed(lambda: solver.run(ours_n)))
    return ours, theirs


def nash_conv() -> tuple[float, float]:
    """Return NashConv computations a second on Leduc, of the average strategy after ten iterations."""
    solver = TabularSolver("leduc", "cfr+")
    game = pyspiel.load_game("leduc_poker")
    peer = pyspiel.CFRPlusSolver(game)
    for _ in range(10):
        peer.evaluate_and_update_policy()
    solver.run(10)
    policy = peer.tabular_average_policy()
    assert abs(solver.nash_conv() - pyspiel.nash_conv(game, policy)) < 1e-6  # 10 iterations: both still agree
    ours = theirs = 0.0
    for _ in range(ROUNDS):
        theirs = max(theirs, 1.0 / timed(lambda: pyspiel.nash_conv(game, policy)))
        ours = max(ours, *(1.0 / timed(solver.nash_conv) for _ in range(20)))
    return ours, theirs


def main() -> None:
    """Measure and print both figures, the ratio and the target."""
    leduc, kuhn = pyspiel.load_game("leduc_poker"), pyspiel.load_game("kuhn_poker")
    rows = [
        (
            "Leduc CFR+, iterations/s",
            iterations("leduc", "cfr+", pyspiel.CFRPlusSolver(leduc), 2000, 10),
            100,
        ),
        ("Kuhn CFR, iterations/s", iterations("kuhn", "cfr", pyspiel.CFRSolver(kuhn), 200_000, 2000), 10),
        ("Leduc NashConv, 1/s", nash_conv(), 100),
    ]
    print(f"{'':28}{'overbet':>12}{'OpenSpiel C++':>16}{'ratio':>9}{'target':>9}")
    for name, (ours, theirs), target in rows:
        print(f"{name:28}{ours:>12,.0f}{theirs:>16,.1f}{ours / theirs:>8,.0f}x{target:>8}x")
    command = [sys.executable, "-c", _START]
    start = min(float(subprocess.run(command, capture_output=True, check=True).stdout) for _ in range(3))
    print(f"lay out Leduc and run the first iteration, compilation cached: {start:.2f} s (target 1 s)")


if __name__ == "__main__":
    main()
