"""Fuzz by the hour: `OVERBET_FUZZ_SECONDS=3600 python -m tests.fuzz`, or repeat one find.

python -m tests.fuzz                                   every target, an hour in all
python -m tests.fuzz --target range --seconds 60         one target
python -m tests.fuzz --target range --input FILE         one input again
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from pathlib import Path

from tests.fuzz.parent import BrokenTargetError, Child
from tests.fuzz.shares import SECONDS, share_of
from tests.fuzz.targets import all_targets, target_named


def main() -> int:
    """Run as the command line says; exit code 1 where there is a find."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--target", action="append", help="a target; all where none is named")
    parser.add_argument("--seconds", type=float, default=float(os.environ.get(SECONDS, 3600)), help="in all")
    parser.add_argument("--seed", type=int, default=time.time_ns() // 1000 % 10**9)
    parser.add_argument("--finds", type=Path, default=Path("build/fuzz"), help="where failing inputs go")
    parser.add_argument("--input", type=Path, help="a written input, run once")
    asked = parser.parse_args()
    names = asked.target or list(all_targets())
    with Child(asked.finds) as child:
        if asked.input is not None:
            found = child.repeat(names[0], asked.input, target_named(names[0]).limit_s)
            print(found or "ended well")
            return 1 if found else 0
        print(
            f"{len(names)} targets, {asked.seconds:g} s in all, seed {asked.seed}, finds in {asked.finds}",
            flush=True,
        )
        finds = 0
        for name in names:
            seconds = asked.seconds * share_of(name, names)
            try:
                report = child.fuzz(name, asked.seed, seconds, target_named(name).limit_s)
            except BrokenTargetError as error:
                print(f"{name}: {error}", flush=True)
                finds += 1
                continue
            print(f"{name}: {report.inputs:,} inputs, {len(report.finds)} kinds of find", flush=True)
            for find in report.finds:
                print(f"  {find} ({report.more[find.kind]} times)", flush=True)
            finds += len(report.finds)
        return 1 if finds else 0


if __name__ == "__main__":
    sys.exit(main())
