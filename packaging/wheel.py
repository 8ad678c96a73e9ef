"""Build a wheel that carries its kernels as machine code: `make wheel`.

The usual commands are run once for each level of x86-64 with an empty cache, and what they compile is packed
into `src/overbet/kernels/compiled/`, which the wheel takes in. That takes some minutes. A level above the
machine's own is left out: its code could be compiled here, but not run, and the commands run it.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "src"
sys.path.insert(0, str(SOURCE))

from overbet.kernels import shipped  # noqa: E402

COMMANDS = (
    "solve examples/quick.yaml --save quick.h5",
    "show quick.h5",
    "solve examples/river.yaml --iterations 10",
    "solve examples/turn.yaml --iterations 1",
    "solve examples/flop.yaml --iterations 1",
    "match tag lag --hands 200",
    "match blueprint:heads-up tag --hands 200",
    "lbr tag --hands 20",
    "lbr blueprint:heads-up --hands 20",
    "train configs/fast_test.yaml --out run --set iterations=20000",
    "tabular leduc --iterations 10",
    "pushfold --stack 10",
    "equity AhKh QsQd",
)


def main() -> None:
    """Compile, pack and build; the wheel is in dist/."""
    compiled = SOURCE / "overbet" / "kernels" / "compiled"
    shutil.rmtree(compiled, ignore_errors=True)
    highest = shipped.machine_level()
    for level in shipped.FEATURES:
        with tempfile.TemporaryDirectory() as place:
            number = shipped.pack(_collected(level, Path(place)), compiled / f"{level}.zip")
        print(
            f"{level}: {number} kernels, {(compiled / f'{level}.zip').stat().st_size / 1e6:.1f} MB",
            flush=True,
        )
        if level == highest:
            break
    words = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(ROOT / "dist")]
    subprocess.run([*words, str(ROOT)], check=True, stdout=subprocess.DEVNULL)
    shutil.rmtree(compiled)  # in a source tree it would be out of date with the next edit
    for wheel in sorted((ROOT / "dist").glob("*.whl")):
        print(f"dist/{wheel.name}: {wheel.stat().st_size / 1e6:.1f} MB")


def _collected(level: str, place: Path) -> Path:
    """Run the commands for a level; return the folder with what they compiled."""
    work, folder = place / "work", place / "kernels"
    for one in (work, folder):
        one.mkdir()
    for name in ("examples", "configs"):
        (work / name).symlink_to(ROOT / name)
    environment = {
        **os.environ,
        "PYTHONPATH": str(SOURCE),
        "OVERBET_HOME": str(place / "home"),
        "NUMBA_CACHE_DIR": str(place / "cache"),
        "NUMBA_CPU_NAME": level,
        "NUMBA_CPU_FEATURES": shipped.features_of(level),
        shipped.COLLECT: str(folder),
    }
    for number, command in enumerate(COMMANDS, 1):
        print(f"{level}: {number} of {len(COMMANDS)}: overbet {command}", flush=True)
        words = [sys.executable, "-m", "overbet", *command.split()]
        done = subprocess.run(words, cwd=work, env=environment, capture_output=True, text=True)
        if done.returncode:
            sys.exit(f"overbet {command} ended with {done.returncode}: {done.stderr.strip()}")
    return folder


if __name__ == "__main__":
    main()
