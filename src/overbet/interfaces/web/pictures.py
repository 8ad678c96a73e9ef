"""Pictures that were dropped on the page: the last few, in memory alone; none is written to disk."""

from __future__ import annotations

import secrets
import threading
from collections import OrderedDict

import numpy as np
import numpy.typing as npt

from overbet.interfaces.web.faults import Fault

_KEPT = 4
Bytes = npt.NDArray[np.uint8]


class Pictures:
    """The last few pictures by their ids."""

    def __init__(self) -> None:
        self._held: OrderedDict[str, Bytes] = OrderedDict()
        self._lock = threading.Lock()

    def keep(self, picture: Bytes) -> str:
        """Keep a picture: [row, column, red green blue]; return its id."""
        name = secrets.token_hex(8)
        with self._lock:
            self._held[name] = picture
            while len(self._held) > _KEPT:
                self._held.popitem(last=False)
        return name

    def get(self, name: str) -> Bytes:
        """Return a picture that is still kept."""
        with self._lock:
            found = self._held.get(name)
        if found is None:
            raise Fault(404, "the picture is no longer kept; drop it again", "picture")
        return found
