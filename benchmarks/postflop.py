"""The exact postflop solver on the three anchor spots, beside another version of ours and the memory floor.

The strongest open engine (Rust, another licence) is not run here; docs/performance.md has a run of both on
one machine. The floor is this machine's own: the bytes an iteration must move over the bandwidth measured in
the same run.

    python benchmarks/postflop.py                 # seconds an iteration, one thread, and the profile
    python benchmarks/postflop.py --converge      # also to 0.5 % and 0.1 % of the pot (minutes)
    python benchmarks/postflop.py --device cuda   # the same spots on a GPU
    python benchmarks/postflop.py --against 972f692     # another commit, in turn with this one, one and two
                                                        # threads, a small turn and a large flop too
    NUMBA_CPU_NAME=znver3 NUMBA_CPU_FEATURES=+avx2,+fma python benchmarks/postflop.py --against 972f692
"""

from __future__ import annotations

import argparse
import json
import os
import time
from contextlib import nullcontext
from pathlib import Path

import numba
import numpy as np

from overbet.solvers.vector.engine import VectorEngine
from overbet.solvers.vector.response import FOLLOW
from overbet.solvers.vector.settings import SolveSettings, SpotFile
from overbet.tree.spot import IP, OOP, Spot
from versions import ROOT, alternating, asked, checked_out, vectors

try:
    from overbet.tree.public import PublicTree, public_tree
except ImportError:  # an older version
    from overbet.solvers.vector.layout import PublicTree, public_tree

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"
SPOTS = ("river", "turn", "flop")
# an iteration against another commit: iterations before, repetitions, iterations in each
PROBES = {
    "river": (20, 20, 100),
    "small-turn": (10, 20, 5),
    "turn": (4, 15, 1),
    "flop": (2, 5, 1),
    "large-flop": (2, 3, 1),
}
# repetitions, iterations in each
RUNS = {"river": (9, 200), "small-turn": (7, 20), "turn": (7, 5), "flop": (5, 2), "large-flop": (3, 1)}
# spots beside the examples: the flop example's ranges and menus elsewhere
OTHERS = {"small-turn": {"board": "Td9d6hQc"}, "large-flop": {"board": "QsJh2h", "stacks": 1400}}


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--spots", nargs="+", choices=list(PROBES), help="which spots; without it the usual")
    parser.add_argument("--converge", action="store_true")
    parser.add_argument("--device", choices=("cpu", "cuda"), default="cpu")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--against", metavar="COMMIT", help="another commit of ours, in turn with this one")
    parser.add_argument("--folder", type=Path, help="a folder with another version's src/, instead")
    parser.add_argument("--rounds", type=int, default=3, help="of either version, with --against")
    parser.add_argument("--scaling", nargs="+", type=int, help="numbers of threads, in turn")
    parser.add_argument("--probe", nargs=2, help=argparse.SUPPRESS)
    options = parser.parse_args()
    spots = options.spots or list(PROBES if options.against or options.folder else SPOTS)
    if options.probe:
        print(json.dumps(_probe(options.probe[0], int(options.probe[1]))))
        return
    if options.scaling:
        _threads(options.spots or ["turn", "flop"], options.scaling, options.rounds)
        return
    if options.against or options.folder:
        with nullcontext(options.folder) if options.folder else checked_out(options.against) as other:
            _against(other, options.against or options.folder.name, options.rounds, spots)
        return
    bandwidth = _bandwidth()
    print(f"memory bandwidth of one thread: {bandwidth / 1e9:.1f} GB/s\n")
    for name in spots:
        tree = public_tree(_spot(name))
        engine = _engine(tree, options.device, options.threads)
        _iterations(name, tree, engine, bandwidth)
        if options.converge:
            _converge(name, tree, options.device, options.threads)
        print()
    if options.device == "cpu":
        _scaling()


def _spot(name: str) -> Spot:
    """Return the spot of an example, or the flop example's on another board."""
    if name not in OTHERS:
        return SpotFile.load(EXAMPLES / f"{name}.yaml").spot()
    flop = SpotFile.load(EXAMPLES / "flop.yaml").spot()
    return Spot.parse({**flop.model_dump(by_alias=True), **OTHERS[name]})


def _probe(name: str, threads: int) -> float:
    """Return the best milliseconds an iteration by the clock, after some that are not counted."""
    engine = VectorEngine(public_tree(_spot(name)), SolveSettings().the_rule(), threads)
    warm, runs, iterations = PROBES[name]
    engine.run(warm)
    _spread(engine, threads)
    best = np.inf
    for _ in range(runs):
        start = time.perf_counter()
        engine.run(iterations)
        best = min(best, (time.perf_counter() - start) / iterations)
    return float(best) * 1e3


def _threads(spots: list[str], threads: list[int], rounds: int) -> None:
    """Print the best ms an iteration on each number of threads, and the ratios to the first."""
    print(f"{vectors()}, {os.cpu_count()} cores, ms an iteration, the best of {rounds} rounds in turn")
    for name in spots:
        rows = [[asked(ROOT, Path(__file__), name, str(count)) for count in threads] for _ in range(rounds)]
        best = np.min(rows, axis=0)
        times = zip(threads, best.tolist())
        told = [f"{count}: {ms:.3f} ({best[0] / ms:.2f}x)" for count, ms in times]
        print(f"{name:12} {'  '.join(told)}", flush=True)


