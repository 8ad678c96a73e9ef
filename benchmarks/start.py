"""How long the first and the next call of a command take: wall-clock seconds, compilation included.

    python benchmarks/start.py                     # this version
    python benchmarks/start.py --against 972f692   # another commit of ours too, in the same run
    python benchmarks/start.py --wheel dist/overbet-0.1.0-py3-none-any.whl   # in a new virtual environment

Cold: with an empty cache of compiled kernels. Warm: the best of three calls after it. For a training the time
to its first report of progress would depend on the machine; so it is stopped after one small block of work.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path

from versions import ROOT, checked_out, processor

WORK = {
    "help": "--help",
    "solve": "solve examples/quick.yaml",
    "match": "match tag lag --hands 2000",
    "train": "train configs/fast_test.yaml --out {place}/run --set iterations=10000",
    "lbr": "lbr tag --hands 100",
}
WARM = 3


def seconds(python: Path, source: Path | None, command: str, cache: Path) -> float:
    """Return how long one call takes."""
    with tempfile.TemporaryDirectory() as place:
        environment = {**os.environ, "NUMBA_CACHE_DIR": str(cache), "OVERBET_HOME": place}
        if source is not None:
            environment["PYTHONPATH"] = str(source)
        words = [str(python), "-m", "overbet", *command.format(place=place).split()]
        begin = time.perf_counter()
        subprocess.run(words, cwd=ROOT, env=environment, check=True, capture_output=True)
        return time.perf_counter() - begin


def measure(python: Path, source: Path | None, names: list[str]) -> dict[str, tuple[float, float]]:
    """Return cold and warm seconds of each command."""
    found = {}
    for name in names:
        with tempfile.TemporaryDirectory() as cache:
            cold = seconds(python, source, WORK[name], Path(cache))
            warm = min(seconds(python, source, WORK[name], Path(cache)) for _ in range(WARM))
        found[name] = cold, warm
    return found


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
    parser.add_argument("--only", choices=list(WORK), nargs="+", default=list(WORK))
    asked = parser.parse_args()
    python = Path(sys.executable)
    print(machine())
    with tempfile.TemporaryDirectory() as place, ExitStack() as kept:
        versions: dict[str, tuple[Path, Path | None]] = {"this version": (python, ROOT / "src")}
        if asked.against:
            versions[asked.against] = python, kept.enter_context(checked_out(asked.against)) / "src"
        if asked.wheel:
            subprocess.run([str(python), "-m", "venv", f"{place}/venv"], check=True)
            words = [f"{place}/venv/bin/pip", "install", "--quiet", "-c", str(ROOT / "constraints.txt")]
            subprocess.run([*words, asked.wheel], check=True)
            versions = {"the wheel": (Path(place) / "venv" / "bin" / "python", None)}
        found = {name: measure(*where, asked.only) for name, where in versions.items()}
    print("| command | " + " | ".join(f"{name}: cold s | warm s" for name in found) + " |")
    print("|---" * (1 + 2 * len(found)) + "|")
    for name in asked.only:
        cells = [f"{value:.2f}" for times in found.values() for value in times[name]]
        print(f"| `overbet {WORK[name].replace('{place}/', '')}` | " + " | ".join(cells) + " |")


if __name__ == "__main__":
    main()
