"""Files of others are opened in a child process first: a crash, a hang or a flood of memory stays there.

HDF5 is a large C library, and a file made with care can end the process that opens it. So before this process
opens a file that it did not write, `try_file` lets a child (`child_check.py`) read all of it, under limits of
memory and time. What the child finds is remembered for as long as the file stays as it is.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import stat
import subprocess
import sys
import threading
from collections import OrderedDict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from overbet.errors import ArtefactError

SECONDS = 30.0  # for a small file
_BYTES_A_SECOND = 20 << 20  # more time for large ones
MEMORY = 1 << 30  # bytes beyond what the child has when it begins
_SCRIPT = Path(__file__).with_name("child_check.py")
_REMEMBERED = 10_000
_CRASHES = {"SIGSEGV", "SIGBUS", "SIGABRT", "SIGILL", "SIGFPE", "SIGXCPU", "SIGSYS", "SIGTRAP"}

_Key = tuple[int, int, int, int, str]
_known: OrderedDict[_Key, str | None] = OrderedDict()  # why a file is refused, None where it is good
_known_lock = threading.Lock()
_one_at_a_time = threading.Lock()


def try_file(path: str | Path, *, check: str = "", seconds: float = SECONDS, memory: int = MEMORY) -> None:
    """Raise `ArtefactError` unless a child could read all of an HDF5 file.

    check: another function of one path to run there, as `module:name`; an `OverbetError` it raises is told in
    its own words. seconds: for a small file. memory: in bytes.
    """
    reason = try_files([path], check=check, seconds=seconds, memory=memory)[0]
    if reason is not None:
        raise ArtefactError(reason)


def try_files(
    paths: Iterable[str | Path], *, check: str = "", seconds: float = SECONDS, memory: int = MEMORY
) -> list[str | None]:
    """Return for each file why it is refused, None where it is good; one child reads them all."""
    wanted = [Path(path) for path in paths]
    reasons: dict[int, str | None] = {}
    with _one_at_a_time:
        waiting: list[tuple[int, Path, _Key]] = []
        for number, path in enumerate(wanted):
            try:
                key = _key(path, check)
            except ArtefactError as error:
                reasons[number] = str(error)
                continue
            with _known_lock:
                known = key in _known
                if known:
                    reasons[number] = _told(path, _known[key])
            if not known:
                waiting.append((number, path, key))
        while waiting:
            with _child() as process:
                while waiting:
                    number, path, key = waiting.pop(0)
                    time = seconds + key[2] / _BYTES_A_SECOND
                    request = {"path": str(path), "check": check, "seconds": time, "memory": memory}
                    reason, lasting, alive = _ask(process, request)
                    reasons[number] = _told(path, reason)
                    if lasting:
                        _remember(key, reason)
                    if not alive:
                        break
    return [reasons[number] for number in range(len(wanted))]


def trust(path: str | Path, *, check: str = "") -> None:
    """Take a file as good: this program has just written it."""
    with contextlib.suppress(ArtefactError):
        _remember(_key(Path(path), check), None)


def _told(path: Path, reason: str | None) -> str | None:
    return None if reason is None else f"{path} is refused: {reason}"


def _key(path: Path, check: str) -> _Key:
    """Return what changes when a file does; a renamed one stays the same."""
    try:
        found = os.stat(path)
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or "no such name is possible"
        raise ArtefactError(f"cannot read {path}: {why}") from error
    if not stat.S_ISREG(found.st_mode):
        raise ArtefactError(f"{path} is refused: it is not a plain file")
    return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns, check


def _remember(key: _Key, reason: str | None) -> None:
    with _known_lock:
        _known[key] = reason
        while len(_known) > _REMEMBERED:
            _known.popitem(last=False)


@contextlib.contextmanager
def _child() -> Iterator[subprocess.Popen[str]]:
    """Start a child, and end it."""
    try:
        process = subprocess.Popen(
            # -P: nothing is imported from the folder of the script, nor from the one this was started in
            [sys.executable, "-P", str(_SCRIPT)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            encoding="utf-8",
            errors="replace",
            env={**os.environ, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"},
            start_new_session=True,  # Ctrl-C in the terminal must not look like a crash
        )
    except OSError as error:
        raise ArtefactError(
            f"files of others are checked in a process of its own, which cannot be started: {error.strerror}"
        ) from error
    try:
        yield process
    finally:
        process.kill()
        process.wait()
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                with contextlib.suppress(OSError):
                    pipe.close()


def _ask(process: subprocess.Popen[str], request: dict[str, Any]) -> tuple[str | None, bool, bool]:
    """Return why a file is refused, whether that will stay so, and whether the child still lives."""
    assert process.stdin is not None
    assert process.stdout is not None
    late = threading.Event()

    def end() -> None:
        late.set()
        process.kill()

    timer = threading.Timer(request["seconds"], end)
    timer.daemon = True
    timer.start()
    try:
        process.stdin.write(json.dumps(request) + "\n")
        process.stdin.flush()
        line = process.stdout.readline()
    except OSError:
        line = ""
    finally:
        timer.cancel()
    if line.endswith("\n"):
        reason = json.loads(line)["reason"]
        return reason, True, True
    code = process.wait()
    if late.is_set():
        return f"reading it took longer than {request['seconds']:.0f} seconds; it may be damaged", True, False
    name = signal.Signals(-code).name if -code in set(signal.Signals) else f"code {code}"
    if name in _CRASHES:
        return (
            f"it crashes the HDF5 library ({name}): it is damaged, or made to do harm; delete it",
            True,
            False,
        )
    return f"the process that checks it was ended ({name}); try again", False, False
