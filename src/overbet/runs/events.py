"""Event files for TensorBoard: scalars at steps, as records of one protocol buffer message each.

A record is its length, a checksum of that, the message, and a checksum of it. Of the message `Event` four
fields are written: 1 the time (double), 2 the step, 3 the version of the file (text, in the first record),
and 5 the summary, which holds in field 1 for every scalar its tag (1) and its value (2, float).
"""

from __future__ import annotations

import math
import struct
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

_FILE_VERSION = b"brain.Event:2"
_NUMBER, _EIGHT_BYTES, _LENGTH, _FOUR_BYTES = 0, 1, 2, 5  # how a field is written
_POLYNOMIAL = 0x82F63B78  # of CRC-32C, bits reversed
_MASK, _MASKED = 0xFFFFFFFF, 0xA282EAD8


class EventLog:
    """An event file, begun anew and open until `close`. An `OSError` while writing closes it."""

    def __init__(self, path: Path, wall_time: float) -> None:
        self._file = open(path, "wb")  # noqa: SIM115  # closed by `close`
        self._write(_time(wall_time) + _bytes(3, _FILE_VERSION))

    def add(self, wall_time: float, step: int, values: Mapping[str, float]) -> None:
        """Write scalars at a step; they are in the file after `flush`."""
        scalars = b"".join(_bytes(1, _scalar(tag, value)) for tag, value in values.items())
        self._write(_time(wall_time) + _head(2, _NUMBER) + _number(step) + _bytes(5, scalars))

    def flush(self) -> None:
        """Put what was added on disk."""
        try:
            self._file.flush()
        except OSError:
            self.close()
            raise

    def close(self) -> None:
        """Close the file."""
        with suppress(OSError):  # on a full disk closing writes once more, and fails once more
            self._file.close()

    def _write(self, event: bytes) -> None:
        length = struct.pack("<Q", len(event))
        try:
            self._file.write(length + _checksum(length) + event + _checksum(event))
        except OSError:
            self.close()
            raise


def _time(wall_time: float) -> bytes:
    return _head(1, _EIGHT_BYTES) + struct.pack("<d", wall_time)


def _scalar(tag: str, value: float) -> bytes:
    try:
        number = struct.pack("<f", value)
    except OverflowError:  # more than four bytes can say
        number = struct.pack("<f", math.copysign(math.inf, value))
    return _bytes(1, tag.encode()) + _head(2, _FOUR_BYTES) + number


def _bytes(field: int, data: bytes) -> bytes:
    return _head(field, _LENGTH) + _number(len(data)) + data


def _head(field: int, kind: int) -> bytes:
    return _number(field << 3 | kind)


def _number(number: int) -> bytes:
    """Return a whole number, seven bits a byte, the lowest first; the top bit says that more follow."""
    number &= (1 << 64) - 1
    found = bytearray()
    while number > 127:
        found.append(number & 127 | 128)
        number >>= 7
    return bytes([*found, number])


def _table() -> tuple[int, ...]:
    found = []
    for byte in range(256):
        for _ in range(8):
            byte = byte >> 1 ^ (_POLYNOMIAL if byte & 1 else 0)
        found.append(byte)
    return tuple(found)


_TABLE = _table()


def _checksum(data: bytes) -> bytes:
    """Return the CRC-32C of the data, turned and shifted as in all records of this kind."""
    crc = _MASK
    for byte in data:
        crc = crc >> 8 ^ _TABLE[(crc ^ byte) & 255]
    crc ^= _MASK
    return struct.pack("<I", ((crc >> 15 | crc << 17) + _MASKED) & _MASK)
