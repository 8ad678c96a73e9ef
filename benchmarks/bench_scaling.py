"""How blueprint training scales with threads: traversals a second by workers, and what the machine allows.

    python benchmarks/bench_scaling.py [--workers 1,4,8,16] [--warm 3] [--seconds 6] [--rounds 3]

The game is that of configs/heads-up.yaml, threads on shared tables, by the clock, with all that a run does.
The table is first trained for some million iterations: on a young one few rows have been touched, and the
caches hold them. Then every number of workers trains on for some seconds, in rounds, up and down in turn, so
that a machine whose speed drifts treats all alike. At the end of a round comes the ceiling: as many runs as
there were workers at most, a thread and a table each, which share nothing but the machine.

Of each the best and the median of the rounds, against one worker's best and median. `busy` is the share of
the threads' time that they were on a core: what is missing was spent waiting for each other or taken by
others. `free` is the same number of workers with the threads not kept on a core each.

`standard` buckets are wanted (overbet buckets build, or --buckets FILE); without, hand strength with noise
stands in.
"""

from __future__ import annotations

import argparse
import copy
import os
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from statistics import median
from typing import NamedTuple

from bench_training import CONFIG, cards_for
from overbet.blueprint.config import BlueprintConfig
from overbet.blueprint.trainer import Trainer
from overbet.machine import usable_cores

FOREVER = 10**15
WANTED = 12.0  # times one worker's speed on 16 cores


class Speed(NamedTuple):
    """Of one measurement."""

    traversals: float  # a second
    busy: float


def say(*words: object) -> None:
    print(*words, flush=True)


def train_for(trainer: Trainer, workers: int, seconds: float) -> float:
    """Train on for so long; return traversals a second."""
    enough = threading.Event()
    timer = threading.Timer(seconds, enough.set)
    before, started = trainer.iterations, time.perf_counter()
    timer.start()
    trainer.run(FOREVER, workers, None, enough)
    return 2 * (trainer.iterations - before) / (time.perf_counter() - started)


def measured(trainers: list[Trainer], workers: int, seconds: float) -> Speed:
    """Train on every one of the trainers at once."""
    busy, started = time.process_time(), time.perf_counter()
    with ThreadPoolExecutor(len(trainers)) as pool:
        rates = list(pool.map(lambda trainer: train_for(trainer, workers, seconds), trainers))
    taken = (time.perf_counter() - started) * workers * len(trainers)
    return Speed(sum(rates), (time.process_time() - busy) / taken)


def apart(trainer: Trainer) -> Trainer:
    """Return a trainer of the same game that goes on from here on a table of its own."""
    other = copy.copy(trainer)
    other.table, other._worker_spaces = trainer.table.copy(), []
    return other


def machine() -> str:
    """Return what decides how far threads can scale, as far as the system tells."""
    found = [f"{len(usable_cores())} of {os.cpu_count()} cores"]
    places = {
        "model": ("/proc/cpuinfo", "model name"),
        "threads of core 0": ("/sys/devices/system/cpu/cpu0/topology/thread_siblings_list", ""),
        "L2": ("/sys/devices/system/cpu/cpu0/cache/index2/size", ""),
        "L3": ("/sys/devices/system/cpu/cpu0/cache/index3/size", ""),
        "memory nodes": ("/sys/devices/system/node/online", ""),
        "huge pages": ("/sys/kernel/mm/transparent_hugepage/enabled", ""),
        "quota": ("/sys/fs/cgroup/cpu.max", ""),
    }
    for name, (path, key) in places.items():
        if not Path(path).is_file():
            continue
        lines = [line for line in Path(path).read_text(encoding="utf-8").splitlines() if line.startswith(key)]
        found.append(f"{name} {lines[0].split(':')[-1].strip()}" if lines else f"{name} ?")
    return "; ".join(found)


