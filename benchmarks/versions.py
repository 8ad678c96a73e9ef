"""Two versions of ours beside each other: another commit checked out, and figures asked of either.

Each figure is worked out by a process of its own that sees one version's src/ and kernels.
"""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


@contextmanager
def checked_out(commit: str) -> Iterator[Path]:
    """Give a folder with another commit, for the time of the run."""
    with tempfile.TemporaryDirectory() as place:
        other = Path(place) / "other"
        words = ["git", "-C", str(ROOT), "worktree", "add", "--detach", str(other), commit]
        subprocess.run(words, check=True, capture_output=True)
        try:
            yield other
        finally:
            away = ["git", "-C", str(ROOT), "worktree", "remove", "--force", str(other)]
            subprocess.run(away, check=False, capture_output=True)


def asked(folder: Path, script: Path, *words: str) -> float:
    """Return the figure that `script --probe words` prints, worked out with a version's src/."""
    more = os.environ.get("PYTHONPATH", "")
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, [str(folder / "src"), more]))}
    if "NUMBA_CACHE_DIR" in environment:  # kernels of two versions must not lie in one folder
        environment["NUMBA_CACHE_DIR"] += f"-{folder.name}"
    command = [sys.executable, str(script), "--probe", *words]
    found = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if found.returncode:
        raise SystemExit(f"{' '.join(words)} of {folder} ended with an error:\n{found.stderr[-2000:]}")
    return float(json.loads(found.stdout.splitlines()[-1]))


def alternating(other: Path, script: Path, rounds: int, *words: str) -> tuple[float, float]:
    """Return the best figure of this version and of the other one; rounds of the two alternate."""
    figures: dict[Path, list[float]] = {ROOT: [], other: []}
    for _ in range(rounds):
        for folder, found in figures.items():
            found.append(asked(folder, script, *words))
    return min(figures[ROOT]), min(figures[other])


def processor() -> str:
    """Return the processor's name, where the machine says it."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor()
    return next((line.split(":")[1].strip() for line in lines if line.startswith("model name")), "unknown")


def vectors() -> str:
    """Return the processor and how wide the vectors are that kernels are compiled for."""
    import numba
    from llvmlite import binding

    features = dict(binding.get_host_cpu_features())
    target = f", code for {numba.config.CPU_NAME}" if numba.config.CPU_NAME else ""
    if numba.config.CPU_FEATURES:
        target += f" with {numba.config.CPU_FEATURES}"
    wide = numba.config.CPU_FEATURES or ",".join(f"+{name}" for name, on in features.items() if on)
    width = "AVX-512" if "+avx512f" in wide else "AVX2" if "+avx2" in wide else "less than AVX2"
    return f"{processor()} ({width}{target})"
