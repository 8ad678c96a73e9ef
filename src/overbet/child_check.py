"""What the child of `overbet.child` does: open an HDF5 file, look at all of it, and say how it went.

Run as a script, apart from the package, so that it starts in a fraction of a second: nothing but h5py is
imported. One request a line comes in (`path`, `seconds`, `memory`, `check`), one answer a line goes out
(`reason`: None where all is well). A file that crashes the HDF5 library takes this process with it, and
nothing else.
"""

from __future__ import annotations

import importlib
import json
import math
import os
import sys
from collections.abc import Callable, Iterator
from typing import Any

_MOST_OBJECTS = 10_000
_MOST_ATTRIBUTE = 64 << 20
_MOST_CHUNK = 256 << 20
_PIECE = 16 << 20  # bytes of a dataset read at once
_MOST_BYTES = 1 << 42


class Refused(Exception):  # noqa: N818  # the word of the trade: no bug
    """A file that is not to be opened; the message says why."""


def walk(path: str) -> None:
    """Look at everything in a file as a reader would: links, attributes, and every number."""
    import h5py
    import hdf5plugin  # noqa: F401  # registers the compression

    _length(path)
    with h5py.File(path, "r") as file:
        groups, seen = [file], set()
        _attributes(file)
        while groups:
            group = groups.pop()
            for name in group:
                if not isinstance(group.get(name, getlink=True), h5py.HardLink):
                    raise Refused("it links to other files or places")
                found = group[name]
                place = h5py.h5o.get_info(found.id).addr
                if place in seen:
                    continue
                seen.add(place)
                if len(seen) > _MOST_OBJECTS:
                    raise Refused(f"it holds more than {_MOST_OBJECTS:,} parts")
                _attributes(found)
                if isinstance(found, h5py.Group):
                    groups.append(found)
                elif isinstance(found, h5py.Dataset):
                    _numbers(found)


def _length(path: str) -> None:
    """Refuse a file of ours that says how long it is and is not."""
    with open(path, "rb") as file:
        lines = file.read(512).split(b"\n")
    size = os.path.getsize(path)
    if lines[0].startswith(b"overbet ") and lines[1:2] and lines[1].isdigit() and lines[1] != b"%d" % size:
        raise Refused(f"it is cut short: {size:,} bytes of {lines[1][:20].decode()}")


def _attributes(found: Any) -> None:
    for name in found.attrs:
        place = found.attrs.get_id(name)
        if math.prod(place.shape) * place.dtype.itemsize > _MOST_ATTRIBUTE:
            raise Refused("an attribute is too large")
        found.attrs[name]


def _numbers(dataset: Any) -> None:
    """Read all numbers of a dataset, a piece at a time."""
    if dataset.external or dataset.is_virtual:
        raise Refused("its numbers lie in other files")
    if dataset.dtype.hasobject or dataset.shape is None:
        raise Refused("it holds values of a kind that is never written")
    if dataset.nbytes > _MOST_BYTES:
        raise Refused("its tables are too large")
    for part in _parts(dataset):
        dataset[part]


def _parts(dataset: Any) -> Iterator[tuple[slice, ...]]:
    """Yield the pieces of a dataset that are stored."""
    width = dataset.dtype.itemsize
    if dataset.chunks is not None:
        if math.prod(dataset.chunks) * width > _MOST_CHUNK:
            raise Refused("its tables are stored in pieces that are too large")
        for number in range(dataset.id.get_num_chunks()):
            start = dataset.id.get_chunk_info(number).chunk_offset
            yield tuple(slice(at, at + length) for at, length in zip(start, dataset.chunks))
        return
    if not dataset.shape or not dataset.size:
        yield ()
        return
    row = width * math.prod(dataset.shape[1:])
    if row > _MOST_CHUNK:
        raise Refused("its tables are stored in pieces that are too large")
    rows = max(1, _PIECE // max(1, row))
    for start in range(0, dataset.shape[0], rows):
        yield (slice(start, start + rows),)


def limit(seconds: float, memory: int) -> None:
    """Bound what this process may take from here on, where the system knows such bounds."""
    try:
        import resource
    except ImportError:
        return
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    used = resource.getrusage(resource.RUSAGE_SELF)
    processor = math.ceil(used.ru_utime + used.ru_stime + seconds) + 1
    _lower(resource, resource.RLIMIT_CPU, processor)
    try:
        with open("/proc/self/statm", encoding="ascii") as file:
            _lower(
                resource, resource.RLIMIT_AS, int(file.read().split()[0]) * resource.getpagesize() + memory
            )
    except OSError:
        pass  # no such file on this system, and then no such limit


def _lower(resource: Any, which: int, wanted: int) -> None:
    hard = resource.getrlimit(which)[1]
    resource.setrlimit(which, (wanted if hard == resource.RLIM_INFINITY else min(wanted, hard), hard))


def answer(request: dict[str, Any]) -> dict[str, Any]:
    """Return what is to be said of a file."""
    try:
        import h5py  # noqa: F401  # before the limits, which are for the file alone
        import hdf5plugin  # noqa: F401

        check: Callable[[str], None] = walk
        if request.get("check"):
            sys.path.append(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
            module, _, name = request["check"].partition(":")
            check = getattr(importlib.import_module(module), name)
        limit(request["seconds"], request["memory"])
        check(request["path"])
    except Refused as refused:
        return {"reason": str(refused)}
    except MemoryError:
        return {"reason": "opening it needs too much memory"}
    except Exception as error:
        if type(error).__module__.startswith("overbet."):
            return {"reason": str(error)}
        return {"reason": "it is damaged or of another kind: it cannot be read"}
    return {"reason": None}


def main() -> None:
    """Answer one request a line until there are no more."""
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # what a library prints must not mix with the answers
    for line in sys.stdin:
        out.write(json.dumps(answer(json.loads(line))) + "\n")
        out.flush()


if __name__ == "__main__":
    main()
