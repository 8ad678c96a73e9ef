"""What is kept of a solve that ended, beside its file."""

from __future__ import annotations

from typing import Any

from overbet.solvers.vector.solution import Solution
from overbet.study.packing import finite


def outcome(solution: Solution, *, resumable: bool, note: str = "") -> dict[str, Any]:
    """Return how good a solution is and how it came about; resumable: whether its file holds the regrets."""
    return {
        "iterations": solution.iteration,
        "exploitability": finite(solution.exploitability),
        "seconds": solution.seconds,
        "ev_chips": {name: finite(solution.ev(name)) for name in ("oop", "ip")},
        "resumable": resumable,
        "note": note,
        "history": [[look.iteration, finite(look.exploitability), look.seconds] for look in solution.history],
    }
