"""How far a price of the review is off, beside the accuracy that it states.

Decisions on turn and river that the review solves, the largest pots first, are priced twice: as the review
does, and with the same ranges to a tenth of its target. By how much the difference between the action taken
and the best one changes is the error of the first. Printed: how many errors are larger than the stated
accuracy, and than the mean over hands alone.

Run: python benchmarks/review_accuracy.py ../shared/data/hand-histories.tar.gz --ranges examples/ranges.yaml
     [--most 20] [--skip 0]
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from overbet.hands import HandDatabase, import_hands
from overbet.interfaces.hands.review.hand import HandReviewer
from overbet.interfaces.hands.review.running import pending
from overbet.interfaces.hands.review.settings import ReviewSettings
from overbet.interfaces.hands.review.street_solve import SolvedStreet, StreetQuestion, solve_street
from overbet.interfaces.hands.reviews import PricedDecision


def main() -> None:
    """Measure and print."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("hands", type=Path)
    options.add_argument("--ranges")
    options.add_argument("--most", type=int, default=20, help="decisions")
    options.add_argument("--skip", type=int, default=0, help="hands left out at the beginning")
    given = options.parse_args()
    settings = ReviewSettings(ranges=given.ranges, device="cpu")
    rows = []
    for one, street in priced(given.hands, settings, given.skip):
        mean, stated, error = judged(one, street, settings)
        rows.append((mean, stated, error))
        print(
            f"{one.loss_bb:7.3f} ± {stated:.3f} bb (mean over hands {mean:.3f}), off by {error:.3f}",
            flush=True,
        )
        if len(rows) >= given.most:
            break
    means, stated_all, errors = np.array(rows).T
    print(
        f"{len(rows)} decisions: {int((errors > stated_all).sum())} off by more than stated, "
        f"{int((errors > means).sum())} by more than the mean over hands"
    )


def priced(place: Path, settings: ReviewSettings, skip: int) -> Iterator[tuple[PricedDecision, SolvedStreet]]:
    """Yield decisions on turn and river that were not the best ones, with the street that was solved."""
    reviewer = HandReviewer(settings)
    solved: list[SolvedStreet] = []

    def kept(question: StreetQuestion, chosen: ReviewSettings) -> SolvedStreet:
        solved.append(solve_street(question, chosen))
        return solved[-1]

    with tempfile.TemporaryDirectory(prefix="overbet-") as folder, HandDatabase(folder) as database:
        import_hands(database, place, workers=1)
        from overbet.interfaces.hands.review import hand as by_hand

        by_hand.solve_street = kept
        for job in pending(database, settings).jobs[skip:]:
            solved.clear()
            found = reviewer.price(database.hand(job.hand), job.player, job.numbers)
            for one in found:
                if one.method != "solve" or one.taken == one.best or one.spot is None:
                    continue
                board = len(str(one.spot["board"])) // 2
                street = next(each for each in solved if each.question.street == board - 3)
                if street.question.street:
                    yield one, street


def judged(one: PricedDecision, street: SolvedStreet, settings: ReviewSettings) -> tuple[float, float, float]:
    """Return the accuracy by the mean over hands, the stated one, and how far the loss is off, in bb."""
    assert one.spot is not None
    assert one.loss_bb is not None
    assert one.accuracy_bb is not None
    place = len(str(one.spot["line"]).split(":")) - 2
    fine = solve_street(
        street.question, settings.model_copy(update={"target": settings.target / 10, "iterations": 4000})
    )
    own = street._own_gain(place, {one.taken, one.best}) / street.question.big_blind
    mean = (one.accuracy_bb - own) / 3
    right = _loss(fine, place, one)
    return mean, one.accuracy_bb, abs(right - one.loss_bb)


def _loss(street: SolvedStreet, place: int, one: PricedDecision) -> float:
    node = street.node(place)
    seat: Any = node.seat()
    [row] = np.flatnonzero(seat.combos == street.question.held[1])
    values = dict(zip((action.token for action in node.actions), seat.action_ev_chips[row]))
    return float(values[one.best] - values[one.taken]) / street.question.big_blind


if __name__ == "__main__":
    main()
