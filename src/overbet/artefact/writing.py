"""Arrays and a head into one HDF5 file that other programs can read: shuffled bytes, gzip.

Chunks are compressed here, several at once. Their places go into the head too, so that overbet reads them
back without looking at what HDF5 says of them. The head is the last array of the file, and the block with the
checksum is written after all.
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
from overbet.artefact.hdf5 import Hdf5Writer
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
    file = Hdf5Writer(raw, BLOCK)
    written: dict[str, Any] = {}
    with ThreadPoolExecutor(_THREADS) as pool:
        for name, array in arrays.items():
            small = np.ascontiguousarray(array).astype(array.dtype.newbyteorder("<"), copy=False)
            packed = bool(level and name not in mapped and small.size)
            if packed:
                rows = max(1, min(len(small), chunk_bytes // max(1, small.nbytes // len(small))))
                chunks = _chunks(small, rows, level, pool)
                places = file.add_packed(name, small.shape, small.dtype, rows, level, chunks)
            else:
                rows, places = len(small), file.add_stored(name, small)
            written[name] = {
                "dtype": small.dtype.str,
                "shape": list(small.shape),
                "rows": rows,
                "packed": packed,
                "places": places,
            }
    text = np.frombuffer(json.dumps({**head, "arrays": written}).encode(), np.uint8)
    place = file.add_stored(HEAD, text)[0]
    file.finish()
    length, checksum = length_and_checksum(raw)
    raw.seek(0)
    raw.write(block_text(kind, length, checksum, (place[0], place[1])))


def _chunks(array: npt.NDArray[Any], rows: int, level: int, pool: ThreadPoolExecutor) -> Iterator[bytes]:
    """Compress the chunks of an array; yield them in order."""

    def packed(start: int) -> bytes:
        part = array[start : start + rows]
        if len(part) < rows:  # chunks are whole: zeros fill the last one
            part = np.concatenate([part, np.zeros((rows - len(part), *array.shape[1:]), array.dtype)])
        return zlib.compress(shuffled(part), level)

    starts = iter(range(0, len(array), rows))
    while batch := list(islice(starts, 4 * _THREADS)):  # a few at a time: they wait in memory
        yield from pool.map(packed, batch)


def shuffled(array: npt.NDArray[Any]) -> bytes:
    """Return the bytes of an array, all first bytes first (HDF5's shuffle filter)."""
    return np.ascontiguousarray(array.view(np.uint8).reshape(-1, array.dtype.itemsize).T).tobytes()


def unshuffled(data: bytes, dtype: np.dtype[Any], shape: tuple[int, ...]) -> npt.NDArray[Any]:
    """Return the array whose bytes were shuffled."""
    lanes = np.frombuffer(data, np.uint8).reshape(dtype.itemsize, math.prod(shape))
    return np.ascontiguousarray(lanes.T).view(dtype).reshape(shape)
