"""Commands that read pictures ask numpy for one thread, before it is loaded."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

SCRIPT = """
import os, sys
from typer.testing import CliRunner
from overbet.interfaces.cli.app import build
assert "numpy" not in sys.modules
CliRunner().invoke(build(), sys.argv[1:])
assert "numpy" in sys.modules
print(os.environ["OPENBLAS_NUM_THREADS"])
"""


@pytest.mark.parametrize("words", [["read", "nothing.png", "-p", "green"], ["vision", "report", "nowhere"]])
@pytest.mark.parametrize("asked", ["", "3"])
def test_one_thread_unless_asked_for_more(words: list[str], asked: str) -> None:
    surroundings = {name: value for name, value in os.environ.items() if name != "OPENBLAS_NUM_THREADS"}
    if asked:
        surroundings["OPENBLAS_NUM_THREADS"] = asked
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, *words],
        env=surroundings,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.stdout.strip() == (asked or "1"), done.stderr
