"""How long the first and the next call of a command take: wall-clock seconds, compilation included.

    python benchmarks/start.py                     # this version
    python benchmarks/start.py --against 972f692   # another commit of ours too, in the same run
    python benchmarks/start.py --python PLACE/bin/python     # another interpreter: a plain install's
    python benchmarks/start.py --wheel dist/overbet-0.1.0-py3-none-any.whl   # in a new virtual environment

Cold: with an empty cache of compiled kernels. Warm: the best of three calls after it (`--warm` for more), in
turn with those of the other version. In brackets is the processor time, user and system, which a busy machine
lengthens less. Python keeps its bytecode, as it does for users: the first call of all is not counted.
For a training the time to its first report of progress would depend on the machine; so it is stopped after
one small block of work.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

from versions import ROOT, checked_out, processor

WORK = {
    "help": "--help",
    "solve": "solve examples/quick.yaml",
    "match": "match tag lag --hands 2000",
    "train": "train configs/fast_test.yaml --out {place}/run --set iterations=10000",
    "lbr": "lbr tag --hands 100",
    "turn": "advise --line r:0:b250:c:Td9d6h:c:c:2c:b400 --hand AhKh",
    "river": "advise --line r:0:b250:c:Td9d6h:c:c:2c:c:c:As:b430 --hand KhTh",
}


class Seconds(NamedTuple):
    """How long a call took: by the clock, and on processors, its children's time included."""

    wall: float
    processor: float


def seconds(python: Path, source: Path | None, command: str, cache: Path) -> Seconds:
    """Return how long one call takes."""
    with tempfile.TemporaryDirectory() as place:
        environment = {**os.environ, "NUMBA_CACHE_DIR": str(cache), "OVERBET_HOME": place}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        environment.pop("PYTHONPATH", None)  # an installed package is measured, and not a checkout
        if source is not None:
            environment["PYTHONPATH"] = str(source)
        words = [str(python), "-m", "overbet", *command.format(place=place).split()]
        begin, used = time.perf_counter(), _used()
        subprocess.run(words, cwd=ROOT, env=environment, check=True, capture_output=True)
        return Seconds(time.perf_counter() - begin, _used() - used)


def _used() -> float:
    spent = resource.getrusage(resource.RUSAGE_CHILDREN)
    return spent.ru_utime + spent.ru_stime


def load_once(where: tuple[Path, Path | None]) -> None:
    """Have Python keep the bytecode of most modules."""
    with tempfile.TemporaryDirectory() as cache:
        for command in (WORK["help"], "tree examples/quick.yaml"):
            seconds(*where, command, Path(cache))


def measure(
    versions: dict[str, tuple[Path, Path | None]], command: str, warm: int
) -> list[tuple[Seconds, Seconds]]:
    """Return cold and warm seconds of a command by version."""
    with tempfile.TemporaryDirectory() as place:
        caches = [Path(place) / str(number) for number in range(len(versions))]
        pairs = list(zip(versions.values(), caches))
        cold = [seconds(*where, command, cache) for where, cache in pairs]
        rounds = [[seconds(*where, command, cache) for where, cache in pairs] for _ in range(warm)]
    best = [Seconds(*(min(times) for times in zip(*calls))) for calls in zip(*rounds)]
    return list(zip(cold, best))


def machine() -> str:
    """Return the processor's name, how wide its vectors are, and how many cores may be used."""
    told = Path("/proc/cpuinfo").read_text() if Path("/proc/cpuinfo").exists() else ""
    width = "AVX-512" if "avx512f" in told else "AVX2" if "avx2" in told else "no AVX2"
    return f"{processor()}, {width}, {len(os.sched_getaffinity(0))} cores"


def main() -> None:
    """Measure and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--against", help="another commit of ours")
    parser.add_argument("--wheel", help="a built wheel, installed into a new virtual environment")
    parser.add_argument("--python", default=sys.executable, help="the interpreter to measure with")
    parser.add_argument("--warm", type=int, default=3, help="warm calls, of which the best counts")
    parser.add_argument("--only", choices=list(WORK), nargs="+", default=list(WORK))
    asked = parser.parse_args()
    python = Path(asked.python)
    print(f"{machine()}, load average {_load()}")
    with tempfile.TemporaryDirectory() as place, ExitStack() as kept:
        versions: dict[str, tuple[Path, Path | None]] = {"this version": (python, ROOT / "src")}
        if asked.against:
            versions[asked.against] = python, kept.enter_context(checked_out(asked.against)) / "src"
        if asked.wheel:
            subprocess.run([str(python), "-m", "venv", f"{place}/venv"], check=True)
            words = [f"{place}/venv/bin/pip", "install", "--quiet", "-c", str(ROOT / "constraints.txt")]
            subprocess.run([*words, asked.wheel], check=True)
            versions = {"the wheel": (Path(place) / "venv" / "bin" / "python", None)}
        for where in versions.values():
            load_once(where)
        print("| command | " + " | ".join(f"{name}: cold s | warm s" for name in versions) + " |")
        print("|---" * (1 + 2 * len(versions)) + "|")
        for name in asked.only:
            times = [one for pair in measure(versions, WORK[name], asked.warm) for one in pair]
            cells = [f"{one.wall:.2f} ({one.processor:.2f})" for one in times]
            words = WORK[name].replace("{place}/", "")
            print(f"| `overbet {words}` | " + " | ".join(cells) + " |", flush=True)
    print(f"load average {_load()}")


def _load() -> str:
    return " / ".join(f"{load:.1f}" for load in os.getloadavg()) + " (of 1, 5 and 15 minutes)"


if __name__ == "__main__":
    main()
