"""The tour runs, and the examples it needs travel inside the wheel."""

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from overbet.errors import ConfigError
from overbet.interfaces.cli.examples import example

ROOT = Path(__file__).resolve().parents[2]


def test_demo_runs_to_the_end() -> None:
    shown = subprocess.run(
        [sys.executable, "-m", "overbet", "demo"], capture_output=True, text=True, check=False
    )
    assert shown.returncode == 0, shown.stderr
    for sign in ("46.214%", "exploitability", "-0.04537 bb", "1.527e-04", "overbet --help"):
        assert sign in shown.stdout


def test_missing_example_is_named() -> None:
    with pytest.raises(ConfigError, match=r"nothing\.yaml is missing"):
        example("nothing.yaml")


def test_wheel_holds_what_runs(tmp_path: Path) -> None:
    command = [
        sys.executable,
        "-m",
        "build",
        "--wheel",
        "--no-isolation",
        "--outdir",
        str(tmp_path),
        str(ROOT),
    ]
    subprocess.run(command, check=True, capture_output=True)
    (wheel,) = tmp_path.glob("overbet-*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    for needed in ("overbet/cards/data/preflop.h5", "overbet/examples/river.yaml", "overbet/kernels/jit.py"):
        assert needed in names
    assert not [name for name in names if name.startswith("tests") or name.endswith((".nbi", ".nbc"))]
