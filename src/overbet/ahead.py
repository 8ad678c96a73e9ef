"""Kernels compiled in other processes while this one begins.

Whoever knows which kernels it is going to call names them with the arguments; those that are not on disk yet
are compiled by a process for each core beside this one. This process goes on: where it comes to a kernel that
is being compiled it waits for it (`cache.compiling`) and loads it from the disk. On one core nothing is done.

The server of the page does not know the arguments before somebody plays: it has a process of its own play a
hand (`interfaces/web/work/warming.py`), started and ended as here.
"""

from __future__ import annotations

import atexit
import contextlib
import gc
import importlib
import os
import pickle
import subprocess
import sys
from typing import Any

from overbet.machine import core_count

_SWITCH = "OVERBET_COMPILE_AHEAD"  # 0: nothing is compiled in other processes
_running: list[subprocess.Popen[bytes]] = []
_asked: set[tuple[str, str, Any]] = set()  # what was given to a process already


def compile_ahead(*calls: tuple[Any, tuple[Any, ...]]) -> None:
    """Have kernels compiled that are called soon, each with its arguments, those that take longest first."""
    if os.environ.get(_SWITCH) == "0":
        return
    from numba.core.typing import typeof

    from overbet.kernels.cache import is_kept

    kinds: Any = typeof  # it has no types
    jobs = []
    for kernel, args in calls:
        types = tuple(kinds.typeof(one, kinds.Purpose.argument) for one in args)
        job = (kernel.py_func.__module__, kernel.py_func.__qualname__, types)
        if job not in _asked and not is_kept(kernel, types):
            _asked.add(job)
            jobs.append(job)
    helpers = min(core_count() - 1, len(jobs))
    for helper in range(helpers):
        _start(jobs[helper::helpers])


def _start(jobs: list[tuple[str, str, Any]]) -> None:
    """Start a process that compiles some kernels; without it this one compiles them."""
    from numba.core import serialize

    plain: Any = serialize  # it has no types
    with contextlib.suppress(OSError):
        start_compiler(__name__, given=plain.dumps(jobs), **{_SWITCH: "0"})


def start_compiler(
    module: str, *words: str, given: bytes = b"", **environment: str
) -> subprocess.Popen[bytes]:
    """Start a module in a process that compiles and says nothing; what is left of it ends with this one.

    given: what it reads; environment: variables beside this process's own.
    """
    process = subprocess.Popen(
        [sys.executable, "-m", module, *words],
        env={**os.environ, **environment},
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,  # Ctrl-C is for us: `_end` ends it
    )
    _running.append(process)
    assert process.stdin is not None
    with contextlib.suppress(OSError):
        process.stdin.write(given)
        process.stdin.close()
    return process


@atexit.register
def _end() -> None:
    """End what is still being compiled: nobody waits for it."""
    for process in _running:
        if process.poll() is None:
            process.kill()


def main() -> None:
    """Compile the kernels named on standard input; what fails here fails again in the caller, and is told."""
    gc.disable()  # there is little garbage, and it ends soon
    for module, name, types in pickle.loads(sys.stdin.buffer.read()):  # noqa: S301  # from our own process
        with contextlib.suppress(Exception):
            getattr(importlib.import_module(module), name).compile(types)


if __name__ == "__main__":
    main()
