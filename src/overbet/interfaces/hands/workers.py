"""The processes that read files for an import: as many as cores, with a queue that bounds what waits.

A worker looks at every step whether its parent still lives, so that a killed import leaves none behind.
"""

from __future__ import annotations

import multiprocessing
import os
import queue
import signal
from collections.abc import Iterator, Sequence
from typing import Any

from overbet.errors import OverbetError
from overbet.interfaces.hands.reading_files import FileBatch, FileJob, file_batches

_WAIT_S = 0.5
_WAITING = 4  # batches a worker may be ahead


def read_files(jobs: Sequence[FileJob], workers: int, key: bytes | None) -> Iterator[FileBatch]:
    """Yield the batches of all files, in this process where one worker does; order is by arrival."""
    if workers <= 1 or len(jobs) <= 1:
        for job in jobs:
            yield from file_batches(job, key)
        return
    yield from _read_in_processes(jobs, min(workers, len(jobs)), key)


def _read_in_processes(jobs: Sequence[FileJob], workers: int, key: bytes | None) -> Iterator[FileBatch]:
    context = multiprocessing.get_context("spawn")  # threads that draw a bar do not survive a fork
    tasks: Any = context.Queue()
    found: Any = context.Queue(_WAITING * workers)
    team = [
        context.Process(target=_work, args=(tasks, found, key, os.getpid()), daemon=True)
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
                batch = found.get(timeout=_WAIT_S)
            except queue.Empty:
                if not all(process.is_alive() for process in team):
                    raise OverbetError(
                        "a process that read hands was ended from outside (memory?); the same command goes on"
                    ) from None
                continue
            if batch.last:
                ended += 1
            yield batch
    finally:
        tasks.cancel_join_thread()  # what nobody reads any more must not hold the end up
        for process in team:
            if process.is_alive():
                process.terminate()
        for process in team:
            if process.pid is not None:
                process.join()


def _work(tasks: Any, found: Any, key: bytes | None, parent: int) -> None:
    """Read files until the parent ends this process, or is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C goes to all of a terminal: the parent decides
    while os.getppid() == parent:
        try:
            job = tasks.get(timeout=_WAIT_S)
        except queue.Empty:
            continue
        for batch in file_batches(job, key):
            while not _handed_over(found, batch):
                if os.getppid() != parent:
                    os._exit(1)
    os._exit(1)  # not by Python's own end: that waits for a queue which nobody reads


def _handed_over(found: Any, batch: FileBatch) -> bool:
    try:
        found.put(batch, timeout=_WAIT_S)
    except queue.Full:
        return False
    return True
