"""The processes that read files for an import: as many as cores, with a queue that bounds what waits."""

from __future__ import annotations

import os
import queue
from collections.abc import Iterator, Sequence
from typing import Any

from overbet.interfaces.hands.process_team import WAIT_S, found_by_team, leave_ctrl_c_to_parent, next_job
from overbet.interfaces.hands.reading_files import FileBatch, FileJob, file_batches

_WAITING = 4  # batches a worker may be ahead


def read_files(jobs: Sequence[FileJob], workers: int, key: bytes | None) -> Iterator[FileBatch]:
    """Yield the batches of all files, in this process where one worker does; order is by arrival."""
    if workers <= 1 or len(jobs) <= 1:
        for job in jobs:
            yield from file_batches(job, key)
        return
    workers = min(workers, len(jobs))
    yield from found_by_team(
        _work,
        (key,),
        jobs,
        workers,
        ends=lambda batch: batch.last,
        trouble="a process that read hands was ended from outside (memory?); the same command goes on",
        waiting=_WAITING * workers,
    )


def _work(tasks: Any, found: Any, parent: int, key: bytes | None) -> None:
    """Read files until the parent ends this process, or is gone."""
    leave_ctrl_c_to_parent()
    while (job := next_job(tasks, parent)) is not None:
        for batch in file_batches(job, key):
            while not _handed_over(found, batch):
                if os.getppid() != parent:
                    os._exit(1)
    os._exit(1)  # not by Python's own end: that waits for a queue which nobody reads


def _handed_over(found: Any, batch: FileBatch) -> bool:
    try:
        found.put(batch, timeout=WAIT_S)
    except queue.Full:
        return False
    return True
