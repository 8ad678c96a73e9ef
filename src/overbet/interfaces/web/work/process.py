"""One worker process as the server sees it: started when there is work, listened to by a thread."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import threading
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any

Listener = Callable[[dict[str, Any]], None]
Ended = Callable[["WorkerProcess", str], None]


class WorkerProcess:
    """A running `overbet.interfaces.web.work.worker`."""

    def __init__(self, log: Path, listener: Listener, ended: Ended, purpose: str) -> None:
        """Start the process. listener: called for each message; ended: once, with how it ended, in words.

        purpose: what it is there for, so that whoever lists processes can tell one from the other.
        """
        self._listener, self._ended = listener, ended
        with _log(log) as errors:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "overbet.interfaces.web.work.worker", purpose],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
                encoding="utf-8",
                errors="replace",
                start_new_session=True,  # Ctrl-C in the terminal is the server's to handle
            )
        self._thread = threading.Thread(target=self._listen, name="worker-listener", daemon=True)
        self._thread.start()

    @property
    def pid(self) -> int:
        """The process's number."""
        return self._process.pid

    def send(self, message: dict[str, Any]) -> bool:
        """Send one message; return whether the process could be reached."""
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps(message) + "\n")
            self._process.stdin.flush()
        except (OSError, ValueError):
            return False
        return True

    def kill(self) -> None:
        """End the process at once."""
        self._process.kill()

    def close(self, seconds: float) -> None:
        """Ask the process to save and end, and wait for it; kill it when it takes longer."""
        assert self._process.stdin is not None
        with contextlib.suppress(OSError):
            self._process.stdin.close()
        try:
            self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            self.kill()
        self._thread.join(10)

    def _listen(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            try:
                message = json.loads(line)
            except ValueError:
                continue
            try:
                self._listener(message)
            except Exception:  # a fault of the program: the next message must still be heard
                traceback.print_exc()
        self._ended(self, _how(self._process.wait()))


def _log(path: Path) -> IO[bytes]:
    """Return the file for what the process writes to its error stream; nowhere where there is no room."""
    try:
        return open(path, "ab")
    except OSError:
        return open(os.devnull, "ab")


def _how(code: int) -> str:
    """Return how a process ended, in words."""
    if code >= 0:
        return f"ended with code {code}"
    try:
        name = signal.Signals(-code).name
    except ValueError:
        name = str(-code)
    return f"was ended by {name}" + (", perhaps for lack of memory" if name == "SIGKILL" else "")
