"""Processes that write into one cache; run as a program, so that it can fork before anything is opened.

    python -m tests.search.cache.writers kill FOLDER ROUNDS
    python -m tests.search.cache.writers together FOLDER WRITERS ENTRIES

`kill`: in every round two writers write; the first is killed at a random moment, the second must go on and is
then killed too, and every entry that either had finished must be readable. Entries have a number for a key.
"""

from __future__ import annotations

import os
import random
import select
import signal
import sys
import time
from pathlib import Path

import numpy as np

from overbet.search.cache.disk import DiskTier
from overbet.search.cache.encoding import decode, encode
from overbet.search.cache.record import CachedArray, CacheRecord

LIMIT = 64 << 20


def key_of(number: int) -> bytes:
    return number.to_bytes(32, "big")


def entry_of(number: int) -> bytes:
    values = np.random.default_rng(number).integers(0, 65535, 500 + number % 7000).astype(np.uint16)
    return encode(CacheRecord({"number": number}, {"x": CachedArray(("n",), values)}), key_of(number))


def fork_writer(folder: Path, first: int, count: int = 1 << 40) -> tuple[int, int]:
    """Start a writer; return its process and a descriptor on which it names every finished entry."""
    reading, writing = os.pipe()
    process = os.fork()
    if process:
        os.close(writing)
        return process, reading
    try:
        tier = DiskTier(folder, LIMIT)
        for number in range(first, first + count):
            tier.put(key_of(number), entry_of(number))
            os.write(writing, number.to_bytes(8, "big"))
        tier.close()
    except BaseException as error:
        print(f"a writer failed: {error!r}", file=sys.stderr)
        os._exit(1)
    os._exit(0)


def heard(descriptor: int, seconds: float) -> list[int]:
    """Return the entries that were named up to now; the first is waited for."""
    found = b""
    while select.select([descriptor], [], [], 0.0 if found else seconds)[0]:
        part = os.read(descriptor, 1 << 16)
        if not part:
            break
        found += part
    return [int.from_bytes(found[place : place + 8], "big") for place in range(0, len(found), 8)]


def end(process: int, descriptor: int) -> list[int]:
    os.kill(process, signal.SIGKILL)
    os.waitpid(process, 0)
    found = heard(descriptor, 1.0)
    os.close(descriptor)
    return found


def kill_writers(folder: Path, rounds: int) -> None:
    """Kill two writers in every round and read everything after it."""
    rng, finished = random.Random(1), set()
    for turn in range(rounds):
        writers = [fork_writer(folder, (2 * turn + one) * 1_000_000) for one in range(2)]
        for _, descriptor in writers:
            begun = heard(descriptor, 60.0)
            assert begun, "a writer does not begin"
            finished.update(begun)
        time.sleep(rng.uniform(0.0, 0.03))
        finished.update(end(*writers[0]))
        finished.update(heard(writers[1][1], 0.0))
        going = heard(writers[1][1], 60.0)
        assert going, "the other writer does not go on"
        finished.update(going)
        time.sleep(rng.uniform(0.0, 0.01))
        finished.update(end(*writers[1]))
    tier = DiskTier(folder, LIMIT)
    entries = dict(tier.entries())
    for key, data in entries.items():
        assert decode(data, key).head["number"] == int.from_bytes(key, "big")
    lost = [number for number in finished if key_of(number) not in entries]
    total = tier.totals()
    assert total[0] == len(entries)
    evicted = total[3].evicted
    tier.close()
    print(rounds, len(finished), len(entries), len(lost), evicted)


def write_together(folder: Path, writers: int, entries: int) -> None:
    """Let some writers write as many entries each, and some of the same."""
    started = [fork_writer(folder, number * entries // 2, entries) for number in range(writers)]
    codes = [os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]) for process, _ in started]
    print(*codes)


if __name__ == "__main__":
    what, place, *numbers = sys.argv[1:]
    {"kill": kill_writers, "together": write_together}[what](Path(place), *map(int, numbers))
