"""A record as bytes: every length is checked, and a checksum covers every byte and the key.

    8 bytes   OVBCACHE
    4         version of this layout
    4         length of the head: JSON, with the names, types, axes and shapes of the arrays
    8         length of the packed body
    8         length of the body: head and arrays, one after the other
    ...       the body, packed by zlib
    32        blake2b of the key and of all bytes before

Numbers are little-endian. Nothing in an entry is run, and no more is unpacked than it says.
"""

from __future__ import annotations

import hashlib
import json
import math
import struct
import zlib
from typing import Any

import numpy as np

from overbet.errors import ArtefactError, short
from overbet.search.cache.record import CachedArray, CacheRecord

VERSION = 1
MOST_BYTES = 1 << 28  # of a body: far more than any search has, and too little to fill a machine
_MAGIC = b"OVBCACHE"
_FIXED = struct.Struct("<8sIIQQ")
_CHECKSUM = 32
_TYPES = frozenset(("|u1", "|i1", "<u2", "<i2", "<u4", "<i4", "<u8", "<i8", "<f2", "<f4", "<f8"))
_MOST_AXES = 8
_LEVEL = 1  # of zlib: higher ones take several times as long and save little


def encode(record: CacheRecord, key: bytes = b"") -> bytes:
    """Return the bytes of a record under a key."""
    arrays, parts = [], []
    for name, (axes, values) in record.arrays.items():
        small = np.ascontiguousarray(values).astype(values.dtype.newbyteorder("<"), copy=False)
        if small.dtype.str not in _TYPES:
            raise ValueError(f"{name}: arrays of {values.dtype} are not kept")
        arrays.append([name, small.dtype.str, list(axes), list(values.shape)])
        parts.append(small.tobytes())
    head = json.dumps({"head": dict(record.head), "arrays": arrays}, allow_nan=False).encode()
    body = b"".join([head, *parts])
    if len(body) > MOST_BYTES:
        raise ValueError(f"a record of {len(body):,} bytes is too large for the cache")
    packed = zlib.compress(body, _LEVEL)
    data = _FIXED.pack(_MAGIC, VERSION, len(head), len(packed), len(body)) + packed
    return data + checksum(data, key)


def decode(data: bytes, key: bytes = b"") -> CacheRecord:
    """Return the record of bytes that `encode` made for the same key; its arrays are read only.

    Whatever else the bytes are, an `ArtefactError` says so.
    """
    _check(data, key)
    _, version, head_length, packed_length, length = _FIXED.unpack_from(data)
    if version != VERSION:
        raise _damaged(f"it has version {version} and this program reads {VERSION}")
    if packed_length != len(data) - _FIXED.size - _CHECKSUM or not head_length <= length <= MOST_BYTES:
        raise _damaged("its lengths do not fit")
    body = _unpacked(data[_FIXED.size : -_CHECKSUM], length)
    try:
        head = json.loads(body[:head_length])
        return CacheRecord(_mapping(head["head"]), _arrays(head["arrays"], body, head_length))
    except (ValueError, KeyError, TypeError, RecursionError, OverflowError) as error:
        raise _damaged(f"its head cannot be used ({type(error).__name__}: {short(error)})") from error


def is_whole(data: bytes, key: bytes) -> bool:
    """Return whether the checksum of an entry is that of its bytes and key."""
    try:
        _check(data, key)
    except ArtefactError:
        return False
    return True


def checksum(data: bytes, key: bytes) -> bytes:
    """Return the checksum of an entry's other bytes under a key."""
    found = hashlib.blake2b(len(key).to_bytes(8, "little") + key, digest_size=_CHECKSUM)
    found.update(data)
    return found.digest()


def _check(data: bytes, key: bytes) -> None:
    if len(data) < _FIXED.size + _CHECKSUM or data[:8] != _MAGIC:
        raise _damaged("it is not an entry of the cache")
    if checksum(data[:-_CHECKSUM], key) != data[-_CHECKSUM:]:
        raise _damaged("its bytes do not match its checksum")


def _unpacked(packed: bytes, length: int) -> bytes:
    unpacking = zlib.decompressobj()
    try:
        body = unpacking.decompress(packed, length + 1)  # one more than promised: then it is refused
    except zlib.error as error:
        raise _damaged(f"it cannot be unpacked ({short(error)})") from error
    if len(body) != length or not unpacking.eof or unpacking.unused_data:
        raise _damaged("it does not unpack to its length")
    return body


def _arrays(listed: list[Any], body: bytes, start: int) -> dict[str, CachedArray]:
    found: dict[str, CachedArray] = {}
    for name, kind, axes, shape in listed:
        if kind not in _TYPES or len(shape) > _MOST_AXES or name in found:
            raise ValueError("an array of another kind")
        lengths = tuple(_count(length) for length in shape)
        dtype, count = np.dtype(kind), math.prod(lengths)
        end = start + count * dtype.itemsize
        if end > len(body):
            raise ValueError("an array is longer than the entry")
        values = np.frombuffer(body, dtype, count, start).reshape(lengths)
        found[_text(name)] = CachedArray(tuple(_text(axis) for axis in axes), values)
        start = end
    if start != len(body):
        raise ValueError("the entry is longer than its arrays")
    return found


def _mapping(value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise TypeError("the head is not a mapping")
    return value


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError("a name is not a text")
    return value


def _count(value: Any) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= MOST_BYTES:
        raise ValueError("a length is not a count")
    return value


def _damaged(why: str) -> ArtefactError:
    return ArtefactError(f"an entry of the cache is damaged: {why}")
