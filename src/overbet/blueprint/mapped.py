"""Tables that lie in a file of the run's folder instead of memory.

The file is always a new one: a table that another process still has mapped keeps its own. All of its space is
taken on disk before it is mapped: a write into a hole of a file on a full disk would end the process.
"""

from __future__ import annotations

import errno
import os
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from overbet.errors import TooLargeError
from overbet.machine import size_text

TABLES, KEYS = "tables.mapped", "keys.mapped"  # names of the files in a run's folder
_BLOCK = 1 << 22
_NO_RESERVING = {errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS, errno.EINVAL}


def mapped_zeros(path: Path, kind: np.dtype[Any], length: int) -> npt.NDArray[Any]:
    """Return zeros in a new file at `path`: [length] of the kind."""
    size = kind.itemsize * length
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.unlink(missing_ok=True)
        with open(path, "x+b") as file:
            _reserve(file.fileno(), size)
            return np.memmap(file, kind, "r+", shape=(length,)).view(np.ndarray)
    except OSError as error:
        with suppress(OSError):  # which would hide the first error
            path.unlink(missing_ok=True)
        raise TooLargeError(
            f"cannot map tables of {size_text(size)} into {path}: {error.strerror}; make room on the "
            "disk, or use another folder or smaller tables"
        ) from error


def _reserve(file: int, size: int) -> None:
    if hasattr(os, "posix_fallocate"):
        try:
            os.posix_fallocate(file, 0, size)
            return
        except OSError as error:
            if error.errno not in _NO_RESERVING:
                raise
    zeros = bytes(_BLOCK)
    for start in range(0, size, _BLOCK):
        left = memoryview(zeros)[: min(_BLOCK, size - start)]
        while left:
            left = left[os.write(file, left) :]
