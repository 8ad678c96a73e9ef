"""Pieces of a chunk: all of it once, in one stretch, whatever ends it."""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from overbet.blueprint.iteration_queue import MOST, IterationQueue


def taken_by(iteration_queue: IterationQueue, workers: int, pause: float = 0.0) -> list[tuple[int, int]]:
    """Return the pieces that so many threads take, in order."""

    def work(worker: int) -> list[tuple[int, int]]:
        pieces = []
        for piece in iteration_queue:
            pieces.append(piece)
            time.sleep(pause)
        return pieces

    with ThreadPoolExecutor(workers) as pool:
        return sorted(piece for pieces in pool.map(work, range(workers)) for piece in pieces)


def assert_one_stretch(pieces: list[tuple[int, int]], given: int) -> None:
    assert [first for first, _ in pieces] == [0, *(last for _, last in pieces[:-1])]
    assert pieces[-1][1] == given
    assert all(0 < last - first <= MOST for first, last in pieces)


@pytest.mark.parametrize(("count", "workers"), [(1, 1), (1, 4), (5000, 1), (100_000, 1), (100_000, 3)])
def test_everything_is_handed_out_once(count: int, workers: int) -> None:
    iteration_queue = IterationQueue(count, workers, seconds=1e9)
    assert_one_stretch(taken_by(iteration_queue, workers), count)
    assert iteration_queue.given == count


@pytest.mark.parametrize(("count", "seconds"), [(100_000, 1e9), (10**12, 2.0)])
def test_the_last_pieces_are_short(count: int, seconds: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """By a clock on which every iteration takes 50 millionths of a second."""
    now = 0.0
    monkeypatch.setattr(time, "perf_counter", lambda: now)
    iteration_queue = IterationQueue(count, 4, seconds)
    sizes = []
    for first, last in iteration_queue:
        sizes.append(last - first)
        now += 50e-6 * sizes[-1]
    assert sum(sizes) == iteration_queue.given
    assert iteration_queue.given == count or seconds <= now < seconds + 0.001
    assert max(sizes) == 500
    assert sizes[-1] <= 20


def test_the_clock_ends_a_chunk() -> None:
    iteration_queue = IterationQueue(10**12, 2, seconds=0.05)
    pieces = taken_by(iteration_queue, 2, pause=0.001)
    assert_one_stretch(pieces, iteration_queue.given)
    assert len(pieces) > 2


def test_a_chunk_gets_on_even_with_no_time() -> None:
    asked = threading.Event()
    asked.set()
    for iteration_queue in (
        IterationQueue(10, 1, seconds=0.0),
        IterationQueue(10, 1, seconds=1e9, interrupt=asked),
    ):
        assert_one_stretch(taken_by(iteration_queue, 1), iteration_queue.given)
        assert iteration_queue.given > 0


def test_interrupt_and_close_end_it_at_once() -> None:
    asked = threading.Event()
    iteration_queue = IterationQueue(10**12, 1, seconds=1e9, interrupt=asked)
    pieces = iter(iteration_queue)
    _, last = next(pieces)
    asked.set()
    assert list(pieces) == []
    assert iteration_queue.given == last
    closed = IterationQueue(10**12, 1, seconds=1e9)
    pieces = iter(closed)
    _, last = next(pieces)
    closed.close()
    assert list(pieces) == []
    assert closed.given == last
