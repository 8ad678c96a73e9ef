"""How HDF5 says what numbers an array has: integers, IEEE floats, and truth values as an enumeration."""

from __future__ import annotations

import struct
from typing import Any, NamedTuple

import numpy as np

_INTEGER, _FLOAT, _ENUMERATION = 0, 1, 8
_VERSION = 3 << 4  # stands beside the class
_SIGNED = 8
_LEADING_ONE = 0x20  # a float's mantissa has a first bit that is not stored


class _Parts(NamedTuple):
    """Bits of a float: where the exponent begins, how many it and the mantissa have, and its bias."""

    exponent_at: int
    exponent: int
    mantissa: int
    bias: int


_FLOATS = {2: _Parts(10, 5, 10, 15), 4: _Parts(23, 8, 23, 127), 8: _Parts(52, 11, 52, 1023)}


def type_message(dtype: np.dtype[Any]) -> bytes:
    """Return the message of a type; the numbers are little-endian."""
    if dtype.kind == "b":
        return _head(_ENUMERATION, 2, 1) + _integer(1, signed=True) + b"FALSE\0TRUE\0" + bytes([0, 1])
    if dtype.kind in "iu":
        return _integer(dtype.itemsize, signed=dtype.kind == "i")
    if dtype.kind == "f" and dtype.itemsize in _FLOATS:
        parts, bits = _FLOATS[dtype.itemsize], 8 * dtype.itemsize
        places = (parts.exponent_at, parts.exponent, 0, parts.mantissa, parts.bias)
        return _head(_FLOAT, _LEADING_ONE | (bits - 1) << 8, dtype.itemsize) + struct.pack(
            "<HHBBBBI", 0, bits, *places
        )
    raise TypeError(f"arrays of {dtype} are not written")


def _integer(size: int, *, signed: bool) -> bytes:
    return _head(_INTEGER, _SIGNED if signed else 0, size) + struct.pack("<HH", 0, 8 * size)


def _head(kind: int, bits: int, size: int) -> bytes:
    return bytes([_VERSION | kind]) + bits.to_bytes(3, "little") + struct.pack("<I", size)
