"""A large file read by several processes: parts that begin at a hand, put together in the order of the file.

What is kept of a file is how many of its hands are dealt with, counted from its beginning. Parts are read at
the same time and written one after the other, so that this stays true whenever an import is stopped.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from overbet.interfaces.hands.reading_files import FileBatch, FileJob
from overbet.interfaces.history.blocks import HandBlock, blocks_of
from overbet.interfaces.history.sites.text import hand_texts

LARGE = 4 << 20  # bytes from which a file is cut
PART = 1 << 20


def parts_of(job: FileJob, size: int = PART) -> list[FileJob]:
    """Return the jobs of the parts of a file that are not in yet; the job itself where it cannot be cut."""
    blocks = list(blocks_of(job.path, size))
    if len(blocks) < 2:
        return [job]
    first, before = 0, 0
    if job.skip:
        for first, block in enumerate(blocks):  # noqa: B007  # where it goes on
            hands = _hands_in(block)
            if before + hands > job.skip or block is blocks[-1]:
                break
            before += hands
    left = blocks[first:]
    return [
        job._replace(
            block=block, part=part, parts=len(left), before=before, skip=0 if part else job.skip - before
        )
        for part, block in enumerate(left)
    ]


def _hands_in(block: HandBlock) -> int:
    """Return how many hands a part has, without reading them."""
    with block.path.open("rb") as file:
        file.seek(block.start)
        content = file.read(block.end - block.start)
    return sum(1 for _ in hand_texts(io.BytesIO(content)))


@dataclass(slots=True)
class _FileOrder:
    """How far a file in parts is. hands: before the next part; held: batches of parts that come later."""

    next: int = 0
    hands: int = 0
    held: dict[int, list[FileBatch]] = field(default_factory=dict)


class PartsInOrder:
    """Puts batches of parts into the order of their files; those of whole files pass."""

    def __init__(self, jobs: Iterable[FileJob]) -> None:
        first = [job for job in jobs if job.block is not None and job.part == 0]
        self._parts = {job.file: job.parts for job in first}
        self._orders = {job.file: _FileOrder(hands=job.before) for job in first}

    def ready(self, batch: FileBatch) -> Iterator[FileBatch]:
        """Take a batch and yield those whose turn it is, counted from the beginning of their file."""
        order = self._orders.get(batch.file)
        if order is None:
            yield batch
            return
        order.held.setdefault(batch.part, []).append(batch)
        while waiting := order.held.get(order.next):
            now = waiting.pop(0)
            now.taken += order.hands
            now.share = (order.next + now.last) / self._parts[batch.file]
            if now.last:
                order.hands, order.next = now.taken, order.next + 1
                del order.held[now.part]
                now.last = order.next == self._parts[batch.file]
            yield now
