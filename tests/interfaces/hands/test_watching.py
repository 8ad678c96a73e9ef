"""Watching a folder: files are imported once they are quiet, once, and again when they grew."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from overbet.errors import ArtefactError
from overbet.hands import HandDatabase
from overbet.interfaces.hands.watching import FolderWatch
from tests.interfaces.hands.corpus import random_text


def test_a_file_is_read_once_it_is_quiet_and_again_when_it_grew(tmp_path: Path) -> None:
    folder, now = tmp_path / "in", [0.0]
    folder.mkdir()
    text = random_text(6).split("[4]")
    with HandDatabase(tmp_path / "data") as database:
        watched = FolderWatch(database, folder, quiet_s=10.0, clock=lambda: now[0])
        assert watched.look() is None
        (folder / "a.phhs").write_text(text[0], encoding="utf-8")
        (folder / "notes.md").write_text("no hand", encoding="utf-8")
        assert watched.look() is None
        now[0] = 9.0
        (folder / "a.phhs").write_text(text[0] + "\n", encoding="utf-8")  # still being written
        assert watched.look() is None
        now[0] = 18.0
        assert watched.look() is None
        now[0] = 19.0
        report = watched.look()
        assert report is not None
        assert (report.files, report.new, len(database)) == (1, 3, 3)
        now[0] = 100.0
        assert watched.look() is None
        (folder / "a.phhs").write_text(text[0] + "[4]" + text[1], encoding="utf-8")
        assert watched.look() is None
        now[0] = 110.0
        report = watched.look()
        assert report is not None
        assert (report.new, report.duplicates, len(database)) == (3, 3, 6)
        (folder / "broken.txt").write_text("Hand #1: nothing", encoding="utf-8")
        watched.look()
        now[0] = 120.0
        report = watched.look()
        assert report is not None
        assert (report.new, report.errors) == (0, 1)
        now[0] = 200.0
        assert watched.look() is None
    with pytest.raises(ArtefactError, match="is no folder"):
        FolderWatch(database, tmp_path / "none")


def test_ctrl_c_ends_it(tmp_path: Path) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "a.phhs").write_text(random_text(3), encoding="utf-8")
    words = ["hands", "watch", str(folder), "--quiet", "0", "--data", str(tmp_path / "data")]
    process = subprocess.Popen(
        [sys.executable, "-m", "overbet", *words],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    )
    try:
        assert process.stdout is not None
        end = time.monotonic() + 300
        lines = list[str]()
        while time.monotonic() < end and not any("errors" in line for line in lines):
            lines.append(process.stdout.readline())
        process.send_signal(signal.SIGINT)
        rest, _ = process.communicate(timeout=300)
    finally:
        process.kill()
    assert any(line.split() == ["3", "new"] for line in lines)
    assert rest.splitlines()[-1] == "stopped; 3 hands are in the database"
    assert process.returncode == 0
