"""Files to download, whole or in part."""

from __future__ import annotations

import re

from fastapi.responses import FileResponse
from starlette.types import Receive, Scope, Send

from overbet.interfaces.web.reading import size_of

_PART = re.compile(rb"bytes=(\d{1,18})-(\d{1,18})?")


class Download(FileResponse):
    """A file. A `Range` that names no part of it is ignored, as HTTP has it, and the whole is sent."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send it."""
        headers = [(name, value) for name, value in scope["headers"] if name != b"range" or self._has(value)]
        await super().__call__({**scope, "headers": headers}, receive, send)

    def _has(self, wanted: bytes) -> bool:
        found = _PART.fullmatch(wanted)
        size = size_of(self.path) or 0  # type: ignore[arg-type]  # given as a Path
        if found is None:
            return False
        first, last = int(found[1]), int(found[2] or size)
        return first < size and first <= last
