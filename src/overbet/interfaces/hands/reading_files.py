"""One file's hands as batches of rows: what a worker of an import does, in a process of its own or not."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import NamedTuple

from overbet.errors import OverbetError, short
from overbet.interfaces.hands.file_share import FileShare
from overbet.interfaces.hands.hand_rows import HandRows, hand_rows
from overbet.interfaces.hands.reading import read_played
from overbet.interfaces.history.blocks import HandBlock, block_hands
from overbet.interfaces.history.played_hand import PlayedHand
from overbet.interfaces.history.record import HandFault, HistoryError, Place

BATCH = 200  # hands that are written together; what a kill can cost


@dataclass(slots=True)
class FileBatch:
    """Some hands of a file. taken: how many hands and faults of the file are dealt with now, these included.

    share: how far the file is, from 0 to 1. last: whether this is its end. part: of a file that is read in
    parts the number of the part, which `taken`, `share` and `last` are then about.
    """

    file: int
    hands: list[HandRows] = field(default_factory=list)
    faults: list[HandFault] = field(default_factory=list)
    taken: int = 0
    share: float = 0.0
    last: bool = False
    part: int = 0


class FileJob(NamedTuple):
    """A file to read. file: its number; label: what faults call it; skip: how many of its hands are in.

    block, part, parts: the bytes of a part, its number and how many there are, where the file is read in
    parts (`file_parts`); before: hands of the file before the first of these; skip is then of the part.
    """

    file: int
    path: Path
    label: str
    skip: int
    block: HandBlock | None = None
    part: int = 0
    parts: int = 1
    before: int = 0


def file_batches(job: FileJob, key: bytes | None) -> Iterator[FileBatch]:
    """Yield the hands of a file that are not in yet; whatever goes wrong is a fault of the file."""
    file, path, label, skip = job[:4]
    batch = FileBatch(file, taken=skip, part=job.part)
    far = FileShare(path) if job.block is None else None
    try:
        hands = read_played(path) if job.block is None else block_hands(job.block)
        for number, found in enumerate(hands, 1):
            share = far.at(found.place) if far is not None else 0.0
            if number <= skip:
                continue
            rows = found if isinstance(found, HandFault) else _rows(found, key)
            if isinstance(rows, HandFault):
                batch.faults.append(replace(rows, place=_labelled(rows.place, path, label)))
            else:
                batch.hands.append(rows)
            batch.taken = number
            if len(batch.hands) + len(batch.faults) >= BATCH:
                batch.share = share
                yield batch
                batch = FileBatch(file, taken=number, part=job.part)
    except OverbetError as error:
        batch.faults.append(HandFault(Place(label), str(error)))
    except Exception as error:  # a fault of the reader: the other files go on
        text = f"unexpected {type(error).__name__}: {short(error, 200)}; the rest of the file is left out"
        batch.faults.append(HandFault(Place(label), text))
    batch.share, batch.last = 1.0, True
    yield batch


def _rows(hand: PlayedHand, key: bytes | None) -> HandRows | HandFault:
    try:
        return hand_rows(hand, key)
    except HistoryError as error:
        return error.fault
    except OverbetError as error:
        return HandFault(hand.place, str(error))


def _labelled(place: Place, path: Path, label: str) -> Place:
    """Return a place with the file's label for its name; a file of an archive stands behind that."""
    inner = place.source.removeprefix(path.name) if place.source.startswith(path.name) else f"/{place.source}"
    return Place(label + inner, place.hand, place.line)