def huge_pages(trainer: Trainer) -> str:
    """Return how much of the table lies in huge pages."""
    low = trainer.table.ctypes.data
    high, inside, huge = low + trainer.table.nbytes, False, 0
    if not Path("/proc/self/smaps").is_file():
        return "unknown"
    for line in Path("/proc/self/smaps").read_text(encoding="utf-8").splitlines():
        first, *rest = line.split()
        if not first.endswith(":"):
            start, end = (int(place, 16) for place in first.split("-"))
            inside = start < high and low < end
        elif inside and first == "AnonHugePages:":
            huge += 1024 * int(rest[0])
    return f"{min(huge / trainer.table.nbytes, 1.0):.0%}"


def table(speeds: dict[str, list[Speed]], base: str, widest: int) -> None:
    """Print the best and the median of every row so far."""
    rates = {name: [speed.traversals for speed in found] for name, found in speeds.items()}
    ones = rates[base]
    say(f"{'workers':16}{'best':>12}{'against 1':>11}{'median':>12}{'against 1':>11}{'busy':>8}")
    for name, found in rates.items():
        busy = median(speed.busy for speed in speeds[name])
        say(
            f"{name:16}{max(found):12,.0f}{max(found) / max(ones):10.2f}x"
            f"{median(found):12,.0f}{median(found) / median(ones):10.2f}x{busy:8.1%}"
        )
    ceiling = rates.get(f"{widest} runs apart")
    if ceiling:
        together = rates[str(widest)]
        best, middle = max(together) / max(ceiling), median(together) / median(ceiling)
        say(f"{widest} workers / {widest} runs apart: {best:.3f} best, {middle:.3f} median")
    if widest == 16:
        by_round = ", ".join(f"{many / one:.2f}x" for one, many in zip(ones, rates["16"]))
        say(f"16 against 1, round by round: {by_round} ({WANTED:g}x wanted)")


def main() -> None:
    parser = argparse.ArgumentParser(description="How blueprint training scales with threads.")
    cores = len(usable_cores())
    powers = sorted({1, *(many for many in (4, 8, 16, 32, 64) if many < cores), cores})
    parser.add_argument("--workers", default=",".join(map(str, powers)), help="numbers of threads")
    parser.add_argument(
        "--warm", type=float, default=3.0, help="million iterations before anything is measured"
    )
    parser.add_argument("--seconds", type=float, default=6.0, help="of a measurement")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--buckets", default="", help="a file of buckets in place of `standard`")
    asked = parser.parse_args()
    counts = sorted({1, *map(int, asked.workers.split(","))})
    widest = counts[-1]

    say(machine())
    config = BlueprintConfig.load(CONFIG)
    if asked.buckets:
        config = config.model_copy(update={"cards": config.cards.model_copy(update={"path": asked.buckets})})
    cards, words = cards_for(config)
    trainer = Trainer(config, cards)
    say(f"{trainer.describe()}; {words}")
    started = time.perf_counter()
    trainer.run(1, workers=1)
    say(f"compiled or loaded in {time.perf_counter() - started:.0f} s")
    trainer.run(int(asked.warm * 1e6), workers=widest)
    others = [apart(trainer) for _ in range(widest)]
    say(
        f"{trainer.iterations:,} iterations in {trainer.seconds:.1f} s; "
        f"{trainer.status().touched:.1%} of the rows reached; {huge_pages(trainer)} of it in huge pages"
    )

    rows: dict[str, tuple[list[Trainer], int, bool]] = {
        str(workers): ([trainer], workers, True) for workers in counts
    }
    if widest == cores > 1:
        rows[f"{widest} free"] = ([trainer], widest, False)
    rows[f"{widest} runs apart"] = (others, 1, True)
    speeds: dict[str, list[Speed]] = {name: [] for name in rows}
    for number in range(asked.rounds):
        for name in list(rows) if number % 2 == 0 else reversed(list(rows)):
            trainers, workers, pinned = rows[name]
            trainer.pinned = pinned
            speeds[name].append(measured(trainers, workers, asked.seconds))
            say(f"  round {number + 1}, {name}: {speeds[name][-1].traversals:,.0f} traversals/s")
        table(speeds, "1", widest)


if __name__ == "__main__":
    main()
