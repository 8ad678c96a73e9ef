"""The package as a whole: quick to import, honest about its version, one line an error."""

import subprocess
import sys

import pytest

import overbet


def run(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "overbet", *words], capture_output=True, text=True, check=False
    )


def test_import_loads_nothing_heavy() -> None:
    heavy = ("numba", "numpy", "polars", "torch", "h5py", "PIL")
    code = f"import sys, overbet; print([name for name in {heavy} if name in sys.modules])"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert out.strip() == "[]"


def test_every_public_name_loads() -> None:
    for name in overbet.__all__:
        assert getattr(overbet, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        overbet.nothing  # noqa: B018


def test_version_and_help() -> None:
    assert run("--version").stdout.strip() == f"overbet {overbet.__version__}"
    shown = run("--help")
    assert shown.returncode == 0
    assert "Examples" in shown.stdout


def test_unknown_verb_fails() -> None:
    shown = run("frobnicate")
    assert shown.returncode != 0
    assert "frobnicate" in shown.stderr
