"""The first visit: a spot that is solved already, shipped as a saved solution.

`example.h5` is `example.yaml` solved to 0.1 % of the pot and saved without regrets, `example.json` how it
went; `python -m overbet.interfaces.web.example` makes both anew. On the first start they are laid into the
data folder like any other solve. Beside it stands the shipped report over all flops, read where it lies.
Deleting either is for good.
"""

from __future__ import annotations

import contextlib
import shutil
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from overbet.errors import OverbetError
from overbet.files import replacing
from overbet.interfaces.web.faults import Fault
from overbet.interfaces.web.folder import SOLUTION, SOLVES, now, read_json, write_json
from overbet.interfaces.web.spots import spot_json
from overbet.interfaces.web.work.jobs import Job
from overbet.solvers.vector.api import SolveFile, solve
from overbet.solvers.vector.batches.batch import Batch
from overbet.solvers.vector.batches.packed import SHIPPED, load_report, read_report
from overbet.solvers.vector.store import load
from overbet.study.values import outcome
from overbet.study.views import node_view

if TYPE_CHECKING:
    from overbet.interfaces.web.state import ServerState

EXAMPLE_ID, REPORT_ID = "example", "example-flops"
GUIDE = (
    "This turn is solved already: click an action above the grid to walk the line, a cell to see its combos.",
    "Under Solve set up a spot of your own: board, ranges and bet sizes, then watch the exploitability fall.",
)
HERE = Path(__file__).resolve().parent
SAVED, _FACTS = HERE / "example.h5", "example.json"
_SEEN = "first-visit.json"


def spot() -> SolveFile:
    """Return the example spot."""
    return SolveFile.load(HERE / "example.yaml")


def build(folder: Path = HERE) -> None:
    """Solve the example and save what is shipped."""
    solution = solve(spot())
    solution.save(folder / SAVED.name, resumable=False)
    write_json(folder / _FACTS, outcome(solution, resumable=False))


def lay_out(state: ServerState) -> None:
    """Put the examples into a data folder that never had them."""
    seen = state.folder.root / _SEEN
    known = (read_json(seen) or {}) if seen.exists() else {}
    if not seen.exists():
        _lay_out_turn(state)
    laid = {"example": EXAMPLE_ID}
    if known.get("report") == REPORT_ID or _lay_out_report(state):
        laid["report"] = REPORT_ID
    if known != laid:
        write_json(seen, laid)


@lru_cache(maxsize=1)
def shipped_report() -> Batch:
    """Return the shipped report over all flops."""
    return load_report(SHIPPED)


def _lay_out_report(state: ServerState) -> bool:
    """Put the shipped report, if there is one, among the sets of flops; its figures stay where they are."""
    with contextlib.suppress(OverbetError, OSError, Fault):
        found, question = read_report(SHIPPED)
        flops = "all" if found.boards.up_to_suits else list(found.boards.boards)
        options = {"flops": flops, "boards": len(found.rows), "keep": "nothing", "trial": False}
        name = "Example: a three-bet pot on all 1,755 flops"
        job = Job(REPORT_ID, "batch", name, now(), spot_json(question), example=True, options=options)
        job.status, job.result = "done", {"done": len(found.rows)}
        state.jobs.adopt(job)
        return True
    return False


def _lay_out_turn(state: ServerState) -> None:
    job = Job(
        EXAMPLE_ID, "solve", "Example: the turn of a three-bet pot", now(), spot_json(spot()), example=True
    )
    target = state.folder.job(SOLVES, EXAMPLE_ID) / SOLUTION
    try:
        load(SAVED)  # made by another version it would not open: then it is solved here
        job.result = read_json(HERE / _FACTS) or {}
        with replacing(target) as beside:
            shutil.copyfile(SAVED, beside)
        job.status = "done"
        state.jobs.adopt(job)
    except OverbetError:
        state.jobs.adopt(job)
        state.jobs.again(job, job.spot, resume=False)


def warm_up(state: ServerState) -> None:
    """Open the example once, so that the kernels of every view are loaded before the first click."""
    state.warming.wait("study")
    with contextlib.suppress(Fault, OverbetError, OSError):
        if example_solve(state):
            state.solutions.ask(
                EXAMPLE_ID, ("node", "r:0"), lambda solution: node_view(solution, "r:0").packed()
            )


def example_solve(state: ServerState) -> str | None:
    """Return the id of the example solve, None where it was deleted."""
    return EXAMPLE_ID if any(job.id == EXAMPLE_ID for job in state.jobs.all("solve")) else None


if __name__ == "__main__":
    build()
