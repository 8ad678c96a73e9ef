"""Kernels compiled in other processes while this one begins.

Whoever knows which kernels it is going to call names them with the arguments; those that are not on disk yet
are compiled by a process for each core beside this one. This process goes on: where it comes to a kernel that
is being compiled it waits for it (`cache.compiling`) and loads it from the disk. On one core nothing is done.
"""

from __future__ import annotations

import atexit
import contextlib
import importlib
import os
import pickle
import subprocess
import sys
from typing import Any

from numba.core import serialize as _serialize
from numba.core.typing import typeof as _typeof

from overbet.kernels.cache import is_kept
from overbet.machine import core_count

_SWITCH = "OVERBET_COMPILE_AHEAD"  # 0: nothing is compiled in other processes
# Numba has no types for these.
_types: Any = _typeof
_bytes: Any = _serialize
_running: list[subprocess.Popen[bytes]] = []
_asked: set[tuple[str, str, Any]] = set()  # what was given to a process already


def compile_ahead(*calls: tuple[Any, tuple[Any, ...]]) -> None:
    """Have kernels compiled that are called soon, each with its arguments, those that take longest first."""
    if os.environ.get(_SWITCH) == "0":
        return
    jobs = []
    for kernel, args in calls:
        types = tuple(_types.typeof(one, _types.Purpose.argument) for one in args)
        job = (kernel.py_func.__module__, kernel.py_func.__qualname__, types)
        if job not in _asked and not is_kept(kernel, types):
            _asked.add(job)
            jobs.append(job)
    helpers = min(core_count() - 1, len(jobs))
    for helper in range(helpers):
        _start(jobs[helper::helpers])


def _start(jobs: list[tuple[str, str, Any]]) -> None:
    """Start a process that compiles some kernels; without it this one compiles them."""
    words = [sys.executable, "-m", __name__]
    environment = {**os.environ, _SWITCH: "0"}
    try:
        process = subprocess.Popen(
            words,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,  # Ctrl-C is for us: `_end` ends it
        )
    except OSError:
        return
    assert process.stdin is not None
    with contextlib.suppress(OSError):
        process.stdin.write(_bytes.dumps(jobs))
        process.stdin.close()
    _running.append(process)


@atexit.register
def _end() -> None:
    """End what is still being compiled: nobody waits for it."""
    for process in _running:
        if process.poll() is None:
            process.kill()


def main() -> None:
    """Compile the kernels named on standard input; what fails here fails again in the caller, and is told."""
    for module, name, types in pickle.loads(sys.stdin.buffer.read()):  # noqa: S301  # from our own process
        with contextlib.suppress(Exception):
            getattr(importlib.import_module(module), name).compile(types)


if __name__ == "__main__":
    main()
