"""A target: one way in for something from outside. What goes in is made from a seed; what comes out is
judged.

An input is bytes (the content of a file) or anything JSON can write. It is a function of (target, seed,
number) and of the samples, and every find is written to a file, so that it can be repeated.

A run is good when it ends, or raises an `OverbetError` whose message is one line of at most 2,000 characters.
Anything else is a find.
"""

from __future__ import annotations

import json
import random
import resource
import sys
import traceback
from pathlib import Path
from typing import Any

from overbet.errors import OverbetError

LONGEST_MESSAGE = 2000
MOST_GROWTH = 1 << 30  # bytes of memory that one input may add to the process

Input = Any  # bytes, or what JSON can write


class Target:
    """One way in. `name` is unique; `limit_s`: an input that takes longer is a find."""

    name = ""
    limit_s = 30.0

    def prepare(self, folder: Path) -> None:
        """Write samples, compile kernels, and run good examples: an error here is a fault of the target."""

    def make(self, rng: random.Random) -> Input:
        """Return an input."""
        raise NotImplementedError

    def input(self, rng: random.Random, number: int) -> Input:
        """Return input number `number`; most targets leave all to chance."""
        return self.make(rng)

    def run(self, given: Input) -> None:
        """Take the input as the program does."""
        raise NotImplementedError


class WrongError(Exception):
    """The program took an input and gave an answer that cannot be right."""


def random_of(target: str, seed: int, number: int) -> random.Random:
    """Return the randomness of one input."""
    return random.Random(f"{target}:{seed}:{number}")


def judge(target: Target, given: Input) -> str | None:
    """Run an input and return what is wrong with how it ended, None where nothing is."""
    before = _memory()
    try:
        target.run(given)
        found = None
    except OverbetError as error:
        found = wrong_message(str(error))
        if found:
            found += f" ({place_of(error)})"
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        said = (str(error).splitlines() or [""])[0][:300]
        cause = error.__cause__ if isinstance(error, WrongError) and error.__cause__ else error
        found = f"{type(error).__name__}: {said} ({place_of(cause)})"
    grown = _memory() - before
    if found is None and grown > MOST_GROWTH:
        return f"took {grown >> 20:,} MiB of memory"
    return found


def _memory() -> int:
    """Return the most memory this process ever held, in bytes."""
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most if sys.platform == "darwin" else 1024 * most


def wrong_message(message: str) -> str | None:
    """Return what is wrong with the message of an error, None where nothing is."""
    if not message.strip():
        return "the error says nothing"
    if len(message.splitlines()) > 1:
        return f"the error has {len(message.splitlines())} lines: {message[:200]!r}"
    if len(message) > LONGEST_MESSAGE:
        return f"the error has {len(message):,} characters: {message[:80]!r}..."
    return None


def place_of(error: BaseException) -> str:
    """Return file and line of the package where an error came from, or the last line of all."""
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if "/overbet/" in frame.filename] or list(frames)
    if not own:
        return "nowhere"
    return f"{own[-1].filename.rpartition('/src/')[2]}:{own[-1].lineno}"


def write_input(given: Input, path: Path) -> Path:
    """Write an input so that `read_input` gives it back; return the path with its ending."""
    if isinstance(given, bytes):
        target = path.with_suffix(".bin")
        target.write_bytes(given)
    else:
        target = path.with_suffix(".json")
        target.write_text(json.dumps(given), encoding="utf-8")
    return target


def read_input(path: Path) -> Input:
    """Return an input that was written."""
    if path.suffix == ".bin":
        return path.read_bytes()
    return json.loads(path.read_text(encoding="utf-8"))
