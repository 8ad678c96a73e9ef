"""A row of 255ths rounded to whole `levels`-ths by the largest remainder, in plain Python."""

from __future__ import annotations


def rounded_row(row: list[int], levels: int) -> list[int]:
    """Return the row in multiples of 255 // levels; a row of zeros, which was never reached, as it is."""
    if not any(row):
        return row
    unit = 255 // levels
    counts = [share // unit for share in row]
    most_lost_first = sorted(range(len(row)), key=lambda a: (-(row[a] % unit), a))
    for a in most_lost_first[: levels - sum(counts)]:
        counts[a] += 1
    return [unit * count for count in counts]


def row_change(before: list[int], after: list[int]) -> float:
    """Return how far a row moved: the share of it that another action has now."""
    return sum(abs(a - b) for a, b in zip(before, after)) / 2 / 255
