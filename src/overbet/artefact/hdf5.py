"""A writer of HDF5 files, without the HDF5 library: arrays in one piece, or in compressed chunks of rows.

It is the small part of the format (version 3 of its specification, readable since HDF5 1.10) that arrays of
numbers under names need. A file is

    user block | superblock | data of the arrays ... | object headers and lists of chunks

Data goes to disk as it comes. What describes it is written behind it at the end, from the leaves to the
root, because a header says where the things below it lie; the superblock, which says where the root is, comes
last of all. Addresses inside the file count from the end of the user block.
"""

from __future__ import annotations

import io
import math
import struct
from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

from overbet.artefact.hdf5_types import type_message
from overbet.artefact.lookup3 import lookup3

_SUPERBLOCK = 48  # bytes
_NOWHERE = (1 << 64) - 1  # the address of what is not there
_ALIGNED = 64  # arrays in one piece begin at multiples of it: some are mapped into memory
_DATASPACE, _LINKS, _TYPE, _FILL, _LINK, _LAYOUT, _GROUP, _FILTERS = 1, 2, 3, 5, 6, 8, 10, 11
_CONTIGUOUS, _CHUNKED, _FIXED_ARRAY = 1, 2, 3
_DEFLATE, _SHUFFLE = 1, 2
_PAGED_FROM = 10  # lists of up to 2 to this many chunks lie in one piece; a longer one says a larger power

Array = npt.NDArray[Any]
Place = list[int]  # offset in the file, size
_Tree = dict[str, Any]  # name: the address of a dataset's header, or the same for a group


class Hdf5Writer:
    """An HDF5 file on its way: arrays are added, then `finish` makes it readable. Starts behind `block`."""

    def __init__(self, raw: io.FileIO, block: int) -> None:
        self._raw, self._block = raw, block
        self._root: _Tree = {}
        self._end = 0
        self._append(bytes(block + _SUPERBLOCK))

    def add_stored(self, name: str, array: Array) -> list[Place]:
        """Write an array as it is; return its place, or nothing where it is empty."""
        places = []
        address = _NOWHERE
        if array.nbytes:
            self._append(bytes(-self._end % _ALIGNED))
            places = [self._append(np.ascontiguousarray(array).reshape(-1).view(np.uint8).data)]
            address = places[0][0] - self._block
        layout = struct.pack("<BBQQ", 3, _CONTIGUOUS, address, array.nbytes)
        self._add(name, array.shape, array.dtype, [(_FILL, b"\x03\x0a"), (_LAYOUT, layout)])
        return places

    def add_packed(
        self,
        name: str,
        shape: tuple[int, ...],
        dtype: np.dtype[Any],
        rows: int,
        level: int,
        chunks: Iterable[bytes],
    ) -> list[Place]:
        """Write chunks of so many rows, which were shuffled and deflated; return where each lies."""
        places = [self._append(chunk) for chunk in chunks]
        whole = (rows, *shape[1:], dtype.itemsize)
        power = max(_PAGED_FROM, (len(places) - 1).bit_length())
        address = self._list_chunks(places, math.prod(whole), power)
        width = _width(max(whole))
        layout = struct.pack("<BBBBB", 4, _CHUNKED, 0, len(whole), width)
        layout += b"".join(length.to_bytes(width, "little") for length in whole)
        layout += struct.pack("<BBQ", _FIXED_ARRAY, power, address)
        filters = struct.pack("<BBHHHI", 2, 2, _SHUFFLE, 0, 1, dtype.itemsize)
        filters += struct.pack("<HHHI", _DEFLATE, 0, 1, level)
        self._add(name, shape, dtype, [(_FILL, b"\x03\x0b"), (_FILTERS, filters), (_LAYOUT, layout)])
        return places

    def finish(self) -> None:
        """Write the groups and the superblock."""
        root = self._write_group(self._root)
        told = struct.pack(
            "<8sBBBBQQQQ", b"\x89HDF\r\n\x1a\n", 2, 8, 8, 0, self._block, _NOWHERE, self._end, root
        )
        self._raw.seek(self._block)
        self._write(told + lookup3(told))
        self._raw.seek(self._end)

    def _add(
        self, name: str, shape: tuple[int, ...], dtype: np.dtype[Any], rest: list[tuple[int, bytes]]
    ) -> None:
        space = struct.pack(f"<BBBB{len(shape)}Q", 2, len(shape), 0, 1, *shape)
        messages = [(_DATASPACE, space), (_TYPE, type_message(dtype)), *rest]
        *groups, last = name.split("/")
        place = self._root
        for group in groups:
            place = place.setdefault(group, {})
        place[last] = self._append_checked(_object_header(messages))

    def _write_group(self, group: _Tree) -> int:
        """Write a group and those in it; return the address of its header."""
        messages = [(_LINKS, struct.pack("<BBQQ", 0, 0, _NOWHERE, _NOWHERE)), (_GROUP, bytes(2))]
        for name, below in group.items():
            address = below if isinstance(below, int) else self._write_group(below)
            text = name.encode()
            messages.append((_LINK, struct.pack("<BBBH", 1, 0x11, 1, len(text)) + text + _address(address)))
        return self._append_checked(_object_header(messages))

    def _list_chunks(self, places: list[Place], chunk_bytes: int, power: int) -> int:
        """Write where the chunks lie, as a fixed array; return its address."""
        width = min(8, 1 + _width(chunk_bytes))  # deflating may add to a chunk
        entry = 8 + width + 4
        header = self._end - self._block
        size = 4 + 1 + 1 + 1 + 1 + 8 + 8 + 4
        told = struct.pack("<4sBBBBQQ", b"FAHD", 0, 1, entry, power, len(places), header + size)
        self._append_checked(told)
        listed = [
            _address(offset - self._block) + length.to_bytes(width, "little") + bytes(4)
            for offset, length in places
        ]
        self._append_checked(struct.pack("<4sBBQ", b"FADB", 0, 1, header) + b"".join(listed))
        return header

    def _append_checked(self, data: bytes) -> int:
        """Append bytes and their checksum; return their address."""
        return self._append(data + lookup3(data))[0] - self._block

    def _append(self, data: bytes | memoryview) -> Place:
        place = [self._end, len(data)]
        self._write(data)
        self._end += len(data)
        return place

    def _write(self, data: bytes | memoryview) -> None:
        view = memoryview(data)
        done = 0
        while done < len(view):  # a large write may stop short, and the next says what is in the way
            done += self._raw.write(view[done:]) or 0


def _object_header(messages: list[tuple[int, bytes]]) -> bytes:
    body = b"".join(struct.pack("<BHB", kind, len(data), 0) + data for kind, data in messages)
    return struct.pack("<4sBBI", b"OHDR", 2, 2, len(body)) + body


def _width(number: int) -> int:
    """Return how many bytes a number needs."""
    return (number.bit_length() + 7) // 8


def _address(address: int) -> bytes:
    return struct.pack("<Q", address)
