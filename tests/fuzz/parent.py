"""Driving the child: inputs by the second, finds as they come, crashes and hangs put down to their input."""

from __future__ import annotations

import contextlib
import json
import os
import queue
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

PREPARATION_S = 1200.0  # kernels compile on a new machine
_ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Find:
    """An input that ended as none may."""

    target: str
    seed: int
    number: int
    what: str
    file: str

    def __str__(self) -> str:
        return f"{self.target} {self.number}: {self.what}\n    repeat: {self.again()}"

    def again(self) -> str:
        """Return the command that repeats it."""
        return f"python -m tests.fuzz --target {self.target} --input {self.file}"

    @property
    def kind(self) -> str:
        """Return what finds of the same cause share: what was raised, and where, whatever its numbers."""
        begun = re.sub(r"[\d,]+", "N", self.what.partition(":")[0])
        return f"{self.target} {begun} {self.what.rpartition('(')[2]}"


@dataclass
class Report:
    """What came of a target: how many inputs, and the finds, one of each kind; `more`: how many in all."""

    target: str
    seed: int
    inputs: int = 0
    finds: list[Find] = field(default_factory=list)
    more: dict[str, int] = field(default_factory=dict)

    def add(self, find: Find) -> None:
        """Keep the first find of its kind, count the others and remove their files."""
        kinds = {kept.kind for kept in self.finds}
        self.more[find.kind] = self.more.get(find.kind, 0) + 1
        if find.kind in kinds:
            Path(find.file).unlink(missing_ok=True)
        else:
            self.finds.append(find)


class BrokenTargetError(Exception):
    """A target whose samples or good examples failed: nothing was fuzzed."""


class _EndedError(Exception):
    """The child ended, or said nothing for too long."""


class Child:
    """A running `tests.fuzz.child`; started anew after each crash."""

    def __init__(self, finds: Path) -> None:
        self.finds = finds
        finds.mkdir(parents=True, exist_ok=True)
        self.scratch = Path(tempfile.mkdtemp(prefix="overbet-fuzz-"))
        self._process: subprocess.Popen[str] | None = None

    def close(self) -> None:
        """End the child and remove its scratch folder."""
        self._end()
        shutil.rmtree(self.scratch, ignore_errors=True)

    def __enter__(self) -> Child:
        return self

    def __exit__(self, *why: object) -> None:
        self.close()

    def fuzz(self, target: str, seed: int, seconds: float, limit_s: float, most: int = 1 << 60) -> Report:
        """Go through a target for a time; a crash or a hang is a find and the next input goes on."""
        report = Report(target, seed)
        self.prepare(target)
        end, first = time.monotonic() + seconds, 0
        while first < most and (left := end - time.monotonic()) > 0:
            at = first
            order = {"target": target, "seed": seed, "first": first, "seconds": left, "most": most - first}
            try:
                self._send(order)
                while "done" not in (said := self._hear(limit_s, target)):
                    at = said.get("at", at)
                    if "find" in said:
                        report.add(Find(target, seed, said["number"], said["find"], said["file"]))
                report.inputs += said["done"]
                return report
            except _EndedError as error:
                what = str(error)
            report.inputs += at + 1 - first
            first = at + 1
            self.prepare(target)
            self._send({"write": target, "seed": seed, "number": at})
            report.add(Find(target, seed, at, what, self._hear(PREPARATION_S, target)["written"]))
        return report

    def repeat(self, target: str, file: Path, limit_s: float) -> str | None:
        """Run one written input and return what is wrong with how it ended."""
        self.prepare(target)
        self._send({"repeat": target, "file": str(file.resolve())})
        try:
            self._hear(limit_s, target)
            found = self._hear(limit_s, target)["find"]
        except _EndedError as error:
            return str(error)
        return None if found is None else str(found)

    def prepare(self, target: str) -> None:
        """Let the child make a target's samples and run its good examples."""
        self._send({"prepare": target})
        try:
            self._hear(PREPARATION_S, target)
        except _EndedError as error:
            raise BrokenTargetError(f"target {target}: the child {error} while it got ready") from error

    def _start(self) -> None:
        reading, writing = os.pipe()
        home = self.scratch / "home"
        environment = {
            **os.environ,
            "PYTHONPATH": os.pathsep.join([str(_ROOT), str(_ROOT / "src"), os.environ.get("PYTHONPATH", "")]),
            "OVERBET_HOME": str(home),
            "HOME": str(home),
            "NUMBA_CACHE_DIR": os.environ.get("NUMBA_CACHE_DIR", ""),
            "BROWSER": "true",  # the page is never opened
            "PYTHONFAULTHANDLER": "1",
        }
        home.mkdir(exist_ok=True)
        self._log = open(self.scratch / "stderr.txt", "a")  # noqa: SIM115  # closed in _end
        self._process = subprocess.Popen(
            [
                sys.executable,
                "-m",
                "tests.fuzz.child",
                str(writing),
                str(self.scratch),
                str(self.finds.resolve()),
            ],
            stdin=subprocess.PIPE,
            stdout=self._log,
            stderr=self._log,
            text=True,
            pass_fds=[writing],
            cwd=_ROOT,
            env=environment,
            start_new_session=True,
        )
        os.close(writing)
        self._said: queue.SimpleQueue[dict[str, Any] | None] = queue.SimpleQueue()
        threading.Thread(target=_listen, args=(reading, self._said), daemon=True).start()

    def _send(self, order: dict[str, Any]) -> None:
        if self._process is None:
            self._start()
        assert self._process is not None
        assert self._process.stdin is not None
        with contextlib.suppress(BrokenPipeError):
            self._process.stdin.write(json.dumps(order) + "\n")
            self._process.stdin.flush()

    def _hear(self, limit_s: float, target: str) -> dict[str, Any]:
        assert self._process is not None
        try:
            said = self._said.get(timeout=limit_s)
        except queue.Empty:
            self._end()
            raise _EndedError(f"took longer than {limit_s:g} s") from None
        if said is None:
            code = self._process.wait()
            last = self._last_words()
            self._end()
            raise _EndedError(f"ended the process, {_how(code)}: {last}")
        if "broken" in said:
            raise BrokenTargetError(f"target {target}: {said['broken']}")
        return said

    def _last_words(self) -> str:
        self._log.flush()
        text = (self.scratch / "stderr.txt").read_text(errors="replace")
        own = [line.strip() for line in text.splitlines() if "/overbet/" in line][-30:]
        fatal = [line for line in text.splitlines() if line.startswith("Fatal Python error")][-1:]
        return "; ".join([*fatal, *own[:1]]) or "it said nothing"

    def _end(self) -> None:
        if self._process is None:
            return
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)  # with what it started
        self._process.wait()
        assert self._process.stdin is not None
        with contextlib.suppress(BrokenPipeError):
            self._process.stdin.close()
        self._log.close()
        self._process = None


def _listen(descriptor: int, said: queue.SimpleQueue[dict[str, Any] | None]) -> None:
    with os.fdopen(descriptor, encoding="utf-8") as lines:
        for line in lines:
            said.put(json.loads(line))
    said.put(None)


def _how(code: int) -> str:
    if code >= 0:
        return f"exit code {code}"
    try:
        return signal.Signals(-code).name
    except ValueError:
        return f"signal {-code}"
