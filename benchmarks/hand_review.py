"""The review of hands: decisions an hour, by what prices them, on one device or beside another.

The hands of an archive or folder are imported into an empty database, and the decisions of their heroes, or
of a player by name, are priced in the order of `overbet hands review`. Which ones is settled by the first
device: hands are taken until enough of their decisions have a price, each hand once for what comes before the
flop and once for the rest. That first round compiles kernels and is not counted; every device then prices the
same decisions again, in one process with all its threads. Where `--workers` says so they are priced once more
by so many processes that share the cores, their start included. Decisions an hour of the clock depend on
what else runs, those an hour of a core much less.

Run: python benchmarks/hand_review.py ../shared/data/hand-histories.tar.gz --ranges examples/ranges.yaml
     [--player NAME] [--filter "players=2"] [--most 60] [--target 2] [--solved]
     [--device cpu --device cuda] [--workers 8]
"""

from __future__ import annotations

import argparse
import os
import platform
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

from overbet.hands import HandDatabase, import_hands
from overbet.interfaces.hands.review.hand import HandReviewer, is_solved
from overbet.interfaces.hands.review.running import pending
from overbet.interfaces.hands.review.settings import ReviewSettings
from overbet.interfaces.hands.review.team import HandJob, priced_hands
from overbet.machine import core_count
from overbet.solvers.vector.devices import has_gpu, why_no_gpu
from versions import vectors

_WARM_S = 0.05  # of a solve of the first round, where another device than the first only compiles


def main() -> None:
    """Measure and print."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("hands", type=Path)
    options.add_argument("--player")
    options.add_argument("--ranges")
    options.add_argument("--filter", default="")
    options.add_argument("--most", type=int, default=60, help="decisions priced")
    options.add_argument("--target", type=float, default=2.0)
    options.add_argument("--solved", action="store_true", help="only what is priced by solving its spot")
    options.add_argument("--device", action="append", choices=["auto", "cpu", "cuda"], help="may be repeated")
    options.add_argument("--workers", type=int, default=0, help="also by so many processes")
    given = options.parse_args()
    devices = given.device or ["auto"]
    if "cuda" in devices and not has_gpu():
        raise SystemExit(why_no_gpu())
    print(f"{platform.processor() or platform.machine()}, {vectors()}, {core_count()} cores", flush=True)
    with tempfile.TemporaryDirectory(prefix="overbet-") as folder, HandDatabase(folder) as database:
        import_hands(database, given.hands, workers=1)
        jobs: list[HandJob] = []
        for place, device in enumerate(devices):
            settings = ReviewSettings(ranges=given.ranges, target=given.target, device=device)
            reviewer = HandReviewer(settings)
            begun = time.perf_counter()
            if not place:
                all_jobs = _by_street(
                    database, pending(database, settings, given.filter, player=given.player).jobs
                )
                jobs = _enough(database, reviewer, all_jobs, given.most, given.solved)
            else:
                brief = HandReviewer(settings.model_copy(update={"seconds": _WARM_S}))
                for job in jobs:
                    brief.price(database.hand(job.hand), job.player, job.numbers)
            print(f"{device}: first round, with compiling, {time.perf_counter() - begun:.1f} s", flush=True)
            _measure(database, reviewer, jobs, device)
            if given.workers > 1 and device != "cuda":
                _measure_team(database, settings, jobs, given.workers)


def _by_street(database: HandDatabase, jobs: Iterable[HandJob]) -> Iterable[tuple[bool, HandJob]]:
    """Yield (whether it is solved, hand): each hand in what a strategy prices and what is solved."""
    for job in jobs:
        query = "SELECT number, street, players FROM decisions WHERE hand = ?"
        rows = database.connection.execute(query, (job.hand,)).fetchall()
        solved = {number for number, street, players in rows if is_solved(street, players)}
        for is_one in (False, True):
            numbers = tuple(number for number in job.numbers if (number in solved) is is_one)
            if numbers:
                yield is_one, job._replace(numbers=numbers)


def _enough(
    database: HandDatabase,
    reviewer: HandReviewer,
    jobs: Iterable[tuple[bool, HandJob]],
    most: int,
    only_solved: bool,
) -> list[HandJob]:
    """Return the first hands of which so many decisions get a price."""
    found, priced = [], 0
    for solved, job in jobs:
        if only_solved and not solved:
            continue
        verdicts = reviewer.price(database.hand(job.hand), job.player, job.numbers)
        count = sum(one.method != "none" for one in verdicts)
        if count or not only_solved:
            found.append(job)
        priced += count
        if priced >= most:
            break
    return found


def _measure(database: HandDatabase, reviewer: HandReviewer, jobs: list[HandJob], device: str) -> None:
    """Price hand after hand in this process and print what it took, by method."""
    costs: dict[str, list[float]] = defaultdict(lambda: [0, 0.0, 0.0])
    lost = 0.0
    for job in jobs:
        clock, core = time.perf_counter(), time.process_time()
        found = reviewer.price(database.hand(job.hand), job.player, job.numbers)
        clock, core = time.perf_counter() - clock, time.process_time() - core
        methods = {one.method for one in found} - {"none"}
        kind = min(methods) if methods else "none"
        count = sum(one.method != "none" for one in found)
        lost += sum(one.loss_bb or 0.0 for one in found)
        for name in (kind, "all"):
            costs[name][0] += count or (kind == name == "none") * len(found)
            costs[name][1] += clock
            costs[name][2] += core
    print(f"{device}, one process, load {os.getloadavg()[0]:.1f}, {lost:.2f} bb lost")
    for name, (count, clock, core) in costs.items():
        rates = f"{3600 * count / clock:,.0f} an hour of the clock, {3600 * count / core:,.0f} of a core"
        print(f"{name:>10}: {count:,.0f} decisions, {clock:.1f} s, {rates}", flush=True)


def _measure_team(
    database: HandDatabase, settings: ReviewSettings, jobs: list[HandJob], workers: int
) -> None:
    """Price the same hands by several processes and print what it took, their start included."""
    begun = time.perf_counter()
    found = [one for hand in priced_hands(database.folder, jobs, settings, workers) for one in hand]
    clock = time.perf_counter() - begun
    count = sum(one.method != "none" for one in found)
    rate = f"{3600 * count / clock:,.0f} an hour of the clock"
    print(
        f"{settings.device}, {workers} processes: {count:,.0f} decisions, {clock:.1f} s, {rate}", flush=True
    )


if __name__ == "__main__":
    main()
