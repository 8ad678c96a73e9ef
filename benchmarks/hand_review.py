"""The review of hands: decisions an hour, by what prices them.

The hands of an archive or folder are imported into an empty database, and the decisions of their heroes, or
of a player by name, are priced in the order of `overbet hands review`, each hand once for what comes before
the flop and once for the rest. Decisions an hour of the clock depend on what else runs, those an hour of a
core much less.

Run: python benchmarks/hand_review.py ../shared/data/hand-histories.tar.gz --ranges examples/ranges.yaml
     [--player NAME] [--filter "players=2"] [--most 60] [--target 2] [--device cuda]
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from collections import defaultdict
from pathlib import Path

from overbet.hands import HandDatabase, import_hands
from overbet.interfaces.hands.review.hand import HandReviewer
from overbet.interfaces.hands.review.running import pending
from overbet.interfaces.hands.review.settings import ReviewSettings
from overbet.machine import core_count
from versions import vectors


def main() -> None:
    """Measure and print."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("hands", type=Path)
    options.add_argument("--player")
    options.add_argument("--ranges")
    options.add_argument("--filter", default="")
    options.add_argument("--most", type=int, default=60, help="decisions priced")
    options.add_argument("--target", type=float, default=2.0)
    options.add_argument("--device", default="auto")
    given = options.parse_args()
    settings = ReviewSettings(ranges=given.ranges, target=given.target, device=given.device)
    reviewer = HandReviewer(settings)
    costs: dict[str, list[float]] = defaultdict(lambda: [0, 0.0, 0.0])
    with tempfile.TemporaryDirectory(prefix="overbet-") as folder, HandDatabase(folder) as database:
        import_hands(database, given.hands)
        priced = 0
        for job in pending(database, settings, given.filter, player=given.player).jobs:
            hand = database.hand(job.hand)
            streets = dict(
                database.connection.execute(
                    "SELECT number, street FROM decisions WHERE hand = ?", (job.hand,)
                ).fetchall()
            )
            for numbers in (
                [number for number in job.numbers if not streets[number]],
                [number for number in job.numbers if streets[number]],
            ):
                if not numbers:
                    continue
                clock, core = time.perf_counter(), time.process_time()
                found = reviewer.price(hand, job.player, numbers)
                clock, core = time.perf_counter() - clock, time.process_time() - core
                methods = {one.method for one in found} - {"none"}
                kind = min(methods) if methods else "none"
                for name in (kind, "all"):
                    costs[name][0] += sum(one.method != "none" for one in found) or (kind == name == "none")
                    costs[name][1] += clock
                    costs[name][2] += core
                priced += sum(one.method != "none" for one in found)
            if priced >= given.most:
                break
    print(f"{vectors()}, {core_count()} cores, load {os.getloadavg()[0]:.1f}")
    for name, (count, clock, core) in costs.items():
        rates = f"{3600 * count / clock:,.0f} an hour of the clock, {3600 * count / core:,.0f} of a core"
        print(f"{name:>10}: {count:,.0f} decisions, {clock:.1f} s, {rates}")


if __name__ == "__main__":
    main()
