"""Processes that work through jobs; what they find comes by arrival.

A process looks at every step whether its parent still lives (`next_job`), so that a killed command leaves
none behind; whoever stops reading ends them.
"""

from __future__ import annotations

import multiprocessing
import os
import queue
import signal
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from overbet.errors import OverbetError

WAIT_S = 0.5


def found_by_team(
    work: Callable[..., None],
    arguments: tuple[Any, ...],
    jobs: Sequence[Any],
    workers: int,
    *,
    ends: Callable[[Any], bool],
    trouble: str,
    waiting: int = 0,
) -> Iterator[Any]:
    """Yield what processes find, until every job has ended.

    work: run in each as work(tasks, found, parent, *arguments); it takes jobs with `next_job` and puts what
    it finds. ends: whether a find is the last of its job; an `OverbetError` among them is raised. trouble:
    what is said where a process was ended from outside. waiting: how many finds may wait, 0 for any number.
    """
    context = multiprocessing.get_context("spawn")  # threads that draw a bar do not survive a fork
    tasks: Any = context.Queue()
    found: Any = context.Queue(waiting)
    team = [
        context.Process(target=work, args=(tasks, found, os.getpid(), *arguments), daemon=True)
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
                result = found.get(timeout=WAIT_S)
            except queue.Empty:
                if not all(process.is_alive() for process in team):
                    raise OverbetError(trouble) from None
                continue
            if isinstance(result, OverbetError):
                raise result
            ended += ends(result)
            yield result
    finally:
        tasks.cancel_join_thread()  # what nobody reads any more must not hold the end up
        for process in team:
            if process.is_alive():
                process.terminate()
        for process in team:
            if process.pid is not None:
                process.join()


def leave_ctrl_c_to_parent() -> None:
    """Ignore Ctrl-C, which goes to all processes of a terminal: the parent decides."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def next_job(tasks: Any, parent: int) -> Any:
    """Return the next job, None where the parent is gone."""
    while os.getppid() == parent:
        try:
            return tasks.get(timeout=WAIT_S)
        except queue.Empty:
            continue
    return None
