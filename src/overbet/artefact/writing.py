"""Arrays and a head into one HDF5 file that other programs can read: shuffled bytes, gzip.

Chunks are compressed here, several at once, and handed to the HDF5 library as they are. Their places go into
the head, so that overbet reads them back without that library. The head is written last, and the block with
the checksum after it.
"""

from __future__ import annotations

import io
import json
import math
import zlib
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from overbet.artefact.block import BLOCK, Kind, block_text, length_and_checksum
from overbet.files import replacing

_CHUNK_BYTES = 1 << 20
_THREADS = 4  # chunks compressed at once
HEAD = "head"


def write(
    path: str | Path,
    kind: Kind,
    head: Mapping[str, Any],
    arrays: Mapping[str, npt.NDArray[Any]],
    *,
    level: int = 1,
    chunk_bytes: int = _CHUNK_BYTES,
    mapped: frozenset[str] = frozenset(),
) -> None:
    """Write an artefact, beside the old one and renamed into place.

    head: whatever JSON can say; arrays: [rows, ...] each. The head gains `arrays`, where they lie. level:
    of gzip, 0 stores arrays as they are. chunk_bytes: what is compressed together, and so the least that is
    read for one row. mapped: arrays that are stored as they are, in one piece, so that they can be mapped
    into memory.
    """
    with replacing(path) as beside, open(beside, "w+b", buffering=0) as raw:
        _write(raw, kind, head, arrays, level, chunk_bytes, mapped)


def _write(
    raw: io.FileIO,
    kind: Kind,
    head: Mapping[str, Any],
    arrays: Mapping[str, npt.NDArray[Any]],
    level: int,
    chunk_bytes: int,
    mapped: frozenset[str],
) -> None:
    import h5py

    sink = _Sink(raw)
    with (
        h5py.File(sink, "w", userblock_size=BLOCK, libver="latest") as file,
        ThreadPoolExecutor(_THREADS) as pool,
    ):
        written: dict[str, Any] = {}
        for name, array in arrays.items():
            small = np.ascontiguousarray(array).astype(array.dtype.newbyteorder("<"), copy=False)
            if not level or name in mapped or not small.size:
                dataset = file.create_dataset(name, data=small)
                rows, places = len(small), _contiguous(dataset, small.nbytes)
                packed = False
            else:
                rows = max(1, min(len(small), chunk_bytes // max(1, small.nbytes // len(small))))
                dataset = file.create_dataset(
                    name,
                    small.shape,
                    small.dtype,
                    chunks=(rows, *small.shape[1:]),
                    compression="gzip",
                    compression_opts=level,
                    shuffle=True,
                )
                places, packed = _chunks(dataset, small, rows, level, pool), True
            written[name] = {
                "dtype": small.dtype.str,
                "shape": list(small.shape),
                "rows": rows,
                "packed": packed,
                "places": places,
            }
            if sink.error is not None:  # no use in compressing the rest
                break
        text = np.frombuffer(json.dumps({**head, "arrays": written}).encode(), np.uint8)
        place = _contiguous(file.create_dataset(HEAD, data=text), text.nbytes)[0]
    if sink.error is not None:
        raise sink.error
    length, checksum = length_and_checksum(raw)
    raw.seek(0)
    raw.write(block_text(kind, length, checksum, (place[0], place[1])))


def _contiguous(dataset: Any, size: int) -> list[list[int]]:
    """Return the place of a dataset that lies in one piece."""
    dataset.file.flush()
    offset = dataset.id.get_offset()
    return [[int(offset), size]] if size and offset is not None else []


def _chunks(
    dataset: Any, array: npt.NDArray[Any], rows: int, level: int, pool: ThreadPoolExecutor
) -> list[list[int]]:
    """Compress and write the chunks of an array, in order; return their places."""

    def packed(start: int) -> bytes:
        part = array[start : start + rows]
        if len(part) < rows:  # chunks are whole: zeros fill the last one
            part = np.concatenate([part, np.zeros((rows - len(part), *array.shape[1:]), array.dtype)])
        return zlib.compress(shuffled(part), level)

    starts = iter(range(0, len(array), rows))
    while batch := list(islice(starts, 4 * _THREADS)):  # a few at a time: they wait in memory
        for start, data in zip(batch, pool.map(packed, batch)):
            dataset.id.write_direct_chunk((start, *[0] * (array.ndim - 1)), data)
    dataset.file.flush()
    return list(_places(dataset, rows, len(array)))


def _places(dataset: Any, rows: int, length: int) -> Iterator[list[int]]:
    for start in range(0, length, rows):
        found = dataset.id.get_chunk_info_by_coord((start, *[0] * (dataset.ndim - 1)))
        yield [int(found.byte_offset), int(found.size)]


def shuffled(array: npt.NDArray[Any]) -> bytes:
    """Return the bytes of an array, all first bytes first (HDF5's shuffle filter)."""
    return np.ascontiguousarray(array.view(np.uint8).reshape(-1, array.dtype.itemsize).T).tobytes()


def unshuffled(data: bytes, dtype: np.dtype[Any], shape: tuple[int, ...]) -> npt.NDArray[Any]:
    """Return the array whose bytes were shuffled."""
    lanes = np.frombuffer(data, np.uint8).reshape(dtype.itemsize, math.prod(shape))
    return np.ascontiguousarray(lanes.T).view(dtype).reshape(shape)


class _Sink:
    """A file for the HDF5 library to write to, which never tells it that a write failed.

    On a full disk, or over a limit of file size, the library would crash or speak over several lines while it
    tidies up. So the first error is kept, what follows is dropped, and the caller raises the error once the
    library is done. Likewise after Ctrl-C in the midst of it: the library tidies up when the file is closed
    already.
    """

    def __init__(self, raw: io.FileIO) -> None:
        self.raw, self.error = raw, None if raw.writable() else OSError("not writable")

    def seek(self, place: int, whence: int = 0) -> int:
        """Go to a place."""
        return 0 if self.raw.closed else self.raw.seek(place, whence)

    def tell(self) -> int:
        """Return the place."""
        return 0 if self.raw.closed else self.raw.tell()

    def read(self, size: int = -1) -> bytes:
        """Read some bytes."""
        return b"" if self.raw.closed else self.raw.read(size)

    def write(self, data: bytes) -> int:
        """Write all of `data`, or nothing more once a write has failed."""
        view = memoryview(data)
        done = 0
        try:
            while self.error is None and not self.raw.closed and done < len(view):
                done += self.raw.write(view[done:]) or 0
        except OSError as error:
            self.error = error
        return len(view)

    def readinto(self, room: Any) -> int:
        """Read; zeros where nothing was written."""
        view = memoryview(room)
        count = 0 if self.raw.closed else self.raw.readinto(view) or 0
        view[count:] = bytes(len(view) - count)
        return len(view)

    def truncate(self, size: int) -> int:
        """Give the file its length."""
        try:
            if self.error is None and not self.raw.closed:
                self.raw.truncate(size)
        except OSError as error:
            self.error = error
        return size

    def flush(self) -> None:
        """Do nothing: the file is not buffered."""
