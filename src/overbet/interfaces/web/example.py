"""The first visit: a spot that is solved already, shipped as a saved solution.

`example.h5` is `example.yaml` solved to 0.1 % of the pot and saved without regrets, `example.json` how it
went; `python -m overbet.interfaces.web.example` makes both anew. On the first start they are laid into the
data folder like any other solve. Deleting it there is for good.
"""

from __future__ import annotations

import contextlib
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

from overbet.errors import OverbetError
from overbet.files import replacing
from overbet.interfaces.web.faults import Fault
from overbet.interfaces.web.folder import SOLUTION, SOLVES, now, read_json, write_json
from overbet.interfaces.web.spots import spot_json
from overbet.interfaces.web.work.jobs import Job
from overbet.solvers.vector.api import SolveFile, solve
from overbet.solvers.vector.store import load
from overbet.study.values import outcome
from overbet.study.views import node_view

if TYPE_CHECKING:
    from overbet.interfaces.web.state import ServerState

EXAMPLE_ID = "example"
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
    """Put the example into a data folder that never had it."""
    seen = state.folder.root / _SEEN
    if seen.exists():
        return
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
    write_json(seen, {"example": EXAMPLE_ID})


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
