"""Kernels that are named ahead are compiled by other processes, and found on disk when they are called."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

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


def ask(folder: Path, cores: int, **more: str) -> str:
    (folder / "some_kernels.py").write_text(MODULE)
    where = os.pathsep.join([str(folder), os.environ.get("PYTHONPATH", "")])
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(folder / "cache"), "PYTHONPATH": where}
    environment = {**environment, "OVERBET_COMPILE_AHEAD": "1", **more}
    words = [sys.executable, "-c", ASK.format(folder=str(folder), cores=cores)]
    return subprocess.run(words, env=environment, capture_output=True, text=True, check=True).stdout.strip()


def test_kernels_are_compiled_beside_and_found(tmp_path: Path) -> None:
    assert ask(tmp_path, 3) == "2 [0.0, 2.0, 4.0] 8 0"
    assert ask(tmp_path, 3) == "0 [0.0, 2.0, 4.0] 8 0"  # they are there: nothing to do


def test_on_one_core_and_where_it_is_switched_off_nothing_is_started(tmp_path: Path) -> None:
    assert ask(tmp_path, 1) == "0 [0.0, 2.0, 4.0] 8 2"
    (tmp_path / "other").mkdir()
    assert ask(tmp_path / "other", 3, OVERBET_COMPILE_AHEAD="0") == "0 [0.0, 2.0, 4.0] 8 2"
