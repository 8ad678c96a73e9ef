"""Leaks: where a player's frequencies are not the strategy's, how sure that is, and what it costs.

    report = find_leaks(decisions)       # a table of decisions, see `overbet.study.decisions`
    for leak in report.leaks: print(leak)
    report.frame()                       # polars: all that was looked at

What a player did is compared with what the strategy would have done at the very same decisions: the count of
an action with the sum of the strategy's probabilities of it, spot by spot and, where the hole cards are
known, hand by hand. The luck of the cards is in both, so it is in neither: what is left is the dice of a
player who mixes, and their variance is the sum of p (1 - p).

A line (`river, facing bet`) is one question, asked of the line as a whole and by position, texture of the
flop and depth, of every kind of action. These tests overlap and hang together: who folds more calls less. So
the correction has to hold whatever they have to do with each other, which Benjamini and Hochberg's does not
promise. It is made in two steps (Benjamini & Bogomolov, 2014):

1. A line's p-value is the least of its tests times their number (Bonferroni: any dependence). Lines are
   selected by Benjamini and Yekutieli's procedure (2001: any dependence): of the leaks that are listed at
   most a share `level` is false on average, and the chance that any is listed of a player without leaks is
   at most `level`.
2. Within each of the R selected lines of m, tests are Holm's at `level` R / m. Intervals are of the level
   1 - `level` R / m too, so that of those that are shown a share `level` at most misses (Benjamini &
   Yekutieli, 2005).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from overbet.errors import ConfigError
from overbet.study.decision_lines import KINDS
from overbet.study.decisions import SHARES, checked_decisions
from overbet.study.leak_report import Leak, LeakReport, LeakTest
from overbet.study.leak_tests import Correction, Floats, adjusted, interval, two_sided

if TYPE_CHECKING:
    import polars

TOLERANCE = 0.005  # a little more than one 255th, the step that strategies are kept in
SPLITS = {"position": "position", "texture": "texture", "band": "stack"}
_Z = 1.959963984540054


@dataclass(frozen=True, eq=False)
class _Line:
    """The decisions of one line as arrays. shares: [n, 5] float64; taken: [n] int64; losses: [n], NaN."""

    street: str
    line: str
    parts: list[tuple[str, str, npt.NDArray[np.bool_]]]
    shares: Floats
    taken: npt.NDArray[np.int64]
    losses: Floats
    hands: npt.NDArray[np.int64]
    tests: list[LeakTest] = field(default_factory=list)


def find_leaks(
    decisions: polars.DataFrame,
    *,
    hands: int | None = None,
    level: float = 0.05,
    tolerance: float = TOLERANCE,
    least: int = 30,
    correction: Correction = "by",
) -> LeakReport:
    """Return the leaks of one player's decisions.

    hands: how many the player was dealt, where some have no decision in the table. level: of the correction.
    tolerance: how far the player's probabilities may lie from the strategy's at every decision without it
    being a leak. least: decisions that a part needs to be looked at. correction: of the lines; `by` holds
    whatever they have to do with each other (see above).
    """
    if not 0.0 < level < 1.0 or not 0.0 <= tolerance < 0.5 or least < 1:
        raise ConfigError("level is between 0 and 1, tolerance from 0 to 0.5, least at least 1")
    table = checked_decisions(decisions)
    if table["player"].n_unique() > 1:
        raise ConfigError("leaks are those of one player; keep the rows of one in the table")
    dealt = table["hand"].n_unique() if hands is None else hands
    if dealt < table["hand"].n_unique():
        raise ConfigError(f"{dealt} hands were dealt, but there are decisions of {table['hand'].n_unique()}")
    known = table.drop_nulls(SHARES)
    lines = [line for line in _lines(known, least) if _ask(line, tolerance)]
    corrected = adjusted([_of_line(line) for line in lines], correction)
    chosen = [k for k in range(len(lines)) if corrected[k] <= level]
    within = level * len(chosen) / max(len(lines), 1)
    leaks = [_leak(lines[k], float(corrected[k]), within, tolerance, dealt) for k in chosen]
    leaks.sort(key=lambda leak: (not leak.priced, -leak.bb100 if leak.priced else -abs(leak.per_100)))
    return LeakReport(
        tuple(leaks),
        tuple(test for line in lines for test in line.tests),
        {(line.street, line.line): float(p) for line, p in zip(lines, corrected)},
        dealt,
        len(table),
        len(known),
    )


def _lines(known: polars.DataFrame, least: int) -> Iterator[_Line]:
    """Yield the lines with enough decisions, each with its parts."""
    numbers = {kind: number for number, kind in enumerate(KINDS)}
    known = known.with_columns(known["hand"].rank("dense").alias("hand_number"))
    for group in known.partition_by("street", "line", maintain_order=True):
        if len(group) < least:
            continue
        parts = [("", "", np.ones(len(group), np.bool_))]
        for column, name in SPLITS.items():
            values = group[column].unique().drop_nulls().sort()
            if len(values) < 2:
                continue  # the part is the whole
            for value in values:
                inside = (group[column] == value).fill_null(False).to_numpy()
                if inside.sum() >= least:
                    parts.append((name, str(value), inside))
        yield _Line(
            str(group["street"][0]),
            str(group["line"][0]),
            parts,
            group.select(SHARES).to_numpy().astype(np.float64),
            np.array([numbers[kind] for kind in group["action"]], np.int64),
            group["ev_loss_bb"].fill_null(float("nan")).to_numpy(),
            group["hand_number"].to_numpy().astype(np.int64),
        )


def _ask(line: _Line, tolerance: float) -> bool:
    """Make the tests of a line; return whether there is any."""
    used = np.flatnonzero((line.shares > 0.0).any(0) | (np.bincount(line.taken, minlength=len(KINDS)) > 0))
    asked = used[:0] if len(used) < 2 else used[1:] if len(used) == 2 else used  # of two, one is the other
    for split, part, inside in line.parts:
        for kind in asked.tolist():
            shares, count = line.shares[inside, kind], int((line.taken[inside] == kind).sum())
            p_value = min(2.0 * min(two_sided(shares, count, tolerance)), 1.0)
            observed, expected = count / len(shares), float(shares.mean())
            line.tests.append(
                LeakTest(
                    line.street, line.line, split, part, KINDS[kind], len(shares), observed, expected, p_value
                )
            )
    return bool(line.tests)


def _of_line(line: _Line) -> float:
    return min(min(test.p_value for test in line.tests) * len(line.tests), 1.0)


def _leak(line: _Line, p_value: float, level: float, tolerance: float, hands: int) -> Leak:
    """Return a selected line as a leak: the whole line's largest excess, or else the surest part's."""
    corrected = adjusted([test.p_value for test in line.tests], "holm")
    wrong = [(test, float(p)) for test, p in zip(line.tests, corrected) if p <= level]
    wrong = wrong or [min(zip(line.tests, corrected.tolist()), key=lambda pair: pair[1])]
    shown = [_shown(line, test, p, level, tolerance) for test, p in wrong]
    whole = [test for test in shown if not test.split]
    head = max(whole, key=_excess) if whole else min(shown, key=lambda test: test.p_value)
    inside = next(mask for split, part, mask in line.parts if (split, part) == (head.split, head.part))
    bb100, half, priced = _cost(line, inside, hands)
    return Leak(
        head,
        p_value,
        100.0 * (head.observed - head.expected) * head.decisions / hands,
        bb100,
        half,
        priced,
        tuple(test for test in shown if test is not head),
    )


def _excess(test: LeakTest) -> float:
    """Return how far a test is off; of two that are about as far, what is done too often says more."""
    return abs(test.observed - test.expected) * (1.0 if test.too_often else 0.9)


def _shown(line: _Line, test: LeakTest, within: float, level: float, tolerance: float) -> LeakTest:
    """Return a test with its interval; of two actions, the one that is taken too often is named."""
    inside = next(mask for split, part, mask in line.parts if (split, part) == (test.split, test.part))
    kind = KINDS.index(test.action)
    used = np.flatnonzero((line.shares > 0.0).any(0) | (np.bincount(line.taken, minlength=len(KINDS)) > 0))
    if len(used) == 2 and not test.too_often:
        kind = int(used[0])
    shares, count = line.shares[inside, kind], int((line.taken[inside] == kind).sum())
    low, high = interval(shares, count, 1.0 - level, tolerance)
    return LeakTest(
        test.street,
        test.line,
        test.split,
        test.part,
        KINDS[kind],
        test.decisions,
        count / len(shares),
        float(shares.mean()),
        test.p_value,
        within,
        low,
        high,
    )


def _cost(line: _Line, inside: npt.NDArray[np.bool_], hands: int) -> tuple[float, float, float]:
    """Return what priced decisions lost in bb/100, half the interval (over hands) and the priced share."""
    priced = inside & np.isfinite(line.losses)
    if not priced.any():
        return float("nan"), float("nan"), 0.0
    lost = np.bincount(np.unique(line.hands[priced], return_inverse=True)[1], line.losses[priced])
    mean = float(lost.sum()) / hands
    variance = max(float((lost**2).sum()) / hands - mean**2, 0.0)
    return 100.0 * mean, 100.0 * _Z * float(np.sqrt(variance / hands)), float(priced.sum() / inside.sum())
