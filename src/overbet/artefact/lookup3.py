"""Bob Jenkins' hash lookup3, HDF5's checksum of what describes the data (not of the data itself)."""

from __future__ import annotations

import struct

_MASK = 0xFFFFFFFF
_START = 0xDEADBEEF


def lookup3(data: bytes) -> bytes:
    """Return the four bytes of the checksum."""
    a = b = c = (_START + len(data)) & _MASK
    words = struct.unpack(f"<{-(-len(data) // 12) * 3}I", data + bytes(-len(data) % 12))
    last = len(words) - 3
    for at in range(0, last, 3):
        a, b, c = a + words[at] & _MASK, b + words[at + 1] & _MASK, c + words[at + 2] & _MASK
        a = (a - c & _MASK) ^ _turned(c, 4)
        c = c + b & _MASK
        b = (b - a & _MASK) ^ _turned(a, 6)
        a = a + c & _MASK
        c = (c - b & _MASK) ^ _turned(b, 8)
        b = b + a & _MASK
        a = (a - c & _MASK) ^ _turned(c, 16)
        c = c + b & _MASK
        b = (b - a & _MASK) ^ _turned(a, 19)
        a = a + c & _MASK
        c = (c - b & _MASK) ^ _turned(b, 4)
        b = b + a & _MASK
    if words:
        a, b, c = a + words[last] & _MASK, b + words[last + 1] & _MASK, c + words[last + 2] & _MASK
        c = (c ^ b) - _turned(b, 14) & _MASK
        a = (a ^ c) - _turned(c, 11) & _MASK
        b = (b ^ a) - _turned(a, 25) & _MASK
        c = (c ^ b) - _turned(b, 16) & _MASK
        a = (a ^ c) - _turned(c, 4) & _MASK
        b = (b ^ a) - _turned(a, 14) & _MASK
        c = (c ^ b) - _turned(b, 24) & _MASK
    return struct.pack("<I", c)


def _turned(word: int, by: int) -> int:
    """Return a word with its bits turned left."""
    return (word << by | word >> 32 - by) & _MASK
