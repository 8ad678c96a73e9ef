"""The processes that price hands. Each looks at every step whether its parent still lives."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from overbet import machine
from overbet.errors import OverbetError
from overbet.interfaces.hands.database import HandDatabase
from overbet.interfaces.hands.process_team import WAIT_S, found_by_team, leave_ctrl_c_to_parent, next_job
from overbet.interfaces.hands.review.hand import HandReviewer
from overbet.interfaces.hands.review.settings import ReviewSettings
from overbet.interfaces.hands.reviews import PricedDecision


class HandJob(NamedTuple):
    """Decisions of one player in one hand, by their numbers."""

    hand: int
    player: int
    numbers: tuple[int, ...]


def priced_hands(
    folder: Path, jobs: Sequence[HandJob], settings: ReviewSettings, workers: int
) -> Iterator[list[PricedDecision]]:
    """Yield the verdicts of hand after hand, in this process where one does; else by arrival."""
    reviewer = HandReviewer(settings)  # a file that cannot be read is told before the work
    workers = min(workers, len(jobs))
    if workers > 1:
        threads = settings.threads or max(1, machine.core_count() // workers)
        yield from found_by_team(
            _work,
            (folder, settings.model_copy(update={"threads": threads})),
            jobs,
            workers,
            ends=lambda _: True,
            trouble="a process that priced hands was ended from outside (memory?); the same command goes on, "
            "with fewer --workers",
        )
        return
    with HandDatabase(folder) as database:
        for job in jobs:
            yield reviewer.price(database.hand(job.hand), job.player, job.numbers)


def _work(tasks: Any, found: Any, parent: int, folder: Path, settings: ReviewSettings) -> None:
    """Price hands until the parent ends this process, or is gone."""
    leave_ctrl_c_to_parent()
    try:
        reviewer = HandReviewer(settings)
        with HandDatabase(folder) as database:
            while (job := next_job(tasks, parent)) is not None:
                found.put(reviewer.price(database.hand(job.hand), job.player, job.numbers))
    except OverbetError as error:
        found.put(error)
    while os.getppid() == parent:  # until it is ended: what was put must be read first
        time.sleep(WAIT_S)
