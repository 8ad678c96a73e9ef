"""Kernels compiled in other processes while this one begins.

Whoever knows which kernels it is going to call names them with the arguments; those that are not on disk yet
are compiled by a process for each core beside this one. This process goes on: where it comes to a kernel that
is being compiled it waits for it (`cache.compiling`) and loads it from the disk. On one core nothing is done.

Where all the work begins with one kernel that takes long, this process would only wait for it: `share_out`
has it compile the others meanwhile.

Where arguments are not known before the work begins, a process of its own does a little of the same work:
the server of the page has one play a hand (`interfaces/web/work/warming.py`), search has one search a small
subgame (`search/compiling.py`). They are started and ended as here, and leave a note in the cache (`note`),
so that it is done once.
"""

from __future__ import annotations

import atexit
import contextlib
import gc
import hashlib
import importlib
import os
import pickle
import subprocess
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from overbet.machine import core_count

Call = tuple[Any, tuple[Any, ...]]  # a kernel and arguments of the types that it is called with
_Job = tuple[str, str, Any]  # module, name, types of the arguments
_SWITCH = "OVERBET_COMPILE_AHEAD"  # 0: nothing is compiled in other processes
_KERNELS = Path(__file__).parent / "kernels"
_running: list[subprocess.Popen[bytes]] = []
_asked: set[_Job] = set()  # what was given to a process already
_works: set[str] = set()  # and which works were begun


def compile_ahead(*calls: Call) -> None:
    """Have kernels compiled that are called soon, each with its arguments, those that take longest first."""
    _begin(calls)


def share_out(*calls: Call) -> None:
    """Have kernels compiled as `compile_ahead` does, and compile here, from the last on, what nobody has."""
    jobs = _begin(calls)
    if _running:
        _compile(reversed(jobs))


def _begin(calls: Iterable[Call]) -> list[_Job]:
    """Start processes for kernels that are not on disk, and return what there is to compile."""
    if os.environ.get(_SWITCH) == "0":
        return []
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
    for helper in range(min(core_count() - 1, len(jobs))):
        _start([*jobs[helper:], *jobs[:helper]])  # each begins with another, and all know all
    return jobs


def _start(jobs: list[_Job]) -> None:
    """Start a process that compiles some kernels; without it this one compiles them."""
    from numba.core import serialize

    plain: Any = serialize  # it has no types
    with contextlib.suppress(OSError):
        start_compiler(__name__, given=plain.dumps(jobs), **{_SWITCH: "0"})


def start_work(module: str, *words: str, what: str) -> None:
    """Have a module do some work in a process of its own, so that its kernels are compiled; not twice."""
    if os.environ.get(_SWITCH) == "0" or core_count() < 2 or what in _works or is_noted(what):
        return
    _works.add(what)
    with contextlib.suppress(OSError):
        start_compiler(module, *words, given=b"", **{_SWITCH: "0"})


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
            process.wait()  # so that its time counts as ours


@contextmanager
def note(what: str) -> Iterator[None]:
    """Leave a note that all kernels of some work are in the cache, once the work is done."""
    from overbet.files import write_text

    version = _version()
    yield
    write_text(_place(what), version)


def is_noted(what: str) -> bool:
    """Tell whether the kernels of some work were compiled for this very version."""
    try:
        return _place(what).read_text(encoding="ascii") == _version()
    except OSError:
        return False


def _place(what: str) -> Path:
    from overbet.kernels.match.play import play_on

    cache = getattr(play_on, "_cache", None)
    return Path(getattr(cache, "cache_path", None) or _KERNELS) / f"compiled-for-{what}"


def _version() -> str:
    import numba

    files = []
    for path in sorted(_KERNELS.rglob("*.py")):
        status = path.stat()
        files.append((path.name, status.st_size, status.st_mtime_ns))
    return hashlib.sha256(repr((numba.__version__, sys.version, files)).encode()).hexdigest()


def _compile(jobs: Iterable[_Job]) -> None:
    """Compile kernels but for those that another process has begun or finished.

    What fails here fails again where the kernel is called, and is told there.
    """
    from overbet.kernels.cache import is_kept

    for module, name, types in jobs:
        with contextlib.suppress(Exception):
            kernel = getattr(importlib.import_module(module), name)
            if not is_kept(kernel, types) and not _begun(kernel):
                kernel.compile(types)


def _begun(kernel: Any) -> bool:
    """Tell whether another process is compiling a kernel: it holds the lock beside the index of its code."""
    file = getattr(getattr(kernel, "_cache", None), "_cache_file", None)
    try:
        import fcntl

        with open(f"{file._index_path}.lock") as lock:  # type: ignore[union-attr]
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                return True
    except (ImportError, AttributeError, OSError):  # no locks here, or nobody has begun it yet
        pass
    return False


def main() -> None:
    """Compile the kernels named on standard input."""
    gc.disable()  # there is little garbage, and it ends soon
    _compile(pickle.loads(sys.stdin.buffer.read()))  # noqa: S301  # from our own process


if __name__ == "__main__":
    main()
