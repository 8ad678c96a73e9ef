"""Games of OpenSpiel solved here and by OpenSpiel's own C++ solvers, one thread against one, in one run.

Both sides run the same algorithm with alternating updates on the same game and are measured in turn; the best
of several rounds is kept on both sides. Before that the two are compared: after a few iterations the average
strategies have the same NashConv. "laid out" is the time to flatten the game into arrays, which is paid once
(OpenSpiel's solvers lay a game out as information states, also once: "set up" beside it). Run:
.venv/bin/python benchmarks/bench_openspiel.py
"""

from __future__ import annotations

import platform
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyspiel

from overbet.games.registry import make_game
from overbet.solvers.tabular import TabularSolver
from overbet.tree.flat import FlatGame, flatten

ROUNDS = 3
CHECKED = 3  # iterations after which both must be equally exploitable
TARGET = 50
GAMES = (
    ("tiny_bridge_2p", "cfr"),
    ("goofspiel(num_cards=5,points_order=descending,imp_info=True)", "cfr+"),
    ("liars_dice", "cfr"),
    ("liars_dice", "cfr+"),
    ("liars_dice(dice_sides=5)", "cfr+"),
    ("leduc_poker", "cfr+"),
    ("leduc_poker(players=3,suit_isomorphism=True)", "cfr+"),
)
PEERS = {"cfr": "CFRSolver", "cfr+": "CFRPlusSolver"}


def timed(work: Callable[[], object]) -> float:
    """Return the processor seconds one call takes: both sides use one thread, and others may share it."""
    start = time.process_time()
    work()
    return time.process_time() - start


def processor() -> str:
    """Return the processor's name, as far as the system tells."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor()
    return next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), "?")


def check(flat: FlatGame, rule: str, game: Any, peer: Any) -> float:
    """Return the difference of the two sides' NashConv after a few iterations of each."""
    ours = TabularSolver(flat, rule)
    for _ in range(CHECKED):
        peer.evaluate_and_update_policy()
    ours.run(CHECKED)
    theirs = pyspiel.nash_conv(game, peer.average_policy(), True)
    return abs(ours.nash_conv() - theirs)


def measure(name: str, rule: str) -> float:
    """Measure one game with one rule, print the line and return the ratio."""
    game = make_game("openspiel:" + name)
    began = time.process_time()
    flat = flatten(game)
    laid_out = time.process_time() - began
    spiel: Any = game.spiel  # type: ignore[attr-defined]  # it is a game of OpenSpiel
    began = time.process_time()
    peer = getattr(pyspiel, PEERS[rule])(spiel)
    set_up = time.process_time() - began
    apart = check(flat, rule, spiel, peer)
    assert apart < 1e-9, f"{name}, {rule}: NashConv differs by {apart}"
    solver = TabularSolver(flat, rule)
    their_seconds, our_seconds = float("inf"), float("inf")
    for _ in range(ROUNDS):
        their_seconds = min(their_seconds, timed(peer.evaluate_and_update_policy))
        count = max(1, int(0.3 / our_seconds)) if our_seconds < 1.0 else 1
        our_seconds = min(our_seconds, timed(lambda n=count: solver.run(n)) / count)
    ratio = their_seconds / our_seconds
    print(
        f"{name + ' ' + rule:62}{flat.num_nodes:>11,}{1 / our_seconds:>12,.1f}{1 / their_seconds:>12,.2f}"
        f"{ratio:>8,.0f}x{laid_out:>10.2f}{set_up:>9.2f}",
        flush=True,
    )
    return ratio


def main() -> None:
    """Measure and print every game."""
    print(f"{processor()}, one thread; OpenSpiel's C++ solvers through pyspiel; target {TARGET}x")
    print(
        f"{'':62}{'histories':>11}{'overbet':>12}{'OpenSpiel':>12}{'ratio':>9}{'laid out':>10}{'set up':>9}\n"
        f"{'':73}{'iter/s':>12}{'iter/s':>12}{'':9}{'s':>10}{'s':>9}"
    )
    ratios = [measure(name, rule) for name, rule in GAMES]
    print(f"least ratio {min(ratios):,.0f}x")


if __name__ == "__main__":
    main()
