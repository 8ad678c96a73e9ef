"""Card buckets: the standard build's time and memory, and lookups beside a plain dictionary.

The build runs in a process of its own on all cores, with the river table and the file written at the end.
Lookups: our batch on one thread against what one would write without an index: rename the suits in all 24
ways, take the least tuple of cards, look it up in a dictionary. Both see the same river hands.

Run: .venv/bin/python benchmarks/bench_buckets.py [--no-build]
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
import time
from itertools import permutations
from pathlib import Path

import numpy as np

from overbet.abstraction.bucket_build import build_buckets
from overbet.abstraction.bucket_config import preset
from overbet.abstraction.bucket_files import load_buckets, save_buckets
from overbet.abstraction.buckets import Buckets

ROUNDS = 3
HANDS, NAIVE_HANDS = 1_000_000, 3_000
TARGET_SECONDS, TARGET_GB, TARGET_RATIO = 600, 8.0, 100
RENAMINGS = list(permutations(range(4)))


def build(path: str) -> None:
    """Build the standard buckets, write them, and print stages, time and peak memory."""
    stages: list[tuple[str, float]] = []
    start = time.perf_counter()

    def progress(stage: str, done: int, total: int) -> None:
        if not stages or stages[-1][0] != stage:
            stages.append((stage, time.perf_counter() - start))

    buckets = build_buckets(preset("standard"), progress)
    stages.append(("writing", time.perf_counter() - start))
    save_buckets(buckets, path)
    save_buckets(buckets, path.replace(".h5", "-compact.h5"), compact=True)
    seconds = time.perf_counter() - start
    ends = [begun for _, begun in stages[1:]] + [seconds]
    for (stage, begun), end in zip(stages, ends):
        print(f"    {stage:12s} {end - begun:7.1f} s")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    print(f"  standard buckets on {os.cpu_count()} cores     {seconds:7.1f} s  (target {TARGET_SECONDS} s)")
    print(f"    of it processor time         {time.process_time():7.1f} s")
    print(f"  peak memory                    {peak:7.2f} GB (target {TARGET_GB} GB)")
    print(f"  hash {buckets.hash[:16]}")


def canonical(cards: list[int]) -> tuple[int, ...]:
    """Return the least renaming of two hole cards and a board, each part sorted."""
    ways = []
    for suits in RENAMINGS:
        named = [card - card % 4 + suits[card % 4] for card in cards]
        ways.append((*sorted(named[:2]), *sorted(named[2:])))
    return min(ways)


def look_up(buckets: Buckets) -> None:
    """Measure batch lookups on every street, and the dictionary on the river."""
    generator = np.random.default_rng(0)
    deals = np.argsort(generator.random((HANDS, 52)), axis=1)[:, :7].astype(np.int8)
    holes = np.ascontiguousarray(deals[:, :2])
    few = deals[:NAIVE_HANDS].tolist()
    known = dict(
        zip(map(canonical, few), buckets.lookup(holes[:NAIVE_HANDS], deals[:NAIVE_HANDS, 2:]).tolist())
    )
    peer = float("inf")
    ours = dict.fromkeys((0, 3, 4, 5), float("inf"))
    for _ in range(ROUNDS):
        start = time.perf_counter()
        found = [known[canonical(cards)] for cards in few]
        peer = min(peer, time.perf_counter() - start)
        for board_cards in ours:
            boards = np.ascontiguousarray(deals[:, 2 : 2 + board_cards])
            start = time.perf_counter()
            batch = buckets.lookup(holes, boards)
            ours[board_cards] = min(ours[board_cards], time.perf_counter() - start)
    assert found == batch[:NAIVE_HANDS].tolist()
    naive = NAIVE_HANDS / peer
    print(f"  lookups a second, one thread, best of {ROUNDS}")
    print(f"    dictionary of renamed tuples, river {naive / 1e6:9.4f} M/s")
    for board_cards, name in zip(ours, ("preflop", "flop", "turn", "river")):
        rate = HANDS / ours[board_cards]
        ratio = f"  {rate / naive:8.0f}x (target {TARGET_RATIO}x)" if name == "river" else ""
        print(f"    overbet, {name:27s}{rate / 1e6:9.2f} M/s{ratio}")


def main() -> None:
    """Build in a process of its own, then look hands up."""
    if len(sys.argv) > 2 and sys.argv[1] == "--build-to":
        build(sys.argv[2])
        return
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "standard.h5"
        if "--no-build" in sys.argv:
            look_up(build_buckets(preset("tiny")))
            return
        subprocess.run([sys.executable, __file__, "--build-to", str(path)], check=True)
        compact = path.with_name("standard-compact.h5")
        print(f"  file {path.stat().st_size / 1e6:.1f} MB, compact {compact.stat().st_size / 1e6:.1f} MB")
        start = time.perf_counter()
        buckets = load_buckets(path)
        print(f"  read and checked in {time.perf_counter() - start:.2f} s")
        look_up(buckets)


if __name__ == "__main__":
    main()
