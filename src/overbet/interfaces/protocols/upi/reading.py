"""Lines from whoever writes them: bytes that are no text and lines that never end are lines too."""

from __future__ import annotations

from collections.abc import Iterator
from typing import IO

from overbet.interfaces.protocols.upi.words import LONGEST


def command_lines(stream: IO[bytes]) -> Iterator[str]:
    """Yield the lines of a stream; of a line that is too long its beginning, which is then refused."""
    while raw := stream.readline(LONGEST + 2):
        whole = raw
        while whole and not whole.endswith(b"\n"):
            whole = stream.readline(LONGEST)
        yield raw.decode("utf-8", "replace")
