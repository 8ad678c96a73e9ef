"""The process that goes through the targets: it says what it is about to do, so that a crash can be told.

Started by `parent.Child`. Orders come as lines of JSON on standard input, and answers go to the file
descriptor named on the command line:

    {"prepare": target}                                    -> {"ready": target}
    {"target": ..., "seed": ..., "first": ..., "seconds": ..., "most": ...}
                                                         -> {"at": n} before each input, {"done": n} at last,
                                                            {"find": words, "number": n, "file": path}
    {"write": target, "seed": ..., "number": ...}          -> {"written": path}
    {"repeat": target, "file": ...}                        -> {"find": words or null}
"""

from __future__ import annotations

import contextlib
import json
import os
import resource
import sys
import time
import traceback
import warnings
from pathlib import Path
from typing import Any, TextIO

from tests.fuzz.target import Target, judge, random_of, read_input, write_input

MOST_MEMORY = 12 << 30  # bytes of address space: an input that asks for more ends in an error, not in swap


class Worker:
    """Goes through targets in a scratch folder and reports."""

    def __init__(self, answers: TextIO, scratch: Path, finds: Path) -> None:
        self.answers, self.scratch, self.finds = answers, scratch, finds
        self.ready: dict[str, Target] = {}

    def say(self, **facts: Any) -> None:
        """Send an answer."""
        self.answers.write(json.dumps(facts) + "\n")
        self.answers.flush()

    def target(self, name: str) -> Target:
        """Return a target with its samples."""
        from tests.fuzz.targets import target_named

        if name not in self.ready:
            found = target_named(name)
            place = self.scratch / name
            place.mkdir(parents=True, exist_ok=True)
            os.chdir(place)
            found.prepare(place)
            self.ready[name] = found
        os.chdir(self.scratch / name)
        return self.ready[name]

    def fuzz(self, name: str, seed: int, first: int, seconds: float, most: int) -> None:
        """Make and run inputs from number `first` on."""
        target = self.target(name)
        end, number = time.monotonic() + seconds, first
        while number < first + most and time.monotonic() < end:
            self.say(at=number)
            given = target.input(random_of(name, seed, number), number)
            found = judge(target, given)
            if found:
                file = write_input(given, self.finds / f"{name}-{seed}-{number}")
                self.say(find=found, number=number, file=str(file))
            number += 1
        self.say(done=number - first)

    def obey(self, order: dict[str, Any]) -> None:
        """Do one order."""
        if "prepare" in order:
            self.target(order["prepare"])
            self.say(ready=order["prepare"])
        elif "write" in order:
            name, seed, number = order["write"], order["seed"], order["number"]
            given = self.target(name).input(random_of(name, seed, number), number)
            self.say(written=str(write_input(given, self.finds / f"{name}-{seed}-{number}")))
        elif "repeat" in order:
            target = self.target(order["repeat"])
            given = read_input(Path(order["file"]))
            self.say(at=0)
            self.say(find=judge(target, given))
        else:
            self.fuzz(order["target"], order["seed"], order["first"], order["seconds"], order["most"])


def main() -> None:
    """Obey orders until there are no more."""
    descriptor, scratch, finds = int(sys.argv[1]), Path(sys.argv[2]), Path(sys.argv[3])
    with contextlib.suppress(ValueError, OSError):  # not every system limits it
        resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    warnings.filterwarnings("error", category=RuntimeWarning, module=r"overbet\..*")
    worker = Worker(os.fdopen(descriptor, "w", encoding="utf-8"), scratch, finds)
    for line in sys.stdin:
        try:
            worker.obey(json.loads(line))
        except Exception:
            worker.say(broken=traceback.format_exc())


if __name__ == "__main__":
    main()
