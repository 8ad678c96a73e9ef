"""What `overbet hands review` prints: the most expensive decisions, what they cost together, what was not
priced and why."""

from __future__ import annotations

from typing import TYPE_CHECKING

from overbet.interfaces.cli.hands_view import counted
from overbet.interfaces.hands.reviews import ASSUMED

if TYPE_CHECKING:
    import polars
    from rich.console import Console

    from overbet.interfaces.hands.database import HandDatabase
    from overbet.interfaces.hands.review.running import ReviewProgress
    from overbet.interfaces.hands.review.totals import ReviewTotals
    from overbet.interfaces.hands.reviews import PricedDecision

_REASONS = 8  # shown before the rest are only counted
_METHODS = {
    "push-fold": "by exact push or fold",
    "blueprint": "by a blueprint",
    "solve": "by solving the spot",
    "none": "not priced",
}


def review_facts(now: ReviewProgress) -> str:
    """Return what stands after the bar of a review."""
    rate = 3600 * now.done / now.seconds if now.seconds > 0 else 0.0
    return f"decisions, {rate:,.0f} an hour, {now.priced:,} priced, {now.lost_bb:,.1f} bb lost"


def verdict_words(found: PricedDecision) -> str:
    """Return a verdict in a few words, `mistake, -0.84 ± 0.05 bb; best: call 3`."""
    if found.loss_bb is None or found.accuracy_bb is None:
        return f"not priced: {found.reason}"
    best = found.action(found.best)
    words = f"{found.grade}"
    if found.loss_bb > 0 or found.accuracy_bb > 0:
        words += f", {-found.loss_bb + 0.0:.2f} ± {found.accuracy_bb:.2f} bb"
    if found.best != found.taken and best is not None:
        words += f"; best: {best.name}"
    if ASSUMED in found.source:
        words += f"; {found.source.partition('; ')[2]}"
    shares = ", ".join(f"{one.name} {one.share:.0%}" for one in found.actions if one.share >= 0.005)
    return f"{words} [{shares}]" if shares else words


def print_reviews(console: Console, frame: polars.DataFrame, database: HandDatabase, most: int) -> None:
    """Print the most expensive decisions as a table."""
    from rich.table import Table

    table = Table(box=None)
    for name in ("hand", "pos", "street", "cards", "board", "did", "best"):
        table.add_column(name, justify="right" if name == "hand" else "left", no_wrap=True)
    table.add_column("EV loss bb", justify="right", no_wrap=True)
    for name in ("grade", "by"):
        table.add_column(name, no_wrap=True)
    for row in frame.head(most).iter_rows(named=True):
        if row["loss_bb"] is None or row["loss_bb"] <= 0:
            break
        found = next(one for one in database.priced(row["hand"]) if one.number == row["number"])
        did, best = found.action(found.taken), found.action(found.best)
        table.add_row(
            str(row["hand"]),
            row["position"],
            row["street"],
            row["hole"] or "-",
            row["board"] or "-",
            did.name if did else row["action"],
            best.name if best else "-",
            f"{row['loss_bb']:.2f} ± {row['accuracy_bb']:.2f}",
            row["grade"],
            row["method"] + (", assumed" if ASSUMED in row["source"] else ""),
        )
    if table.row_count:
        console.print(table)


def print_totals(console: Console, totals: ReviewTotals) -> None:
    """Print what decisions cost together and how they were priced."""
    decisions = counted(totals.decisions, "decision")
    console.print(f"{counted(totals.hands, 'hand')}; {totals.priced:,} of {decisions} priced")
    if totals.priced:
        loss, known, clear = map(totals.per_100, (totals.loss_bb, totals.accuracy_bb, totals.clear_bb))
        console.print(
            f"they lost {totals.loss_bb:.1f} ± {totals.accuracy_bb:.1f} bb: {loss:.1f} ± {known:.1f} bb/100; "
            f"{clear:.1f} of it by decisions that lose more than their accuracy"
        )
        grades = ", ".join(f"{count:,} {grade}" for grade, count in totals.grades.items())
        console.print(grades)
    for method, count in totals.methods.items():
        console.print(f"{count:>9,} {_METHODS[method]}")
        if method == "solve" and totals.assumed:
            console.print(f"{totals.assumed:>15,} of these with ranges {ASSUMED}", highlight=False)
    listed = list(totals.reasons.items())
    for reason, count in listed[:_REASONS]:
        console.print(f"{count:>15,} {reason}", markup=False, soft_wrap=True)
    rest = sum(count for _, count in listed[_REASONS:])
    if rest:
        console.print(f"{rest:>15,} for other reasons; --json lists them")
