"""The process ends at once, and all that has to be done before is done."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

START = """
import atexit, pathlib, sys, threading, time
from concurrent.futures import ThreadPoolExecutor
from overbet.interfaces.cli import entry
place = pathlib.Path(sys.argv[1])
atexit.register(lambda: place.with_suffix(".last").write_text("done"))
pool = ThreadPoolExecutor(2)
pool.submit(lambda: None).result()  # its threads are there and wait
threading.Thread(target=lambda: (time.sleep(0.3), place.write_text("written"))).start()
print("x" * 1_000_000)
real = entry.os._exit
entry.os._exit = lambda code: (print("at once", flush=True), real(code))
"""


@pytest.mark.parametrize(("code", "status"), [("None", 0), ("0", 0), ("3", 3), ("143", 143)])
def test_threads_last_wishes_and_output_come_before_the_end(tmp_path: Path, code: str, status: int) -> None:
    words = [sys.executable, "-c", START + f"entry.leave({code})", str(tmp_path / "out")]
    found = subprocess.run(words, capture_output=True, text=True, check=False, timeout=300)
    assert found.returncode == status, found.stderr
    assert found.stdout == "x" * 1_000_000 + "\nat once\n"
    assert (tmp_path / "out").read_text() == "written"
    assert (tmp_path / "out.last").read_text() == "done"


@pytest.mark.parametrize(
    ("before", "code", "status"),
    [
        ("sys.setprofile(lambda *_: None)\n", "3", 3),
        ("entry._wait_for_threads = None\n", "3", 3),
        ("", "'no'", 1),
    ],
    ids=["profiled", "another Python", "words"],
)
def test_where_it_cannot_be_python_ends_as_ever(tmp_path: Path, before: str, code: str, status: int) -> None:
    words = [sys.executable, "-c", START + before + f"entry.leave({code})", str(tmp_path / "out")]
    found = subprocess.run(words, capture_output=True, text=True, check=False, timeout=300)
    assert found.returncode == status, found.stderr
    assert found.stdout == "x" * 1_000_000 + "\n"
    assert (tmp_path / "out.last").read_text() == "done"


def test_the_command_ends_so_with_its_own_code() -> None:
    words = [sys.executable, "-X", "importtime", "-m", "overbet", "solve", "no such file.yaml"]
    found = subprocess.run(words, capture_output=True, text=True, check=False)
    assert found.returncode == 2
    assert "no such file.yaml" in found.stderr
    assert "overbet.interfaces.cli.entry" in found.stderr
