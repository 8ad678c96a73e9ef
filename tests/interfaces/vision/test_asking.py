"""`overbet read` in a terminal asks for what it is not sure of; elsewhere it lists it and ends with 1."""

from __future__ import annotations

import json
import os
import re
import select
import subprocess
import sys
from pathlib import Path

import pytest
from PIL import Image, ImageFilter

from overbet.interfaces.vision.drawn.samples import samples
from overbet.interfaces.vision.drawn.themes import THEMES

pytest.importorskip("cv2")


@pytest.fixture(scope="module")
def blurred(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A table whose numbers nobody can read any more."""
    path = tmp_path_factory.mktemp("blurred") / "table.png"
    sample = next(iter(samples(THEMES["paper"], 8, clean=True)))
    Image.fromarray(sample.picture).filter(ImageFilter.GaussianBlur(3.5)).save(path)
    return path


def command(*words: str) -> list[str]:
    return [sys.executable, "-m", "overbet", "read", *words, "--profile", "paper"]


def test_without_a_terminal_it_is_listed(blurred: Path) -> None:
    done = subprocess.run(
        command(str(blurred), "--json"), capture_output=True, text=True, check=False, timeout=600
    )
    values = json.loads(done.stdout)
    unsure = [one["name"] for one in values["fields"] if one["value"] is None]
    assert unsure
    assert not values["complete"]
    assert done.returncode == 1
    assert done.stderr == f"not sure of {', '.join(unsure)}; answer with --set NAME=VALUE\n"


def test_in_a_terminal_it_is_asked_until_the_answer_can_be(blurred: Path) -> None:
    pty = pytest.importorskip("pty", reason="there are no terminals of that kind here")
    pid, terminal = pty.fork()
    if pid == 0:  # the child, in a terminal of its own
        os.execv(sys.executable, command(str(blurred)))
    said, answered = "", 0
    while True:
        assert select.select([terminal], [], [], 600)[0], "it says nothing any more"
        try:
            block = os.read(terminal, 4096)
        except OSError:  # the child has gone
            break
        if not block:
            break
        said += block.decode("utf-8", "replace")
        if re.search(r"probably \[[^\]]*\]: $", said):
            os.write(terminal, b"neither this\n" if answered == 0 else b"\n")  # enter takes the guess
            answered += 1
            said += "\n"
    _, status = os.waitpid(pid, 0)
    assert os.waitstatus_to_exitcode(status) == 0, said
    asked = re.findall(r"^(\S+) \((?:a number|a card|taken|the number)[^)]*\), probably", said, re.MULTILINE)
    assert asked[0] == asked[1]  # the first answer was none, so it was asked again
    assert answered == len(asked) >= 2, said
    assert "not 'neither this'" in said
    assert "least sure" in said
