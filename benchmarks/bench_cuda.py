"""The postflop solver on a GPU: the three anchor spots and a larger flop, beside the targets and the CPU.

    python benchmarks/bench_cuda.py                 # the GPU alone, compilation apart
    python benchmarks/bench_cuda.py --cpu           # also iterations of the CPU engine, all threads
    python benchmarks/bench_cuda.py --kernels       # and where the time of an iteration goes
    python benchmarks/bench_cuda.py --whole         # whole calls, from the file to the answer

Targets (an H200): iterations of 0.03, 0.3 and 1.5 ms, a look of 1.2 iterations, whole calls in 0.2 s (turn),
0.5 s (flop) and 1 s (large flop). The floor counts the bytes an iteration must move
(regrets, averages and strategies of one player read and written, strategies of the other read: 28 bytes per
action and hand) at the bandwidth of a copy measured in the same run.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from overbet.cuda import device
from overbet.solvers.rules import make_rule
from overbet.solvers.vector.api import solve
from overbet.solvers.vector.settings import SolveSettings, SpotFile
from overbet.solvers.vector.solver import Solver
from overbet.tree.public import PublicTree, public_tree

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"
LARGE = Path(__file__).resolve().parent / "large_flop.yaml"
TARGET_MS = {"river": 0.03, "turn": 0.3, "flop": 1.5, "large": 0.0}
ITERATIONS = {"river": 300, "turn": 60, "flop": 20, "large": 10}
BYTES = 28


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--spots", nargs="+", default=list(TARGET_MS), choices=list(TARGET_MS))
    parser.add_argument("--cpu", action="store_true")
    parser.add_argument("--kernels", action="store_true")
    parser.add_argument("--whole", action="store_true")
    options = parser.parse_args()
    usable, name = device.available()
    if not usable:
        print(f"nothing to measure: {name}")
        return
    bandwidth = _bandwidth()
    print(f"{name}, copies at {bandwidth / 1e12:.2f} TB/s")
    print("spot   ms/iteration  target  floor  ms/look  = iterations  iterations  ms to 0.5 %  set-up ms")
    for spot in options.spots:
        path = LARGE if spot == "large" else EXAMPLES / f"{spot}.yaml"
        tree = public_tree(SpotFile.load(path).spot())
        _measure(spot, tree, bandwidth)
        if options.kernels:
            _kernels(tree)
        if options.cpu:
            _beside_the_cpu(spot, tree)
        if options.whole:
            _whole(path)


def _engine(tree: PublicTree) -> Any:
    from overbet.solvers.vector.gpu.engine import CudaEngine

    return CudaEngine(tree, make_rule("dcfr"))


def _measure(spot: str, tree: PublicTree, bandwidth: float) -> None:
    warm, count = _engine(tree), ITERATIONS[spot]
    warm.run(3)  # compiles, and records
    for _ in range(3):
        warm.exploitability()
    iteration = _best(lambda: warm.run(count)) / count
    look = _best(warm.exploitability)
    solved, set_up = [], []
    for _ in range(3):
        begun = time.perf_counter()
        solver = Solver(tree.spot, SolveSettings(rule="dcfr", device="cuda", target=0.5), tree=tree)
        set_up.append(time.perf_counter() - begun)
        begun = time.perf_counter()
        solver.run()
        solved.append(time.perf_counter() - begun)
        done, share = solver.engine.iteration, solver.exploitability
        del solver
    size = _engine_size(tree)
    floor = size * BYTES / bandwidth
    print(
        f"{spot:5s} {1e3 * iteration:13.4f} {TARGET_MS[spot]:7.2f} {1e3 * floor:6.3f} {1e3 * look:8.3f} "
        f"{look / iteration:10.2f} {done:9d} ({share:.2f} %) {1e3 * min(solved):8.1f} "
        f"{1e3 * min(set_up):9.0f}",
        flush=True,
    )


def _whole(path: Path) -> None:
    """Print whole calls: the first one also makes the context and loads the kernels."""
    for call in range(3):
        begun = time.perf_counter()
        solution = solve(path, device="cuda", target=0.5)
        solved = time.perf_counter()
        solution.node()
        told = solution.summary()
        ended = time.perf_counter()
        print(
            f"      call {call + 1}: {ended - begun:.3f} s, of which iterations and looks "
            f"{solution.seconds:.3f}, the answer {ended - solved:.3f}: {told}",
            flush=True,
        )


def _engine_size(tree: PublicTree) -> int:
    """Return the sum over decision nodes, boards counted, of actions x hands of the one to act."""
    betting, total = tree.betting, 0
    for node in np.flatnonzero(betting.kind < 2):
        boards = tree.board_count(int(betting.street[node]))
        total += boards * int(betting.num_children[node]) * tree.hands[int(betting.kind[node])].size
    return total


def _beside_the_cpu(spot: str, tree: PublicTree) -> None:
    from overbet.solvers.vector.engine import VectorEngine

    threads = os.cpu_count() or 1
    cpu, gpu = VectorEngine(tree, make_rule("dcfr"), threads), _engine(tree)
    cpu.run(1)
    gpu.run(1)
    theirs, ours = [], []
    for _ in range(3):
        theirs.append(_best(lambda: cpu.run(2), 1) / 2)
        ours.append(_best(lambda: gpu.run(20), 1) / 20)
    cpu.run(max(0, 10 - cpu.iteration))
    fresh = _engine(tree)
    fresh.run(cpu.iteration)
    gap = abs(fresh.exploitability() - cpu.exploitability()) / tree.spot.pot
    print(
        f"      CPU, {threads} threads: {1e3 * min(theirs):.3f} ms/iteration, {min(theirs) / min(ours):.0f}x "
        f"the GPU's; exploitability after {cpu.iteration} iterations differs by {100 * gap:.4f} % of the pot"
    )


def _kernels(tree: PublicTree) -> None:
    """Print the microseconds of each kernel of an iteration and of a look, by events on the stream."""
    engine = _engine(tree)
    engine.run(3)
    engine.exploitability()
    plain = device.Launcher.__call__
    log: list[tuple[str, Any, Any]] = []

    def timed(self: device.Launcher, kernel: Any, shape: Any, *arguments: Any) -> None:
        first, last = device.cuda.event(), device.cuda.event()
        first.record(self.stream)
        plain(self, kernel, shape, *arguments)
        last.record(self.stream)
        street = arguments[0] if isinstance(arguments[0], int) else ""
        log.append((f"{kernel.py_func.__name__.strip('_')}{street}", first, last))

    device.Launcher.__call__ = timed  # type: ignore[method-assign]
    try:
        for launches in (engine._iterate, engine._judge.launch):
            log.clear()
            engine._wind()
            for _ in range(200 if tree.spot.first_street else 8):
                engine._update.play()  # keeps the GPU busy while the launches to be timed are queued
            for _ in range(5):
                launches()
            engine._stream.synchronize()
            times: dict[str, list[float]] = {}
            for name, first, last in log:
                times.setdefault(name, []).append(1e3 * device.cuda.event_elapsed_time(first, last))
            print("      us: " + ", ".join(f"{name} {np.median(us):.1f}" for name, us in times.items()))
    finally:
        device.Launcher.__call__ = plain  # type: ignore[method-assign]


def _bandwidth() -> float:
    """Return bytes read and written a second by a copy of 2 GB on the device."""
    first, second = (device.zeros(2**29, np.float32) for _ in range(2))
    cuda = device.cuda
    second.copy_to_device(first)
    seconds = []
    for _ in range(5):
        begin, end = cuda.event(), cuda.event()
        begin.record()
        second.copy_to_device(first)
        end.record()
        end.synchronize()
        seconds.append(cuda.event_elapsed_time(begin, end) / 1e3)
    return float(2 * 4 * 2**29 / min(seconds))


def _best(work: Callable[[], Any], repetitions: int = 3) -> float:
    seconds = []
    for _ in range(repetitions):
        begun = time.perf_counter()
        work()
        seconds.append(time.perf_counter() - begun)
    return min(seconds)


if __name__ == "__main__":
    main()
