"""The exact postflop solver on the three anchor spots, beside the strongest open engine and the memory floor.

The peer (a Rust engine under another licence) is not run here: its figures are the published ones of
docs/performance.md, taken on a quiet two-core machine with AVX2; ours are taken now. The floor is this
machine's own: the bytes an iteration must move over the bandwidth measured in the same run.

    python benchmarks/postflop.py                 # seconds an iteration, one thread, and the profile
    python benchmarks/postflop.py --converge      # also to 0.5 % and 0.1 % of the pot (minutes)
    python benchmarks/postflop.py --device cuda   # the same spots on a GPU
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from pathlib import Path

import numba
import numpy as np

from overbet.kernels.regret import single
from overbet.kernels.vector.showdown_sweep import SweepHands, sweep
from overbet.kernels.vector.streets import _collect_river, _place
from overbet.kernels.vector.update import Place, backward, forward, settle
from overbet.solvers.vector.engine import VectorEngine
from overbet.solvers.vector.response import FOLLOW
from overbet.solvers.vector.settings import SolveSettings, SpotFile
from overbet.tree.public import PublicTree, public_tree
from overbet.tree.spot import IP, OOP

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"
# the peer, one thread: seconds an iteration (the flop: twice its two-thread time)
PEER = {"river": 0.00032, "turn": 0.135, "flop": 0.93}
TARGET = {"river": 2.0, "turn": 3.0, "flop": 3.0}
RUNS = {"river": (9, 200), "turn": (7, 5), "flop": (5, 2)}  # repetitions, iterations in each


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--spots", nargs="+", default=list(PEER), choices=list(PEER))
    parser.add_argument("--converge", action="store_true")
    parser.add_argument("--device", choices=("cpu", "cuda"), default="cpu")
    parser.add_argument("--threads", type=int, default=1)
    options = parser.parse_args()
    bandwidth = _bandwidth()
    print(f"memory bandwidth of one thread: {bandwidth / 1e9:.1f} GB/s\n")
    for name in options.spots:
        tree = public_tree(SpotFile.load(EXAMPLES / f"{name}.yaml").spot())
        engine = _engine(tree, options.device, options.threads)
        _iterations(name, tree, engine, bandwidth)
        if options.device == "cpu":
            _profile(tree, engine)
        if options.converge:
            _converge(name, tree, options.device, options.threads)
        print()
    if options.device == "cpu":
        _scaling()


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
    peer = PEER[name]
    floor = size * 52 / bandwidth
    memory = sum(table.nbytes for table in engine.regret + engine.average) / 1e6
    print(f"{name}: A x H {size:,}, tables {memory:,.1f} MB")
    print(f"  peer {peer * 1e3:10.3f} ms an iteration, one thread (published)")
    print(f"  ours {seconds * 1e3:10.3f} ms; {peer / seconds:.2f}x (target {TARGET[name]:.0f}x)")
    print(
        f"  {seconds / size * 1e9:.2f} ns per action and hand; floor of 52 bytes each: {floor * 1e3:.3f} ms"
    )


def _profile(tree: PublicTree, engine: VectorEngine) -> None:
    """Time the parts of one river board, tables in cache, and scale to all boards and both players."""
    parts: dict[str, float] = {}
    step = single(engine.rule.at(5))
    for player in (OOP, IP):
        data, work, tables = engine.layout.passes[player], engine._work[0], engine._tables(player)
        own, opp = data.own, data.opp
        n, m = int(own.alive[0]), int(opp.alive[0])
        place = Place(*(int(x) for x in _place(data, 2, 0, n, m)))
        seats = SweepHands(
            n, m, own.river_cards[0], own.strength[0], data.river_same[0], opp.river_cards[0], opp.strength[0]
        )
        work.river.own[:] = work.river.opp[:] = 0.5
        view = data.tree

        def add(part: str, run: Callable[..., None], *values: object) -> None:
            parts[part] = parts.get(part, 0.0) + _best(run, *values)

        for chunk in range(data.street_chunk[2], data.street_chunk[3]):
            add("reach down, strategies, averages", forward, view, chunk, place, tables, step, work.river)
            add("terminals", settle, view, chunk, place, seats, data.payoffs, work.river, work.sheets)
            add("values up, regrets", backward, view, chunk, place, tables, step, work.river)
            for batch in range(view.chunk_batch[chunk], view.chunk_batch[chunk + 1]):
                start, stop = (int(x) for x in view.batch_start[batch : batch + 2])
                shown = bool(view.batch_showdown[batch])
                add("  of which sweeps", sweep, stop - start, shown, seats, data.payoffs, start, work.sheets)
        if engine.first < 2:
            bridge = work.turn.bridge
            add("values to the turn", _collect_river, data, 0, bridge.width, work.line_value, bridge.value)
    boards = tree.board_count(2)
    for part, taken in parts.items():
        print(f"  {part:34s} {taken * boards * 1e3:9.3f} ms an iteration, tables in cache")


def _best(run: Callable[..., None], *values: object) -> float:
    """Return the best of 20 calls, in seconds; handing over the arrays is part of it."""
    run(*values)
    best = np.inf
    for _ in range(20):
        start = time.perf_counter()
        run(*values)
        best = min(best, time.perf_counter() - start)
    return float(best)


def _converge(name: str, tree: PublicTree, device: str, threads: int) -> None:
    """Print iterations and seconds, looks at the exploitability included, to 0.5 % and 0.1 % of the pot."""
    engine = _engine(tree, device, threads)
    engine.run(1)
    engine.exploitability()
    engine = _engine(tree, device, threads)
    goals = [0.5] if name == "flop" and device == "cpu" else [0.5, 0.1]
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
