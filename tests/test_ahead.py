"""Kernels that are named ahead are compiled by other processes, and found on disk when they are called."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from overbet import ahead
from overbet.interfaces.web.work import warming

MODULE = """
from overbet.kernels.jit import kernel

@kernel
def one_more(x):
    return x + 1

@kernel
def twice(x):
    return one_more(x) + x - 1
"""
ASK = """
import sys
sys.path.insert(0, {folder!r})
import numpy as np
from overbet import ahead
from some_kernels import one_more, twice
ahead.core_count = lambda: {cores}
values = np.arange(3.0)
ahead.compile_ahead((twice, (values,)), (one_more, (7,)))
for process in ahead._running:
    process.wait()
print(len(ahead._running), twice(values).tolist(), one_more(7),
      sum(twice.stats.cache_misses.values()) + sum(one_more.stats.cache_misses.values()))
"""

SHARE = """
import sys
sys.path.insert(0, {folder!r})
from overbet import ahead
from some_kernels import one_more, twice
ahead.core_count = lambda: 2
ahead.start_compiler = lambda *words, given, **more: ahead._running.append(given)  # it does nothing
lock = open_lock(one_more) if {held} else None
ahead.share_out((one_more, (7,)), (twice, (7.0,)))
ahead._running.clear()
print(len(one_more.signatures), len(twice.signatures))
"""
LOCK = """
import fcntl, pathlib

def open_lock(kernel):
    path = pathlib.Path(kernel._cache._cache_file._index_path + ".lock")
    path.parent.mkdir(parents=True, exist_ok=True)
    lock = open(path, "a")
    fcntl.flock(lock, fcntl.LOCK_EX)
    return lock
"""


def ask(folder: Path, cores: int, **more: str) -> str:
    return run(folder, ASK.format(folder=str(folder), cores=cores), **more)


def run(folder: Path, program: str, **more: str) -> str:
    (folder / "some_kernels.py").write_text(MODULE)
    where = os.pathsep.join([str(folder), os.environ.get("PYTHONPATH", "")])
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(folder / "cache"), "PYTHONPATH": where}
    environment = {**environment, "OVERBET_COMPILE_AHEAD": "1", **more}
    words = [sys.executable, "-c", program]
    return subprocess.run(words, env=environment, capture_output=True, text=True, check=True).stdout.strip()


def test_kernels_are_compiled_beside_and_found(tmp_path: Path) -> None:
    assert ask(tmp_path, 3) == "2 [0.0, 2.0, 4.0] 8 0"
    assert ask(tmp_path, 3) == "0 [0.0, 2.0, 4.0] 8 0"  # they are there: nothing to do


def test_on_one_core_and_where_it_is_switched_off_nothing_is_started(tmp_path: Path) -> None:
    assert ask(tmp_path, 1) == "0 [0.0, 2.0, 4.0] 8 2"
    (tmp_path / "other").mkdir()
    assert ask(tmp_path / "other", 3, OVERBET_COMPILE_AHEAD="0") == "0 [0.0, 2.0, 4.0] 8 2"


def test_this_process_compiles_too_but_not_what_another_has_begun(tmp_path: Path) -> None:
    assert run(tmp_path, LOCK + SHARE.format(folder=str(tmp_path), held=True)) == "0 1"
    other = tmp_path / "other"
    other.mkdir()
    assert run(other, LOCK + SHARE.format(folder=str(other), held=False)) == "1 1"


def test_a_process_that_compiles_is_given_its_words_and_ended_with_us(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So both are started: that of `compile_ahead`, and that of the page's server."""
    (tmp_path / "compiler.py").write_text(
        "import os, pathlib, sys, time\n"
        "got = (sys.argv[1], sys.stdin.read(), os.environ['SAID'])\n"
        "pathlib.Path(sys.argv[1]).write_text(repr(got))\nprint('nobody sees this')\ntime.sleep(600)\n"
    )
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.setattr(ahead, "_running", [])
    out = tmp_path / "out"
    process = ahead.start_compiler("compiler", str(out), given=b"jobs", SAID="so")
    for _ in range(6000):
        if out.exists() and out.read_text():
            break
        time.sleep(0.05)
    assert out.read_text() == repr((str(out), "jobs", "so"))
    assert process.poll() is None
    ahead._end()
    assert process.wait(300) != 0


def test_the_page_s_server_starts_its_child_in_the_same_way(monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[tuple[str, ...]] = []
    monkeypatch.setattr(warming, "start_compiler", lambda *words: started.append(words))
    warming._start("play")
    assert started == [(warming.__name__, "play")]
