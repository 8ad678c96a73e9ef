"""What is said about leaks: what was asked, and the lines that are not played as the strategy does."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import polars


@dataclass(frozen=True)
class LeakTest:
    """One question: an action at one line, or at a part of it (by position, texture or stack).

    observed, expected: shares of the decisions, the player's and the strategy's at the same decisions;
    too_often: which way the player is off; p_value: two-sided, before any correction; within: after the
    correction within the line. low, high: interval of the player's frequency, NaN where it was not asked for.
    """

    street: str
    line: str
    split: str
    part: str
    action: str
    decisions: int
    observed: float
    expected: float
    p_value: float
    within: float = 1.0
    low: float = float("nan")
    high: float = float("nan")

    @property
    def too_often(self) -> bool:
        """Whether the player does it more often than the strategy."""
        return self.observed > self.expected

    def __str__(self) -> str:
        where = f", {self.part}" if self.part else ""
        word = "too often" if self.too_often else "too rarely"
        return (
            f"{self.street}, {self.line}{where}: {self.action} {word}, {self.observed:.1%} "
            f"({self.low:.1%} to {self.high:.1%}) instead of {self.expected:.1%} "
            f"in {self.decisions:,} decisions"
        )


@dataclass(frozen=True)
class Leak:
    """A line that is not played as the strategy plays it.

    test: what is most wrong with it; p_value: of the line, corrected for the number of lines. per_100: how
    many actions in a hundred hands are too many or too few. bb100, bb100_half: what the line's priced
    decisions lost in a hundred hands, and half the width of the 95 % interval, NaN where none was priced;
    priced: the share of its decisions that were. also: the other tests of the line that are significant.
    """

    test: LeakTest
    p_value: float
    per_100: float
    bb100: float
    bb100_half: float
    priced: float
    also: tuple[LeakTest, ...] = ()

    def __str__(self) -> str:
        cost = f"; {self.bb100:.2f} ± {self.bb100_half:.2f} bb/100" if self.priced else ""
        return f"{self.test}{cost}"


@dataclass(frozen=True)
class LeakReport:
    """leaks: the most expensive first. tests: all that was asked. lines: p-value of each line, corrected.

    hands: how many were played; decisions: how many there are; compared: those whose strategy is known.
    """

    leaks: tuple[Leak, ...]
    tests: tuple[LeakTest, ...]
    lines: dict[tuple[str, str], float]
    hands: int
    decisions: int
    compared: int

    def frame(self) -> polars.DataFrame:
        """Return a row for every test, with `leak` saying whether its line is one."""
        import polars as pl

        found = {(leak.test.street, leak.test.line) for leak in self.leaks}
        rows = [
            {
                "street": test.street,
                "line": test.line,
                "split": test.split,
                "part": test.part,
                "action": test.action,
                "decisions": test.decisions,
                "observed": test.observed,
                "expected": test.expected,
                "p_value": test.p_value,
                "line_p_value": self.lines[test.street, test.line],
                "leak": (test.street, test.line) in found,
            }
            for test in self.tests
        ]
        return pl.DataFrame(rows, infer_schema_length=None)
