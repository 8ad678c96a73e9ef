"""What reviewed decisions cost together, and how many were priced by what."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from overbet.interfaces.hands.database import HandDatabase
from overbet.interfaces.hands.reviews import ASSUMED, METHODS, REVIEW_GRADES

if TYPE_CHECKING:
    import polars


@dataclass(frozen=True)
class ReviewTotals:
    """Sums over reviewed decisions.

    hands: that the player played, reviewed or not. decisions: reviewed. loss_bb: of all priced decisions;
    accuracy_bb: how well it is known: what the solves are accurate to added up, with the root of the squares
    of what playing on is. clear_bb: of those decisions alone whose loss is larger than its own accuracy.
    assumed: solved with common ranges. methods, grades: decisions by name; reasons: why decisions were not
    priced, the most frequent first.
    """

    hands: int
    decisions: int
    priced: int
    loss_bb: float
    accuracy_bb: float
    clear_bb: float
    assumed: int
    methods: dict[str, int]
    grades: dict[str, int]
    reasons: dict[str, int]

    def per_100(self, amount: float) -> float:
        """Return an amount for every hundred hands."""
        return 100 * amount / self.hands if self.hands else 0.0

    def facts(self) -> dict[str, Any]:
        """Return the sums as plain values for JSON."""
        return {
            **vars(self),
            "loss_bb_per_100": self.per_100(self.loss_bb),
            "accuracy_bb_per_100": self.per_100(self.accuracy_bb),
            "clear_bb_per_100": self.per_100(self.clear_bb),
        }


def review_totals(database: HandDatabase, filter: str = "", *, player: str | None = None) -> ReviewTotals:
    """Return the sums over the reviews that a filter chooses."""
    frame = database.reviews(filter, player=player)
    return totals_of(frame, database.played(filter, player=player))


def totals_of(frame: polars.DataFrame, hands: int) -> ReviewTotals:
    """Return the sums over rows of `HandDatabase.reviews`. hands: that were played."""
    loss = bound = square = clear = 0.0
    assumed = 0
    methods: Counter[str] = Counter()
    grades: Counter[str] = Counter()
    reasons: Counter[str] = Counter()
    columns = ("method", "source", "grade", "reason", "loss_bb", "accuracy_bb")
    for method, source, grade, reason, lost, accuracy in frame.select(columns).iter_rows():
        methods[method] += 1
        if method == "none":
            reasons[reason] += 1
            continue
        grades[grade] += 1
        assumed += ASSUMED in source
        loss += lost
        clear += lost if lost > accuracy else 0.0
        if method == "solve":
            bound += accuracy
        else:
            square += accuracy**2
    return ReviewTotals(
        hands=hands,
        decisions=frame.height,
        priced=frame.height - methods["none"],
        loss_bb=loss,
        accuracy_bb=bound + math.sqrt(square),
        clear_bb=clear,
        assumed=assumed,
        methods={method: methods[method] for method in METHODS if methods[method]},
        grades={grade: grades[grade] for grade in REVIEW_GRADES if grades[grade]},
        reasons=dict(reasons.most_common()),
    )
