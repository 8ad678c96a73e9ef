"""SIGTERM and SIGHUP do what Ctrl-C does, and leave no trace."""

import os
import signal
import threading
import time

import pytest

from overbet.signals import polite_signals


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_polite_signal_is_an_interrupt(number: signal.Signals) -> None:
    before = signal.getsignal(number)
    interrupted = False
    with polite_signals() as asked:
        try:
            os.kill(os.getpid(), number)
            time.sleep(300.0)  # it ends at once
        except KeyboardInterrupt:
            interrupted = True
    assert interrupted
    assert asked.number == number
    assert asked.exit_code == 128 + number
    assert signal.getsignal(number) == before


def test_what_ctrl_c_does_now_is_what_happens() -> None:
    stop = threading.Event()
    before = signal.signal(signal.SIGINT, lambda *_: stop.set())
    try:
        with polite_signals() as asked:
            os.kill(os.getpid(), signal.SIGTERM)
            assert stop.wait(300.0)
            stop.clear()
            os.kill(os.getpid(), signal.SIGHUP)  # the same wish, a moment later
            assert not stop.wait(0.05)
        assert asked.exit_code == 128 + signal.SIGTERM
    finally:
        signal.signal(signal.SIGINT, before)


def test_an_ignored_signal_stays_ignored() -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with polite_signals() as asked:
            os.kill(os.getpid(), signal.SIGHUP)
        assert asked.number == 0
        assert asked.exit_code == 130
    finally:
        signal.signal(signal.SIGHUP, before)


def test_other_threads_change_nothing() -> None:
    found = []

    def run() -> None:
        with polite_signals():
            found.append(signal.getsignal(signal.SIGTERM))

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    assert found == [signal.getsignal(signal.SIGTERM)]
