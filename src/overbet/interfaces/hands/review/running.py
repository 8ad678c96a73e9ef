"""A review of many hands: which decisions are missing, the largest pots first, each hand kept at once.

The verdicts of a hand are written in one transaction as soon as they are there. A review that is stopped has
those of the hands it came to; the same call goes on with what is missing.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from overbet.errors import ConfigError
from overbet.interfaces.hands.database import HandDatabase
from overbet.interfaces.hands.filter_text import compiled
from overbet.interfaces.hands.review.hand import is_solved
from overbet.interfaces.hands.review.settings import ReviewSettings, usual_workers
from overbet.interfaces.hands.review.team import HandJob, priced_hands
from overbet.interfaces.hands.reviews import PricedDecision

_PENDING = """
SELECT decisions.hand, decisions.player, decisions.number, decisions.street, decisions.players,
    1.0 * (decisions.pot + decisions.added) / hands.big_blind, reviews.settings
FROM seats JOIN hands ON hands.id = seats.hand
JOIN decisions ON decisions.hand = seats.hand AND decisions.player = seats.player
LEFT JOIN reviews ON reviews.hand = decisions.hand AND reviews.number = decisions.number
WHERE
"""


class ReviewProgress(NamedTuple):
    """How far a review is. done, total: decisions; priced: of those done; lost_bb: by those priced."""

    done: int
    total: int
    priced: int
    lost_bb: float
    seconds: float


@dataclass(frozen=True, slots=True)
class ReviewRun:
    """What a review did. known: decisions that had a verdict already; left: that are still missing."""

    done: int
    priced: int
    known: int
    left: int
    seconds: float


class ReviewWork(NamedTuple):
    """Hands to price, the largest pots first; decisions: in them; known: that have a verdict already."""

    jobs: list[HandJob]
    decisions: int
    known: int


def review_hands(
    database: HandDatabase,
    settings: ReviewSettings | None = None,
    filter: str = "",
    *,
    player: str | None = None,
    again: bool = False,
    limit: int | None = None,
    workers: int | None = None,
    progress: Callable[[ReviewProgress], None] | None = None,
) -> ReviewRun:
    """Price the decisions of the hero, or of a player by name, that have no verdict of these settings yet.

    again: those that have one, too. limit: stop when so many have been priced. workers: processes. Ctrl-C
    keeps what was priced and is raised again.
    """
    settings = settings or ReviewSettings()
    begun, work = time.perf_counter(), pending(database, settings, filter, player=player, again=again)
    done, priced, lost = 0, 0, 0.0
    count = workers or usual_workers(settings.device)
    for found in _limited(priced_hands(database.folder, work.jobs, settings, count), limit):
        database.put_reviews(found)
        done += len(found)
        priced += sum(one.method != "none" for one in found)
        lost += sum(one.loss_bb or 0.0 for one in found)
        if progress is not None:
            progress(ReviewProgress(done, work.decisions, priced, lost, time.perf_counter() - begun))
    return ReviewRun(done, priced, work.known, work.decisions - done, time.perf_counter() - begun)


def _limited(hands: Iterable[list[PricedDecision]], limit: int | None) -> Iterator[list[PricedDecision]]:
    """Yield hands until enough decisions have been priced."""
    priced = 0
    for found in hands:
        yield found
        priced += sum(one.method != "none" for one in found)
        if limit is not None and priced >= limit:
            return


def pending(
    database: HandDatabase,
    settings: ReviewSettings,
    filter: str = "",
    *,
    player: str | None = None,
    again: bool = False,
) -> ReviewWork:
    """Return the hands with decisions that are missing, the largest pots first."""
    if not player and not database.heroes() and len(database):
        raise ConfigError("no hand has a hero; say whose decisions are meant with --player NAME")
    where = compiled(filter).also(database.own_seat(player))
    table, solve = settings.table_digest(), settings.solve_digest()
    known, found = 0, dict[tuple[int, int], tuple[list[int], float]]()
    for row in database.connection.execute(f"{_PENDING} {where.sql}", where.values):
        hand, who, number, street, players, pot, digest = row
        if not again and digest == (solve if is_solved(street, players) else table):
            known += 1
            continue
        numbers, most = found.get((hand, who), ([], 0.0))
        found[hand, who] = ([*numbers, number], max(most, pot))
    order = sorted(found.items(), key=lambda item: (-item[1][1], item[0]))
    jobs = [HandJob(hand, who, tuple(numbers)) for (hand, who), (numbers, _) in order]
    return ReviewWork(jobs, sum(len(job.numbers) for job in jobs), known)
