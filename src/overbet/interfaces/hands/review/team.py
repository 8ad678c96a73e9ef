"""The processes that price hands. Each looks at every step whether its parent still lives."""

from __future__ import annotations

import multiprocessing
import os
import queue
import signal
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from overbet import machine
from overbet.errors import OverbetError
from overbet.interfaces.hands.database import HandDatabase
from overbet.interfaces.hands.review.hand import HandReviewer
from overbet.interfaces.hands.review.settings import ReviewSettings
from overbet.interfaces.hands.reviews import PricedDecision

_WAIT_S = 0.5


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
        yield from _in_processes(folder, jobs, settings.model_copy(update={"threads": threads}), workers)
        return
    with HandDatabase(folder) as database:
        for job in jobs:
            yield reviewer.price(database.hand(job.hand), job.player, job.numbers)


def _in_processes(
    folder: Path, jobs: Sequence[HandJob], settings: ReviewSettings, workers: int
) -> Iterator[list[PricedDecision]]:
    context = multiprocessing.get_context("spawn")
    tasks: Any = context.Queue()
    found: Any = context.Queue()
    team = [
        context.Process(target=_work, args=(tasks, found, folder, settings, os.getpid()), daemon=True)
        for _ in range(workers)
    ]
    try:
        for process in team:
            process.start()
        for job in jobs:
            tasks.put(job)
        ended = 0
        while ended < len(jobs):
            try:
                result = found.get(timeout=_WAIT_S)
            except queue.Empty:
                if not all(process.is_alive() for process in team):
                    raise OverbetError(
                        "a process that priced hands was ended from outside (memory?); the same command goes "
                        "on, with fewer --workers"
                    ) from None
                continue
            if isinstance(result, OverbetError):
                raise result
            ended += 1
            yield result
    finally:
        tasks.cancel_join_thread()  # what nobody reads any more must not hold the end up
        for process in team:
            if process.is_alive():
                process.terminate()
        for process in team:
            if process.pid is not None:
                process.join()


def _work(tasks: Any, found: Any, folder: Path, settings: ReviewSettings, parent: int) -> None:
    """Price hands until the parent ends this process, or is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C goes to all of a terminal: the parent decides
    try:
        reviewer = HandReviewer(settings)
        with HandDatabase(folder) as database:
            while os.getppid() == parent:
                try:
                    job = tasks.get(timeout=_WAIT_S)
                except queue.Empty:
                    continue
                found.put(reviewer.price(database.hand(job.hand), job.player, job.numbers))
    except OverbetError as error:
        found.put(error)
    while os.getppid() == parent:  # until it is ended: what was put must be read first
        time.sleep(_WAIT_S)
