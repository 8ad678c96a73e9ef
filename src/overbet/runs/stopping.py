"""Ctrl-C, SIGTERM and SIGHUP stop a training run where its tables are whole, after a last checkpoint."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

_POLITE = ("SIGINT", "SIGTERM", "SIGHUP")  # signals that ask a process to stop


class Stopped(KeyboardInterrupt):
    """A signal asked the run to stop, as Ctrl-C does: what was learned is in a checkpoint."""

    def __init__(self, number: int) -> None:
        super().__init__(f"stopped by {signal.Signals(number).name}")
        self.signal = number


class StopRequest(threading.Event):
    """Set by a signal, whose number it keeps."""

    number = 0

    def ask(self, number: int, _: FrameType | None) -> None:
        self.number = self.number or number
        self.set()


@contextmanager
def stopped_between_iterations() -> Iterator[StopRequest]:
    """Yield an event that polite signals set, so that they stop the run where the tables are whole.

    They are held off until the checkpoint is written: a terminal that closes sends SIGHUP more than once. A
    signal that is ignored (`nohup`) stays ignored.
    """
    asked = StopRequest()
    before = {}
    if threading.current_thread() is threading.main_thread():
        for number in (getattr(signal, name) for name in _POLITE if hasattr(signal, name)):
            if signal.getsignal(number) not in (signal.SIG_IGN, None):
                before[number] = signal.signal(number, asked.ask)
    try:
        yield asked
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
