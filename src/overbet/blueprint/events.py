"""Event files that TensorBoard reads, written without it.

An event file is a row of TFRecords: length (uint64), masked CRC-32C of the length, data, masked CRC-32C of
the data, all little-endian; mask(c) = rotr(c, 15) + 0xa282ead8. The data is a protobuf message `Event`:
wall_time (1, double), step (2, varint), then file_version (3, string) in the first record and in the others
summary (5) with values (1) of tag (1, string) and simple_value (2, float). Only what is needed of protobuf is
here: a field is a varint (number << 3 | wire type) and its value.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping
from functools import cache
from pathlib import Path

FILE_VERSION = "brain.Event:2"
_POLYNOMIAL = 0x82F63B78  # Castagnoli, reflected
_MASK = 0xA282EAD8
_VARINT, _DOUBLE, _BYTES, _FLOAT = 0, 1, 2, 5


@cache
def _crc_table() -> tuple[int, ...]:
    table = []
    for byte in range(256):
        for _ in range(8):
            byte = byte >> 1 ^ (_POLYNOMIAL if byte & 1 else 0)
        table.append(byte)
    return tuple(table)


def crc32c(data: bytes) -> int:
    """Return the CRC-32C (Castagnoli) of `data`; of b"123456789" it is 0xE3069283."""
    table, crc = _crc_table(), 0xFFFFFFFF
    for byte in data:
        crc = table[(crc ^ byte) & 255] ^ crc >> 8
    return crc ^ 0xFFFFFFFF


def event_record(wall_time: float, step: int, values: Mapping[str, float]) -> bytes:
    """Return the record of scalars at a step."""
    summary = b"".join(
        _field(1, _BYTES, _text(1, tag) + _field(2, _FLOAT, struct.pack("<f", value)))
        for tag, value in values.items()
    )
    return _framed(_event(wall_time, step) + _field(5, _BYTES, summary))


def first_record(wall_time: float) -> bytes:
    """Return the record an event file begins with."""
    return _framed(_event(wall_time, 0) + _text(3, FILE_VERSION))


def append_events(path: str | Path, wall_time: float, step: int, values: Mapping[str, float]) -> None:
    """Add scalars to an event file, which is begun where there is none."""
    target = Path(path)
    start = b"" if target.exists() else first_record(wall_time)
    with open(target, "ab") as file:
        file.write(start + event_record(wall_time, step, values))


def _framed(data: bytes) -> bytes:
    length = struct.pack("<Q", len(data))
    return length + _masked(length) + data + _masked(data)


def _masked(data: bytes) -> bytes:
    crc = crc32c(data)
    return struct.pack("<I", ((crc >> 15 | crc << 17) + _MASK) & 0xFFFFFFFF)


def _event(wall_time: float, step: int) -> bytes:
    return _field(1, _DOUBLE, struct.pack("<d", wall_time)) + _field(2, _VARINT, _varint(step))


def _text(number: int, text: str) -> bytes:
    return _field(number, _BYTES, text.encode())


def _field(number: int, wire: int, value: bytes) -> bytes:
    length = _varint(len(value)) if wire == _BYTES else b""
    return _varint(number << 3 | wire) + length + value


def _varint(value: int) -> bytes:
    found = bytearray()
    while value > 127:
        found.append(value & 127 | 128)
        value >>= 7
    found.append(value)
    return bytes(found)
