"""All 1,755 flops of a spot in one folder, by several processes that share a GPU (or the cores).

    python benchmarks/all_flops.py examples/all_flops.yaml --out all-flops --device cuda --together 4

The folder is that of `overbet batch SPOT --flops all --out all-flops`, which goes on with it and shows it.
Printed are seconds in all, seconds a flop on one process, and iterations. What is solved already is kept.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import statistics
import time
from pathlib import Path

from overbet.solvers.vector.api import SolveFile
from overbet.solvers.vector.batches.batch import BatchProgress, solve_batch
from overbet.solvers.vector.batches.flops import BoardSet, board_set


def main() -> None:
    """Share the flops out, wait, and print what it took."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("spot", type=Path)
    parser.add_argument("--flops", default="all")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--device", default="auto")
    parser.add_argument("--together", type=int, default=4, help="processes")
    parser.add_argument("--threads", type=int, default=3, help="of a process")
    parser.add_argument("--minutes", type=float, default=60.0, help="begin no flop after so long")
    told = parser.parse_args()
    begun = time.perf_counter()
    jobs = multiprocessing.get_context("spawn")
    workers = [
        jobs.Process(target=_solve, args=(told, number, time.time() + 60 * told.minutes))
        for number in range(told.together)
    ]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    seconds = time.perf_counter() - begun
    # what is missing, if time was up, is missing in the set too
    found = solve_batch(_file(told), board_set(told.flops), told.out, progress=lambda state: False)
    rows = found.rows
    if not rows:
        print("no flop was solved")
        return
    facts = {
        "flops": len(rows),
        "of": len(found.boards.boards),
        "processes": told.together,
        "threads": told.threads,
        "device": told.device,
        "seconds": round(seconds, 1),
        "seconds_a_flop_in_its_process": round(statistics.mean(row["spent"] for row in rows), 3),
        "seconds_solving": round(statistics.mean(row["seconds"] for row in rows), 3),
        "iterations": round(statistics.mean(row["iterations"] for row in rows), 1),
        "exploitability_at_most": round(max(row["exploitability"] for row in rows), 4),
    }
    print(json.dumps(facts, indent=1))


def _file(told: argparse.Namespace) -> SolveFile:
    return SolveFile.load(told.spot, [f"solve.device={told.device}", f"solve.threads={told.threads}"])


def _solve(told: argparse.Namespace, number: int, until: float) -> None:
    """Solve every so manieth flop of the set."""
    every = board_set(told.flops)
    mine = slice(number, None, told.together)
    boards = BoardSet(every.name, every.boards[mine], every.weights[mine], every.up_to_suits)
    shown = 0

    def watch(state: BatchProgress) -> bool:
        nonlocal shown
        if number == 0 and state.look is None and state.done >= shown + 50:
            shown = state.done
            print(f"process 0: {state.done} of {state.total}", flush=True)
        return time.time() < until

    solve_batch(_file(told), boards, told.out, progress=watch)


if __name__ == "__main__":
    main()
