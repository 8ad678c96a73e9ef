"""Lines over TCP: whole lines out, whole lines in, and one clear word when the other side has gone.

A line that never ends, or a side that does not read, is gone too: nobody waits for it for ever.
"""

from __future__ import annotations

import socket

from overbet.errors import OverbetError
from overbet.interfaces.protocols.acpc.match_state import LONGEST

VERSION = "VERSION:2.0.0"
_BLOCK = 1 << 16
_SENDING = 30.0  # seconds that a side may leave what is sent to it unread


class GoneError(OverbetError):
    """The other side closed the connection, or cannot be talked to any more."""


class LineSocket:
    """One connection. name: what to call the other side."""

    def __init__(self, connection: socket.socket, name: str) -> None:
        self.name, self._socket, self._waiting = name, connection, b""
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def fileno(self) -> int:
        """Return the number that selectors know the connection by."""
        return self._socket.fileno()

    def send(self, line: str) -> None:
        """Send one line."""
        try:
            self._socket.settimeout(_SENDING)
            self._socket.sendall(f"{line}\r\n".encode("ascii", "replace"))
        except OSError as error:
            raise GoneError(f"{self.name} has gone ({error.strerror or 'it does not read'})") from error

    def taken(self) -> str | None:
        """Return the next whole line that has come, None where there is none."""
        line, end, rest = self._waiting.partition(b"\n")
        if not end:
            return None
        self._waiting = rest
        return line.decode("latin-1").strip()

    def fill(self, seconds: float | None = None) -> None:
        """Wait until something comes; `TimeoutError` after so many seconds."""
        try:
            self._socket.settimeout(seconds)
            block = self._socket.recv(_BLOCK)
        except TimeoutError:
            raise
        except OSError as error:
            raise GoneError(f"{self.name} has gone ({error.strerror})") from error
        if not block:
            raise GoneError(f"{self.name} has gone: it closed the connection")
        self._waiting += block
        if len(self._waiting) > 4 * _BLOCK or len(self._waiting.rpartition(b"\n")[2]) > LONGEST:
            raise GoneError(
                f"{self.name} sent a line of more than {LONGEST:,} characters, or far too many lines"
            )

    def line(self, seconds: float | None = None) -> str:
        """Return the next line; `TimeoutError` where nothing comes for so many seconds."""
        while (found := self.taken()) is None:
            self.fill(seconds)
        return found

    def close(self) -> None:
        """Close the connection."""
        self._socket.close()


def connected(host: str, port: int, name: str, seconds: float = 10.0) -> LineSocket:
    """Return a connection to a dealer."""
    try:
        return LineSocket(socket.create_connection((host, port), seconds), name)
    except (OSError, OverflowError, UnicodeError) as error:
        said = getattr(error, "strerror", None) or str(error) or "no answer"
        raise GoneError(f"no dealer answers at {host} port {port} ({said}); start it first") from error
