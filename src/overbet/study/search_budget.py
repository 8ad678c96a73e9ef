"""Opponents who search at a table: how they are called, and how long they think."""

from __future__ import annotations

from typing import NamedTuple

SEARCH = "search-"  # the id of an opponent who searches: this and the id of its blueprint
SEARCH_SECONDS = (0.5, 1.0, 3.0)  # times a decision that are offered
MOST_SECONDS, MOST_ITERATIONS = 60.0, 10_000  # that may be asked for
_ENOUGH = 0.1  # exploitability in % of the pot at which a search ends before its time is up


class SearchBudget(NamedTuple):
    """How long an opponent thinks about a decision: seconds, iterations, or what comes first."""

    seconds: float | None = None
    iterations: int | None = None

    def changes(self) -> list[str]:
        """Return the settings of a search as overrides: it thinks anew, until the budget is spent."""
        found = ["cache=false", *([f"seconds={self.seconds:g}"] if self.seconds is not None else [])]
        for street in ("flop", "turn", "river"):
            found += [
                f"{street}.iterations={self.iterations or MOST_ITERATIONS}",
                f"{street}.target={_ENOUGH}",
            ]
            if self.iterations is not None:  # walks at a table of three; with a time their standard number
                found.append(f"table.{street}.iterations={self.iterations}")
        return found


NO_BUDGET = SearchBudget()
