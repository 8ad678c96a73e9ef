"""Plain values and arrays as bytes: a JSON header and float32 numbers in one, the layout OVB1.

bytes 0..3     "OVB1"
bytes 4..7     uint32, little endian: length N of the header in bytes, a multiple of 4
bytes 8..8+N   the header: JSON, padded with blanks; "arrays" lists name, shape and offset
then           float32, little endian, one array after the other; offsets count numbers
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

MAGIC = b"OVB1"

Array = npt.NDArray[Any]


def packed(header: Mapping[str, Any], arrays: Mapping[str, Array]) -> bytes:
    """Return header and arrays as bytes; numbers that are not finite become null in the header."""
    listed, offset, parts = [], 0, []
    for name, array in arrays.items():
        part = np.ascontiguousarray(array, dtype="<f4")
        listed.append({"name": name, "shape": list(part.shape), "offset": offset})
        offset += part.size
        parts.append(part.tobytes())
    text = json.dumps(plain({**header, "arrays": listed}), allow_nan=False, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 4)
    return MAGIC + len(text).to_bytes(4, "little") + text + b"".join(parts)


def unpacked(data: bytes) -> tuple[dict[str, Any], dict[str, npt.NDArray[np.float32]]]:
    """Return header and arrays of such bytes."""
    if data[:4] != MAGIC:
        raise ValueError("not in the layout OVB1")
    length = int.from_bytes(data[4:8], "little")
    header: dict[str, Any] = json.loads(data[8 : 8 + length])
    numbers = np.frombuffer(data, "<f4", offset=8 + length)
    arrays = {
        entry["name"]: numbers[entry["offset"] : entry["offset"] + math.prod(entry["shape"])].reshape(
            entry["shape"]
        )
        for entry in header["arrays"]
    }
    return header, arrays


def plain(value: Any) -> Any:
    """Return values that JSON knows: numpy numbers as Python's, what is not finite as None."""
    if isinstance(value, Mapping):
        return {str(key): plain(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [plain(part) for part in value]
    if isinstance(value, np.generic):
        value = value.item()
    return None if isinstance(value, float) and not math.isfinite(value) else value


def finite(value: float | None) -> float | None:
    """Return a number, or None where it is not finite."""
    return None if value is None or not math.isfinite(value) else float(value)
