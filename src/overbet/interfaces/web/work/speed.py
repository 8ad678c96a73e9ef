"""How fast this machine solves: from the solves of the data folder, and before the first from a short trial.

The trial is a process of its own (`python -m overbet.interfaces.web.work.speed FILE`), begun when somebody
first sets up a spot on a machine that has solved none: it compiles what the first solve needs anyway, solves
for a second, and leaves its rate in the data folder.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

from pydantic import BaseModel, PositiveFloat, PositiveInt, ValidationError

from overbet.ahead import start_compiler
from overbet.interfaces.web.folder import DataFolder, read_json, write_json
from overbet.interfaces.web.work.jobs import Jobs

NAME = "speed.json"
_LATEST = 20


class _RateRecord(BaseModel):
    """A rate as it is kept: `overbet.study.solve_time.SolveRate`."""

    nanoseconds: PositiveFloat
    street: str
    precision: str
    threads: PositiveInt


class MachineSpeed:
    """The rates of one server's machine. on: whether a trial may be started."""

    def __init__(self, folder: DataFolder, jobs: Jobs, on: bool) -> None:
        self._path, self._jobs = folder.root / NAME, jobs
        self._on = on and os.environ.get("OVERBET_COMPILE_AHEAD") != "0"
        self._lock = threading.Lock()
        self._child: subprocess.Popen[bytes] | None = None

    def rates(self) -> list[dict[str, Any]]:
        """Return the rates of solves, the latest first."""
        found = (_checked(job.result.get("rate")) for job in self._jobs.all("solve")[:_LATEST])
        return [rate for rate in found if rate is not None]

    def trial(self) -> dict[str, Any] | None:
        """Return the rate of the trial; None where there was none, which begins one."""
        found = _checked(read_json(self._path))
        if found is None:
            self._begin()
        return found

    def close(self) -> None:
        """End the trial."""
        with self._lock:
            self._on = False
            if self._child is not None and self._child.poll() is None:
                self._child.kill()
                self._child.wait()

    def _begin(self) -> None:
        with self._lock:
            if self._on and self._child is None:
                with contextlib.suppress(OSError):
                    self._child = start_compiler(__name__, str(self._path))


def _checked(values: Any) -> dict[str, Any] | None:
    try:
        return _RateRecord.model_validate(values).model_dump()
    except ValidationError:
        return None


def main(path: Path, seconds: float = 1.0) -> None:
    """Solve for a second and leave the rate."""
    from overbet.study.solve_time import trial_rate

    found = trial_rate(seconds)
    if found is not None:
        write_json(path, found)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
