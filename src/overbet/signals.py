"""Signals that ask a program to end, treated as Ctrl-C is: what was made is kept.

`kill`, a closed terminal and a machine that shuts down send SIGTERM or SIGHUP. Inside `polite_signals` each
does what Ctrl-C does at that moment: a solve or a training run that waits for Ctrl-C between its iterations
stops there, and everything else gets a `KeyboardInterrupt`.
"""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

INTERRUPTED = 128 + signal.SIGINT  # the exit code after Ctrl-C
_POLITE = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name))
_SAME_WISH_S = 2.0  # a closing terminal sends SIGHUP several times: that is one wish, not an impatient one


class StopRequests:
    """Which signal asked for the end, if any did."""

    def __init__(self) -> None:
        self.number = 0
        self._when = float("-inf")

    @property
    def exit_code(self) -> int:
        """128 and the number of the signal, as shells count; Ctrl-C's where there was none."""
        return 128 + self.number if self.number else INTERRUPTED

    def take(self, number: int, frame: FrameType | None) -> None:
        """Do what Ctrl-C does now; the same wish again within two seconds is passed over."""
        now = time.monotonic()
        if now - self._when < _SAME_WISH_S:
            return
        self.number, self._when = int(number), now
        ctrl_c = signal.getsignal(signal.SIGINT)
        if callable(ctrl_c):
            ctrl_c(signal.SIGINT, frame)
        else:  # ignored, as in the background of a script
            raise KeyboardInterrupt


@contextmanager
def polite_signals() -> Iterator[StopRequests]:
    """Let SIGTERM and SIGHUP act as Ctrl-C; the handlers of before come back at the end.

    A signal that is ignored (SIGHUP under `nohup`) stays ignored. Outside the main thread nothing changes.
    """
    asked = StopRequests()
    if threading.current_thread() is not threading.main_thread():
        yield asked
        return
    before = {}
    for number in _POLITE:
        handler = signal.getsignal(number)
        if handler is not None and handler != signal.SIG_IGN:
            before[number] = handler
    try:
        for number in before:
            signal.signal(number, asked.take)
        yield asked
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
