"""Reading an artefact: every byte verified first, then the head, then only the chunks that are asked for.

The HDF5 library takes no part: the head names the place of each chunk in the file, and chunks are inflated
here to the length the head promises and not a byte more. So a file cannot lead to another file, a damaged
one is refused before it is parsed, and a small file cannot fill the memory beyond what its reader agreed
to.
"""

from __future__ import annotations

import json
import math
import threading
import zlib
from collections import OrderedDict
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
import numpy.typing as npt

from overbet.artefact.block import BLOCK, Kind, examine
from overbet.artefact.writing import unshuffled
from overbet.errors import ArtefactError, OverbetError

_DTYPES = frozenset({"|b1", "|i1", "|u1", "<i2", "<u2", "<i4", "<u4", "<i8", "<u8", "<f2", "<f4", "<f8"})
_MOST_HEAD = 64 << 20  # bytes
_KEPT = 8  # inflated chunks a column remembers
_THREADS = 4
Array = npt.NDArray[Any]


class Column:
    """An array in a file, read as it is asked: [rows, ...]."""

    def __init__(
        self, raw: BinaryIO, lock: threading.Lock, path: str, facts: Mapping[str, Any], end: int
    ) -> None:
        self._raw, self._lock, self._path = raw, lock, path
        kind, shape, rows, packed, places = (
            facts[name] for name in ("dtype", "shape", "rows", "packed", "places")
        )
        if kind not in _DTYPES or not isinstance(packed, bool):
            raise ValueError("a type of numbers that is not known")
        self.dtype = np.dtype(kind)
        self.shape = tuple(_count(length) for length in shape)
        self.rows, self.packed = _count(rows), packed
        self._places = [(_count(offset), _count(size)) for offset, size in places]
        self.nbytes = math.prod(self.shape) * self.dtype.itemsize
        wanted = -(-self.shape[0] // max(self.rows, 1)) if self.nbytes else 0
        if len(self._places) != wanted:
            raise ValueError("chunks are missing")
        for offset, size in self._places:
            if not BLOCK <= offset <= end - size:
                raise ValueError("a chunk lies outside the file")
        if not packed and self.nbytes and (wanted != 1 or self._places[0][1] != self.nbytes):
            raise ValueError("an array is not as long as it should be")
        self._kept: OrderedDict[int, Array] = OrderedDict()

    def __len__(self) -> int:
        return self.shape[0]

    @property
    def offset(self) -> int | None:
        """Where the array lies in one piece, so that it can be mapped; None where it is packed."""
        return self._places[0][0] if not self.packed and self._places else None

    def __getitem__(self, which: Any) -> Array:
        """Return a slice of the rows, one row, or the rows of an array of places."""
        if isinstance(which, slice):
            start, stop, step = which.indices(len(self))
            return self._slice(start, max(stop, start))[::step] if step > 0 else self[:][which]
        places = np.asarray(which)
        if places.ndim == 0:
            place = int(places) + (len(self) if places < 0 else 0)
            if not 0 <= place < len(self):
                raise IndexError(f"row {int(places)} of {len(self)}")
            row: Array = self._slice(place, place + 1)[0]
            return row
        found = np.empty((len(places), *self.shape[1:]), self.dtype)
        chunks = places // self.rows
        for chunk in np.unique(chunks).tolist():
            here = np.flatnonzero(chunks == chunk)
            found[here] = self._chunk(chunk)[places[here] - chunk * self.rows]
        return found

    def whole(self) -> Array:
        """Return the whole array; nothing of it is remembered."""
        if not self.packed:
            return self._stored(0, len(self))
        found = np.empty(self.shape, self.dtype)

        def fill(chunk: int) -> None:
            start = chunk * self.rows
            found[start : start + self.rows] = self._inflated(chunk)[: len(found) - start]

        with ThreadPoolExecutor(_THREADS) as pool:
            list(pool.map(fill, range(len(self._places))))
        return found

    def _slice(self, start: int, stop: int) -> Array:
        if not self.packed:
            return self._stored(start, stop)
        if stop - start > _KEPT * self.rows:
            return self.whole()[start:stop]
        chunks = range(start // self.rows, -(-stop // self.rows)) if stop > start else range(0)
        parts = [self._chunk(chunk) for chunk in chunks]
        joined = np.concatenate(parts) if parts else np.empty((0, *self.shape[1:]), self.dtype)
        first = start - chunks.start * self.rows if parts else 0
        return joined[first : first + stop - start]

    def _stored(self, start: int, stop: int) -> Array:
        """Return rows that lie in the file as they are."""
        shape = (stop - start, *self.shape[1:])
        size = math.prod(shape) * self.dtype.itemsize
        if not size:
            return np.empty(shape, self.dtype)
        found = np.empty(shape, self.dtype)
        row = self.nbytes // len(self)
        with self._lock:
            self._raw.seek(self._places[0][0] + start * row)
            done = self._raw.readinto(found.reshape(-1).view(np.uint8).data)  # type: ignore[attr-defined]
        if done != size:
            raise ArtefactError(f"{self._path} changed while it was read")
        return found

    def _chunk(self, chunk: int) -> Array:
        with self._lock:
            if chunk in self._kept:
                self._kept.move_to_end(chunk)
                return self._kept[chunk]
        found = self._inflated(chunk) if self.packed else self._stored(0, len(self))
        with self._lock:
            self._kept[chunk] = found
            while len(self._kept) > _KEPT:
                self._kept.popitem(last=False)
        return found

    def _inflated(self, chunk: int) -> Array:
        offset, size = self._places[chunk]
        shape = (self.rows, *self.shape[1:])
        wanted = math.prod(shape) * self.dtype.itemsize
        with self._lock:
            self._raw.seek(offset)
            data = self._raw.read(size)
        inflater = zlib.decompressobj()
        try:
            found = inflater.decompress(data, wanted + 1)
        except zlib.error as error:
            raise ArtefactError(f"{self._path} is damaged: a chunk cannot be inflated") from error
        if len(found) != wanted:
            raise ArtefactError(f"{self._path} is damaged: a chunk has not the length that its head promises")
        return unshuffled(found, self.dtype, shape)


class Artefact:
    """An open file whose bytes were verified: `head`, and arrays by name."""

    def __init__(self, path: str | Path, kind: Kind) -> None:
        self.path, self.kind = str(path), kind
        if not Path(path).is_file():
            raise ArtefactError(f"there is no {kind.name} file {path}")
        try:
            self._raw: BinaryIO = open(path, "rb")  # noqa: SIM115  # closed by `close`
        except OSError as error:
            raise ArtefactError(f"cannot read {path}: {error.strerror}") from error
        self._lock = threading.Lock()
        try:
            self._open()
        except BaseException:
            self._raw.close()
            raise

    def _open(self) -> None:
        length, offset, size = examine(self._raw, self.path, self.kind)
        try:
            if size > _MOST_HEAD:
                raise ValueError("its head is too long")
            self._raw.seek(offset)
            head = json.loads(self._raw.read(size))
            self._columns = {
                str(name): Column(self._raw, self._lock, self.path, facts, length)
                for name, facts in head.pop("arrays").items()
            }
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            raise self.damaged(f"its head cannot be used ({type(error).__name__})") from error
        self.head: dict[str, Any] = head

    def __contains__(self, name: str) -> bool:
        return name in self._columns

    def __getitem__(self, name: str) -> Column:
        if name not in self._columns:
            raise self.damaged(f"it has no {name!r}")
        return self._columns[name]

    def __enter__(self) -> Artefact:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def names(self) -> list[str]:
        """The names of the arrays."""
        return list(self._columns)

    @property
    def nbytes(self) -> int:
        """What all arrays take in memory, by the head's promise."""
        return sum(column.nbytes for column in self._columns.values())

    def array(self, name: str, dtype: npt.DTypeLike, shape: tuple[int | None, ...]) -> Array:
        """Return a whole array of a type and shape that is asked for; None stands for any length.

        Nothing is read where they differ: a file cannot take more memory than its reader expects.
        """
        column = self[name]
        fits = len(shape) == len(column.shape) and all(
            wanted in (None, found) for wanted, found in zip(shape, column.shape)
        )
        if not fits or column.dtype != np.dtype(dtype):
            raise self.damaged(f"{name!r} is {column.dtype} {list(column.shape)}, not what it should be")
        return column.whole()

    def damaged(self, why: str) -> ArtefactError:
        """Return the error of a file that cannot be used."""
        return ArtefactError(f"{self.path} is damaged: {why}; {self.kind.again}")

    @contextmanager
    def parsing(self) -> Iterator[None]:
        """Turn whatever a head of the wrong shape causes into one line."""
        try:
            yield
        except OverbetError:
            raise
        except (
            ValueError,
            KeyError,
            TypeError,
            IndexError,
            AttributeError,
            RecursionError,
            OverflowError,
        ) as error:
            raise self.damaged(f"its head cannot be used ({type(error).__name__}: {error})"[:300]) from error

    def close(self) -> None:
        """Close the file."""
        self._raw.close()


def opened(path: str | Path, kind: Kind) -> Artefact:
    """Open an artefact of a kind: all bytes verified, nothing but the head read. Close it, or use `with`."""
    return Artefact(path, kind)


def _count(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < 1 << 50:
        raise ValueError("not a count")
    return value