def _spread(engine: VectorEngine, threads: int) -> None:
    """Give each thread a core of its own: some systems keep two threads that have just begun on one.

    A call of few iterations is over before they are told apart, and two threads are then as slow as one.
    """
    cores = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []
    if engine._pool is None or len(cores) < threads:
        return
    if hasattr(engine, "_runner"):  # the thread that calls works too, and the pool may have one too many
        os.sched_setaffinity(0, {cores.pop(0)})
        threads -= 1
    for number, thread in enumerate(engine._pool._threads):
        os.sched_setaffinity(thread.native_id or 0, {cores[number % threads]})


def _against(other: Path, commit: str, rounds: int, spots: list[str]) -> None:
    """Print ms an iteration of this version and of another one in a folder, and their ratio."""
    print(f"{vectors()}; ms an iteration by the clock, best of {rounds} rounds")
    print(f"{'spot':12s} threads      ours   {commit[:9]}    ratio")
    for name in spots:
        for threads in (1,) if name == "river" else (1, 2):  # a river is one board: one thread plays it
            ours, theirs = alternating(other, Path(__file__), rounds, name, str(threads))
            print(f"{name:12s} {threads:7d} {ours:9.3f} {theirs:11.3f} {theirs / ours:7.2f}x", flush=True)


def _engine(tree: PublicTree, device: str, threads: int) -> VectorEngine:
    rule = SolveSettings().the_rule()
    if device == "cuda":
        from overbet.solvers.vector.gpu.engine import CudaEngine

        return CudaEngine(tree, rule)
    return VectorEngine(tree, rule, threads)


def _size(tree: PublicTree) -> int:
    """Return the sum over decision nodes, boards counted, of actions x hands."""
    total = 0
    for street in range(3):
        for node in tree.betting.street_nodes(street):
            player = int(tree.betting.kind[node])
            if player in (OOP, IP):
                hands = tree.hands[player].size
                total += int(tree.betting.num_children[node]) * tree.board_count(street) * hands
    return total


def _seconds(engine: VectorEngine, repetitions: int, iterations: int) -> float:
    """Return the best seconds an iteration; the first run, which compiles, is not counted."""
    engine.run(1)
    best = np.inf
    for _ in range(repetitions):
        start = time.perf_counter()
        engine.run(iterations)
        best = min(best, (time.perf_counter() - start) / iterations)
    return float(best)


def _iterations(name: str, tree: PublicTree, engine: VectorEngine, bandwidth: float) -> None:
    seconds, size = _seconds(engine, *RUNS[name]), _size(tree)
    floor = size * 52 / bandwidth
    memory = sum(table.nbytes for table in engine.regret + engine.average) / 1e6
    print(f"{name}: A x H {size:,}, tables {memory:,.1f} MB")
    print(f"  {seconds * 1e3:.3f} ms an iteration, {seconds / floor:.1f} times the floor")
    print(
        f"  {seconds / size * 1e9:.2f} ns per action and hand; floor of 52 bytes each: {floor * 1e3:.3f} ms"
    )


def _converge(name: str, tree: PublicTree, device: str, threads: int) -> None:
    """Print iterations and seconds, looks at the exploitability included, to 0.5 % and 0.1 % of the pot."""
    engine = _engine(tree, device, threads)
    engine.run(1)
    engine.exploitability()
    engine = _engine(tree, device, threads)
    goals = [0.5] if "flop" in name and device == "cpu" else [0.5, 0.1]
    start = time.perf_counter()
    while goals and engine.iteration < 2000:
        engine.run(10)
        share = 100 * engine.exploitability() / tree.spot.pot
        while goals and share <= goals[0]:
            seconds = time.perf_counter() - start
            print(
                f"  to {goals.pop(0)} %: {engine.iteration} iterations, {seconds:.3f} s with a look every 10"
            )
    values = [engine.judge.expected(player, FOLLOW) for player in (OOP, IP)]
    print(f"  EV OOP {values[0]:.3f}, IP {values[1]:.3f} chips at {share:.3f} % of the pot")


def _scaling() -> None:
    """Show that the cost grows linearly with the size of the game: the turn spot with four menus."""
    print("cost by size (turn spot)")
    file = SpotFile.load(EXAMPLES / "turn.yaml")
    for sizes in ("75%", "33%,75%", "33%,75%,150%", "33%,75%,150%,a"):
        bets = {"every": {"bet": sizes, "raise": "60%,a"}}
        spot = type(file.spot()).parse({**file.spot().model_dump(by_alias=True), "bets": bets})
        tree = public_tree(spot)
        seconds, size = _seconds(_engine(tree, "cpu", 1), 5, 3), _size(tree)
        print(
            f"  A x H {size:12,}  {seconds * 1e3:8.2f} ms  {seconds / size * 1e9:.2f} ns per action and hand"
        )


def _bandwidth() -> float:
    """Return bytes a second of a read-read-write loop over arrays far larger than the caches."""
    a, b = np.ones(40_000_000, np.float32), np.ones(40_000_000, np.float32)
    _stream(a, b)
    best = np.inf
    for _ in range(5):
        start = time.perf_counter()
        _stream(a, b)
        best = min(best, time.perf_counter() - start)
    return 3 * a.nbytes / best


@numba.njit(fastmath=True)
def _stream(a: np.ndarray, b: np.ndarray) -> None:
    for i in range(a.size):
        a[i] = a[i] * np.float32(0.5) + b[i]


if __name__ == "__main__":
    main()
